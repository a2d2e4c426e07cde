import assert from 'node:assert/strict';
import test from 'node:test';
import { tablesByLoad } from './busy_tables';
import type { HeatOf, Rates } from './heat_answer';

const rates = (units: number): Rates => ({ units_per_second: units, requests_per_second: units, throttled_per_second: 0, partition_keys: 1 });
const place = (table: string, index: string | null, reads: number, writes: number): HeatOf<Rates> => ({ table, ...(index ? { index } : {}), seconds: 60, reads: rates(reads), writes: rates(writes), findings: [] });

test('traffic of indexes counts for their table', () => {
  const seen = [place('accounts', null, 2, 0), place('staff', null, 1, 0), place('staff', 'by_name', 3, 1), place('idle', null, 0, 0), place('staff-sheaf', null, 90, 90)];
  assert.deepEqual(tablesByLoad(seen), ['staff', 'accounts']);
});
