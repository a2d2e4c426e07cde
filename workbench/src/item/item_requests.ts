// Requests that change an item only if it is as it was read.
import { isSame } from './difference';
import type { Item, Value } from './value';

export interface Expressions {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues?: Item;
}

// Expressions have at most 4 KB and 300 operators.
const ATTRIBUTES_MAX = 120;

class Names {
  readonly names: Record<string, string> = {};
  readonly values: Item = {};
  private readonly given = new Map<string, string>();
  name(of: string): string {
    let short = this.given.get(of);
    if (!short) {
      short = `#${this.given.size}`;
      this.given.set(of, short);
      this.names[short] = of;
    }
    return short;
  }
  value(of: Value): string {
    const short = `:${Object.keys(this.values).length}`;
    this.values[short] = of;
    return short;
  }
}

/** That it is as it was; of an item with very many attributes only those in `matter` are looked at. */
function asRead(read: Item, keys: string[], absent: string[], matter: Set<string>, names: Names): string {
  const others = Object.keys(read).filter((name) => !keys.includes(name));
  const looked = others.length + absent.length <= ATTRIBUTES_MAX ? others : others.filter((name) => matter.has(name)).slice(0, ATTRIBUTES_MAX);
  return [
    `attribute_exists(${names.name(keys[0]!)})`,
    ...looked.map((name) => `${names.name(name)} = ${names.value(read[name]!)}`),
    ...absent.map((name) => `attribute_not_exists(${names.name(name)})`),
  ].join(' AND ');
}

const expressionsOf = (condition: string, names: Names): Expressions => ({
  ConditionExpression: condition,
  ExpressionAttributeNames: names.names,
  ...(Object.keys(names.values).length > 0 ? { ExpressionAttributeValues: names.values } : {}),
});

const keyOf = (item: Item, keys: string[]): Item => Object.fromEntries(keys.map((name) => [name, item[name]!]));

/** UpdateItem: only what was changed is written, so that nothing else is lost. null: nothing was. */
export function updateRequest(table: string, keys: string[], read: Item, wanted: Item): (Expressions & { TableName: string; Key: Item; UpdateExpression: string }) | null {
  const set = Object.keys(wanted).filter((name) => !keys.includes(name) && !isSame(read[name], wanted[name]));
  const removed = Object.keys(read).filter((name) => wanted[name] === undefined);
  if (set.length + removed.length === 0) return null;
  const names = new Names();
  const parts = [
    ...(set.length > 0 ? ['SET ' + set.map((name) => `${names.name(name)} = ${names.value(wanted[name]!)}`).join(', ')] : []),
    ...(removed.length > 0 ? ['REMOVE ' + removed.map((name) => names.name(name)).join(', ')] : []),
  ];
  const absent = set.filter((name) => read[name] === undefined);
  const condition = asRead(read, keys, absent, new Set([...set, ...removed]), names);
  return { TableName: table, Key: keyOf(read, keys), UpdateExpression: parts.join(' '), ...expressionsOf(condition, names) };
}

/** PutItem that replaces nothing. */
export function putNewRequest(table: string, keys: string[], item: Item) {
  return { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(#0)', ExpressionAttributeNames: { '#0': keys[0]! } };
}

export function deleteRequest(table: string, keys: string[], read: Item): Expressions & { TableName: string; Key: Item } {
  const names = new Names();
  const condition = asRead(read, keys, [], new Set(Object.keys(read).slice(0, ATTRIBUTES_MAX)), names);
  return { TableName: table, Key: keyOf(read, keys), ...expressionsOf(condition, names) };
}
