// A client of the language server, made of the protocol library that VS Code uses.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
export const protocol = require("vscode-languageserver-protocol/node");
export const { TextDocument } = require("vscode-languageserver-textdocument");

export class Client {
  /** Starts the server; `initialize` is not sent yet. */
  constructor(options = []) {
    this.process = spawn(process.env.SHEAF_TESTS_PROGRAM, ["model", "lsp", ...options]);
    this.exited = new Promise((resolve) => this.process.on("exit", (status) => resolve(status)));
    this.errors = "";
    this.process.stderr.on("data", (data) => (this.errors += data));
    this.connection = protocol.createProtocolConnection(
      new protocol.StreamMessageReader(this.process.stdout),
      new protocol.StreamMessageWriter(this.process.stdin),
    );
    this.documents = new Map();
    this.published = new Map(); // by uri: the last diagnostics, with the version they are of
    this.waiting = [];
    this.connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
      this.published.set(params.uri, params);
      this.waiting = this.waiting.filter((check) => !check());
    });
    this.connection.listen();
  }

  async initialize() {
    const result = await this.connection.sendRequest(protocol.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: { general: { positionEncodings: ["utf-16"] } },
    });
    await this.connection.sendNotification(protocol.InitializedNotification.type, {});
    return result.capabilities;
  }

  async open(uri, text) {
    this.documents.set(uri, TextDocument.create(uri, "sheaf", 1, text));
    await this.connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "sheaf", version: 1, text },
    });
  }

  text(uri) {
    return this.documents.get(uri).getText();
  }

  /** As an editor does: changes its own text, and tells only what changed. */
  async edit(uri, contentChanges) {
    const document = this.documents.get(uri);
    TextDocument.update(document, contentChanges, document.version + 1);
    await this.connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: document.version },
      contentChanges,
    });
  }

  /** Replaces the first `from`. */
  async replace(uri, from, to) {
    const document = this.documents.get(uri);
    const at = document.getText().indexOf(from);
    if (at < 0) throw new Error(`no ${from} in ${uri}`);
    const range = { start: document.positionAt(at), end: document.positionAt(at + from.length) };
    await this.edit(uri, [{ range, text: to }]);
  }

  /** The position of the | in `marked`, a piece of the text. */
  at(uri, marked) {
    const document = this.documents.get(uri);
    const found = document.getText().indexOf(marked.replace("|", ""));
    if (found < 0) throw new Error(`no ${marked} in ${uri}`);
    return { textDocument: { uri }, position: document.positionAt(found + marked.indexOf("|")) };
  }

  ask(type, params) {
    return this.connection.sendRequest(type, params);
  }

  applied(uri, edits) {
    return TextDocument.applyEdits(this.documents.get(uri), edits);
  }

  textAt(uri, range) {
    return this.documents.get(uri).getText(range);
  }

  /** The diagnostics of the version that is open now. */
  diagnostics(uri) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no diagnostics of ${uri}; ${this.errors}`)), 10_000);
      const check = () => {
        const found = this.published.get(uri);
        if (found?.version !== this.documents.get(uri).version) return false;
        clearTimeout(timer);
        resolve(found.diagnostics);
        return true;
      };
      if (!check()) this.waiting.push(check);
    });
  }

  async stop() {
    await this.ask(protocol.ShutdownRequest.type);
    await this.connection.sendNotification(protocol.ExitNotification.type);
    return this.exited;
  }
}
