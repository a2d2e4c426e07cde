// The operations that a request can name, with a start for the body of those that are used most.

const NAMES =
  'BatchExecuteStatement BatchGetItem BatchWriteItem CreateTable DeleteItem DeleteTable DescribeContinuousBackups DescribeContributorInsights DescribeEndpoints DescribeLimits DescribeStream DescribeTable DescribeTimeToLive ExecuteStatement ExecuteTransaction GetItem GetRecords GetResourcePolicy GetShardIterator ListBackups ListContributorInsights ListExports ListGlobalTables ListImports ListStreams ListTables ListTagsOfResource PutItem Query Scan TagResource TransactGetItems TransactWriteItems UntagResource UpdateContributorInsights UpdateItem UpdateTable UpdateTimeToLive';
export const OPERATIONS: readonly string[] = NAMES.split(' ');

const KEY = { PK: { S: '' }, SK: { S: '' } };
const STARTS: Record<string, (table: string) => object> = {
  GetItem: (TableName) => ({ TableName, Key: KEY, ReturnConsumedCapacity: 'TOTAL' }),
  PutItem: (TableName) => ({ TableName, Item: KEY, ConditionExpression: 'attribute_not_exists(PK)' }),
  UpdateItem: (TableName) => ({ TableName, Key: KEY, UpdateExpression: 'SET #name = :value', ExpressionAttributeNames: { '#name': '' }, ExpressionAttributeValues: { ':value': { S: '' } }, ReturnValues: 'ALL_NEW' }),
  DeleteItem: (TableName) => ({ TableName, Key: KEY, ReturnValues: 'ALL_OLD' }),
  Query: (TableName) => ({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': { S: '' } }, ReturnConsumedCapacity: 'TOTAL' }),
  Scan: (TableName) => ({ TableName, Limit: 25, ReturnConsumedCapacity: 'TOTAL' }),
  BatchGetItem: (TableName) => ({ RequestItems: { [TableName]: { Keys: [KEY] } } }),
  BatchWriteItem: (TableName) => ({ RequestItems: { [TableName]: [{ PutRequest: { Item: KEY } }] } }),
  TransactGetItems: (TableName) => ({ TransactItems: [{ Get: { TableName, Key: KEY } }] }),
  TransactWriteItems: (TableName) => ({ TransactItems: [{ Put: { TableName, Item: KEY } }] }),
  ExecuteStatement: (TableName) => ({ Statement: `SELECT * FROM "${TableName}"`, Limit: 25 }),
  CreateTable: () => ({
    TableName: 'new-table',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  }),
  ListTables: () => ({ Limit: 100 }),
  UpdateTimeToLive: (TableName) => ({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } }),
};
const WITH_TABLE = ['DeleteTable', 'DescribeTable', 'DescribeTimeToLive', 'UpdateTable', 'DescribeContinuousBackups', 'DescribeContributorInsights'];

export function startOf(operation: string, table: string): string {
  const start = STARTS[operation]?.(table) ?? (WITH_TABLE.includes(operation) ? { TableName: table } : {});
  return JSON.stringify(start, null, 2);
}
