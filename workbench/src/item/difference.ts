// What differs between two states of an item.
import type { Item, Value } from './value';

export interface Change {
  path: string;
  before?: Value;
  after?: Value;
}

const SETS = ['SS', 'NS', 'BS'];
/** The same value, whatever the order of members and of elements of a set. */
export function canonical(value: Value): string {
  if ('M' in value)
    return `{${Object.keys(value.M)
      .sort()
      .map((name) => JSON.stringify(name) + canonical(value.M[name]!))
      .join()}}`;
  if ('L' in value) return `[${value.L.map(canonical).join()}]`;
  const [type, inner] = Object.entries(value)[0] as [string, unknown];
  return type + JSON.stringify(SETS.includes(type) ? [...(inner as string[])].sort() : inner);
}
export const isSame = (a: Value | undefined, b: Value | undefined): boolean => (a && b ? canonical(a) === canonical(b) : a === b);
export const isSameItem = (a: Item, b: Item): boolean => canonical({ M: a }) === canonical({ M: b });

export function differences(before: Item, after: Item, path = ''): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => change(before[name], after[name], path === '' ? name : `${path}.${name}`));
}
function change(before: Value | undefined, after: Value | undefined, path: string): Change[] {
  if (isSame(before, after)) return [];
  if (before && after && 'M' in before && 'M' in after) return differences(before.M, after.M, path);
  if (before && after && 'L' in before && 'L' in after && before.L.length === after.L.length) return before.L.flatMap((each, at) => change(each, after.L[at], `${path}[${at}]`));
  return [{ path, ...(before ? { before } : {}), ...(after ? { after } : {}) }];
}

/** What was made of `read`, made of `current` instead: each attribute that was changed, and no other. */
export function rebased(read: Item, mine: Item, current: Item): Item {
  const result: Item = { ...current };
  for (const name of new Set([...Object.keys(read), ...Object.keys(mine)])) {
    if (isSame(read[name], mine[name])) continue;
    if (mine[name]) result[name] = mine[name];
    else delete result[name];
  }
  return result;
}
