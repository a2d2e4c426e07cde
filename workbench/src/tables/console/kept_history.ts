// What was run in a console, kept in the browser: the newest first, nothing twice.

export interface Kept<T> {
  what: T;
  time: number; // milliseconds since 1970
}
const MOST = 100;

export function readHistory<T>(name: string): Kept<T>[] {
  try {
    const read = JSON.parse(localStorage.getItem(`sheaf.history.${name}`) ?? '[]') as unknown;
    return Array.isArray(read) ? (read as Kept<T>[]).filter((each) => typeof each === 'object' && each !== null && 'what' in each) : [];
  } catch {
    return [];
  }
}
export function withEntry<T>(history: Kept<T>[], what: T, time: number): Kept<T>[] {
  const same = JSON.stringify(what);
  return [{ what, time }, ...history.filter((each) => JSON.stringify(each.what) !== same)].slice(0, MOST);
}
export function writeHistory<T>(name: string, history: Kept<T>[]): void {
  try {
    localStorage.setItem(`sheaf.history.${name}`, JSON.stringify(history));
  } catch {
    // The browser keeps nothing, or has no room: then there is none.
  }
}
