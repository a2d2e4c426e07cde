import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const here = dirname(fileURLToPath(import.meta.url));
const grammarFile = join(here, "../../editors/sheaf.tmLanguage.json");

const wasm = readFileSync(join(dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
await oniguruma.loadWASM(new Uint8Array(wasm).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
});
const grammar = await registry.loadGrammar("source.sheaf");

/** All tokens with their innermost scopes. */
function coloured(text) {
  let stack = textmate.INITIAL;
  return text.split("\n").flatMap((line, i) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens.map((token) => ({
      text: line.slice(token.startIndex, token.endIndex),
      scope: token.scopes.at(-1).replace(/\.sheaf$/, ""),
      all: token.scopes,
      line: i + 1,
      begin: token.startIndex,
    }));
  });
}

const lines = readFileSync(join(here, "example.sheaf"), "utf8").split("\n");
const tokens = coloured(lines.join("\n"));

/** The scope of what stands at `text` on the line that begins with `beginning`; ^ in `text` says where exactly. */
function scopeOf(beginning, text) {
  const line = lines.findIndex((each) => each.trimStart().startsWith(beginning));
  assert.notEqual(line, -1, beginning);
  const inside = Math.max(text.indexOf("^"), 0);
  const begin = lines[line].indexOf(text.replace("^", ""));
  assert.notEqual(begin, -1, text);
  const found = tokens.findLast((token) => token.line === line + 1 && token.begin <= begin + inside);
  return found.scope;
}

function check(beginning, expected) {
  for (const [text, scope] of Object.entries(expected)) assert.equal(scopeOf(beginning, text), scope, `${text} in: ${beginning}`);
}

test("comments", () => {
  check("// A shop", { "A shop": "comment.line.double-slash" });
  check("/// Sells", { Sells: "comment.line.documentation" });
  check("home", { kept: "comment.line.double-slash" });
});

test("declarations have names", () => {
  check("model", { model: "keyword.declaration", shop: "entity.name.namespace" });
  check("table app", { table: "keyword.declaration", app: "entity.name.type.table" });
  check("entity Customer within", { entity: "keyword.declaration", Customer: "entity.name.type.entity", within: "keyword.other" });
  check("layout", { second: "entity.name.type.layout", default: "entity.other.inherited-class" });
  check("pattern", { pattern: "keyword.declaration", recent: "entity.name.function.pattern", "c:": "variable.parameter" });
  check("op", { op: "keyword.declaration", pay: "entity.name.function.operation", Order: "entity.name.type.entity" });
  check("expect", { expect: "keyword.declaration", recent: "entity.name.function.pattern", null: "constant.language" });
});

test("relations have cardinalities and ends", () => {
  check("rel Customer 1", {
    rel: "keyword.declaration",
    Customer: "entity.name.type.entity",
    "1--*": "keyword.operator.cardinality",
    orders: "variable.other.member.end",
    "/ ^customer": "variable.other.member.end",
    "index on": "constant.language.strategy",
    required: "storage.modifier",
    avg: "keyword.other",
    "^10": "constant.numeric",
  });
  check("rel Customer *", { "*--*": "keyword.operator.cardinality", friends: "variable.other.member.end" });
  check("on delete", { delete: "keyword.other", cascade: "constant.language", share: "variable.other.member", number: "support.type" });
  check("rel Customer.orders", {
    ".^orders": "variable.other.member.end",
    edges: "constant.language.strategy",
    both: "constant.language",
    "^<orders": "punctuation.section.embedded.begin",
    "<^orders": "variable.other.member",
    "index GSI1": "keyword.other",
  });
});

test("a word is a keyword only where it can be one", () => {
  check("id id", { "^id id ": "variable.other.member", "id ^id": "storage.modifier.id", ulid: "support.type", unique: "storage.modifier" });
  check("home", { street: "variable.other.member", "string?": "support.type", count: "support.function" });
  check("tag", { tag: "keyword.other", item: "constant.language", timestamps: "storage.modifier" });
  check("table app", { tag: "keyword.other", number: "support.type", include: "storage.modifier" });
  check("pattern", { "^since:": "variable.parameter", "time?": "support.type" });
});

test("templates have holes, other strings have none", () => {
  check("key \"C#", {
    "C#": "string.quoted.double.template",
    "<^id:": "variable.other.member",
    raw: "constant.other.format",
    "000": "constant.other.format",
    "\\<": "constant.character.escape",
  });
  check("id id", { "<.+>": "string.quoted.double", FREE: "variable.other.enummember", '"^FREE"': "string.quoted.double" });
  check("when", { '"^PRO"': "string.quoted.double", when: "keyword.control", between: "keyword.operator.word", "99": "constant.numeric" });
});

test("patterns and operations", () => {
  check("$c.orders", {
    "$^c": "variable.parameter",
    "^2": "constant.numeric",
    where: "keyword.control",
    ">=": "keyword.operator",
    exists: "keyword.operator.word",
    total: "variable.other.member",
    sum: "support.function",
  });
  check("budget", { budget: "keyword.control.clause", request: "keyword.other.unit", "50": "constant.numeric", "/^s": "keyword.other.unit", strong: "keyword.control.clause" });
  check("op", { set: "keyword.control.write", true: "constant.language", now: "constant.language", link: "keyword.control.write", "-0.5": "constant.numeric" });
  check("compare [", { default: "entity.name.type.layout" });
  check("compare Customer", { collection: "constant.language.strategy" });
});

test("nothing in the example is left without a colour", () => {
  const plain = tokens.filter((token) => token.all.length < 2 && token.text.trim() !== "");
  assert.deepEqual(plain.map((token) => `${token.line}: ${token.text}`), []);
});

test("what follows a declaration is coloured as if it stood alone", () => {
  // No rule may stay open: the closing brace of the model is its own.
  const last = tokens.filter((token) => token.text === "}").at(-1);
  assert.deepEqual(last.all, ["source.sheaf", "punctuation.section.sheaf"]);
});
