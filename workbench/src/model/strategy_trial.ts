// What another strategy would change: keys and indexes, requests and units, cost.
import { askLanguage, type Diagnostic } from '../server/workbench';
import type { Chart } from './drawn_tables';
import { type Amounts, charts, cost, type CostAnswer, explain, type Explanation } from './model_commands';

export interface KeyChange {
  where: string; // "table hr-data", "index GSI1 of hr-data"
  entity: string;
  before: string | null;
  after: string | null;
}
export interface WorkChange {
  name: string;
  kind: 'pattern' | 'operation';
  before: Amounts | null; // null: it is not served
  after: Amounts | null;
}
export interface Trial {
  mistakes: Diagnostic[];
  keys: KeyChange[];
  work: WorkChange[];
}

const viewName = ({ table, index }: Chart) => (index === null ? `table ${table}` : `index ${index} of ${table}`);

function keyRows(all: Chart[]): Map<string, { where: string; entity: string; text: string }> {
  const rows = new Map<string, { where: string; entity: string; text: string }>();
  for (const chart of all)
    for (const row of chart.rows) {
      const where = viewName(chart);
      const key = `${where}/${row.entity}`;
      const text = row.keys.join(' / ');
      rows.set(key, { where, entity: row.entity, text: rows.has(key) ? `${rows.get(key)!.text}\n${text}` : text });
    }
  return rows;
}
export function keyChanges(before: Chart[], after: Chart[]): KeyChange[] {
  const old = keyRows(before);
  const now = keyRows(after);
  const changes: KeyChange[] = [];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const { where, entity } = (old.get(key) ?? now.get(key))!;
    const [one, other] = [old.get(key)?.text ?? null, now.get(key)?.text ?? null];
    if (one !== other) changes.push({ where, entity, before: one, after: other });
  }
  return changes;
}

export function workChanges(before: Explanation, after: Explanation): WorkChange[] {
  return (['patterns', 'operations'] as const).flatMap((group) => {
    const names = new Set([...before[group], ...after[group]].map((each) => each.name));
    const amounts = (from: Explanation, name: string) => from[group].find((each) => each.name === name)?.planned ?? null;
    return [...names].map((name): WorkChange => ({ name, kind: group === 'patterns' ? 'pattern' : 'operation', before: amounts(before, name), after: amounts(after, name) }));
  });
}

export async function tryText(before: string, after: string, layout: string, signal: AbortSignal): Promise<Trial> {
  const mistakes = (await askLanguage(after, { ask: 'check' }, signal)).filter((each) => each.severity === 1);
  if (mistakes.length > 0) return { mistakes, keys: [], work: [] };
  const keys = keyChanges(await charts(before, layout, signal), await charts(after, layout, signal));
  const work = workChanges(await explain(before, layout, signal), await explain(after, layout, signal));
  return { mistakes, keys, work };
}
export async function tryCost(before: string, after: string, layout: string, signal: AbortSignal): Promise<{ before: CostAnswer; after: CostAnswer }> {
  return { before: await cost(before, layout, signal), after: await cost(after, layout, signal) };
}

/** The lines that differ, with what stands around left out. */
export function lineChanges(before: string, after: string): { removed: string[]; added: string[]; line: number } {
  const old = before.split('\n');
  const now = after.split('\n');
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let same = 0;
  while (same < old.length - first && same < now.length - first && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return { removed: old.slice(first, old.length - same), added: now.slice(first, now.length - same), line: first + 1 };
}
