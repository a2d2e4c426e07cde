// JSON whose numbers stay the text that they were.

/** A number as it was written. */
export class JsonNumber {
  constructor(readonly text: string) {}
}
export type Json = null | boolean | string | JsonNumber | Json[] | Map<string, Json>;

export class JsonError extends Error {
  constructor(
    message: string,
    readonly line: number, // from 1
    readonly column: number, // from 1
  ) {
    super(`line ${line}, column ${column}: ${message}`);
  }
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// eslint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  whole(): Json {
    const value = this.value(0);
    this.skip();
    if (this.at < this.text.length) this.fail('nothing more was expected here');
    return value;
  }

  /** One after the other, with or without commas between them. */
  all(): Json[] {
    const values: Json[] = [];
    for (;;) {
      this.takes(',');
      this.skip();
      if (this.at >= this.text.length) return values;
      values.push(this.value(0));
    }
  }

  private fail(message: string): never {
    const before = this.text.slice(0, this.at).split('\n');
    throw new JsonError(message, before.length, before[before.length - 1]!.length + 1);
  }
  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at += found[0].length;
    return found[0];
  }
  private skip(): void {
    this.match(SPACE);
  }
  private takes(letter: string): boolean {
    this.skip();
    if (this.text[this.at] !== letter) return false;
    this.at++;
    return true;
  }
  private string(): string {
    const found = this.match(STRING);
    if (found === null) this.fail(this.text[this.at] === '"' ? 'this text does not end, or has a character that must be escaped' : 'a text in "quotes" was expected');
    return JSON.parse(found) as string;
  }
  private value(depth: number): Json {
    if (depth > 64) this.fail('this is nested too deeply');
    this.skip();
    const letter = this.text[this.at];
    if (letter === '{') return this.object(depth);
    if (letter === '[') return this.list(depth);
    if (letter === '"') return this.string();
    const word = this.match(WORD);
    if (word !== null) return word === 'null' ? null : word === 'true';
    const number = this.match(NUMBER);
    if (number !== null) return new JsonNumber(number);
    return this.fail(letter === undefined ? 'a value is missing' : 'a value was expected');
  }
  private object(depth: number): Json {
    const members = new Map<string, Json>();
    this.at++;
    if (this.takes('}')) return members;
    do {
      this.skip();
      const name = this.string();
      if (members.has(name)) this.fail(`“${name}” is there twice`);
      if (!this.takes(':')) this.fail('a : was expected');
      members.set(name, this.value(depth + 1));
    } while (this.takes(','));
    if (!this.takes('}')) this.fail('a , or } was expected');
    return members;
  }
  private list(depth: number): Json {
    const values: Json[] = [];
    this.at++;
    if (this.takes(']')) return values;
    do values.push(this.value(depth + 1));
    while (this.takes(','));
    if (!this.takes(']')) this.fail('a , or ] was expected');
    return values;
  }
}

/** Throws JsonError. */
export const parseJson = (text: string): Json => new Reader(text).whole();
/** Likewise, of a text with several values. */
export const parseJsonValues = (text: string): Json[] => new Reader(text).all();

/** With an indent: over several lines; what is short stays on one. */
export function formatJson(json: Json, indent = 2): string {
  const write = (value: Json, margin: string): string => {
    if (value instanceof JsonNumber) return value.text;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    const isList = Array.isArray(value);
    const inner = margin + ' '.repeat(indent);
    const parts = isList ? value.map((each) => write(each, inner)) : [...value].map(([name, each]) => `${JSON.stringify(name)}: ${write(each, inner)}`);
    const [open, close] = isList ? ['[', ']'] : ['{', '}'];
    if (parts.length === 0) return open + close;
    const line = isList ? open + parts.join(', ') + close : `${open} ${parts.join(', ')} ${close}`;
    if (indent === 0 || (margin !== '' && line.length + margin.length <= 80 && !line.includes('\n'))) return line;
    return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${margin}${close}`;
  };
  return write(json, '');
}
/** The same JSON, easier to read; a text that is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return formatJson(parseJson(text));
  } catch {
    return text;
  }
}
