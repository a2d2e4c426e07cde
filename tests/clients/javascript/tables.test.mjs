// Tables: what came to DynamoDB after Debian's clients were released.
import assert from 'node:assert/strict';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeEndpointsCommand,
  DescribeLimitsCommand,
  paginateListTables,
  ResourceInUseException,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import {
  attributeDefinitions,
  client,
  declaration,
  describe,
  documents,
  eventually,
  index,
  refused,
  test,
  untilActive,
} from './server.mjs';

const waiting = { client, minDelay: 1, maxDelay: 2, maxWaitTime: 30 };

test('waiters see a table come and go', async ({ uniqueName }) => {
  const TableName = uniqueName();
  await client.send(new CreateTableCommand(declaration(TableName, 'pk:S')));
  assert.equal((await waitUntilTableExists(waiting, { TableName })).state, 'SUCCESS');
  const error = await refused(
    'ResourceInUseException',
    `Table already exists: ${TableName}`,
    client.send(new CreateTableCommand(declaration(TableName, 'pk:S'))),
  );
  assert.ok(error instanceof ResourceInUseException);
  await client.send(new DeleteTableCommand({ TableName }));
  assert.equal((await waitUntilTableNotExists(waiting, { TableName })).state, 'SUCCESS');
});

test('tables are listed page by page', async ({ makeTable }) => {
  const made = await Promise.all([makeTable(), makeTable(), makeTable()]);
  const listed = [];
  for await (const page of paginateListTables({ client, pageSize: 2 }, {})) listed.push(...page.TableNames);
  for (const name of made) assert.ok(listed.includes(name), `${name} is not listed`);
  assert.deepEqual(listed, [...new Set(listed)]);
});

test('a protected table is not deleted', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', { DeletionProtectionEnabled: true });
  assert.equal((await describe(TableName)).DeletionProtectionEnabled, true);
  await refused(
    'ValidationException',
    'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    client.send(new DeleteTableCommand({ TableName })),
  );
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await eventually(async () => (await describe(TableName)).DeletionProtectionEnabled === false);
  await untilActive(TableName);
  await client.send(new DeleteTableCommand({ TableName }));
});

test('a table that is not protected says so', async ({ makeTable }) => {
  assert.equal((await describe(await makeTable())).DeletionProtectionEnabled, false);
});

test('a limit on demand is kept', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', { OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 } });
  assert.deepEqual((await describe(TableName)).OnDemandThroughput, { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 });
  await client.send(
    new UpdateTableCommand({ TableName, OnDemandThroughput: { MaxReadRequestUnits: 200, MaxWriteRequestUnits: 60 } }),
  );
  const table = await untilActive(TableName);
  assert.deepEqual(table.OnDemandThroughput, { MaxReadRequestUnits: 200, MaxWriteRequestUnits: 60 });
});

test('warm throughput does no harm', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', { WarmThroughput: { ReadUnitsPerSecond: 12000, WriteUnitsPerSecond: 4000 } });
  await documents.send(new PutCommand({ TableName, Item: { pk: 'a' } }));
  assert.equal((await documents.send(new ScanCommand({ TableName }))).Count, 1);
});

const matches = [
  { pk: 'm1', tournament: 'winter', region: 'eu', round: 1, bracket: 'upper', winner: 'a' },
  { pk: 'm2', tournament: 'winter', region: 'eu', round: 1, bracket: 'lower', winner: 'b' },
  { pk: 'm3', tournament: 'winter', region: 'eu', round: 2, bracket: 'upper', winner: 'c' },
  { pk: 'm4', tournament: 'winter', region: 'us', round: 1, bracket: 'upper', winner: 'd' },
  { pk: 'm5', tournament: 'winter', region: 'eu', round: 1 },
  { pk: 'm6', tournament: 'summer', region: 'eu', round: 10, bracket: 'upper', winner: 'e' },
];

