// What is asked in the query builder, and the same as a text for the address.
import { type Item, shown } from '../../item/value';
import type { KeyNames } from '../../server/dynamo';

export type SortOperator = '=' | '<' | '<=' | '>' | '>=' | 'between' | 'begins_with';
export interface SortCondition {
  operator: SortOperator;
  value: string;
  to: string; // of between
}
export const FILTER_OPERATORS = {
  '=': '=',
  '<>': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  between: 'between',
  in: 'is one of',
  contains: 'contains',
  not_contains: 'does not contain',
  begins_with: 'begins with',
  attribute_exists: 'is there',
  attribute_not_exists: 'is not there',
  attribute_type: 'has the type',
  'size =': 'size =',
  'size <>': 'size ≠',
  'size <': 'size <',
  'size <=': 'size ≤',
  'size >': 'size >',
  'size >=': 'size ≥',
  'size between': 'size between',
} as const;
export type FilterOperator = keyof typeof FILTER_OPERATORS;
export type ScalarType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL';
export interface Filter {
  attribute: string;
  operator: FilterOperator;
  type: ScalarType;
  value: string; // of `in`: a, b, "c, d"
  to: string;
}
export interface Question {
  index: string; // '' is the table
  partition: string[]; // by attribute of the partition key; all empty: a Scan
  sort: SortCondition[]; // by attribute of the sort key
  filters: Filter[];
  isDescending: boolean;
  limit: string;
  isConsistent: boolean;
  projection: string;
}

export const noSort: SortCondition = { operator: '=', value: '', to: '' };
export const newFilter: Filter = { attribute: '', operator: '=', type: 'S', value: '', to: '' };
export const noQuestion: Question = { index: '', partition: [], sort: [], filters: [], isDescending: false, limit: '', isConsistent: false, projection: '' };

/** All items with the same partition key as this one. */
export const questionOfCollection = (index: string, keys: KeyNames, item: Item): Question => ({
  ...noQuestion,
  index,
  partition: keys.partition.map((name) => shown(item[name], Infinity)),
});

/** As JSON, without what is as nobody had said anything. */
export function questionText(question: Question): string {
  const said = Object.entries(question).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(noQuestion[name as keyof Question]));
  return JSON.stringify(Object.fromEntries(said));
}

const text = (given: unknown): string => (typeof given === 'string' ? given : '');
const list = (given: unknown): unknown[] => (Array.isArray(given) ? given : []);
const members = (given: unknown): Record<string, unknown> => (typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {});
const oneOf = <T extends string>(given: unknown, all: readonly T[], otherwise: T): T => (all.includes(given as T) ? (given as T) : otherwise);

/** Whatever is in the address: what cannot be understood is left out. */
export function questionFrom(given: string | undefined): Question {
  let read: Record<string, unknown> = {};
  try {
    read = members(JSON.parse(given ?? '{}'));
  } catch {
    return noQuestion;
  }
  return {
    index: text(read['index']),
    partition: list(read['partition']).map(text),
    sort: list(read['sort']).map((each) => {
      const { operator, value, to } = members(each);
      return { operator: oneOf(operator, ['=', '<', '<=', '>', '>=', 'between', 'begins_with'], '='), value: text(value), to: text(to) };
    }),
    filters: list(read['filters']).map((each) => {
      const { attribute, operator, type, value, to } = members(each);
      return {
        attribute: text(attribute),
        operator: oneOf(operator, Object.keys(FILTER_OPERATORS) as FilterOperator[], '='),
        type: oneOf(type, ['S', 'N', 'B', 'BOOL', 'NULL'], 'S'),
        value: text(value),
        to: text(to),
      };
    }),
    isDescending: read['isDescending'] === true,
    limit: text(read['limit']),
    isConsistent: read['isConsistent'] === true,
    projection: text(read['projection']),
  };
}
