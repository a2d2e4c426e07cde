// How item collections grow, as far as this page has seen it, and when they reach a limit.
import type { Item } from '../item/value';
import { type HeatOf, type HotKey, keyName, type Whole } from './heat_answer';

export const ITEMS_MAX = 10_000;
export const BYTES_MAX = 1024 ** 3;
export const BYTES_MAX_LOCAL = 10 * 1024 ** 3;

interface Point {
  at: number; // seconds
  items: number;
  bytes: number;
}
export interface Grown {
  table: string;
  key: Item;
  name: string;
  kind: string | null;
  points: Point[]; // the oldest first
  isWritten: boolean; // at the last look
}
const POINTS_MAX = 200;
const collections = new Map<string, Grown>();

const idOf = (table: string, key: HotKey) => JSON.stringify([table, key.key]);

/** Adds what is known of collections that are written to. */
export function rememberSizes(places: HeatOf<Whole>[], at = Date.now() / 1000): void {
  for (const place of places) {
    if (place.index) continue;
    for (const each of collections.values()) if (each.table === place.table) each.isWritten = false;
    for (const key of place.writes.partitions) {
      if (key.items === undefined || key.bytes === undefined) continue;
      const id = idOf(place.table, key);
      const grown = collections.get(id) ?? { table: place.table, key: key.key, name: keyName(key), kind: key.kind ?? null, points: [], isWritten: true };
      grown.isWritten = true;
      grown.points.push({ at, items: key.items, bytes: key.bytes });
      if (grown.points.length > POINTS_MAX) grown.points = grown.points.filter((_, index) => index % 2 === 0 || index === grown.points.length - 1);
      collections.set(id, grown);
    }
  }
}

/** Of one table, or of all; those that are nearest to a limit first. */
export function collectionsOf(table: string | null): Grown[] {
  return [...collections.values()].filter((each) => table === null || each.table === table).sort((a, b) => nearness(b) - nearness(a));
}
export const lastOf = (grown: Grown): Point => grown.points[grown.points.length - 1]!;
const nearness = (grown: Grown) => Math.max(lastOf(grown).items / ITEMS_MAX, lastOf(grown).bytes / BYTES_MAX);

export interface Forecast {
  watched: number; // seconds
  perSecond: number;
  /** Seconds until the limit; null: it cannot be said, for the reason that `text` has. */
  seconds: number | null;
  text: string;
  watchedText: string;
  isEarly: boolean; // nothing can be said of growth yet
}
const WATCHED_MIN = 30;
const POINTS_MIN = 4;
const CENTURY = 100 * 365 * 86_400;

/** A straight line through what was seen, by least squares. */
export function forecast(grown: Grown, of: 'items' | 'bytes', limit: number): Forecast {
  const { points } = grown;
  const watched = points.length > 1 ? lastOf(grown).at - points[0]!.at : 0;
  const watchedText = `watched for ${durationText(watched)}`;
  const say = (text: string, perSecond = 0, seconds: number | null = null): Forecast => ({ watched, perSecond, seconds, text, watchedText, isEarly: false });
  const last = lastOf(grown)[of];
  const isEarly = points.length < POINTS_MIN || watched < WATCHED_MIN;
  if (isEarly) return { ...(last >= limit ? say('is beyond it', 0, 0) : say('too early to say')), isEarly };
  const n = points.length;
  const meanAt = points.reduce((sum, point) => sum + point.at, 0) / n;
  const mean = points.reduce((sum, point) => sum + point[of], 0) / n;
  let together = 0;
  let alone = 0;
  let spread = 0;
  for (const point of points) {
    together += (point.at - meanAt) * (point[of] - mean);
    alone += (point.at - meanAt) ** 2;
    spread += (point[of] - mean) ** 2;
  }
  const perSecond = alone > 0 ? together / alone : 0;
  if (last >= limit) return say('is beyond it', perSecond, 0);
  if (perSecond <= 0) return say('does not grow', perSecond);
  if ((together * together) / (alone * spread) < 0.5) return say('grows too unevenly to say', perSecond);
  const seconds = (limit - last) / perSecond;
  if (seconds > CENTURY) return say('not within a hundred years', perSecond);
  return say(`in ${durationText(seconds)} at this rate`, perSecond, seconds);
}

export function durationText(seconds: number): string {
  const steps: [number, string][] = [
    [365 * 86_400, 'year'],
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, name] = steps.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  const many = Math.floor(seconds / size);
  return `${new Intl.NumberFormat('en').format(many)} ${name}${many === 1 ? '' : 's'}`;
}
