// Connections as the SDK uses them: many at once, kept alive, broken, retried, compressed.
import assert from 'node:assert/strict';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { flakyProxy } from './flaky_proxy.mjs';
import { clientOptions, documents, refused, test } from './server.mjs';

// A client of its own, and how many connections it opened.
function countingClient(options) {
  const agent = new http.Agent({ keepAlive: true, ...options });
  let opened = 0;
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...parameters) => {
    opened += 1;
    return connect(...parameters);
  };
  const own = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientOptions, requestHandler: { httpAgent: agent } }));
  return { own, opened: () => opened };
}

test('two hundred requests at once share fifty connections', async ({ makeTable }) => {
  const TableName = await makeTable();
  const { own, opened } = countingClient({ maxSockets: 50 });
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  await Promise.all(numbers.map((n) => own.send(new PutCommand({ TableName, Item: { pk: `${n}`, n } }))));
  const read = await Promise.all(
    numbers.map((n) => own.send(new GetCommand({ TableName, Key: { pk: `${n}` }, ConsistentRead: true }))),
  );
  assert.deepEqual(
    read.map(({ Item }) => Item.n),
    numbers,
    'every answer belongs to its request',
  );
  assert.ok(opened() <= 50, `${opened()} connections`);
  own.destroy();
});

test('two hundred requests one after the other use one connection', async ({ makeTable }) => {
  const TableName = await makeTable();
  const { own, opened } = countingClient({ maxSockets: 1 });
  for (let n = 0; n < 200; n += 1) {
    if (n % 10 === 0)
      await refused('ValidationException', undefined, own.send(new GetCommand({ TableName, Key: { wrong: 'key' } })));
    else await own.send(new PutCommand({ TableName, Item: { pk: 'a', n } }));
  }
  assert.equal(opened(), 1, 'an error does not cost the connection');
  own.destroy();
});

test('a request that is given up does not harm the next ones', async ({ makeTable }) => {
  const TableName = await makeTable();
  const data = 'x'.repeat(300_000);
  for (let n = 0; n < 4; n += 1) await documents.send(new PutCommand({ TableName, Item: { pk: `${n}`, data } }));
  const { own } = countingClient({ maxSockets: 4 });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), n % 5);
      try {
        return (await own.send(new ScanCommand({ TableName }), { abortSignal: abort.signal })).Count;
      } catch (error) {
        return error.name;
      }
    }),
  );
  for (const outcome of outcomes) assert.ok(['AbortError', 4, 3].includes(outcome), String(outcome));
  assert.ok(outcomes.includes('AbortError'));
  const { Item } = await own.send(new GetCommand({ TableName, Key: { pk: '0' } }));
  assert.equal(Item.data, data);
  own.destroy();
});

const retrying = { ...clientOptions, maxAttempts: 4 };

test('what the server could not answer is tried again', async ({ makeTable }) => {
  const TableName = await makeTable();
  const faults = [
    'refuse',
    { status: 500, body: '{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"x"}' },
    { status: 400, body: '{"__type":"com.amazon.coral.availability#ThrottlingException","message":"x"}' },
  ];
  await flakyProxy(faults, async (endpoint, seen) => {
    const flaky = new DynamoDBClient({ ...retrying, endpoint });
    const answer = await flaky.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' } } }));
    assert.equal(answer.$metadata.attempts, 4);
    assert.deepEqual(seen, ['PutItem', 'PutItem', 'PutItem', 'PutItem']);
    const { Item } = await flaky.send(new GetItemCommand({ TableName, Key: { pk: { S: 'a' } } }));
    assert.deepEqual(Item, { pk: { S: 'a' } });
    flaky.destroy();
  });
});

// A14: the token that the SDK sends makes a transaction safe to send again.
test('a transaction whose answer was lost happens once', async ({ makeTable }) => {
  const TableName = await makeTable();
  await flakyProxy(['lose', 'lose'], async (endpoint, seen) => {
    const flaky = new DynamoDBClient({ ...retrying, endpoint });
    const Update = {
      TableName,
      Key: { pk: { S: 'counter' } },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    };
    const answer = await flaky.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }] }));
    assert.equal(answer.$metadata.attempts, 3);
    assert.equal(seen.length, 3);
    const { Item } = await flaky.send(new GetItemCommand({ TableName, Key: Update.Key, ConsistentRead: true }));
    assert.equal(Item.n.N, '1');
    // A single update has no token: told twice, done twice. Programs that mind use a condition or a transaction.
    const once = await flaky.send(new UpdateItemCommand({ ...Update, ReturnValues: 'ALL_NEW' }));
    assert.equal(once.Attributes.n.N, '2');
    flaky.destroy();
  });
});

test('compressed requests are understood', async ({ makeTable }) => {
  const TableName = await makeTable();
  const compressing = new DynamoDBClient(clientOptions);
  compressing.middlewareStack.add(
    (next) => async (parameters) => {
      const body = gzipSync(parameters.request.body);
      const headers = { ...parameters.request.headers, 'content-encoding': 'gzip', 'content-length': String(body.length) };
      Object.assign(parameters.request, { body, headers });
      return next(parameters);
    },
    { step: 'build', priority: 'low', name: 'gzip' },
  );
  const data = { S: 'compressible '.repeat(20_000) };
  await compressing.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, data } }));
  const { Item } = await compressing.send(new GetItemCommand({ TableName, Key: { pk: { S: 'a' } } }));
  assert.deepEqual(Item.data, data);
  compressing.destroy();
});

test('a client that goes away in the middle of an answer does no harm', async ({ makeTable }) => {
  const TableName = await makeTable();
  const data = 'x'.repeat(400_000);
  for (let n = 0; n < 3; n += 1) await documents.send(new PutCommand({ TableName, Item: { pk: `${n}`, data } }));
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { own } = countingClient({});
      const scanned = own.send(new ScanCommand({ TableName })).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      own.destroy();
      await scanned;
    }),
  );
  const { Count, LastEvaluatedKey } = await documents.send(new ScanCommand({ TableName }));
  assert.ok(Count === 3 || LastEvaluatedKey);
});
