// An item as text: DynamoDB's JSON, where every value has its type, and plain JSON, where numbers are numbers.
import { formatJson, type Json, JsonNumber, parseJson } from './json_text';
import { binaryProblem, numberProblem } from './number_text';
import { type Item, type TypeName, TYPE_NAMES, typeOf, type Value } from './value';

export class ValueError extends Error {}
const fail = (path: string, message: string): never => {
  throw new ValueError(path === '' ? message : `${path}: ${message}`);
};
const under = (path: string, name: string | number) => (typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);

function numberOf(json: Json, path: string): string {
  const text = json instanceof JsonNumber ? json.text : typeof json === 'string' ? json : fail(path, 'a number is written as a text, "12"');
  const problem = numberProblem(text);
  return problem ? fail(path, problem) : text;
}
const stringOf = (json: Json, path: string): string => (typeof json === 'string' ? json : fail(path, 'a text was expected'));
function binaryOf(json: Json, path: string): string {
  const text = stringOf(json, path);
  const problem = binaryProblem(text);
  return problem ? fail(path, problem) : text;
}
function listOf<T>(json: Json, path: string, each: (json: Json, path: string) => T): T[] {
  if (!Array.isArray(json)) return fail(path, 'a list was expected');
  return json.map((value, at) => each(value, under(path, at)));
}
function setOf(json: Json, path: string, each: (json: Json, path: string) => string): string[] {
  const values = listOf(json, path, each);
  if (values.length === 0) fail(path, 'a set has at least one element');
  if (new Set(values).size < values.length) fail(path, 'a set has no element twice');
  return values;
}
export function itemFromJson(json: Json, path = ''): Item {
  if (!(json instanceof Map)) return fail(path, 'an object { … } was expected');
  return Object.fromEntries([...json].map(([name, value]) => [name, valueFromJson(value, under(path, name))]));
}
/** {"S": "a"}. Throws ValueError. */
export function valueFromJson(json: Json, path: string): Value {
  if (!(json instanceof Map) || json.size !== 1) return fail(path, 'a value is {"TYPE": …} with one type, as {"S": "text"}');
  const [type, inner] = [...json][0] as [string, Json];
  switch (type as TypeName) {
    case 'S':
      return { S: stringOf(inner, path) };
    case 'N':
      return { N: numberOf(inner, path) };
    case 'B':
      return { B: binaryOf(inner, path) };
    case 'BOOL':
      return { BOOL: typeof inner === 'boolean' ? inner : fail(path, 'BOOL is true or false') };
    case 'NULL':
      return inner === true ? { NULL: true } : fail(path, 'NULL is written {"NULL": true}');
    case 'SS':
      return { SS: setOf(inner, path, stringOf) };
    case 'NS':
      return { NS: setOf(inner, path, numberOf) };
    case 'BS':
      return { BS: setOf(inner, path, binaryOf) };
    case 'L':
      return { L: listOf(inner, path, valueFromJson) };
    case 'M':
      return { M: itemFromJson(inner, path) };
    default:
      return fail(path, `“${type}” is no type; there are ${Object.keys(TYPE_NAMES).join(', ')}`);
  }
}

const jsonOf = (value: unknown): Json =>
  Array.isArray(value) ? value.map(jsonOf) : typeof value === 'object' && value !== null ? new Map(Object.entries(value).map(([name, each]) => [name, jsonOf(each)])) : (value as Json);
export const dynamoText = (item: Item, indent = 2): string => formatJson(jsonOf(item), indent);
export const itemFromDynamoText = (text: string): Item => itemFromJson(parseJson(text));

function plainOf(value: Value): Json {
  if ('S' in value) return value.S;
  if ('N' in value) return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value.N) ? new JsonNumber(value.N) : value.N;
  if ('B' in value) return value.B;
  if ('BOOL' in value) return value.BOOL;
  if ('NULL' in value) return null;
  if ('SS' in value) return value.SS;
  if ('NS' in value) return value.NS.map((each) => new JsonNumber(each));
  if ('BS' in value) return value.BS;
  if ('L' in value) return value.L.map(plainOf);
  return new Map(Object.entries(value.M).map(([name, each]) => [name, plainOf(each)]));
}
export const plainText = (item: Item, indent = 2): string => formatJson(plainOf({ M: item }), indent);

/** Binaries and sets look like texts and lists in plain JSON: they stay what they were in `like`, where that still fits. */
function valueFromPlain(json: Json, path: string, like: Value | undefined): Value {
  const was = like && typeOf(like);
  if (json === null) return { NULL: true };
  if (typeof json === 'boolean') return { BOOL: json };
  if (json instanceof JsonNumber) return { N: numberOf(json, path) };
  if (typeof json === 'string') return was === 'B' ? { B: binaryOf(json, path) } : { S: json };
  if (json instanceof Map) {
    const inner = like && 'M' in like ? like.M : {};
    return { M: Object.fromEntries([...json].map(([name, value]) => [name, valueFromPlain(value, under(path, name), inner[name])])) };
  }
  if (json.length > 0 && was === 'SS' && json.every((each) => typeof each === 'string')) return { SS: setOf(json, path, stringOf) };
  if (json.length > 0 && was === 'BS' && json.every((each) => typeof each === 'string')) return { BS: setOf(json, path, binaryOf) };
  if (json.length > 0 && was === 'NS' && json.every((each) => each instanceof JsonNumber)) return { NS: setOf(json, path, numberOf) };
  const inner = like && 'L' in like ? like.L : [];
  return { L: json.map((each, at) => valueFromPlain(each, under(path, at), inner[at])) };
}
export function itemFromPlainText(text: string, like: Item = {}): Item {
  const json = parseJson(text);
  if (!(json instanceof Map)) return fail('', 'an object { … } was expected');
  return (valueFromPlain(json, '', { M: like }) as { M: Item }).M;
}
