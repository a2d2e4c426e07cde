// Items with the low-level client and the document client: what boto3's older release does not know.
import assert from 'node:assert/strict';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand as LowLevelScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  paginateQuery,
  paginateScan,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall, NumberValueImpl as NumberValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { client, documents, eventually, refused, test } from './server.mjs';

test('a failed condition brings the item that was there, if asked', async ({ makeTable }) => {
  const TableName = await makeTable();
  const Item = marshall({ pk: 'a', version: 3, nested: { list: [1, 'x'] } });
  await client.send(new PutItemCommand({ TableName, Item }));
  const asked = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  const expected = { ConditionExpression: 'version = :v', ExpressionAttributeValues: { ':v': { N: '2' } } };
  const Key = { pk: { S: 'a' } };
  const update = { UpdateExpression: 'ADD version :v' };
  for (const command of [
    new PutItemCommand({ ...asked, ...expected, Item }),
    new UpdateItemCommand({ ...asked, ...expected, ...update, Key }),
    new DeleteItemCommand({ ...asked, ...expected, Key }),
  ]) {
    const error = await refused('ConditionalCheckFailedException', 'The conditional request failed', client.send(command));
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.deepEqual(error.Item, Item);
  }
  const unasked = await refused(
    'ConditionalCheckFailedException',
    undefined,
    client.send(new DeleteItemCommand({ TableName, ...expected, Key })),
  );
  assert.equal(unasked.Item, undefined);
  const missing = new DeleteItemCommand({ ...asked, ...expected, Key: { pk: { S: 'never there' } } });
  assert.equal((await refused('ConditionalCheckFailedException', undefined, client.send(missing))).Item, undefined);
});

test('errors have their class, a request id and the service behind them', async ({ makeTable, uniqueName }) => {
  const TableName = await makeTable();
  const missing = await refused(
    'ResourceNotFoundException',
    'Requested resource not found',
    client.send(new GetItemCommand({ TableName: uniqueName(), Key: { pk: { S: 'a' } } })),
  );
  assert.ok(missing instanceof ResourceNotFoundException);
  assert.equal(missing.$fault, 'client');
  assert.match(missing.$metadata.requestId, /^[0-9A-Za-z-]{16,64}$/);
  const invalid = await refused(
    'ValidationException',
    'The provided key element does not match the schema',
    client.send(new GetItemCommand({ TableName, Key: { other: { S: 'a' } } })),
  );
  assert.ok(invalid instanceof DynamoDBServiceException);
  assert.equal(invalid.$metadata.attempts, 1, 'an invalid request is not tried again');
});

test('a cancelled transaction tells its reasons', async ({ makeTable }) => {
  const TableName = await makeTable();
  await client.send(new PutItemCommand({ TableName, Item: marshall({ pk: 'a', v: 1 }) }));
  const error = await refused(
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: marshall({ pk: 'b' }) } },
          {
            Delete: {
              TableName,
              Key: marshall({ pk: 'a' }),
              ConditionExpression: 'v > :v',
              ExpressionAttributeValues: marshall({ ':v': 1 }),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      }),
    ),
  );
  assert.ok(error instanceof TransactionCanceledException);
  assert.equal(error.CancellationReasons[0].Code, 'None');
  assert.equal(error.CancellationReasons[1].Code, 'ConditionalCheckFailed');
  assert.deepEqual(unmarshall(error.CancellationReasons[1].Item), { pk: 'a', v: 1 });
});

test('values survive marshalling both ways', async ({ makeTable }) => {
  const TableName = await makeTable();
  const Item = {
    pk: 'a',
    text: 'é 日本 \u{1f600} "quoted" \\ \n',
    empty: '',
    whole: 42,
    negative: -0.5,
    flag: false,
    nothing: null,
    bytes: Uint8Array.from([0, 1, 254, 255]),
    list: [1, 'two', [3, { four: 4 }], null],
    map: { nested: { deeper: { still: ['x'] } }, empty: {} },
    words: new Set(['x', 'y']),
    numbers: new Set([1, 2.5]),
    blobs: new Set([Uint8Array.from([1])]),
  };
  await documents.send(new PutCommand({ TableName, Item }));
  const { Item: stored } = await documents.send(new GetCommand({ TableName, Key: { pk: 'a' }, ConsistentRead: true }));
  assert.deepEqual(stored, Item);
});

test('numbers beyond what a double holds are kept exactly', async ({ makeTable }) => {
  const TableName = await makeTable();
  const exact = '12345678901234567890123456789.123456789';
  await documents.send(new PutCommand({ TableName, Item: { pk: 'a', exact: NumberValue.from(exact), big: 2n ** 100n } }));
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: 'a' } } }));
  assert.equal(Item.exact.N, exact);
  assert.equal(Item.big.N, (2n ** 100n).toString());
});