// A7, A9: an index whose keys are several attributes, without strings put together by the program.
test('an index can have several attributes in its keys', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', { indexes: [['byBracket', 'tournament:S,region:S,round:N,bracket:S', 2]] });
  const [described] = (await describe(TableName)).GlobalSecondaryIndexes;
  assert.deepEqual(
    described.KeySchema.map(({ KeyType }) => KeyType),
    ['HASH', 'HASH', 'RANGE', 'RANGE'],
  );
  for (const Item of matches) await documents.send(new PutCommand({ TableName, Item }));
  const aliases = { '#r': 'region' };
  const query = (condition, values, more = {}) =>
    documents.send(
      new QueryCommand({
        TableName,
        IndexName: 'byBracket',
        KeyConditionExpression: `tournament = :t AND #r = :r${condition}`,
        ExpressionAttributeNames: { ...aliases, ...(condition.includes('#round') ? { '#round': 'round' } : {}) },
        ExpressionAttributeValues: { ':t': 'winter', ':r': 'eu', ...values },
        ...more,
      }),
    );
  const found = async (...parameters) => (await query(...parameters)).Items.map(({ pk }) => pk);
  await eventually(async () => (await query('', {})).Count === 3);
  assert.deepEqual(await found('', {}), ['m2', 'm1', 'm3'], 'by round, then by bracket; the item without bracket is absent');
  assert.deepEqual(await found(' AND #round = :n', { ':n': 1 }), ['m2', 'm1']);
  assert.deepEqual(await found(' AND #round >= :n', { ':n': 2 }), ['m3']);
  assert.deepEqual(await found(' AND #round = :n AND begins_with(bracket, :b)', { ':n': 1, ':b': 'up' }), ['m1']);
  assert.deepEqual(await found('', {}, { ScanIndexForward: false }), ['m3', 'm1', 'm2']);
  const page = await query('', {}, { Limit: 1 });
  assert.deepEqual(page.LastEvaluatedKey, { pk: 'm2', tournament: 'winter', region: 'eu', round: 1, bracket: 'lower' });
  assert.deepEqual(await found('', {}, { ExclusiveStartKey: page.LastEvaluatedKey }), ['m1', 'm3']);
  await refused(
    'ValidationException',
    /RANGE key attributes round must have equality conditions/,
    query(' AND bracket = :b', { ':b': 'upper' }),
  );
  const half = new QueryCommand({
    TableName,
    IndexName: 'byBracket',
    KeyConditionExpression: 'tournament = :t',
    ExpressionAttributeValues: { ':t': 'winter' },
  });
  await refused('ValidationException', undefined, documents.send(half));
});

test('an index has at most four attributes of each kind', async ({ uniqueName }) => {
  const create = (notation, hashes) =>
    client.send(new CreateTableCommand(declaration(uniqueName(), 'pk:S', { indexes: [['wide', notation, hashes]] })));
  await refused('ValidationException', undefined, create('a:S,b:S,c:S,d:S,e:S', 5));
  await refused('ValidationException', undefined, create('a:S,b:S,c:S,d:S,e:S,f:S', 1));
});

test('an index with several attributes is added to a table that has items', async ({ makeTable }) => {
  const TableName = await makeTable();
  for (const Item of matches) await documents.send(new PutCommand({ TableName, Item }));
  const notation = 'tournament:S,region:S,round:N';
  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: attributeDefinitions('pk:S', notation),
      GlobalSecondaryIndexUpdates: [{ Create: index('late', notation, 2) }],
    }),
  );
  await untilActive(TableName);
  assert.equal((await documents.send(new ScanCommand({ TableName, IndexName: 'late' }))).Count, 6);
});

test('limits and endpoints are told', async () => {
  const limits = await client.send(new DescribeLimitsCommand({}));
  assert.ok(limits.TableMaxReadCapacityUnits >= 1 && limits.AccountMaxWriteCapacityUnits >= 1);
  const { Endpoints } = await client.send(new DescribeEndpointsCommand({}));
  assert.equal(Endpoints.length, 1);
  assert.ok(Endpoints[0].Address && Endpoints[0].CachePeriodInMinutes > 0);
});
