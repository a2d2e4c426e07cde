// The parameters of a statement, as they are typed.
import { itemFromPlainText, valueFromJson } from '../../item/item_json';
import { formatJson, type Json, parseJson } from '../../item/json_text';
import { TYPE_NAMES, type TypeName, type Value } from '../../item/value';

const isTyped = (json: Json): boolean => json instanceof Map && json.size === 1 && ([...json.keys()][0] as TypeName) in TYPE_NAMES;

/** ["a", 12] or [{"S": "a"}, {"N": "12"}]. Throws an error for people. */
export function parametersOf(text: string): Value[] {
  if (text.trim() === '') return [];
  const json = parseJson(text);
  if (!Array.isArray(json)) throw new Error('Parameters are a list: ["a", 12], or with types [{"S": "a"}, {"N": "12"}]');
  return json.map((each, at) => (isTyped(each) ? valueFromJson(each, `parameter ${at + 1}`) : itemFromPlainText(`{"value": ${formatJson(each, 0)}}`)['value']!));
}
