// The table that was opened last: the consoles begin with it.
import { useLoaded } from '../parts/loaded';
import { describeTable, isSheafsTable, type Table } from '../server/dynamo';

let opened: string | null = null;
export const rememberTable = (name: string): void => void (opened = name);
export const openedTable = (): string | null => opened;

export const exampleTable = (tables: string[]): string | null => tables.find((each) => each === opened) ?? tables.find((each) => !isSheafsTable(each)) ?? null;

/** Described, once it is known; null: there is none, or it may not be described. */
export function useExampleTable(tables: string[]): Table | null {
  const name = exampleTable(tables);
  return useLoaded(async () => (name === null ? null : describeTable(name).catch(() => null)), [name]).value ?? null;
}
