// How far somebody is: stops of the tour that were seen, and first steps that were done. It is kept in this browser.
import { signal } from '@preact/signals';

function keptSet(key: string) {
  const read = (): Set<string> => {
    try {
      const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
      return new Set(Array.isArray(list) ? list.map(String) : []);
    } catch {
      return new Set();
    }
  };
  const of = signal(read());
  const set = (name: string, isIn: boolean) => {
    if (of.value.has(name) === isIn) return;
    const next = new Set(of.value);
    if (isIn) next.add(name);
    else next.delete(name);
    of.value = next;
    try {
      localStorage.setItem(key, JSON.stringify([...next]));
    } catch {
      // A full or forbidden storage forgets it, and nothing worse.
    }
  };
  return { of, set };
}

export const toured = keptSet('sheaf.tour');
export const steps = keptSet('sheaf.first-steps'); // BEGUN, and the ids of those that are done
export const BEGUN = 'begun';
export const STEP_IDS = ['design', 'compare', 'pick', 'load', 'run', 'heat'] as const;
