// The frame around all pages: where one can go, who asks, light or dark.
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BEGUN, STEP_IDS, steps } from './learn/progress';
import { KeyButton, KeyDialog } from './parts/access';
import { Icon, type IconName } from './parts/icon';
import { ToastsOfPage } from './parts/dialog';
import { Show, useLoaded } from './parts/loaded';
import { focusMain, useFocusKept } from './parts/main_focus';
import { linkTo, place } from './parts/place';
import { RequestError } from './server/session';
import { about } from './server/workbench';
import { theme, toggleTheme } from './parts/theme';

interface PageEntry {
  name: string;
  label: string;
  icon: IconName;
  load: () => Promise<ComponentType>; // when somebody goes there
}
const PAGES: PageEntry[] = [
  { name: 'tables', label: 'Tables', icon: 'tables', load: async () => (await import('./tables/tables_page')).TablesPage },
  { name: 'model', label: 'Model', icon: 'model', load: async () => (await import('./model/model_page')).ModelPage },
  { name: 'patterns', label: 'Patterns', icon: 'patterns', load: async () => (await import('./patterns/patterns_page')).PatternsPage },
  { name: 'compare', label: 'Compare', icon: 'compare', load: async () => (await import('./compare/compare_page')).ComparePage },
  { name: 'heat', label: 'Heat', icon: 'heat', load: async () => (await import('./heat/heat_page')).HeatPage },
  { name: 'learn', label: 'Learn', icon: 'learn', load: async () => (await import('./learn/learn_page')).LearnPage },
];

/** Pages are parts of the program: if one does not come, the server is away, or it is another one by now. */
function notLoaded(): never {
  throw new RequestError(0, 'unreachable', 'The server does not send this page. Is it still running? If it was replaced by another version, load the page anew.');
}

let isFirstPage = true;

/** The page itself, once it is loaded. */
function Page({ entry }: { entry: PageEntry }) {
  const loaded = useLoaded(async () => ({ page: await entry.load().catch(notLoaded) }), [entry]);
  // Whoever goes to another page is led to its begin, unless something there has taken the focus.
  const isFirst = useRef(isFirstPage);
  useEffect(() => {
    if (!loaded.value) return;
    isFirstPage = false;
    if (isFirst.current || !(document.activeElement === document.body || document.activeElement?.closest('nav'))) return;
    focusMain();
  }, [loaded.value]);
  return <Show of={loaded}>{({ page: Shown }) => <Shown />}</Show>;
}

export function App() {
  const { page, path } = place.value;
  const shown = PAGES.find((each) => each.name === page) ?? PAGES[0]!;
  useEffect(() => {
    document.title = `${shown.label} · Sheaf`;
  }, [shown]);
  useFocusKept(linkTo(page, path));
  // What the key may do, and which models there are, concerns every page. Whoever is not known is asked by what it shows.
  useEffect(() => void about().catch(() => {}), []);
  return (
    <div class="shell">
      <a
        class="button skip"
        href="#"
        onClick={(event) => {
          event.preventDefault();
          focusMain(true);
        }}
      >
        Skip the navigation
      </a>
      <nav aria-label="Workbench">
        <a class="brand" href={linkTo(PAGES[0]!.name)}>
          <Icon name="tables" /> Sheaf
        </a>
        {PAGES.map(({ name, label, icon }) => (
          <a key={name} class="place" href={linkTo(name)} aria-current={name === shown.name ? 'page' : undefined}>
            <Icon name={icon} /> {label}
          </a>
        ))}
        {steps.of.value.has(BEGUN) && !STEP_IDS.every((id) => steps.of.value.has(id)) && (
          <a class="place go-on" href={linkTo('learn', ['first-steps'])}>
            <Icon name="left" /> First steps
          </a>
        )}
        <div class="below">
          <KeyButton />
          <button class="plain" onClick={toggleTheme} aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}>
            <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
          </button>
        </div>
      </nav>
      <main class={'on-' + shown.name} aria-label={shown.label} tabIndex={-1}>
        <Page key={shown.name} entry={shown} />
      </main>
      <KeyDialog />
      <ToastsOfPage />
    </div>
  );
}
