// Which models have a guided start open, and at which step each is. It stays while one looks at other pages.
import { signal } from '@preact/signals';

export const STEPS = ['read', 'items', 'compare', 'choose', 'serve', 'load', 'run'] as const;
export type GuideStep = (typeof STEPS)[number];
type Guided = Record<string, GuideStep>;
const KEPT = 'sheaf.guided';

function read(): Guided {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Guided;
  } catch {
    return {};
  }
}
export const guided = signal<Guided>(read());

function write(next: Guided): void {
  guided.value = next;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(next));
  } catch {
    // The next page begins it anew.
  }
}
export const guideTo = (name: string, step: GuideStep): void => write({ ...guided.peek(), [name]: step });
export function endGuide(name: string): void {
  const { [name]: _, ...rest } = guided.peek();
  write(rest);
}
/** Only where there is one, and never back. */
export function guideOn(name: string, step: GuideStep): void {
  const now = guided.peek()[name];
  if (now && STEPS.indexOf(now) < STEPS.indexOf(step)) guideTo(name, step);
}
/** The model is served under another name. */
export function guideFollows(from: string, to: string): void {
  const { [from]: step, ...rest } = guided.peek();
  if (step) write({ ...rest, [to]: step });
}
