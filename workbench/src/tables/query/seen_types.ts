// Which attributes a table has and of which types they are, as far as some of its items tell.
import { type Item, type TypeName, typeOf } from '../../item/value';
import { call, type Page } from '../../server/dynamo';

/** By path, as it is written in a filter; the type that was seen most often first. */
export type SeenTypes = ReadonlyMap<string, TypeName[]>;

const LOOKED = 50;
const DEPTH = 3;
export const pathStep = (name: string): string => (/^[^.[\]",\s]+$/.test(name) ? name : JSON.stringify(name));

export function typesIn(items: Item[]): SeenTypes {
  const counts = new Map<string, Map<TypeName, number>>();
  const add = (item: Item, before: string, depth: number) => {
    for (const [name, value] of Object.entries(item)) {
      const path = before + pathStep(name);
      const type = typeOf(value);
      const of = counts.get(path) ?? new Map<TypeName, number>();
      counts.set(path, of.set(type, (of.get(type) ?? 0) + 1));
      if ('M' in value && depth < DEPTH) add(value.M, `${path}.`, depth + 1);
    }
  };
  for (const item of items) add(item, '', 1);
  return new Map([...counts].map(([path, of]) => [path, [...of].sort((a, b) => b[1] - a[1]).map(([type]) => type)]));
}

/** One small Scan; whoever may not read the table learns nothing. */
export const seenTypes = (table: string): Promise<SeenTypes> =>
  call<Page>('Scan', { TableName: table, Limit: LOOKED }).then(
    (page) => typesIn(page.Items),
    () => new Map(),
  );
