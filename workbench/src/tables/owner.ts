// Which model, of those that are served, a table belongs to.
import { useLoaded } from '../parts/loaded';
import { summaryOf } from '../server/models';
import { about, known, type ServedModel } from '../server/workbench';
import { isTableOf } from './hues';

/** null: none, or it may not be known. Of several whose texts name the table, the one that has it. */
export async function ownerOf(table: string): Promise<ServedModel | null> {
  const { models } = known.peek() ?? (await about());
  const named = models.filter((each) => isTableOf(table, each) || table === `${each.name}-sheaf`);
  for (const each of named) if ((await summaryOf(each.name)).tables.includes(table)) return each;
  return null;
}
/** undefined: it is not known yet. */
export const useOwner = (table: string): ServedModel | null | undefined => useLoaded(() => ownerOf(table).catch(() => null), [table]).value;
