// Streams with the SDK's own client: a reader as a program would write it.
import assert from 'node:assert/strict';
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb-streams';
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { client, describe, documents, eventually, refused, streams, test, untilActive } from './server.mjs';

const withStream = { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } };

async function readAll(StreamArn) {
  const records = [];
  let ExclusiveStartShardId;
  do {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }));
    for (const { ShardId } of StreamDescription.Shards) {
      const start = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
      let { ShardIterator } = await streams.send(start);
      while (ShardIterator) {
        const page = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 100 }));
        records.push(...page.Records);
        ShardIterator = page.Records.length ? page.NextShardIterator : undefined;
      }
    }
    ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  const order = ({ dynamodb }) => BigInt(dynamodb.SequenceNumber);
  return records.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

test('every change of an item is read, in order, with its images', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S,sk:N', withStream);
  const { LatestStreamArn } = await describe(TableName);
  const Key = { pk: 'a', sk: 1 };
  await documents.send(new PutCommand({ TableName, Item: { ...Key, tags: new Set(['x']), doc: { parts: [1] } } }));
  await documents.send(
    new UpdateCommand({ TableName, Key, UpdateExpression: 'SET doc.parts[1] = :v', ExpressionAttributeValues: { ':v': 'two' } }),
  );
  await documents.send(new DeleteCommand({ TableName, Key }));
  await eventually(async () => (await readAll(LatestStreamArn)).length === 3);
  const records = await readAll(LatestStreamArn);
  assert.deepEqual(
    records.map(({ eventName }) => eventName),
    ['INSERT', 'MODIFY', 'REMOVE'],
  );
  const first = { ...Key, tags: new Set(['x']), doc: { parts: [1] } };
  const second = { ...first, doc: { parts: [1, 'two'] } };
  const images = records.map(({ dynamodb: { OldImage, NewImage } }) => [
    OldImage && unmarshall(OldImage),
    NewImage && unmarshall(NewImage),
  ]);
  assert.deepEqual(images, [
    [undefined, first],
    [first, second],
    [second, undefined],
  ]);
  for (const { dynamodb, userIdentity } of records) {
    assert.ok(Math.abs(Date.now() - dynamodb.ApproximateCreationDateTime.getTime()) < 300_000);
    assert.equal(userIdentity, undefined);
  }
});

test('the changes of a transaction are all there', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', withStream);
  const { LatestStreamArn } = await describe(TableName);
  const Put = (pk) => ({ Put: { TableName, Item: { pk } } });
  await documents.send(new TransactWriteCommand({ TransactItems: ['a', 'b', 'c'].map(Put) }));
  const cancelled = [Put('d'), { Delete: { TableName, Key: { pk: 'a' }, ConditionExpression: 'attribute_not_exists(pk)' } }];
  await refused(
    'TransactionCanceledException',
    undefined,
    documents.send(new TransactWriteCommand({ TransactItems: cancelled })),
  );
  await eventually(async () => (await readAll(LatestStreamArn)).length >= 3);
  const changed = (await readAll(LatestStreamArn)).map(({ dynamodb }) => dynamodb.Keys.pk.S);
  assert.deepEqual(changed.sort(), ['a', 'b', 'c']);
});

test('a reader follows a stream past its end', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', withStream);
  const { LatestStreamArn: StreamArn } = await describe(TableName);
  await documents.send(new PutCommand({ TableName, Item: { pk: 'last' } }));
  await eventually(async () => (await readAll(StreamArn)).length === 1);
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));
  await untilActive(TableName);
  await eventually(
    async () => (await streams.send(new DescribeStreamCommand({ StreamArn }))).StreamDescription.StreamStatus === 'DISABLED',
  );
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  let read = 0;
  for (const { ShardId, SequenceNumberRange } of StreamDescription.Shards) {
    assert.ok(SequenceNumberRange.EndingSequenceNumber, 'a closed shard has an end');
    let { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    for (let pages = 0; ShardIterator; pages += 1) {
      assert.ok(pages < 50, 'the end of a closed shard is never told');
      const page = await streams.send(new GetRecordsCommand({ ShardIterator }));
      read += page.Records.length;
      ShardIterator = page.NextShardIterator;
    }
  }
  assert.equal(read, 1);
});

test('a stream that is not there is not found', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S', withStream);
  const StreamArn = (await describe(TableName)).LatestStreamArn.replace(/stream\/.*/, 'stream/2020-01-01T00:00:00.000');
  const error = await refused(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${StreamArn} not found`,
    streams.send(new DescribeStreamCommand({ StreamArn })),
  );
  assert.ok(error instanceof ResourceNotFoundException);
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName }));
  assert.equal(Streams.length, 1);
});
