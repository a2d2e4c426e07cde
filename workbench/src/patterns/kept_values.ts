// What was typed for the parameters of a pattern or operation, the next time as well.
import type { Draft } from './draft';

const KEPT = 'sheaf.values';
const MOST = 200;
type Kept = Record<string, Record<string, Draft>>;

function all(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Kept;
  } catch {
    return {};
  }
}
const keyOf = (model: string, name: string) => `${model}/${name}`;

export const keptValues = (model: string, name: string): Record<string, Draft> => all()[keyOf(model, name)] ?? {};
export function keepValues(model: string, name: string, drafts: Record<string, Draft>): void {
  const { [keyOf(model, name)]: _, ...others } = all();
  const entries = Object.entries(others).slice(-MOST);
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...Object.fromEntries(entries), [keyOf(model, name)]: drafts }));
  } catch {
    // No room, or not allowed: then they are not there the next time.
  }
}
