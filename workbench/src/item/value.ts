// Attribute values as DynamoDB's JSON has them. Numbers stay text: they have up to 38 digits.

export type Value =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: Value[] }
  | { M: Item };
export type Item = { [name: string]: Value };
export type TypeName = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M';

export const TYPE_NAMES: Record<TypeName, string> = {
  S: 'String',
  N: 'Number',
  B: 'Binary',
  BOOL: 'Boolean',
  NULL: 'Null',
  SS: 'String set',
  NS: 'Number set',
  BS: 'Binary set',
  L: 'List',
  M: 'Map',
};

export const typeOf = (value: Value): TypeName => Object.keys(value)[0] as TypeName;

/** For people: a, 12, {"x": 1}, [1, 2]; long ones are cut. */
export function shown(value: Value | undefined, most = 200): string {
  if (value === undefined) return '';
  const text = plainText(value);
  return text.length > most ? text.slice(0, most) + '…' : text;
}

function plainText(value: Value): string {
  if ('S' in value) return value.S;
  if ('N' in value) return value.N;
  if ('B' in value) return value.B;
  if ('BOOL' in value) return String(value.BOOL);
  if ('NULL' in value) return 'null';
  return inner(value);
}

function inner(value: Value): string {
  if ('S' in value) return JSON.stringify(value.S);
  if ('SS' in value) return '{' + value.SS.map((each) => JSON.stringify(each)).join(', ') + '}';
  if ('NS' in value) return '{' + value.NS.join(', ') + '}';
  if ('BS' in value) return '{' + value.BS.join(', ') + '}';
  if ('L' in value) return '[' + value.L.map(inner).join(', ') + ']';
  if ('M' in value)
    return (
      '{' +
      Object.entries(value.M)
        .map(([name, each]) => `${name}: ${inner(each)}`)
        .join(', ') +
      '}'
    );
  return plainText(value);
}

/** The same item, whatever the order of its attributes: for comparing keys. */
export function keyText(item: Item): string {
  return Object.keys(item)
    .sort()
    .map((name) => JSON.stringify([name, item[name]]))
    .join();
}

const utf8 = new TextEncoder();
const bytes = (text: string) => utf8.encode(text).length;
const binaryBytes = (text: string) => Math.floor((text.replace(/=+$/, '').length * 3) / 4);
function numberBytes(text: string): number {
  const digits = text.replace(/^[-+]/, '').replace(/e.*$/i, '').replace('.', '').replace(/^0+|0+$/g, '').length;
  return Math.max(1, Math.ceil(digits / 2) + 1 + (text.startsWith('-') ? 1 : 0));
}

/** As DynamoDB counts it, to a byte or two for numbers. */
export function valueBytes(value: Value): number {
  if ('S' in value) return bytes(value.S);
  if ('N' in value) return numberBytes(value.N);
  if ('B' in value) return binaryBytes(value.B);
  if ('SS' in value) return value.SS.reduce((sum, each) => sum + bytes(each), 0);
  if ('NS' in value) return value.NS.reduce((sum, each) => sum + numberBytes(each), 0);
  if ('BS' in value) return value.BS.reduce((sum, each) => sum + binaryBytes(each), 0);
  if ('L' in value) return 3 + value.L.reduce((sum, each) => sum + 1 + valueBytes(each), 0);
  if ('M' in value) return 3 + Object.entries(value.M).reduce((sum, [name, each]) => sum + 1 + bytes(name) + valueBytes(each), 0);
  return 1;
}

export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + bytes(name) + valueBytes(value), 0);
