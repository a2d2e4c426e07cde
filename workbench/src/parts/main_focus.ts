// The focus is never nowhere: whoever comes to another place from something that is gone there is led to its heading.
import { useEffect } from 'preact/hooks';

const HEADING = 'main h1:not(.hidden-text)';

/** The heading says where one is; `isPast`: past lists that lead elsewhere, to what is shown. */
export function focusMain(isPast = false): void {
  const shown = isPast ? (document.querySelector<HTMLElement>('main [data-content] h2') ?? document.querySelector<HTMLElement>('main [data-content]')) : null;
  const begin = shown ?? document.querySelector<HTMLElement>(HEADING) ?? document.querySelector<HTMLElement>('main')!;
  begin.tabIndex = -1;
  begin.focus({ preventScroll: true });
}

let last: Element | null = null; // what had the focus
document.addEventListener('focusin', ({ target }) => (last = target as Element));

/** What is shown comes and goes bit by bit: looks after the focus until somebody does something, or calls what it gives. */
export function keepFocus(): () => void {
  const main = document.querySelector('main')!;
  const look = () => {
    const { activeElement: now, body } = document;
    if (now === main ? document.querySelector(HEADING) : now === body && last && !last.isConnected) focusMain();
  };
  const observer = new MutationObserver(look);
  const stop = () => {
    observer.disconnect();
    for (const event of ['keydown', 'pointerdown']) removeEventListener(event, stop, { capture: true });
  };
  observer.observe(main, { childList: true, subtree: true });
  for (const event of ['keydown', 'pointerdown']) addEventListener(event, stop, { capture: true });
  look();
  return stop;
}

/** `where`: the place that one has come to. */
export const useFocusKept = (where: string): void => useEffect(keepFocus, [where]);
