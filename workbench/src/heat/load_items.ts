// Items to be read or written for some load: from all over the table, and in no order. The first of a Scan would all lie
// beside each other, in one quarter of the partitions.
import type { Item } from '../item/value';
import { call, type Page } from '../server/dynamo';

const SEGMENTS = 8;
const OF_EACH = 25;

export function shuffled<T>(all: T[], random: () => number = Math.random): T[] {
  const next = [...all];
  for (let at = next.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [next[at], next[other]] = [next[other]!, next[at]!];
  }
  return next;
}

export async function itemsForLoad(table: string, signal: AbortSignal, ask: typeof call = call): Promise<Item[]> {
  const pages = await Promise.all(
    Array.from({ length: SEGMENTS }, (_, Segment) => ask<Page>('Scan', { TableName: table, Segment, TotalSegments: SEGMENTS, Limit: OF_EACH }, signal)),
  );
  return shuffled(pages.flatMap((page) => page.Items));
}

/** UpdateItem that writes an item and changes nothing of it; not, if it is gone. */
export function rewriteRequest(table: string, keys: string[], item: Item) {
  const other = Object.keys(item).find((name) => !keys.includes(name));
  return {
    TableName: table,
    Key: Object.fromEntries(keys.map((name) => [name, item[name]!])),
    ConditionExpression: other === undefined ? 'attribute_exists(#key)' : 'attribute_exists(#key) AND attribute_exists(#same)',
    ...(other === undefined ? {} : { UpdateExpression: 'SET #same = #same' }),
    ExpressionAttributeNames: { '#key': keys[0]!, ...(other === undefined ? {} : { '#same': other }) },
  };
}
