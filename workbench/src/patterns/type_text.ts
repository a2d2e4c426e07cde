// Types as the summary of a model writes them: string, [string, int], enum(OPEN, DONE), list<Post>, { id: string, name?: string }.

export interface Field {
  name: string;
  type: Type;
  isOptional: boolean;
}
export type Type =
  | { kind: 'scalar'; name: string }
  | { kind: 'enum'; values: string[] }
  | { kind: 'list'; of: Type }
  | { kind: 'map'; of: Type }
  | { kind: 'tuple'; parts: Type[] }
  | { kind: 'record'; fields: Field[] }
  | { kind: 'named'; name: string };

const SCALARS = ['string', 'number', 'int', 'bool', 'binary', 'time', 'date', 'ulid', 'uuid', 'any'];
const ANY: Type = { kind: 'scalar', name: 'any' };

class Reader {
  private at = 0;
  private readonly words: string[];
  constructor(text: string) {
    this.words = text.match(/`[^`]*`|[^\s{}[\]()<>,:?]+|[{}[\]()<>,:?]/g) ?? [];
  }
  private peek(): string | undefined {
    return this.words[this.at];
  }
  private skip(word: string): boolean {
    if (this.peek() !== word) return false;
    this.at++;
    return true;
  }
  private need(word: string): void {
    if (!this.skip(word)) throw new Error(`${word} is missing`);
  }
  private name(): string {
    const word = this.words[this.at++];
    if (word === undefined) throw new Error('a name is missing');
    return word.replace(/^`|`$/g, '');
  }
  private until<T>(end: string, read: () => T): T[] {
    const all: T[] = [];
    while (!this.skip(end)) {
      all.push(read());
      if (!this.skip(',') && this.peek() !== end) throw new Error(`${end} is missing`);
    }
    return all;
  }
  whole(): Type {
    const type = this.type();
    if (this.peek() !== undefined) throw new Error('there is more');
    return type;
  }
  private type(): Type {
    if (this.skip('[')) return { kind: 'tuple', parts: this.until(']', () => this.type()) };
    if (this.skip('{')) return { kind: 'record', fields: this.until('}', () => this.field()) };
    const name = this.name();
    if (name === 'enum' && this.skip('(')) return { kind: 'enum', values: this.until(')', () => this.name()) };
    if (this.skip('<')) {
      const of = this.type();
      this.need('>');
      return name === 'map' ? { kind: 'map', of } : { kind: 'list', of };
    }
    return SCALARS.includes(name) ? { kind: 'scalar', name } : { kind: 'named', name };
  }
  private field(): Field {
    const name = this.name();
    const isOptional = this.skip('?');
    this.need(':');
    return { name, type: this.type(), isOptional };
  }
}

/** What cannot be read is any: then a value of it is written as JSON. */
export function typeFrom(text: string): Type {
  try {
    return new Reader(text).whole();
  } catch {
    return ANY;
  }
}

/** What a name stands for. */
export function resolved(type: Type, types: Record<string, string>): Type {
  for (let depth = 0; type.kind === 'named' && depth < 20; depth++) {
    const text = types[type.name];
    if (text === undefined) return ANY;
    type = typeFrom(text);
  }
  return type;
}
