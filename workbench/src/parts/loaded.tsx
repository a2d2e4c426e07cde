// What is asked of the server when a part of the page appears, and again when what it depends on changes.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { accessKey, isAboutKey, isAskedFor, RequestError } from '../server/session';

export interface Loaded<T> {
  value?: T | undefined;
  error?: Error | undefined;
  isLoading: boolean;
  again: () => void;
}

/** The server is away, or what stands before it says so: that passes. */
export const isAway = (error: Error | undefined): boolean => error instanceof RequestError && [0, 502, 503, 504].includes(error.status);
const AWAY_MS = 3000;

export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, depends: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: Error; isLoading: boolean }>({ isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ value, isLoading: false }),
      (error: Error) => !stop.signal.aborted && setState({ error, isLoading: false }),
    );
    return () => stop.abort();
    // eslint-disable-next-line
  }, [...depends, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, again };
}

/** What the server calls it (doc/http.md), in words. DynamoDB's own names stay: programs see them, too. */
const TITLES: Record<string, string> = {
  not_found: 'Not there',
  in_use: 'Refused',
  conflict: 'Refused',
  invalid: 'This cannot be taken',
  malformed: 'This cannot be read',
  too_large: 'Too large',
  unserved: 'No key for it',
  throttled: 'Too much at once',
  forbidden: 'Not allowed',
  unauthenticated: 'Not known who asks',
  unknown: 'The outcome is not known',
  internal: 'The database has a problem',
  unavailable: 'The database cannot be reached',
};
/** null: the message says it all. */
export function titleOf(error: Error): string | null {
  if (!(error instanceof RequestError) || error.status === 0 || error.code === 'error' || error.code === error.message) return null;
  return TITLES[error.code] ?? (/^[a-z_]+$/.test(error.code) ? null : error.code);
}

interface ErrorParts {
  error: Error;
  onRetry?: (() => void) | undefined;
  isManual?: boolean; // it is not to be tried without being told: something is written
  isQuiet?: boolean; // somebody else tells it; this only tries again
}
export function ErrorBox({ error, onRetry, isManual = false, isQuiet = false }: ErrorParts) {
  const title = titleOf(error);
  const returns = onRetry !== undefined && !isManual && isAway(error);
  // What is only read is tried again until the server is back.
  useEffect(() => {
    if (!returns) return;
    const timer = setTimeout(onRetry, AWAY_MS);
    return () => clearTimeout(timer);
  }, [error, returns]);
  if (isQuiet) return <p class="soft">It comes when the server is back.</p>;
  // Nothing is wrong before a key was tried.
  if (isAboutKey(error) && accessKey.value === null)
    return (
      <div class="box note row">
        <span class="grow">It takes an access key to see this.</span>
        <button type="button" onClick={() => (isAskedFor.value = '')}>
          Give an access key
        </button>
      </div>
    );
  return (
    <div class="box error" role="alert">
      {title && <strong>{title}: </strong>}
      {error.message}
      {returns && ' It is asked again by itself.'}
      {error instanceof RequestError && error.fix && <div>{error.fix}</div>}
      {(onRetry || isAboutKey(error)) && (
        <div class="row" style={{ marginTop: '6px' }}>
          {isAboutKey(error) && (
            <button type="button" onClick={() => (isAskedFor.value = '')}>
              Give an access key
            </button>
          )}
          {onRetry && (
            <button type="button" onClick={onRetry}>
              Try again
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface Parts<T> {
  of: Loaded<T>;
  children: (value: T) => ComponentChildren;
}
/** The value when it is there; before that, that it is being loaded, or why not. */
export function Show<T>({ of, children }: Parts<T>) {
  if (of.error) return <ErrorBox error={of.error} onRetry={of.again} />;
  if (of.value === undefined) return <p class="soft">Loading…</p>;
  return <>{children(of.value)}</>;
}
