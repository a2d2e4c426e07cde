// An editing session, as an editor would have it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, protocol } from "./client.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const model = (name) => readFileSync(join(here, "../../models", name, "model.sheaf"), "utf8");
const uri = "file:///work/support.sheaf";

async function withClient(run, options) {
  const client = new Client(options);
  try {
    await run(client);
    assert.equal(await client.stop(), 0);
    assert.equal(client.errors, "");
  } finally {
    client.process.kill("SIGKILL");
  }
}

test("the server says what it can do", () =>
  withClient(async (client) => {
    const can = await client.initialize();
    assert.equal(can.positionEncoding, "utf-16");
    assert.equal(can.textDocumentSync.change, protocol.TextDocumentSyncKind.Incremental);
    for (const name of ["hover", "definition", "references", "documentSymbol", "documentFormatting", "foldingRange"])
      assert.ok(can[`${name}Provider`], name);
    for (const name of ["completion", "rename", "codeAction", "semanticTokens"]) assert.ok(can[`${name}Provider`], name);
  }));

test("mistakes come and go while somebody types", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, model("support"));
    assert.deepEqual(await client.diagnostics(uri), []);
    await client.replace(uri, "t: Ticket", "t: Tickt");
    const [wrong, ...others] = await client.diagnostics(uri);
    assert.deepEqual(others, []);
    assert.equal(wrong.code, "unknown-entity");
    assert.equal(wrong.severity, protocol.DiagnosticSeverity.Error);
    assert.equal(client.textAt(uri, wrong.range), "Tickt");
    assert.match(wrong.message, /there is no entity or type named Tickt\nwrite Ticket/);
    // The fix that is offered mends it.
    const [fix] = await client.ask(protocol.CodeActionRequest.type, {
      textDocument: { uri },
      range: wrong.range,
      context: { diagnostics: [wrong] },
    });
    assert.equal(fix.title, "Write Ticket");
    assert.equal(client.applied(uri, fix.edit.changes[uri]), model("support"));
    await client.replace(uri, "t: Tickt", "t: Ticket");
    assert.deepEqual(await client.diagnostics(uri), []);
  }));

test("related places and links to the pages about mistakes", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, "model m { entity A { id id }\nentity A { id id } }");
    const [wrong] = await client.diagnostics(uri);
    assert.equal(wrong.codeDescription.href, "file:///usr/share/doc/sheaf/errors/said-twice.md");
    assert.equal(client.textAt(uri, wrong.relatedInformation[0].location.range), "A");
    assert.equal(wrong.relatedInformation[0].location.range.start.line, 0);
  }, ["--pages", "file:///usr/share/doc/sheaf/errors"]));

test("a pattern is written with the names that are offered", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, model("support"));
    await client.replace(uri, "  compare [default, flat]\n", "  pattern mine(u: User) = $\n  compare [default, flat]\n");
    const labels = async (marked) =>
      (await client.ask(protocol.CompletionRequest.type, client.at(uri, marked))).items.map((item) => item.label);
    assert.deepEqual(await labels("pattern mine(u: User) = $|"), ["u"]);
    await client.replace(uri, "(u: User) = $\n", "(u: User) = $u.\n");
    assert.deepEqual((await labels("(u: User) = $u.|\n")).sort(), ["email", "name", "org", "tickets"]);
    await client.replace(uri, "(u: User) = $u.\n", "(u: User) = $u.tickets { sub }\n");
    const { items } = await client.ask(protocol.CompletionRequest.type, client.at(uri, "{ sub| }"));
    const subject = items.find((item) => item.label === "subject");
    assert.match(subject.detail, /string, of Ticket/);
    assert.match(client.applied(uri, [subject.textEdit]), /\$u\.tickets \{ subject \}/);
    await client.replace(uri, "{ sub }", "{ subject }");
    assert.deepEqual(await client.diagnostics(uri), []);
  }));

