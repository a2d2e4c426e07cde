import assert from 'node:assert/strict';
import test from 'node:test';
import { BYTES_MAX, collectionsOf, durationText, forecast, type Grown, ITEMS_MAX, lastOf, rememberSizes } from './growth';
import type { HeatOf, HotKey, Whole } from './heat_answer';

const grown = (...points: [at: number, items: number][]): Grown => ({
  table: 'app',
  key: { PK: { S: 'a' } },
  name: 'a',
  kind: null,
  isWritten: true,
  points: points.map(([at, items]) => ({ at, items, bytes: items * 100 })),
});

test('what grows evenly reaches its limit when the line says so', () => {
  const of = grown([0, 1000], [10, 1200], [20, 1400], [30, 1600], [40, 1800]);
  const byItems = forecast(of, 'items', ITEMS_MAX);
  assert.equal(byItems.perSecond, 20);
  assert.equal(byItems.seconds, (ITEMS_MAX - 1800) / 20);
  assert.equal(byItems.text, 'in 6 minutes at this rate');
  assert.equal(byItems.watchedText, 'watched for 40 seconds');
  assert.equal(forecast(of, 'bytes', BYTES_MAX).seconds, (BYTES_MAX - 180_000) / 2000);
});

test('the line is the nearest to all that was seen, and not only to its ends', () => {
  // By least squares 0.9 a second; from the first to the last it is 1.
  assert.equal(forecast(grown([0, 0], [10, 10], [20, 30], [30, 20], [40, 40]), 'items', ITEMS_MAX).perSecond.toFixed(6), '0.900000');
});

test('nothing is said too early: of less than half a minute, or of less than four looks', () => {
  for (const of of [grown([0, 1], [10, 2], [20, 3], [29, 4]), grown([0, 1], [20, 2], [40, 3]), grown([0, 1])]) {
    const early = forecast(of, 'items', ITEMS_MAX);
    assert.deepEqual([early.text, early.seconds, early.isEarly], ['too early to say', null, true]);
  }
  assert.equal(forecast(grown([0, 1], [10, 2], [20, 3], [30, 4]), 'items', ITEMS_MAX).isEarly, false);
});

test('what stays or shrinks does not grow', () => {
  for (const of of [grown([0, 7], [10, 7], [20, 7], [30, 7]), grown([0, 9], [10, 8], [20, 7], [30, 6])]) {
    const { text, seconds } = forecast(of, 'items', ITEMS_MAX);
    assert.deepEqual([text, seconds], ['does not grow', null]);
  }
});

test('what goes up and down says nothing of when', () => {
  const { text, seconds } = forecast(grown([0, 100], [10, 0], [20, 110], [30, 0], [40, 120]), 'items', ITEMS_MAX);
  assert.deepEqual([text, seconds], ['grows too unevenly to say', null]);
});

test('nobody waits for a hundred years', () => {
  const { text, seconds } = forecast(grown([0, 1], [1e6, 2], [2e6, 3], [3e6, 4]), 'items', ITEMS_MAX);
  assert.deepEqual([text, seconds], ['not within a hundred years', null]);
});

test('what is beyond its limit has reached it, and its growth is told all the same', () => {
  const at = forecast(grown([0, 9700], [10, 9800], [20, 9900], [30, 10_000]), 'items', ITEMS_MAX);
  assert.deepEqual([at.text, at.seconds, at.perSecond, at.isEarly], ['is beyond it', 0, 10, false]);
  // Seen once: that it is beyond is known, how it grows is not.
  assert.deepEqual([forecast(grown([0, 12_000]), 'items', ITEMS_MAX).text, forecast(grown([0, 12_000]), 'items', ITEMS_MAX).isEarly], ['is beyond it', true]);
});

const place = (table: string, partitions: HotKey[], index?: string) => ({ table, ...(index ? { index } : {}), reads: { partitions: [] }, writes: { partitions } }) as unknown as HeatOf<Whole>;
const key = (name: string, items?: number, bytes?: number): HotKey => ({ key: { PK: { S: name } }, name, units_per_second: 1, times_per_second: 1, share: 1, ...(items === undefined ? {} : { items, bytes }) }) as HotKey;

test('sizes are remembered by table and key, those of indexes and of what is not written to are not', () => {
  rememberSizes([place('one', [key('a', 10, 1000), key('b', 20, 2000), key('unknown')]), place('one', [key('a', 99, 9900)], 'GSI1'), place('two', [key('a', 5, BYTES_MAX / 2)])], 100);
  rememberSizes([place('one', [key('a', 11, 1100)])], 110);
  const [a, b] = ['a', 'b'].map((name) => collectionsOf('one').find((each) => each.name === name)!);
  assert.deepEqual(a!.points, [{ at: 100, items: 10, bytes: 1000 }, { at: 110, items: 11, bytes: 1100 }]);
  assert.deepEqual([a!.isWritten, b!.isWritten, lastOf(b!).items], [true, false, 20]);
  assert.deepEqual(collectionsOf('one').map(({ name }) => name), ['b', 'a'], 'the nearest to a limit first');
  assert.deepEqual(collectionsOf(null).map(({ table, name }) => `${table} ${name}`), ['two a', 'one b', 'one a']);
});

test('of a long time fewer looks are kept, the first and the last among them', () => {
  for (let at = 0; at < 1000; at++) rememberSizes([place('long', [key('a', at, at)])], at);
  const of = collectionsOf('long')[0]!;
  assert.equal(of.points.length <= 200, true, `${of.points.length} are kept`);
  assert.deepEqual([of.points[0]!.at, lastOf(of).at], [0, 999]);
  assert.equal(forecast(of, 'items', ITEMS_MAX).perSecond.toFixed(6), '1.000000');
});

test('times are told in the unit of which there are two or more', () => {
  const told: [number, string][] = [
    [0, '0 seconds'],
    [1, '1 second'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [7199, '119 minutes'],
    [7200, '2 hours'],
    [2 * 86_400, '2 days'],
    [2 * 365 * 86_400, '2 years'],
  ];
  for (const [seconds, text] of told) assert.equal(durationText(seconds), text);
});
