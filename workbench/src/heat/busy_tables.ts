// Which tables somebody has read or written lately, the busiest first: what of them the page begins with.
import { heatOfAll, type HeatOf, isOwn, loadOf, type Rates } from './heat_answer';

/** Traffic of its indexes counts for a table. */
export function tablesByLoad(places: HeatOf<Rates>[]): string[] {
  const sums = new Map<string, number>();
  for (const each of places) if (!isOwn(each)) sums.set(each.table, (sums.get(each.table) ?? 0) + loadOf(each));
  return [...sums].filter(([, load]) => load > 0).sort((a, b) => b[1] - a[1]).map(([table]) => table);
}

const LATELY = [60, 600]; // seconds
export async function busyTables(signal?: AbortSignal): Promise<string[]> {
  for (const seconds of LATELY) {
    const tables = tablesByLoad(await heatOfAll(seconds, signal));
    if (tables.length > 0) return tables;
  }
  return [];
}
