// Where in the workbench we are: #/tables/app?index=GSI1 is {page: 'tables', path: ['app'], query: {index: 'GSI1'}}.
import { signal } from '@preact/signals';

export interface Place {
  page: string;
  path: string[];
  query: Record<string, string>;
}

/** What is not written as addresses are stays as it is: it is the name of nothing, and the page says so. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { page: parts[0] ?? '', path: parts.slice(1), query: Object.fromEntries(new URLSearchParams(query)) };
}

export const place = signal<Place>(read());
addEventListener('hashchange', () => (place.value = read()));

export function linkTo(page: string, path: string[] = [], query: Record<string, string | null | undefined> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== undefined && pair[1] !== '');
  const text = new URLSearchParams(given).toString();
  return '#/' + [page, ...path].map(encodeURIComponent).join('/') + (text ? '?' + text : '');
}

export function go(page: string, path: string[] = [], query: Record<string, string | null | undefined> = {}): void {
  location.hash = linkTo(page, path, query);
}
/** The same place with other words behind the `?`; no new entry in the history. */
export function adjust(query: Record<string, string | null | undefined>): void {
  const { page, path, query: before } = place.value;
  history.replaceState(null, '', linkTo(page, path, { ...before, ...query }));
  place.value = read();
}
