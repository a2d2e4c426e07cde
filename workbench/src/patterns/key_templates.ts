// The keys of a layout as `sheaf model plan` prints them, and what the keys of an item say:
//   table hr-data: PK / SK, 3 indexes, ..
//     Employee "EMPLOYEE#<id>" / "EMPLOYEE#<id>"
//       GSI1 "DEPARTMENT#<department.id>" / "EMPLOYEE#<id>"
import { type Item, keyText, shown } from '../item/value';
import { type Index, indexesOf, keyNames, type Table } from '../server/dynamo';

export interface KeyTemplate {
  pk: string;
  sk: string | null;
}
export interface Kind {
  name: string; // Employee; Department.staff, of edges
  key: KeyTemplate;
  indexes: { index: string; key: KeyTemplate }[];
}
export interface TableKeys {
  table: string;
  kinds: Kind[];
}
export interface LayoutKeys {
  tables: TableKeys[];
  relations: { relation: string; via: string; promises: string[] }[];
}

function templateFrom(text: string): KeyTemplate | null {
  const parts = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1]!);
  return parts.length === 0 ? null : { pk: parts[0]!, sk: parts[1] ?? null };
}

export function keysFrom(plan: string): LayoutKeys {
  const keys: LayoutKeys = { tables: [], relations: [] };
  let table: TableKeys | null = null;
  for (const line of plan.split('\n')) {
    const found = /^table (\S+): /.exec(line);
    if (found) {
      table = { table: found[1]!, kinds: [] };
      keys.tables.push(table);
      continue;
    }
    const entry = /^(\s+)(\S+) (".*)$/.exec(line);
    const template = entry && table ? templateFrom(entry[3]!) : null;
    if (entry && table && template) {
      const last = table.kinds[table.kinds.length - 1];
      if (entry[1]!.length <= 2) table.kinds.push({ name: entry[2]!, key: template, indexes: [] });
      else last?.indexes.push({ index: entry[2]!, key: template });
      continue;
    }
    const relation = /^(\w+\.\w+) via ([^:]*)/.exec(line);
    if (relation) {
      table = null;
      keys.relations.push({ relation: relation[1]!, via: relation[2]!, promises: [] });
    } else if (line.startsWith('  ') && table === null && keys.relations.length > 0) keys.relations[keys.relations.length - 1]!.promises.push(line.trim());
  }
  return keys;
}

// --- What a key says

/** By the path in each hole, as it is written there: {"order.number": "00000007"} */
export type Holes = Record<string, string>;

const HOLE = /<([^<>:]+)(?::([^<>]*))?>/g;
const literal = (text: string) => text.replace(/\\([<>"\\])/g, '$1').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function match(template: string, text: string): Holes | null {
  const names: string[] = [];
  let pattern = '';
  let from = 0;
  for (const hole of template.matchAll(HOLE)) {
    pattern += literal(template.slice(from, hole.index)) + '(.*?)';
    // A bucket or a shard of a value is not the value.
    names.push(hole[2] === undefined || /^(0+|raw)$/.test(hole[2]) ? hole[1]! : `${hole[1]}:${hole[2]}`);
    from = hole.index + hole[0].length;
  }
  const found = new RegExp(`^${pattern}${literal(template.slice(from))}$`, 's').exec(text);
  if (!found) return null;
  return Object.fromEntries(names.map((name, i) => [name, found[i + 1]!]));
}
function matchKey({ pk, sk }: KeyTemplate, item: Item, schema: Table['KeySchema'] | Index['KeySchema']): Holes | null {
  const { partition, sort } = keyNames(schema);
  const one = item[partition[0] ?? ''];
  const two = item[sort[0] ?? ''];
  if (!one) return null;
  const holes = match(pk, shown(one, Infinity));
  if (holes === null) return null;
  if (sk === null || !two) return sk === null ? holes : null;
  const more = match(sk, shown(two, Infinity));
  return more && { ...holes, ...more };
}

export interface Decoded {
  kind: string;
  holes: Holes;
}
/** Which kind of item it is, and what its keys hold; null if no template fits. */
export function decode(item: Item, table: Table, keys: LayoutKeys, tagOf: (kind: string) => string): Decoded | null {
  const of = keys.tables.find((each) => each.table === table.TableName);
  const found: Decoded[] = [];
  for (const kind of of?.kinds ?? []) {
    const holes = matchKey(kind.key, item, table.KeySchema);
    if (!holes) continue;
    for (const { index, key } of kind.indexes) {
      const schema = indexesOf(table).find((each) => each.IndexName === index)?.KeySchema;
      if (schema) Object.assign(holes, matchKey(key, item, schema) ?? {});
    }
    found.push({ kind: kind.name, holes });
  }
  const says = (tag: string) => Object.values(item).some((value) => 'S' in value && value.S === tag);
  return found.find((each) => says(tagOf(each.kind))) ?? found[0] ?? null;
}

/** What stands in a hole, read as the value that it was. */
export function plain(text: string): string {
  return text.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
export const holesIn = (text: string): string[] => [...text.matchAll(HOLE)].map((found) => found[1]!);
export const fill = (text: string, holes: Holes): string => text.replace(HOLE, (whole, name: string) => holes[name] ?? whole);

/** The same item once, whatever it was read from. */
export const itemText = (table: Table, item: Item): string =>
  table.TableName + keyText(Object.fromEntries(table.KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]!])));
