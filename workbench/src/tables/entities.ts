// Which entity an item is of, as far as it shows.
import { type Item, shown } from '../item/value';
import type { KeyNames } from '../server/dynamo';

const TAGS = ['Type', 'type', '_type', 'entity', 'Entity', 'entityType', '_et', '__edb_e__', 'kind'];

/** "ORDER" of "ORDER#7"; a time has a colon, too, and is no name. */
function prefixOf(text: string): string | null {
  if (/^\d{4}-\d\d/.test(text)) return null;
  return /^[A-Za-z][\w.-]*(?=[#|/:])/.exec(text)?.[0] ?? null;
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
