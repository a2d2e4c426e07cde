// Items as lines of a file: DynamoDB's JSON, one item in a line, or CSV with the types in its head. json_items.ts reads JSON.
import { valueFromJson } from '../../item/item_json';
import { formatJson, type Json, JsonNumber, parseJson } from '../../item/json_text';
import { binaryProblem, numberProblem } from '../../item/number_text';
import { type Item, type TypeName, TYPE_NAMES, typeOf, type Value } from '../../item/value';
import { csvField, csvRecords } from './csv';
import { markedJson, valueFromMarked } from './marked_json';

export type FileFormat = 'json' | 'csv';
export interface FileItem {
  line: number; // from 1
  item?: Item;
  problem?: string;
}

/** As the exports of DynamoDB have it. */
export const jsonLine = (item: Item): string => `{"Item":${JSON.stringify(item)}}\n`;

// A column is an attribute with a type, as `sheaf load` reads it: `name` is a string, `age:N` a number, `tags:SS` a list in JSON,
// `place:M` plain JSON with marks (marked_json.ts); `x:any` has DynamoDB's JSON, {"B":""}.
const TYPED = /^(.+):(S|N|B|BOOL|NULL|SS|NS|BS|L|M|any)$/s;
type ColumnType = TypeName | 'any';

const head = (name: string, type: ColumnType): string => (type === 'S' && !TYPED.test(name) ? name : `${name}:${type}`);
export function columnOf(text: string): { name: string; type: ColumnType; isTyped: boolean } {
  const found = TYPED.exec(text);
  return found ? { name: found[1]!, type: found[2] as ColumnType, isTyped: true } : { name: text, type: 'S', isTyped: false };
}

function cellOf(value: Value): { type: ColumnType; text: string } {
  const type = typeOf(value);
  if ('S' in value) return { type, text: value.S };
  if ('N' in value) return { type, text: value.N };
  if ('B' in value) return value.B === '' ? { type: 'any', text: '{"B":""}' } : { type, text: value.B };
  if ('BOOL' in value) return { type, text: String(value.BOOL) };
  if ('NULL' in value) return { type, text: 'null' };
  const json: Json = 'SS' in value ? value.SS : 'BS' in value ? value.BS : 'NS' in value ? value.NS.map((each) => new JsonNumber(each)) : markedJson(value);
  return { type, text: formatJson(json, 0) };
}

const looksLikeNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && numberProblem(text) === null;
const looksLikeBoolean = (text: string): boolean => text === 'true' || text === 'false';
const looksOtherwise = (text: string): boolean => looksLikeNumber(text) || looksLikeBoolean(text);

/** Columns are added as attributes are met; so lines are completed at the end. */
export class CsvWriter {
  private readonly columns = new Map<string, number>();
  private readonly lines: { text: string; fields: number }[] = [];
  private readonly ambiguous = new Set<string>(); // texts that would be guessed to be something else

  constructor(first: { name: string; type: ColumnType }[]) {
    for (const { name, type } of first) this.columns.set(head(name, type), this.columns.size);
  }
  add(item: Item): void {
    const fields: string[] = [];
    for (const [name, value] of Object.entries(item)) {
      const { type, text } = cellOf(value);
      const title = head(name, type);
      let at = this.columns.get(title);
      if (at === undefined) this.columns.set(title, (at = this.columns.size));
      if (title === name && looksOtherwise(text)) this.ambiguous.add(title);
      fields[at] = text === '' ? '""' : csvField(text);
    }
    for (let at = 0; at < fields.length; at++) fields[at] ??= '';
    this.lines.push({ text: fields.join(','), fields: fields.length });
  }
  parts(): string[] {
    const all = this.columns.size;
    const heads = [...this.columns.keys()].map((title) => csvField(this.ambiguous.has(title) ? `${title}:S` : title));
    return [heads.join(',') + '\r\n', ...this.lines.map(({ text, fields }) => text + ','.repeat(Math.max(0, all - Math.max(1, fields))) + '\r\n')];
  }
}

export interface CsvReading {
  keyTypes: Record<string, 'S' | 'N' | 'B'>;
  guesses: boolean; // 12 and true are a number and a boolean where the head says nothing
}

function cellValue(text: string, type: ColumnType, isTyped: boolean, name: string, { keyTypes, guesses }: CsvReading): Value {
  const known = keyTypes[name];
  const given = isTyped ? type : (known ?? type);
  if (!isTyped && known === undefined && guesses) {
    if (looksLikeNumber(text)) return { N: text };
    if (looksLikeBoolean(text)) return { BOOL: text === 'true' };
  }
  const check = (problem: string | null) => {
    if (problem) throw new Error(`${name}: ${problem}`);
  };
  switch (given) {
    case 'S':
      return { S: text };
    case 'N':
      check(numberProblem(text));
      return { N: text.trim() };
    case 'B':
      check(binaryProblem(text));
      return { B: text };
    case 'BOOL':
      check(/^(true|false)$/i.test(text) ? null : 'a boolean is true or false');
      return { BOOL: /^true$/i.test(text) };
    case 'NULL':
      return { NULL: true };
    case 'any':
      return valueFromJson(parseJson(text), name);
    case 'M':
    case 'L': {
      const value = valueFromMarked(parseJson(text), name);
      check(typeOf(value) === given ? null : `a ${TYPE_NAMES[given].toLowerCase()} was expected`);
      return value;
    }
    default:
      return valueFromJson(new Map([[given, parseJson(text)]]), name);
  }
}

export function* itemsOfCsv(text: string, reading: CsvReading): Generator<FileItem> {
  let columns: ReturnType<typeof columnOf>[] | null = null;
  for (const { line, fields, quoted } of csvRecords(text)) {
    if (!columns) {
      columns = fields.map((each) => columnOf(each.trim()));
      continue;
    }
    try {
      if (fields.length > columns.length) throw new Error(`there are ${fields.length} fields, but ${columns.length} columns`);
      const item: Item = {};
      fields.forEach((field, at) => {
        const { name, type, isTyped } = columns![at]!;
        if (field === '' && !quoted[at]) return;
        if (Object.hasOwn(item, name)) throw new Error(`two fields say what ${name} is`);
        item[name] = cellValue(field, type, isTyped, name, reading);
      });
      yield { line, item };
    } catch (error) {
      yield { line, problem: (error as Error).message };
    }
  }
}

/** Why this item cannot be in a table with such keys; null: it can. */
export function keyProblem(item: Item, keyTypes: Record<string, 'S' | 'N' | 'B'>): string | null {
  for (const [name, type] of Object.entries(keyTypes)) {
    const value = item[name];
    if (!value) return `the key ${name} is missing`;
    if (typeOf(value) !== type) return `the key ${name} is a ${TYPE_NAMES[typeOf(value)].toLowerCase()}, not a ${TYPE_NAMES[type].toLowerCase()}`;
  }
  return null;
}
