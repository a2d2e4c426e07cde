// Items in a file of JSON: with DynamoDB's types or plain; one in a line, all in a list, over several lines, or as
// `aws dynamodb scan` prints them.
import { itemFromJson } from '../../item/item_json';
import { type Json, parseJson, parseJsonValues } from '../../item/json_text';
import { TYPE_NAMES } from '../../item/value';
import type { FileItem } from './item_lines';
import { itemFromMarked } from './marked_json';

export interface JsonForm {
  shape: 'lines' | 'documents'; // documents: [{...}, {...}], {"Items": [...]}, or items over several lines
  isPlain: boolean; // {"age": 12}, in place of {"age": {"N": "12"}}
}
const isTyped = (json: Json): boolean => json instanceof Map && json.size === 1 && [...json.keys()][0]! in TYPE_NAMES;
const areTyped = (json: Map<string, Json>): boolean => [...json.values()].every(isTyped);

/** Exports of DynamoDB have {"Item": {...}}, and answers of GetItem something beside it. */
function unwrapped(json: Json): Json {
  const inside = json instanceof Map ? json.get('Item') : undefined;
  if (!(json instanceof Map) || !(inside instanceof Map) || !areTyped(inside)) return json;
  return json.size > 1 && areTyped(json) ? json : inside;
}
const isTypedItem = (json: Json): boolean => json instanceof Map && json.size > 0 && areTyped(json);

/** What Scan and Query answer. */
const BESIDE_ITEMS = ['Items', 'Count', 'ScannedCount', 'ConsumedCapacity', 'LastEvaluatedKey', 'NextToken', 'ResponseMetadata'];
const itemsOfAnswer = (json: Json): Json[] | null => {
  const items = json instanceof Map && [...json.keys()].every((name) => BESIDE_ITEMS.includes(name)) ? json.get('Items') : undefined;
  return Array.isArray(items) ? items : null;
};

/** An object that ends in another line than the one where it begins. */
function goesOn(line: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (isText && letter === '\\') at++;
    else if (letter === '"') isText = !isText;
    else if (!isText && (letter === '{' || letter === '[')) depth++;
    else if (!isText && (letter === '}' || letter === ']')) depth--;
  }
  return depth > 0 && !isText;
}
function shapeOf(text: string): JsonForm['shape'] {
  const line = text.trimStart().split('\n', 1)[0]!;
  if (line.startsWith('[')) return 'documents';
  try {
    return itemsOfAnswer(parseJson(line)) ? 'documents' : 'lines';
  } catch {
    return goesOn(line) ? 'documents' : 'lines';
  }
}

/** What should be items. Throws if documents cannot be read: nobody knows where the next would begin. */
function* jsonOf(text: string, shape: JsonForm['shape']): Generator<{ line: number; json?: Json; problem?: string }> {
  if (shape === 'documents') {
    const all = parseJsonValues(text).flatMap((each) => (Array.isArray(each) ? each : (itemsOfAnswer(each) ?? [each])));
    for (const [at, json] of all.entries()) yield { line: at + 1, json: unwrapped(json) };
    return;
  }
  let line = 0;
  for (const each of text.split('\n')) {
    line++;
    if (each.trim() === '') continue;
    try {
      yield { line, json: unwrapped(parseJson(each)) };
    } catch (error) {
      yield { line, problem: (error as Error).message.replace(/^line 1, /, '') };
    }
  }
}
const withoutMark = (text: string): string => text.replace(/^\ufeff/, ''); // of byte order

/** As the first item that can be read has it. Throws as jsonOf does. */
export function jsonForm(given: string): JsonForm {
  const text = withoutMark(given);
  const shape = shapeOf(text);
  for (const { json } of jsonOf(text, shape)) if (json !== undefined) return { shape, isPlain: !isTypedItem(json) };
  return { shape, isPlain: false };
}
export const formText = ({ shape, isPlain }: JsonForm): string =>
  `${isPlain ? 'Plain JSON' : 'DynamoDB JSON'}, ${shape === 'documents' ? 'a list of items, or items over several lines' : 'an item in each line'}${isPlain ? ': texts become strings, numbers numbers, and lists lists; {"$SS": ["a"]} is a set, {"$B": "AA=="} a binary' : ''}.`;

/** Lines are counted from 1; of documents, their items are. */
export function* itemsOfJson(given: string, { shape, isPlain }: JsonForm = jsonForm(given)): Generator<FileItem> {
  for (const { line, json, problem } of jsonOf(withoutMark(given), shape)) {
    if (json === undefined) {
      yield { line, problem: problem! };
      continue;
    }
    try {
      yield { line, item: isPlain ? itemFromMarked(json) : itemFromJson(json) };
    } catch (error) {
      yield { line, problem: (error as Error).message.replace(/^line 1, /, '') };
    }
  }
}
