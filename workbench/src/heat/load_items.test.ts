import assert from 'node:assert/strict';
import test from 'node:test';
import { itemsForLoad, rewriteRequest, shuffled } from './load_items';

test('load goes to all parts of a table, in no order', async () => {
  const asked: { Segment: number; TotalSegments: number; Limit: number }[] = [];
  const ask = async (_: string, request: { Segment: number; TotalSegments: number; Limit: number }) => {
    asked.push(request);
    return { Items: Array.from({ length: request.Limit }, (_, at) => ({ PK: { S: `${request.Segment} ${at}` } })) };
  };
  const items = await itemsForLoad('app', new AbortController().signal, ask as never);
  assert.deepEqual(
    asked.map(({ Segment, TotalSegments }) => [Segment, TotalSegments]),
    [0, 1, 2, 3, 4, 5, 6, 7].map((segment) => [segment, 8]),
  );
  const segments = items.map((item) => ('S' in item['PK']! ? item['PK'].S[0] : ''));
  assert.equal(items.length, 200);
  // The most asked ones, which are the first, are of several parts.
  assert(new Set(segments.slice(0, 40)).size >= 4);
  assert.equal(new Set(shuffled([1, 2, 3, 4])).size, 4);
});

test('a write of an item changes nothing, and makes none', () => {
  assert.deepEqual(rewriteRequest('app', ['PK'], { PK: { S: 'a' }, n: { N: '1' } }), {
    TableName: 'app',
    Key: { PK: { S: 'a' } },
    ConditionExpression: 'attribute_exists(#key) AND attribute_exists(#same)',
    UpdateExpression: 'SET #same = #same',
    ExpressionAttributeNames: { '#key': 'PK', '#same': 'n' },
  });
  assert.equal('UpdateExpression' in rewriteRequest('app', ['PK'], { PK: { S: 'a' } }), false);
});
