// GET /heat: which keys are read and written most (doc/heat.md).
import { type Item, shown, type Value } from '../item/value';
import { isSheafsTable } from '../server/dynamo';
import { askJson, RequestError } from '../server/session';

export interface Rates {
  units_per_second: number;
  requests_per_second: number;
  throttled_per_second: number;
  partition_keys: number;
}
export interface Summary extends Rates {
  hottest_share: number;
}
export interface HotKey {
  key: Item;
  kind?: string; // the entity or relation, where a model explains the key
  name?: string; // Order o-17 of Customer c-3
  units_per_second: number;
  times_per_second: number;
  share: number; // of all units
  items?: number; // of the collection, where it is written to
  bytes?: number;
}
/** One of some keys that were picked at random. */
export interface SampledKey {
  key: Item;
  kind?: string;
  name?: string;
  share: number; // of the units of all that were picked
}
export interface Whole extends Rates {
  quarters: number[]; // units a second by the hash of the partition key
  partitions: HotKey[];
  items: HotKey[];
  throttled_partitions: HotKey[];
  sample: SampledKey[];
}
export type Access = 'reads' | 'writes';
export interface Finding {
  kind: string;
  of: Access;
  text: string;
}
export interface HeatOf<Rate extends Rates> {
  table: string;
  index?: string;
  seconds: number;
  partition_count?: number;
  reads: Rate;
  writes: Rate;
  findings: Finding[];
}

/** Those that the server keeps well; it takes anything from a second to an hour. */
export const WINDOWS = [
  { seconds: 60, label: '60 s', text: 'the last minute' },
  { seconds: 600, label: '10 min', text: 'the last 10 minutes' },
  { seconds: 3600, label: '1 h', text: 'the last hour' },
] as const;
export const windowText = (seconds: number): string => WINDOWS.find((each) => each.seconds === seconds)?.text ?? `the last ${seconds} seconds`;
/** What charts are drawn of: short enough to follow, long enough to be steady. */
export const CHART_SECONDS = 10;

export async function heatOfAll(seconds: number, signal?: AbortSignal): Promise<HeatOf<Summary>[]> {
  const answer = await askJson<{ resources: HeatOf<Summary>[] }>({ path: '/heat', query: `seconds=${seconds}`, ...(signal ? { signal } : {}) });
  return answer.resources;
}

export interface Asked {
  table: string;
  index: string | null;
  seconds: number;
  keys: number;
}
export function heatOfOne({ table, index, seconds, keys }: Asked, signal?: AbortSignal): Promise<HeatOf<Whole>> {
  const query = new URLSearchParams({ table, ...(index ? { index } : {}), seconds: String(seconds), keys: String(keys) });
  return askJson({ path: '/heat', query: query.toString().replaceAll('+', '%20'), ...(signal ? { signal } : {}) });
}

export const placeName = ({ table, index }: { table: string; index?: string }): string => (index ? `${table} / ${index}` : table);
export const loadOf = (of: HeatOf<Rates>): number => of.reads.units_per_second + of.writes.units_per_second;
export const isBusy = (of: HeatOf<Rates>): boolean =>
  [of.reads, of.writes].some((rates) => rates.requests_per_second > 0 || rates.throttled_per_second > 0);

/** Sheaf looks at its own tables all the time. */
export const isOwn = ({ table }: { table: string }): boolean => isSheafsTable(table);

/** The attributes of a key, the partition key first. */
export function partsOfKey(key: Item, partition: readonly string[]): [string, Value][] {
  return Object.entries(key).sort(([a], [b]) => Number(partition.includes(b)) - Number(partition.includes(a)));
}
/** As the model calls it; or else the values of the key. */
export const keyName = (key: HotKey, partition: readonly string[] = []): string =>
  key.name ??
  partsOfKey(key.key, partition)
    .map(([, value]) => shown(value))
    .join(' / ');

/** So many a second, as exactly as one wants to know it. */
export function rate(value: number): string {
  if (value <= 0) return '0';
  if (value < 0.01) return '< 0.01';
  return new Intl.NumberFormat('en', { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2 }).format(value);
}

export const isTurnedOff = (error: Error): boolean => error instanceof RequestError && error.message.startsWith('Heat is not counted');
export const isForbidden = (error: Error): boolean => error instanceof RequestError && error.status === 403;