// A4, A5, A6, A7, A8, A9, A17, A18 once more, as a JavaScript program would use them.
test("the document client does a program's work", async ({ makeTable }) => {
  const TableName = await makeTable('PK:S,SK:S', {
    indexes: [
      ['GSI1', 'GSI1PK:S,GSI1SK:S'],
      ['inverted', 'SK:S,PK:S'],
    ],
  });
  const items = [
    { PK: 'ORG#acme', SK: 'ORG#acme', name: 'Acme' },
    ...Array.from({ length: 60 }, (_, n) => ({
      PK: 'ORG#acme',
      SK: `USER#${String(n).padStart(3, '0')}`,
      age: n,
      ...(n % 2 ? { GSI1PK: 'TEAM#odd', GSI1SK: `USER#${String(n).padStart(3, '0')}` } : {}),
    })),
  ];
  for (let start = 0; start < items.length; start += 25) {
    let pending = { [TableName]: items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) };
    while (Object.keys(pending).length) {
      pending = (await documents.send(new BatchWriteCommand({ RequestItems: pending }))).UnprocessedItems;
    }
  }
  const users = [];
  const query = {
    TableName,
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :user)',
    FilterExpression: 'age < :limit',
    ExpressionAttributeValues: { ':pk': 'ORG#acme', ':user': 'USER#', ':limit': 50 },
  };
  let pages = 0;
  for await (const page of paginateQuery({ client: documents, pageSize: 20 }, query)) {
    users.push(...page.Items);
    pages += 1;
  }
  assert.deepEqual(
    users.map(({ age }) => age),
    Array.from({ length: 50 }, (_, n) => n),
  );
  assert.ok(pages >= 3);

  const odd = {
    TableName,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :t',
    ExpressionAttributeValues: { ':t': 'TEAM#odd' },
  };
  await eventually(async () => (await documents.send(new QueryCommand(odd))).Count === 30);
  const newest = await documents.send(new QueryCommand({ ...odd, ScanIndexForward: false, Limit: 2 }));
  assert.deepEqual(
    newest.Items.map(({ age }) => age),
    [59, 57],
  );
  assert.deepEqual(newest.LastEvaluatedKey, { PK: 'ORG#acme', SK: 'USER#057', GSI1PK: 'TEAM#odd', GSI1SK: 'USER#057' });

  const Keys = [1, 2, 3].map((n) => ({ PK: 'ORG#acme', SK: `USER#00${n}` }));
  const found = await documents.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ProjectionExpression: 'age' } } }),
  );
  assert.deepEqual(found.Responses[TableName].map(({ age }) => age).sort(), [1, 2, 3]);

  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName,
      Key: { PK: 'ORG#acme', SK: 'ORG#acme' },
      UpdateExpression: 'SET #n = :n ADD members :m',
      ExpressionAttributeNames: { '#n': 'name' },
      ExpressionAttributeValues: { ':n': 'Acme & Co', ':m': new Set(['a', 'b']) },
      ReturnValues: 'ALL_NEW',
    }),
  );
  assert.deepEqual(Attributes, { PK: 'ORG#acme', SK: 'ORG#acme', name: 'Acme & Co', members: new Set(['a', 'b']) });

  await documents.send(
    new TransactWriteCommand({
      TransactItems: [
        { Delete: { TableName, Key: Keys[0] } },
        { Put: { TableName, Item: { ...Keys[1], age: 200 }, ConditionExpression: 'attribute_exists(PK)' } },
      ],
    }),
  );
  const { Responses } = await documents.send(
    new TransactGetCommand({ TransactItems: Keys.map((Key) => ({ Get: { TableName, Key } })) }),
  );
  assert.deepEqual(
    Responses.map(({ Item }) => Item?.age),
    [undefined, 200, 3],
  );

  await documents.send(new DeleteCommand({ TableName, Key: { PK: 'ORG#acme', SK: 'ORG#acme' } }));
  let counted = 0;
  for await (const page of paginateScan({ client: documents, pageSize: 10 }, { TableName })) counted += page.Count;
  assert.equal(counted, 59);
  const inParts = await Promise.all(
    [0, 1, 2].map((Segment) => documents.send(new ScanCommand({ TableName, Segment, TotalSegments: 3, Select: 'COUNT' }))),
  );
  assert.equal(
    inParts.reduce((sum, { Count }) => sum + Count, 0),
    59,
  );
});

// A1: 400 KB. A large item comes and goes whole.
test('an item of 400 KB comes back, a larger one is refused', async ({ makeTable }) => {
  const TableName = await makeTable();
  const data = 'x'.repeat(409600 - 4 - 'pk'.length - 'a'.length);
  await documents.send(new PutCommand({ TableName, Item: { pk: 'a', data } }));
  const { Item } = await documents.send(new GetCommand({ TableName, Key: { pk: 'a' } }));
  assert.equal(Item.data, data);
  const larger = documents.send(new PutCommand({ TableName, Item: { pk: 'a', data: `${data}x` } }));
  await refused('ValidationException', 'Item size has exceeded the maximum allowed size', larger);
});

test('an empty answer has the members that a program relies on', async ({ makeTable }) => {
  const TableName = await makeTable();
  assert.equal((await documents.send(new GetCommand({ TableName, Key: { pk: 'a' } }))).Item, undefined);
  const scanned = await client.send(new LowLevelScanCommand({ TableName }));
  assert.deepEqual([scanned.Items, scanned.Count, scanned.ScannedCount, scanned.LastEvaluatedKey], [[], 0, 0, undefined]);
  const got = await documents.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ pk: 'a' }] } } }));
  assert.deepEqual([got.Responses, got.UnprocessedKeys], [{ [TableName]: [] }, {}]);
});
