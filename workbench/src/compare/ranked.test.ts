import assert from 'node:assert/strict';
import test from 'node:test';
import { type Contestant, ranked } from './measurement';

const way = (name: string, requests: number, units: number, unserved: string[] = []) => ({ name, unserved, mix: { requests, read_units: units, write_units: 0, units_a_write: 1, latency_us: 1 }, stored: [] }) as unknown as Contestant;

test('ways are ranked by what is asked for, those that cannot do everything last', () => {
  const all = [way('a', 1, 9), way('b', 2, 3), way('c', 1, 2, ['team']), way('d', 1, 8)];
  assert.deepEqual(ranked(all, 'requests').map(({ name }) => name), ['d', 'a', 'b', 'c']);
  assert.deepEqual(ranked(all, 'units').map(({ name }) => name), ['b', 'd', 'a', 'c']);
});
