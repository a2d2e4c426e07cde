// Texts that were typed here and are not served yet, by name. They stay in this browser until they are thrown away.
import { signal } from '@preact/signals';
import { tellError } from '../parts/toasts';

export interface Draft {
  name: string;
  text: string;
  layout: string;
  changed: string; // a time
}
type Drafts = Record<string, Draft>;
const KEPT = 'sheaf.model-drafts';

function read(): Drafts {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}
export const drafts = signal<Drafts>(read());
// Another tab of this browser may write, too.
addEventListener('storage', (event) => {
  if (event.key === KEPT) drafts.value = read();
});

function write(next: Drafts): void {
  drafts.value = next;
  try {
    localStorage.setItem(KEPT, JSON.stringify(next));
  } catch {
    tellError('This browser keeps no more drafts. Download the model as a file, so that it is not lost.');
  }
}
export function keepDraft(name: string, text: string, layout: string): void {
  write({ ...read(), [name]: { name, text, layout, changed: new Date().toISOString() } });
}
export function forgetDraft(name: string): void {
  const next = read();
  delete next[name];
  write(next);
}
/** `name`, or with a number behind if that is taken. */
export function freeName(name: string, taken: Iterable<string>): string {
  const all = new Set([...taken, ...Object.keys(drafts.value)]);
  if (!all.has(name)) return name;
  let number = 2;
  while (all.has(`${name}${number}`)) number++;
  return `${name}${number}`;
}

/** What the text calls its model. */
export const modelName = (text: string): string | null => /(?:^|[\s}])model\s+(`[^`]+`|\w+)/.exec(text.replace(/\/\/.*$/gm, ''))?.[1]?.replaceAll('`', '') ?? null;
export function renamed(text: string, to: string): string {
  // The first that does not stand in a comment.
  return text.replace(/^((?:\s*\/\/.*\n|\s)*model\s+)(`[^`]+`|\w+)/, (_, before: string) => before + to);
}
/** Those that a text declares, as far as it shows. */
export const layoutNames = (text: string): string[] => ['default', ...[...text.replace(/\/\/.*$/gm, '').matchAll(/\blayout\s+(\w+)/g)].map((found) => found[1]!)];
