import assert from 'node:assert/strict';
import test from 'node:test';
import { HistoryReader } from './stream_history';

const KEY = { PK: { S: 'wanted' } };
const record = (number: number, key: string) => ({
  eventID: `e${number}`,
  eventName: 'MODIFY',
  dynamodb: { ApproximateCreationDateTime: number, Keys: { PK: { S: key } }, SequenceNumber: String(number) },
});

/** A stream of shards with so many records of others each, and a change of the item at the end of each. */
function stream(shards: number, records: number) {
  const state = { answers: 0, stopAfter: Infinity, stop: new AbortController() };
  const all = Array.from({ length: shards }, (_, shard) => [...Array.from({ length: records }, (_, at) => record(shard * 1e6 + at, 'other')), record(shard * 1e6 + records, 'wanted')]);
  const ask = async (operation: string, request: Record<string, string | number>): Promise<unknown> => {
    if (operation === 'DescribeStream') return { StreamDescription: { StreamStatus: 'ENABLED', StreamViewType: 'KEYS_ONLY', Shards: all.map((_, at) => ({ ShardId: String(at) })) } };
    if (operation === 'GetShardIterator') {
      const from = request['ShardIteratorType'] === 'TRIM_HORIZON' ? 0 : all[Number(request['ShardId'])]!.findIndex((each) => each.dynamodb.SequenceNumber === request['SequenceNumber']) + 1;
      return { ShardIterator: `${request['ShardId']} ${from}` };
    }
    const [shard, from] = String(request['ShardIterator']).split(' ').map(Number) as [number, number];
    if (++state.answers === state.stopAfter) state.stop.abort();
    const Records = all[shard]!.slice(from, from + 1000);
    return { Records, ...(from < all[shard]!.length ? { NextShardIterator: `${shard} ${from + Records.length}` } : {}) };
  };
  return { state, ask: ask as never };
}

test('all of a stream is read, however long it is', async () => {
  const { ask, state } = stream(3, 40_000);
  let told = 0;
  const history = await new HistoryReader('arn', KEY, ask).read(state.stop.signal, () => told++);
  assert.deepEqual(
    history.events.map(({ id }) => id),
    ['e2040000', 'e1040000', 'e40000'],
  );
  assert.equal(history.looked, 3 * 40_001);
  assert.equal(history.isWhole, true);
  assert(told > 100);
});

test('it goes on where it was stopped', async () => {
  const { ask, state } = stream(2, 5000);
  state.stopAfter = 9;
  const reader = new HistoryReader('arn', KEY, ask);
  await reader.read(state.stop.signal, () => {}).catch(() => {});
  const before = reader.history;
  assert.deepEqual([before.isWhole, before.events.length > 0, before.looked < 10_002], [false, true, true]);
  const after = await reader.read(new AbortController().signal, () => {});
  assert.deepEqual(
    after.events.map(({ id }) => id),
    ['e1005000', 'e5000'],
  );
  assert.deepEqual([after.isWhole, after.looked], [true, 10_002]);
});
