// DynamoDB's API, as far as the page uses it.
import type { Item, Value } from '../item/value';
import { ask } from './session';

export type KeyType = 'HASH' | 'RANGE';
export interface KeyElement {
  AttributeName: string;
  KeyType: KeyType;
}
export interface Index {
  IndexName: string;
  KeySchema: KeyElement[];
  Projection?: { ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] };
  IndexStatus?: string;
  ItemCount?: number;
  IndexSizeBytes?: number;
}
export interface Table {
  TableName: string;
  TableArn: string;
  TableStatus: string;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[];
  GlobalSecondaryIndexes?: Index[];
  LocalSecondaryIndexes?: Index[];
  ItemCount: number;
  TableSizeBytes: number;
  LatestStreamArn?: string;
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  BillingModeSummary?: { BillingMode: string };
  ProvisionedThroughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number };
  DeletionProtectionEnabled?: boolean;
}
export interface ConsumedCapacity {
  TableName: string;
  CapacityUnits: number;
}
export interface Page {
  Items: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: ConsumedCapacity;
}

/** Sends a request of DynamoDB's API, and gives the answer as it came. Throws RequestError. */
export function callText(operation: string, request: string, signal?: AbortSignal): Promise<string> {
  const streams = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].includes(operation);
  return ask({
    method: 'POST',
    path: '/',
    body: request,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${streams ? 'DynamoDBStreams' : 'DynamoDB'}_20120810.${operation}`,
    },
    ...(signal ? { signal } : {}),
  });
}
export async function call<T>(operation: string, request: object, signal?: AbortSignal): Promise<T> {
  return JSON.parse(await callText(operation, JSON.stringify(request), signal)) as T;
}

export async function listTables(): Promise<string[]> {
  const names: string[] = [];
  let from: string | undefined;
  do {
    const page = await call<{ TableNames: string[]; LastEvaluatedTableName?: string }>('ListTables', from ? { ExclusiveStartTableName: from } : {});
    names.push(...page.TableNames);
    from = page.LastEvaluatedTableName;
  } while (from);
  return names;
}

/** Resolves once it is gone, or after half a minute: what is large is deleted behind one's back. */
export async function deleteTable(name: string): Promise<void> {
  await call('DeleteTable', { TableName: name });
  for (let wait = 50; wait < 10_000 && (await listTables()).includes(name); wait *= 1.5) await new Promise((resolve) => setTimeout(resolve, wait));
}

export async function describeTable(name: string): Promise<Table> {
  return (await call<{ Table: Table }>('DescribeTable', { TableName: name })).Table;
}

export const indexesOf = (table: Table): Index[] => [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];

export interface KeyNames {
  partition: string[];
  sort: string[];
}
export function keyNames(schema: KeyElement[]): KeyNames {
  const of = (type: KeyType) => schema.filter((each) => each.KeyType === type).map((each) => each.AttributeName);
  return { partition: of('HASH'), sort: of('RANGE') };
}
/** Of the table, or of the index of that name. */
export function keysOf(table: Table, index: string | null): KeyNames {
  const found = index === null ? undefined : indexesOf(table).find((each) => each.IndexName === index);
  return keyNames(found ? found.KeySchema : table.KeySchema);
}

/** The table's own key of an item. */
export function primaryKey(table: Table, item: Item): Item {
  return Object.fromEntries(table.KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName] as Value]));
}

/** Sheaf's own tables: one for each model, for what its jobs and guards need, and one for the models that are kept here. */
export const isSheafsTable = (name: string): boolean => name.endsWith('-sheaf') || name === 'sheaf-workbench';