test("hovering over a pattern tells its plan and cost in each layout", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, model("support"));
    const hover = await client.ask(protocol.HoverRequest.type, client.at(uri, "pattern org|AndUsers"));
    assert.equal(client.textAt(uri, hover.range), "orgAndUsers");
    assert.match(hover.contents.value, /In default\n```text\norgAndUsers\(o\): \d+ requests?, \d+ rounds?, /);
    assert.match(hover.contents.value, /In flat\n/);
    const keyword = await client.ask(protocol.HoverRequest.type, client.at(uri, "{ v|ia collection"));
    assert.match(keyword.contents.value, /How the relation is stored/);
    assert.equal(await client.ask(protocol.HoverRequest.type, client.at(uri, "|\n  table support")), null);
  }));

test("definitions, references and highlights", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, model("support"));
    const [definition] = await client.ask(protocol.DefinitionRequest.type, client.at(uri, "<owner.o|rg.name>"));
    assert.deepEqual(definition.range.start, client.at(uri, "as users / |org").position);
    const params = client.at(uri, "entity T|icket {");
    const found = await client.ask(protocol.ReferencesRequest.type, { ...params, context: { includeDeclaration: true } });
    assert.equal(found.length, 4);
    for (const place of found) assert.equal(client.textAt(uri, place.range), "Ticket");
    const marked = await client.ask(protocol.DocumentHighlightRequest.type, params);
    assert.equal(marked.length, 4);
  }));

test("renaming goes into templates and paths, and is refused where a name is taken", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, model("support"));
    const params = client.at(uri, "tickets / ow|ner");
    const range = await client.ask(protocol.PrepareRenameRequest.type, params);
    assert.equal(client.textAt(uri, range), "owner");
    const edit = await client.ask(protocol.RenameRequest.type, { ...params, newName: "holder" });
    const renamed = client.applied(uri, edit.changes[uri]);
    assert.match(renamed, /"ORG#<holder\.org\.name>#USER#<holder\.name>"/);
    assert.doesNotMatch(renamed, /owner/);
    await client.edit(uri, [{ text: renamed }]);
    assert.deepEqual(await client.diagnostics(uri), []);
    await assert.rejects(
      client.ask(protocol.RenameRequest.type, { ...client.at(uri, "entity Us|er"), newName: "Org" }),
      /it cannot be named Org: there are two entities named Org/,
    );
  }));

test("outline, folding, formatting and colours", () =>
  withClient(async (client) => {
    const can = await client.initialize();
    await client.open(uri, model("support").replace("entity Org {", "entity   Org {"));
    const [outline] = await client.ask(protocol.DocumentSymbolRequest.type, { textDocument: { uri } });
    assert.equal(outline.name, "support");
    assert.deepEqual(outline.children.slice(0, 4).map((child) => child.name), ["support", "Org", "User", "Ticket"]);
    const folds = await client.ask(protocol.FoldingRangeRequest.type, { textDocument: { uri } });
    assert.ok(folds.some((fold) => fold.kind === "comment" && fold.startLine === 0 && fold.endLine === 1));
    const edits = await client.ask(protocol.DocumentFormattingRequest.type, {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    });
    assert.equal(client.applied(uri, edits), model("support"));
    const { data } = await client.ask(protocol.SemanticTokensRequest.type, { textDocument: { uri } });
    let [line, character] = [0, 0];
    const tokens = [];
    for (let i = 0; i < data.length; i += 5) {
      character = data[i] === 0 ? character + data[i + 1] : data[i + 1];
      line += data[i];
      const range = { start: { line, character }, end: { line, character: character + data[i + 2] } };
      tokens.push([client.textAt(uri, range), can.semanticTokensProvider.legend.tokenTypes[data[i + 3]]]);
    }
    assert.deepEqual(tokens.slice(0, 4), [["support", "namespace"], ["support", "struct"], ["GSI1", "enumMember"], ["Org", "class"]]);
    assert.ok(tokens.some(([text, type]) => text === "o" && type === "parameter"));
  }));

test("places behind characters of other languages", () =>
  withClient(async (client) => {
    await client.initialize();
    const text = '/// 𝄞 Grüße\nmodel m { entity A { id id; `größe𝄞` int; key "𝄞é#<id>" / "A" } pattern p(a: A) = $a { `größe𝄞`, x } }\n';
    await client.open(uri, text);
    const [wrong] = await client.diagnostics(uri);
    assert.equal(client.textAt(uri, wrong.range), "x");
    const found = await client.ask(protocol.DefinitionRequest.type, client.at(uri, "{ `grö|ße𝄞`, x"));
    assert.equal(client.textAt(uri, found[0].range), "`größe𝄞`");
    const params = client.at(uri, '"𝄞é#<i|d>"');
    const edit = await client.ask(protocol.RenameRequest.type, { ...params, newName: "nr" });
    assert.match(client.applied(uri, edit.changes[uri]), /entity A \{ nr id; `größe𝄞` int; key "𝄞é#<nr>"/);
    // And edits there arrive where they were made.
    await client.replace(uri, "`größe𝄞`, x", "`größe𝄞`, id");
    assert.deepEqual(await client.diagnostics(uri), []);
  }));

test("several documents, each with its own mistakes", () =>
  withClient(async (client) => {
    await client.initialize();
    const other = "file:///work/other.sheaf";
    await client.open(uri, model("support"));
    await client.open(other, "model m { entity }");
    assert.deepEqual(await client.diagnostics(uri), []);
    assert.equal((await client.diagnostics(other)).length, 1);
    await client.connection.sendNotification(protocol.DidCloseTextDocumentNotification.type, { textDocument: { uri: other } });
    await assert.rejects(client.ask(protocol.HoverRequest.type, client.at(other, "ent|ity")), /not open/);
    assert.deepEqual(client.published.get(other).diagnostics, []);
    assert.ok(await client.ask(protocol.HoverRequest.type, client.at(uri, "entity O|rg")));
  }));

test("the life of a server", async () => {
  const client = new Client();
  await assert.rejects(client.ask("textDocument/hover", {}), { code: -32002 });
  await client.initialize();
  await assert.rejects(client.ask("textDocument/unheardOf", {}), { code: protocol.ErrorCodes.MethodNotFound });
  await assert.rejects(client.ask("initialize", {}), { code: protocol.ErrorCodes.InvalidRequest });
  await client.connection.sendNotification("$/setTrace", { value: "off" });
  await client.connection.sendNotification("unheard/of", {});
  await client.ask(protocol.ShutdownRequest.type);
  await assert.rejects(client.ask("textDocument/hover", {}), { code: protocol.ErrorCodes.InvalidRequest });
  await client.connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await client.exited, 0);

  const abrupt = new Client();
  await abrupt.initialize();
  await abrupt.connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await abrupt.exited, 1);

  const gone = new Client();
  await gone.initialize();
  gone.process.stdin.end();
  assert.equal(await gone.exited, 1);
});

test("what waits can be cancelled", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, model("support"));
    // All in one write, so that the last is read before the first is answered.
    const token = new protocol.CancellationTokenSource();
    const asked = [];
    for (let i = 0; i < 50; i++) {
      const rename = { ...client.at(uri, "entity T|icket"), newName: `Ticket${i}` };
      asked.push(client.connection.sendRequest(protocol.RenameRequest.type, rename, token.token));
    }
    token.cancel();
    const outcomes = await Promise.allSettled(asked);
    assert.ok(outcomes.every(({ status, reason }) => status === "fulfilled" || reason.code === -32800));
    assert.ok(outcomes.some(({ status }) => status === "rejected"), "none was cancelled");
    assert.ok(await client.ask(protocol.HoverRequest.type, client.at(uri, "entity T|icket")));
  }));

test("a text is written character by character, and nothing is ever wrong but the model", () =>
  withClient(async (client) => {
    await client.initialize();
    await client.open(uri, "");
    const text = model("order");
    for (const character of text) {
      const document = client.documents.get(uri);
      const end = document.positionAt(document.getText().length);
      await client.edit(uri, [{ range: { start: end, end }, text: character }]);
      if (" .$<{\"".includes(character)) {
        const found = await client.ask(protocol.CompletionRequest.type, {
          textDocument: { uri },
          position: document.positionAt(document.getText().length),
        });
        assert.ok(Array.isArray(found.items));
      }
    }
    assert.equal(client.text(uri), text);
    assert.deepEqual(await client.diagnostics(uri), []);
  }));
