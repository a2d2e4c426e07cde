// The tables that a model is really stored in. `sheaf model plan` and `explain` know its text alone, and name them as that
// says; a model that was moved has others: company-2 in place of company.
import type { BoundRequest } from './bound_plan';
import type { Explained, Explanation, PlannedRequest } from './explained';
import type { LayoutKeys } from './key_templates';

export type TableNames = ReadonlyMap<string, string>; // the real one by the one that is declared

/** `real` is in the order of the layout's tables; Sheaf's own one follows them. */
export const tableNames = (declared: string[], real: string[]): TableNames =>
  new Map(real.length < declared.length ? [] : declared.flatMap((name, at) => (name === real[at] ? [] : [[name, real[at]!] as const])));

export const keysIn = (keys: LayoutKeys, names: TableNames): LayoutKeys => ({ ...keys, tables: keys.tables.map((each) => ({ ...each, table: names.get(each.table) ?? each.table })) });

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');

/** "Query company.GSI1: ..." and "1. Query company: ...", where it is the table that is named. */
export function textIn(text: string, names: TableNames): string {
  if (names.size === 0) return text;
  const any = [...names.keys()].map(quoted).join('|');
  return text.replace(new RegExp(`\\b(Query|GetItem|BatchGetItem|Scan) (${any})(?=[.:,\\s]|$)`, 'g'), (_, operation: string, table: string) => `${operation} ${names.get(table)!}`);
}
/** "company.GSI1" is the longest declared name with something behind a dot, or all of it. */
export function viewIn(view: string, names: TableNames): string {
  if (names.has(view)) return names.get(view)!;
  const dot = view.lastIndexOf('.');
  const table = dot < 0 ? undefined : names.get(view.slice(0, dot));
  return table === undefined ? view : table + view.slice(dot);
}

export function explainedIn(explained: Explained, names: TableNames): Explained {
  if (names.size === 0) return explained;
  const each = <R>(of: Explanation<R>[], put: (request: R) => R) => of.map((one) => (one.requests ? { ...one, requests: one.requests.map(put) } : one));
  return {
    ...explained,
    patterns: each<PlannedRequest>(explained.patterns, (request) => ({ ...request, view: viewIn(request.view, names), text: textIn(request.text, names) })),
    operations: each<string>(explained.operations, (request) => textIn(request, names)),
  };
}

/** A request of DynamoDB's API with the tables that are there. */
export function requestIn<R extends Omit<BoundRequest, 'step'>['request']>(request: R, names: TableNames): R {
  if (names.size === 0) return request;
  const at = (table: string) => names.get(table) ?? table;
  if ('RequestItems' in request) return { ...request, RequestItems: Object.fromEntries(Object.entries(request.RequestItems).map(([table, keys]) => [at(table), keys])) };
  if ('TransactItems' in request) return { ...request, TransactItems: request.TransactItems.map(({ Get }) => ({ Get: { ...Get, TableName: at(Get.TableName) } })) };
  return { ...request, TableName: at(request.TableName) };
}
