// The requests of a pattern's plan for values, word for word: `sheaf model plan FILE NAME --params VALUE...`.
import type { Item } from '../item/value';
import { shown } from '../item/value';
import type { PlannedRequest } from './explained';
import { filesOf, MODEL_FILE, type ModelView } from './model_view';
import { requestIn } from './real_tables';
import { runCommand } from '../server/workbench';

export interface QueryRequest {
  TableName: string;
  IndexName?: string;
  KeyConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Item;
  Limit?: number;
  ExclusiveStartKey?: Item;
}
export interface GetRequest {
  TableName: string;
  Key: Item;
}
export interface BatchGetRequest {
  RequestItems: Record<string, { Keys: Item[] }>;
}
export type BoundRequest =
  | { operation: 'Query'; request: QueryRequest; step: number }
  | { operation: 'GetItem'; request: GetRequest; step: number }
  | { operation: 'BatchGetItem'; request: BatchGetRequest; step: number }
  | { operation: 'TransactGetItems'; request: { TransactItems: { Get: GetRequest }[] }; step: number };

function viewOfRequest(bound: Omit<BoundRequest, 'step'>): string {
  const request = bound.request as Partial<QueryRequest & BatchGetRequest>;
  if (request.RequestItems) return Object.keys(request.RequestItems)[0] ?? '';
  return (request.TableName ?? '') + (request.IndexName ? '.' + request.IndexName : '');
}

/** A value as it stands on a command line. */
const argument = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** null: it cannot be asked for, since one that is left out has others behind it. */
function argumentsFor(names: string[], values: Record<string, unknown>): string[] | null {
  const given = names.map((name) => values[name]);
  while (given.length > 0 && given[given.length - 1] === undefined) given.pop();
  return given.includes(undefined) ? null : given.map(argument);
}

const cache = new Map<string, BoundRequest[]>();

export async function boundPlan(view: ModelView, name: string, parameters: string[], values: Record<string, unknown>, planned: PlannedRequest[]): Promise<BoundRequest[] | null> {
  const given = argumentsFor(parameters, values);
  if (given === null) return null;
  const { served, names } = view;
  const key = JSON.stringify([served.name, served.layout, served.text, [...names], name, given]);
  const known = cache.get(key);
  if (known) return known;
  const run = await runCommand(['model', 'plan', MODEL_FILE, name, '--layout', served.layout, '--params', '--', ...given], { files: filesOf(served.text) });
  const bound: BoundRequest[] = [];
  let step = 0;
  for (const line of run.output.split('\n')) {
    const found = /^(\w+) (\{.*\})$/.exec(line);
    if (!found) continue;
    const each = { operation: found[1], request: requestIn(JSON.parse(found[2]!) as BoundRequest['request'], names) } as Omit<BoundRequest, 'step'>;
    const isNext = (at: number) => planned[at]?.operation === each.operation && planned[at]?.view === viewOfRequest(each);
    if (bound.length > 0) {
      const hasMoreCalls = (planned[step]?.calls ?? 1) > 1 && bound.filter((before) => before.step === step).length < planned[step]!.calls;
      if (isNext(step + 1) || !(isNext(step) && hasMoreCalls)) step = Math.min(step + 1, planned.length - 1);
    }
    bound.push({ ...each, step } as BoundRequest);
  }
  if (cache.size > 50) cache.clear();
  cache.set(key, bound);
  return bound;
}

/** `GSI1PK = "DEPARTMENT#d-2", GSI1SK begins with "EMPLOYEE#"` */
export function conditionText(bound: BoundRequest): string {
  const quoted = (item: Item, name: string) => JSON.stringify(shown(item[name], 300)).replaceAll('\u{10ffff}', '…');
  switch (bound.operation) {
    case 'Query': {
      const { KeyConditionExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = bound.request;
      return KeyConditionExpression.replace(/begins_with\((#\w+), (:\w+)\)/g, '$1 begins with $2')
        .replace(/(#\w+) BETWEEN (:\w+) AND (:\w+)/g, '$1 from $2 to $3')
        .replaceAll(' AND ', ', ')
        .replace(/#\w+/g, (name) => names[name] ?? name)
        .replace(/:\w+/g, (name) => (values[name] ? quoted(values, name) : name));
    }
    case 'GetItem':
      return keyCondition(bound.request.Key);
    case 'BatchGetItem':
      return few(Object.values(bound.request.RequestItems).flatMap(({ Keys }) => Keys));
    case 'TransactGetItems':
      return few(bound.request.TransactItems.map(({ Get }) => Get.Key));
  }
}
const FEW = 3;
const few = (keys: Item[]): string => keys.slice(0, FEW).map(keyCondition).join('; ') + (keys.length > FEW ? `; and ${keys.length - FEW} more` : '');
const keyCondition = (key: Item): string =>
  Object.keys(key)
    .map((name) => `${name} = ${JSON.stringify(shown(key[name], 300))}`)
    .join(', ');
