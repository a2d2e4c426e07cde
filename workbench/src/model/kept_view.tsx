// What is shown of a text as it is now. It is asked for a moment after typing stops; while the text has mistakes the last that
// was good stays, with a word that it is old.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBox } from '../parts/loaded';
import { CommandError, type Diagnostic } from '../server/workbench';

const QUIET_MS = 450;
// By what they are of, so that a tab that is opened again has something to show at once.
const lastGood = new Map<string, { text: string; value: unknown }>();
const KEPT_MAX = 60;

export interface View<T> {
  value?: T;
  error?: Error;
  isLoading: boolean;
  isOld: boolean; // it is of an earlier text
  again: () => void;
}

export function useView<T>(key: string, text: string, load: (text: string, signal: AbortSignal) => Promise<T>): View<T> {
  const before = lastGood.get(key);
  const [state, setState] = useState<{ key: string; text: string; value?: T; error?: Error; isLoading: boolean }>({
    key,
    text: before?.text ?? '',
    value: before?.value as T | undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const isFirst = useRef(true);
  useEffect(() => {
    const known = lastGood.get(key);
    if (known && known.text === text && round === 0) {
      setState({ key, text, value: known.value as T, isLoading: false });
      return;
    }
    const stop = new AbortController();
    setState((now) => ({ key, text: known?.text ?? '', value: known?.value as T | undefined, ...(now.key === key && now.error ? { error: now.error } : {}), isLoading: true }));
    const timer = setTimeout(
      () => {
        load(text, stop.signal).then(
          (value) => {
            if (stop.signal.aborted) return;
            lastGood.delete(key);
            lastGood.set(key, { text, value });
            if (lastGood.size > KEPT_MAX) lastGood.delete(lastGood.keys().next().value!);
            setState({ key, text, value, isLoading: false });
          },
          (error: Error) => !stop.signal.aborted && setState((now) => ({ ...now, error, isLoading: false })),
        );
      },
      isFirst.current ? 0 : QUIET_MS,
    );
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // eslint-disable-next-line
  }, [key, text, round]);
  const { value, error, isLoading } = state;
  const again = () => setRound((now) => now + 1);
  return { ...(value !== undefined ? { value } : {}), ...(error ? { error } : {}), isLoading, isOld: state.text !== text, again };
}

interface Parts<T> {
  of: View<T>;
  mistakes: Diagnostic[];
  onGoTo: (range: Diagnostic['range']) => void;
  children: (value: T) => ComponentChildren;
}
export function ShowView<T>({ of, mistakes, onGoTo, children }: Parts<T>) {
  const errors = mistakes.filter((each) => each.severity === 1);
  const isMistake = of.error instanceof CommandError;
  return (
    <>
      {of.error && !isMistake && (
        <div class="view-hint">
          <ErrorBox error={of.error} onRetry={of.again} />
        </div>
      )}
      {of.error && isMistake && of.value === undefined && <Mistakes errors={errors} error={of.error} onGoTo={onGoTo} />}
      {of.value === undefined && !of.error && <p class="soft view-hint">One moment…</p>}
      {of.value !== undefined && children(of.value)}
      {of.error && isMistake && of.value !== undefined && (
        <div class="view-old" role="status">
          <div class="box warning">The text has mistakes. This is how it was before them.</div>
        </div>
      )}
    </>
  );
}

function Mistakes({ errors, error, onGoTo }: { errors: Diagnostic[]; error: Error; onGoTo: (range: Diagnostic['range']) => void }) {
  return (
    <div class="view-hint">
      <div class="box warning">
        {errors.length > 0 ? 'This is shown as soon as the text has no mistakes:' : 'This cannot be shown of the text as it is:'}
        {errors.length === 0 && <pre>{error.message}</pre>}
      </div>
      <ul class="mistakes">
        {errors.slice(0, 8).map((each) => (
          <li>
            <button type="button" class="plain" onClick={() => onGoTo(each.range)}>
              Line {each.range.start.line + 1}
            </button>
            <span>{each.message.split('\n')[0]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
