// Items in a file of JSON: with DynamoDB's types or plain, one in a line or all in a list.
import { itemFromJson, itemFromPlainText } from '../../item/item_json';
import { formatJson, type Json, parseJson } from '../../item/json_text';
import { type Item, TYPE_NAMES, type TypeName } from '../../item/value';
import type { FileItem } from './item_lines';

export interface JsonForm {
  isList: boolean; // [{...}, {...}], in place of lines
  isPlain: boolean; // {"age": 12}, in place of {"age": {"N": "12"}}
}
const isTyped = (json: Json): boolean => json instanceof Map && json.size === 1 && ([...json.keys()][0] as TypeName) in TYPE_NAMES;
/** Exports of DynamoDB have {"Item": {...}}. */
const unwrapped = (json: Json): Json => (json instanceof Map && json.size === 1 && json.get('Item') instanceof Map ? json.get('Item')! : json);
const isPlainItem = (json: Json): boolean => json instanceof Map && json.size > 0 && ![...json.values()].some(isTyped);

/** The texts of items, and what cannot be one. */
function* jsonOf(text: string, isList: boolean): Generator<{ line: number; json?: Json; problem?: string }> {
  if (isList) {
    const all = parseJson(text);
    if (!Array.isArray(all)) throw new Error('The file begins as a list, and is none.');
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

/** As the first item that can be read has it. Throws if it is a list that cannot be read. */
export function jsonForm(text: string): JsonForm {
  const isList = /^\s*\[/.test(text);
  for (const { json } of jsonOf(text, isList)) if (json !== undefined) return { isList, isPlain: isPlainItem(json) };
  return { isList, isPlain: false };
}
export const formText = ({ isList, isPlain }: JsonForm): string =>
  `${isPlain ? 'Plain JSON' : 'DynamoDB JSON'}, ${isList ? 'a list of items' : 'an item in each line'}${isPlain ? ': texts become strings, numbers numbers, and lists lists' : ''}.`;

/** Lines are counted from 1; of a list, its items are. */
export function* itemsOfJson(text: string, { isList, isPlain }: JsonForm = jsonForm(text)): Generator<FileItem> {
  for (const { line, json, problem } of jsonOf(text, isList)) {
    if (json === undefined) {
      yield { line, problem: problem! };
      continue;
    }
    try {
      const item: Item = isPlain ? itemFromPlainText(formatJson(json, 0)) : itemFromJson(json);
      yield { line, item };
    } catch (error) {
      yield { line, problem: (error as Error).message.replace(/^line 1, /, '') };
    }
  }
}
