// The collection in which an item is in a table or index, asked for by a Query.
import { type Item, shown } from '../item/value';
import { call, keysOf, type Page, type Table } from '../server/dynamo';
import { type Reading, RowSource } from './row_source';

export interface Collected {
  source: RowSource;
  text: string; // the partition key
  isCut: boolean; // it begins with the item
}

/** null: the item is not in there. */
export async function collectionRequest(table: Table, index: string | null, item: Item, reading: Reading, signal: AbortSignal): Promise<Collected | null> {
  const { partition, sort } = keysOf(table, index);
  if ([...partition, ...sort].some((name) => !item[name])) return null;
  const names: Record<string, string> = {};
  const values: Item = {};
  const term = (name: string, operator: string) => {
    const at = Object.keys(names).length;
    names[`#${at}`] = name;
    values[`:${at}`] = item[name]!;
    return `#${at} ${operator} :${at}`;
  };
  const conditions = partition.map((name) => term(name, '='));
  const request = { TableName: table.TableName, ...(index ? { IndexName: index } : {}) };
  const whole = { ...request, KeyConditionExpression: conditions.join(' AND '), ExpressionAttributeNames: { ...names }, ExpressionAttributeValues: { ...values } };
  const text = partition.map((name) => shown(item[name])).join(' · ');
  const first = await call<Page>('Query', { ...whole, Limit: 1000 }, signal);
  const wanted = reading.keyOf(item);
  if (!first.LastEvaluatedKey || sort.length === 0 || first.Items.some((each) => reading.keyOf(each) === wanted)) {
    return first.Items.length === 0 ? null : { source: RowSource.pages('Query', whole, reading), text, isCut: false };
  }
  // It is far from the start of a large collection: begin there.
  conditions.push(...sort.map((name, at) => term(name, at < sort.length - 1 ? '=' : '>=')));
  const cut = { ...request, KeyConditionExpression: conditions.join(' AND '), ExpressionAttributeNames: names, ExpressionAttributeValues: values };
  return { source: RowSource.pages('Query', cut, reading), text, isCut: true };
}
