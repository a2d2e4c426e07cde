// The request of DynamoDB that a question is.
import { binaryProblem, numberProblem } from '../../item/number_text';
import type { Item, Value } from '../../item/value';
import { keysOf, type Table } from '../../server/dynamo';
import { parseCsv } from '../move/csv';
import { parsePath, splitPaths } from './attribute_path';
import type { Filter, Question, ScalarType } from './question';

export interface BuiltRequest {
  operation: 'Query' | 'Scan';
  request: {
    TableName: string;
    IndexName?: string;
    KeyConditionExpression?: string;
    FilterExpression?: string;
    ProjectionExpression?: string;
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: Item;
    ScanIndexForward?: boolean;
    ConsistentRead?: boolean;
    Limit?: number;
  };
}
export class QuestionError extends Error {}

/** Throws QuestionError. */
export function valueOfText(text: string, type: ScalarType, what: string): Value {
  const check = (problem: string | null) => {
    if (problem) throw new QuestionError(`${what}: ${problem}`);
  };
  switch (type) {
    case 'S':
      return { S: text };
    case 'N':
      check(numberProblem(text));
      return { N: text.trim() };
    case 'B':
      check(binaryProblem(text.trim()));
      return { B: text.trim() };
    case 'BOOL':
      check(/^(true|false)$/i.test(text.trim()) ? null : 'write true or false');
      return { BOOL: /^true$/i.test(text.trim()) };
    case 'NULL':
      return { NULL: true };
  }
}

class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Item = {};
  private readonly given = new Map<string, string>();

  name(of: string): string {
    let short = this.given.get(of);
    if (short === undefined) {
      const readable = '#' + of.replace(/[^A-Za-z0-9_]/g, '_');
      short = readable in this.names || readable === '#' ? `#n${this.given.size}` : readable;
      this.given.set(of, short);
      this.names[short] = of;
    }
    return short;
  }
  path(text: string): string {
    return parsePath(text)
      .map((step, at) => ('at' in step ? `[${step.at}]` : (at > 0 ? '.' : '') + this.name(step.name)))
      .join('');
  }
  value(of: Value): string {
    const same = Object.entries(this.values).find(([, value]) => JSON.stringify(value) === JSON.stringify(of));
    if (same) return same[0];
    const short = `:v${Object.keys(this.values).length + 1}`;
    this.values[short] = of;
    return short;
  }
}

function filterTerm(filter: Filter, holders: Placeholders): string {
  const path = holders.path(filter.attribute);
  const what = filter.attribute;
  const value = (text: string, type: ScalarType = filter.type) => holders.value(valueOfText(type === 'BOOL' && text === '' ? 'true' : text, type, what));
  const { operator } = filter;
  switch (operator) {
    case 'between':
      return `${path} BETWEEN ${value(filter.value)} AND ${value(filter.to)}`;
    case 'in': {
      const values = filter.type === 'NULL' ? [''] : (parseCsv(filter.value)[0] ?? []).map((each) => each.trim());
      if (values.length === 0) throw new QuestionError(`${what}: say which values, with commas between them`);
      if (values.length > 100) throw new QuestionError(`${what}: at most 100 values can be looked for`);
      return `${path} IN (${values.map((each) => value(each)).join(', ')})`;
    }
    case 'contains':
      return `contains(${path}, ${value(filter.value)})`;
    case 'not_contains':
      return `NOT contains(${path}, ${value(filter.value)})`;
    case 'begins_with':
      return `begins_with(${path}, ${value(filter.value)})`;
    case 'attribute_exists':
    case 'attribute_not_exists':
      return `${operator}(${path})`;
    case 'attribute_type':
      return `attribute_type(${path}, ${value(filter.value || 'S', 'S')})`;
    case 'size between':
      return `size(${path}) BETWEEN ${value(filter.value, 'N')} AND ${value(filter.to, 'N')}`;
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${path} ${operator} ${value(filter.value)}`;
    default:
      return `size(${path}) ${operator.slice(5)} ${value(filter.value, 'N')}`;
  }
}

export const typeOfKey = (table: Table, name: string): ScalarType => table.AttributeDefinitions.find((each) => each.AttributeName === name)?.AttributeType ?? 'S';

function keyCondition(table: Table, question: Question, holders: Placeholders): string | null {
  const keys = keysOf(table, question.index || null);
  const given = keys.partition.map((_, at) => question.partition[at] ?? '');
  const isSaid = (at: number) => (question.sort[at]?.value ?? '') !== '';
  if (given.every((each) => each === '')) {
    if (keys.sort.some((_, at) => isSaid(at))) throw new QuestionError(`A condition on ${keys.sort.join(', ')} needs a value of ${keys.partition.join(' and ')} too. Or make it a filter.`);
    return null;
  }
  const missing = keys.partition.find((_, at) => given[at] === '');
  if (missing !== undefined) throw new QuestionError(`A Query needs ${missing}, too: the partition key has several attributes.`);
  const terms = keys.partition.map((name, at) => `${holders.name(name)} = ${holders.value(valueOfText(given[at]!, typeOfKey(table, name), name))}`);
  keys.sort.forEach((name, at) => {
    if (!isSaid(at)) return;
    const { operator, value, to } = question.sort[at]!;
    const before = keys.sort.slice(0, at).find((_, place) => !isSaid(place) || question.sort[place]!.operator !== '=');
    if (before !== undefined) throw new QuestionError(`A condition on ${name} needs ${before} = … before it.`);
    const holder = (text: string) => holders.value(valueOfText(text, typeOfKey(table, name), name));
    const left = holders.name(name);
    if (operator === 'between') terms.push(`${left} BETWEEN ${holder(value)} AND ${holder(to)}`);
    else if (operator === 'begins_with') terms.push(`begins_with(${left}, ${holder(value)})`);
    else terms.push(`${left} ${operator} ${holder(value)}`);
  });
  return terms.join(' AND ');
}

/** Throws QuestionError or PathError, with words for people. */
export function buildRequest(table: Table, question: Question): BuiltRequest {
  const holders = new Placeholders();
  const key = keyCondition(table, question, holders);
  const filters = question.filters.filter((each) => each.attribute.trim() !== '').map((each) => filterTerm(each, holders));
  const projected = splitPaths(question.projection).map((each) => holders.path(each));
  const limit = question.limit.trim();
  if (limit !== '' && !/^[1-9]\d{0,8}$/.test(limit)) throw new QuestionError('The limit is a whole number from 1 on.');
  const some = (object: object) => Object.keys(object).length > 0;
  return {
    operation: key ? 'Query' : 'Scan',
    request: {
      TableName: table.TableName,
      ...(question.index ? { IndexName: question.index } : {}),
      ...(key ? { KeyConditionExpression: key } : {}),
      ...(filters.length > 0 ? { FilterExpression: filters.join(' AND ') } : {}),
      ...(projected.length > 0 ? { ProjectionExpression: projected.join(', ') } : {}),
      ...(some(holders.names) ? { ExpressionAttributeNames: holders.names } : {}),
      ...(some(holders.values) ? { ExpressionAttributeValues: holders.values } : {}),
      ...(key && question.isDescending ? { ScanIndexForward: false } : {}),
      ...(question.isConsistent ? { ConsistentRead: true } : {}),
      ...(limit !== '' ? { Limit: Number(limit) } : {}),
    },
  };
}
