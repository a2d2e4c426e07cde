// Plain JSON in which nothing is lost, as `sheaf dump --format json` writes it: what JSON has no form for is an object of one
// marked member. {"$B": "base64"} is a binary, {"$SS": ["a"]}, {"$NS": [1]} and {"$BS": ["base64"]} are sets, and a map that could
// be taken for one of these is {"$M": {...}}.
import { valueFromJson } from '../../item/item_json';
import { type Json, JsonNumber } from '../../item/json_text';
import type { Item, Value } from '../../item/value';

const MARKS = ['$B', '$SS', '$NS', '$BS', '$M'];
const markOf = (map: Map<string, Json>): string | undefined => (map.size === 1 ? MARKS.find((each) => map.has(each)) : undefined);

/** The item itself is never taken for a mark. Throws if a mark holds what it cannot. */
export function itemFromMarked(json: Json): Item {
  if (!(json instanceof Map)) throw new Error('an object { … } was expected');
  return Object.fromEntries([...json].map(([name, value]) => [name, valueFromMarked(value, name)]));
}
export function valueFromMarked(json: Json, path: string): Value {
  if (Array.isArray(json)) return { L: json.map((each, at) => valueFromMarked(each, `${path}[${at}]`)) };
  if (json === null) return { NULL: true };
  if (typeof json === 'boolean') return { BOOL: json };
  if (typeof json === 'string') return { S: json };
  if (json instanceof JsonNumber) return valueFromJson(new Map<string, Json>([['N', json]]), path);
  const mark = markOf(json);
  if (!mark) return mapFromMarked(json, path);
  const marked = json.get(mark)!;
  if (mark !== '$M') {
    const isOfNumbers = mark === '$NS' && Array.isArray(marked) && marked.every((each) => each instanceof JsonNumber);
    if (mark === '$NS' && !isOfNumbers) throw new Error(`${path}: what $NS marks is a list of numbers`);
    return valueFromJson(new Map([[mark.slice(1), marked]]), path);
  }
  if (!(marked instanceof Map)) throw new Error(`${path}: what $M marks is a map`);
  return mapFromMarked(marked, path);
}
const mapFromMarked = (map: Map<string, Json>, path: string): Value => ({ M: Object.fromEntries([...map].map(([name, value]) => [name, valueFromMarked(value, `${path}.${name}`)])) });

export function markedJson(value: Value): Json {
  if ('S' in value) return value.S;
  if ('N' in value) return new JsonNumber(value.N);
  if ('BOOL' in value) return value.BOOL;
  if ('NULL' in value) return null;
  if ('L' in value) return value.L.map(markedJson);
  if ('M' in value) {
    const map = new Map(Object.entries(value.M).map(([name, each]) => [name, markedJson(each)]));
    return markOf(map) ? new Map([['$M', map]]) : map;
  }
  if ('B' in value) return new Map([['$B', value.B]]);
  if ('SS' in value) return new Map([['$SS', value.SS]]);
  if ('BS' in value) return new Map([['$BS', value.BS]]);
  return new Map([['$NS', value.NS.map((each) => new JsonNumber(each))]]);
}
