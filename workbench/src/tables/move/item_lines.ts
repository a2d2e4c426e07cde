// Items as lines of a file: DynamoDB's JSON, one item in a line, or CSV with the types in its head. json_items.ts reads JSON.
import { valueFromJson } from '../../item/item_json';
import { formatJson, type Json, parseJson } from '../../item/json_text';
import { binaryProblem, numberProblem } from '../../item/number_text';
import { type Item, type TypeName, TYPE_NAMES, typeOf, type Value } from '../../item/value';
import { csvField, csvRecords } from './csv';

export type FileFormat = 'json' | 'csv';
export interface FileItem {
  line: number; // from 1
  item?: Item;
  problem?: string;
}

/** As the exports of DynamoDB have it. */
export const jsonLine = (item: Item): string => `{"Item":${JSON.stringify(item)}}\n`;

// A column is an attribute with a type: `name` is a string, `age:N` a number, `tags:SS` a JSON list;
// `x:JSON` has what no other form can say, as an empty string.
const TYPED = /^(.*):(S|N|B|BOOL|NULL|SS|NS|BS|L|M|JSON)$/s;
type ColumnType = TypeName | 'JSON';

const head = (name: string, type: ColumnType): string => (type === 'S' && !TYPED.test(name) ? name : `${name}:${type}`);
export function columnOf(text: string): { name: string; type: ColumnType; isTyped: boolean } {
  const found = TYPED.exec(text);
  return found ? { name: found[1]!, type: found[2] as ColumnType, isTyped: true } : { name: text, type: 'S', isTyped: false };
}
const jsonOf = (value: unknown): Json => parseJson(JSON.stringify(value));

function cellOf(value: Value): { type: ColumnType; text: string } {
  if ('S' in value) return value.S === '' || value.S.trim() !== value.S ? { type: 'JSON', text: JSON.stringify(value) } : { type: 'S', text: value.S };
  if ('N' in value) return { type: 'N', text: value.N };
  if ('B' in value) return value.B === '' ? { type: 'JSON', text: '{"B":""}' } : { type: 'B', text: value.B };
  if ('BOOL' in value) return { type: 'BOOL', text: String(value.BOOL) };
  if ('NULL' in value) return { type: 'NULL', text: 'null' };
  const type = typeOf(value);
  return { type, text: formatJson(jsonOf(Object.values(value)[0]), 0) };
}

/** Columns are added as attributes are met; so lines are completed at the end. */
export class CsvWriter {
  private readonly columns = new Map<string, number>();
  private readonly lines: { text: string; fields: number }[] = [];

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
      fields[at] = csvField(text);
    }
    for (let at = 0; at < fields.length; at++) fields[at] ??= '';
    this.lines.push({ text: fields.join(','), fields: fields.length });
  }
  parts(): string[] {
    const all = this.columns.size;
    return [[...this.columns.keys()].map(csvField).join(',') + '\r\n', ...this.lines.map(({ text, fields }) => text + ','.repeat(Math.max(0, all - Math.max(1, fields))) + '\r\n')];
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
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && numberProblem(text) === null) return { N: text };
    if (text === 'true' || text === 'false') return { BOOL: text === 'true' };
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
    case 'JSON':
      return valueFromJson(parseJson(text), name);
    default:
      return valueFromJson(new Map([[given, parseJson(text)]]), name);
  }
}

export function* itemsOfCsv(text: string, reading: CsvReading): Generator<FileItem> {
  let columns: ReturnType<typeof columnOf>[] | null = null;
  for (const { line, fields } of csvRecords(text)) {
    if (!columns) {
      columns = fields.map((each) => columnOf(each.trim()));
      continue;
    }
    try {
      if (fields.length > columns.length) throw new Error(`there are ${fields.length} fields, but ${columns.length} columns`);
      const item: Item = {};
      fields.forEach((field, at) => {
        const { name, type, isTyped } = columns![at]!;
        if (field !== '') item[name] = cellValue(field, type, isTyped, name, reading);
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
