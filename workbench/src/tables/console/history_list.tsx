// What was run before, to be taken again.
import { useState } from 'preact/hooks';
import { type Kept, readHistory, withEntry, writeHistory } from './kept_history';

export interface History<T> {
  entries: Kept<T>[];
  add: (what: T) => void;
  clear: () => void;
}
export function useHistory<T>(name: string): History<T> {
  const [entries, setEntries] = useState(() => readHistory<T>(name));
  const keep = (next: Kept<T>[]) => {
    setEntries(next);
    writeHistory(name, next);
  };
  return { entries, add: (what) => keep(withEntry(readHistory<T>(name), what, Date.now())), clear: () => keep([]) };
}

interface Parts<T> {
  history: History<T>;
  titleOf: (what: T) => string;
  onTake: (what: T) => void;
}
export function HistoryList<T>({ history, titleOf, onTake }: Parts<T>) {
  return (
    <section class="history" aria-label="History">
      <div class="row">
        <h3 class="grow">History</h3>
        {history.entries.length > 0 && (
          <button type="button" class="plain" onClick={history.clear}>
            Forget
          </button>
        )}
      </div>
      {history.entries.length === 0 ? (
        <p class="soft">What you run is kept here, in this browser.</p>
      ) : (
        <ul>
          {history.entries.map((each) => (
            <li key={each.time}>
              <button type="button" class="plain" title={titleOf(each.what)} onClick={() => onTake(each.what)}>
                <code>{titleOf(each.what)}</code>
                <small class="soft">{new Date(each.time).toLocaleString()}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
