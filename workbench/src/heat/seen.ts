// What was seen while this page is open: rates of tables and indexes, and how their parts share them.
import { signal } from '@preact/signals';
import { type HeatOf, placeName, type Rates, type Whole } from './heat_answer';

export interface Seen {
  reads: number;
  writes: number;
  throttled: number;
}
export interface Look {
  at: number; // milliseconds
  of: Map<string, Seen>; // by placeName
}
const KEPT_MS = 15 * 60 * 1000;

/** The oldest first. */
export const looks = signal<Look[]>([]);

export function remember(resources: HeatOf<Rates>[], at = Date.now()): void {
  const of = new Map<string, Seen>();
  for (const each of resources) {
    const seen = {
      reads: each.reads.units_per_second,
      writes: each.writes.units_per_second,
      throttled: each.reads.throttled_per_second + each.writes.throttled_per_second,
    };
    if (seen.reads + seen.writes + seen.throttled > 0) of.set(placeName(each), seen);
  }
  looks.value = [...looks.value.filter((look) => at - look.at < KEPT_MS), { at, of }];
}

export interface Quarters {
  at: number;
  reads: number[];
  writes: number[];
}
const quarters = new Map<string, Quarters[]>();
const COLUMNS = 60;

export function rememberQuarters(of: HeatOf<Whole>, at = Date.now()): void {
  const before = quarters.get(placeName(of)) ?? [];
  quarters.set(placeName(of), [...before.slice(1 - COLUMNS), { at, reads: of.reads.quarters, writes: of.writes.quarters }]);
}
export const quartersOf = (name: string): Quarters[] => quarters.get(name) ?? [];
export const QUARTER_COLUMNS = COLUMNS;
