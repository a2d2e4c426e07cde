// What is asked again and again while somebody looks: not in a hidden tab, and not while it is paused.
import { useEffect, useState } from 'preact/hooks';
import { isForbidden, isTurnedOff } from './heat_answer';

export const EVERY_MS = 2000;
const AFTER_ERROR_MS = 5000;

export interface Polled<T> {
  value?: T;
  error?: Error;
  again: () => void;
}

/** `depends` is what the question is about: when it changes, what was known is forgotten. */
export function usePolled<T>(ask: (signal: AbortSignal) => Promise<T>, depends: readonly unknown[], isPaused: boolean, everyMs = EVERY_MS): Polled<T> {
  const [state, setState] = useState<{ of: string; value?: T; error?: Error }>({ of: '' });
  const [round, setRound] = useState(0);
  const of = JSON.stringify(depends);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(look, milliseconds);
    };
    const look = () => {
      if (document.hidden) return;
      ask(stop.signal).then(
        (value) => {
          if (stop.signal.aborted) return;
          setState({ of, value });
          if (!isPaused) later(everyMs);
        },
        (error: Error) => {
          if (stop.signal.aborted) return;
          setState((before) => ({ ...(before.of === of ? before : {}), of, error }));
          // Who may not ask is not let in by asking more often.
          if (!isPaused && !isForbidden(error) && !isTurnedOff(error)) later(AFTER_ERROR_MS);
        },
      );
    };
    const onVisible = () => !document.hidden && !isPaused && later(0);
    document.addEventListener('visibilitychange', onVisible);
    if (!isPaused || state.of !== of) look();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
    // eslint-disable-next-line
  }, [of, isPaused, round, everyMs]);
  const again = () => setRound((before) => before + 1);
  return state.of === of ? { ...(state.value === undefined ? {} : { value: state.value }), ...(state.error ? { error: state.error } : {}), again } : { again };
}
