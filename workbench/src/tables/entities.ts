// Which entity an item is of, as far as it shows, and in which colour it is drawn.
import { type Item, shown } from '../item/value';
import type { KeyNames } from '../server/dynamo';

const TAGS = ['Type', 'type', '_type', 'entity', 'Entity', 'entityType', '_et', '__edb_e__', 'kind'];

function prefixOf(text: string): string | null {
  const prefix = /^[^#|/:]+(?=[#|/:])/.exec(text)?.[0];
  return prefix ?? null;
}

/** The attribute that says which entity it is. */
export const tagOf = (item: Item): string | undefined => TAGS.find((name) => item[name] && 'S' in item[name]);

/** What its tag says; or else what its keys begin with. */
export function entityOf(item: Item, keys: KeyNames, tag: string | null): string {
  for (const name of tag ? [tag] : TAGS) {
    const value = item[name];
    if (value && 'S' in value && !keys.partition.includes(name) && !keys.sort.includes(name)) return value.S;
  }
  const sort = keys.sort.map((name) => shown(item[name])).join('#');
  const partition = keys.partition.map((name) => shown(item[name])).join('#');
  return prefixOf(sort) ?? (/^[A-Z][A-Za-z_]*$/.test(sort) ? sort : null) ?? prefixOf(partition) ?? '';
}

/** The same for the same name, wherever it is drawn. */
export function hueOf(entity: string): number {
  let hash = 7;
  for (const letter of entity) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return (hash * 137.5) % 360;
}
