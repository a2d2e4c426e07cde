// The operations that a request can name, with a start for the body of those that are used most.
import type { Item } from '../../item/value';
import { keyNames, type Table } from '../../server/dynamo';

const NAMES =
  'BatchExecuteStatement BatchGetItem BatchWriteItem CreateTable DeleteItem DeleteTable DescribeContinuousBackups DescribeContributorInsights DescribeEndpoints DescribeLimits DescribeStream DescribeTable DescribeTimeToLive ExecuteStatement ExecuteTransaction GetItem GetRecords GetResourcePolicy GetShardIterator ListBackups ListContributorInsights ListExports ListGlobalTables ListImports ListStreams ListTables ListTagsOfResource PutItem Query Scan TagResource TransactGetItems TransactWriteItems UntagResource UpdateContributorInsights UpdateItem UpdateTable UpdateTimeToLive';
export const OPERATIONS: readonly string[] = NAMES.split(' ');

/** A table as the starts name it: with its own keys, of their types. */
interface Example {
  TableName: string;
  key: Item;
  partition: string[];
}
function exampleOf(table: Table | null): Example {
  if (!table) return { TableName: 'table', key: { PK: { S: '' }, SK: { S: '' } }, partition: ['PK'] };
  const typeOf = (name: string) => table.AttributeDefinitions.find((each) => each.AttributeName === name)?.AttributeType ?? 'S';
  const key = Object.fromEntries(table.KeySchema.map(({ AttributeName: name }) => [name, { [typeOf(name)]: typeOf(name) === 'N' ? '0' : '' } as Item[string]]));
  return { TableName: table.TableName, key, partition: keyNames(table.KeySchema).partition };
}
const numbered = (at: number) => (at === 0 ? '' : String(at + 1));

const STARTS: Record<string, (example: Example) => object> = {
  GetItem: ({ TableName, key }) => ({ TableName, Key: key, ReturnConsumedCapacity: 'TOTAL' }),
  PutItem: ({ TableName, key, partition }) => ({ TableName, Item: key, ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': partition[0] } }),
  UpdateItem: ({ TableName, key }) => ({ TableName, Key: key, UpdateExpression: 'SET #name = :value', ExpressionAttributeNames: { '#name': '' }, ExpressionAttributeValues: { ':value': { S: '' } }, ReturnValues: 'ALL_NEW' }),
  DeleteItem: ({ TableName, key }) => ({ TableName, Key: key, ReturnValues: 'ALL_OLD' }),
  Query: ({ TableName, key, partition }) => ({
    TableName,
    KeyConditionExpression: partition.map((_, at) => `#pk${numbered(at)} = :pk${numbered(at)}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(partition.map((name, at) => [`#pk${numbered(at)}`, name])),
    ExpressionAttributeValues: Object.fromEntries(partition.map((name, at) => [`:pk${numbered(at)}`, key[name]!])),
    ReturnConsumedCapacity: 'TOTAL',
  }),
  Scan: ({ TableName }) => ({ TableName, Limit: 25, ReturnConsumedCapacity: 'TOTAL' }),
  BatchGetItem: ({ TableName, key }) => ({ RequestItems: { [TableName]: { Keys: [key] } } }),
  BatchWriteItem: ({ TableName, key }) => ({ RequestItems: { [TableName]: [{ PutRequest: { Item: key } }] } }),
  TransactGetItems: ({ TableName, key }) => ({ TransactItems: [{ Get: { TableName, Key: key } }] }),
  TransactWriteItems: ({ TableName, key }) => ({ TransactItems: [{ Put: { TableName, Item: key } }] }),
  ExecuteStatement: ({ TableName }) => ({ Statement: `SELECT * FROM "${TableName}"`, Limit: 25 }),
  CreateTable: () => ({
    TableName: 'new-table',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  }),
  ListTables: () => ({ Limit: 100 }),
  UpdateTimeToLive: ({ TableName }) => ({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } }),
};
const WITH_TABLE = ['DeleteTable', 'DescribeTable', 'DescribeTimeToLive', 'UpdateTable', 'DescribeContinuousBackups', 'DescribeContributorInsights'];

export function startOf(operation: string, table: Table | null): string {
  const example = exampleOf(table);
  const start = STARTS[operation]?.(example) ?? (WITH_TABLE.includes(operation) ? { TableName: example.TableName } : {});
  return JSON.stringify(start, null, 2);
}

/** SELECT of one collection of the table. */
export const exampleStatement = (table: Table | null): string => {
  const { TableName, partition } = exampleOf(table);
  return `SELECT * FROM "${TableName}" WHERE ${partition.map((name) => (/^[A-Z]+$/.test(name) ? name : `"${name}"`) + ' = ?').join(' AND ')}`;
};
