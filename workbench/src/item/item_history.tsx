// The history of an item, from the stream of its table.
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, counted } from '../parts/amount';
import { ErrorBox } from '../parts/loaded';
import { forWriters } from '../parts/roles';
import { tell } from '../parts/toasts';
import { call, type Table } from '../server/dynamo';
import { ChangeList } from './change_list';
import { type History, HistoryReader, type ItemEvent } from './stream_history';
import type { Item } from './value';

interface Parts {
  table: Table;
  itemKey: Item;
  onTableChange: () => void;
}

export function ItemHistory({ table, itemKey, onTableChange }: Parts) {
  if (table.LatestStreamArn && table.StreamSpecification?.StreamEnabled) return <Events arn={table.LatestStreamArn} itemKey={itemKey} />;
  return <NoStream table={table} onTableChange={onTableChange} />;
}

function NoStream({ table, onTableChange }: { table: Table; onTableChange: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const turnOn = async () => {
    setBusy(true);
    try {
      await call('UpdateTable', { TableName: table.TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } });
      tell(`${table.TableName} keeps a stream from now on`);
      onTableChange();
    } catch (problem) {
      setError(problem as Error);
    }
    setBusy(false);
  };
  return (
    <div class="empty">
      <h3>This table keeps no stream</h3>
      <p>A stream keeps all changes of the last 24 hours, with the items as they were before and after. Turn it on to see the history of items from now on.</p>
      <div class="row">
        <button type="button" class="primary" aria-disabled={isBusy} {...forWriters()} onClick={turnOn}>
          Turn the stream on
        </button>
      </div>
      {error && <ErrorBox error={error} />}
    </div>
  );
}

const KINDS: Record<ItemEvent['kind'], string> = { INSERT: 'Created', MODIFY: 'Changed', REMOVE: 'Deleted' };

const NOTHING: History = { view: '', events: [], looked: 0, isWhole: false };

/** What was read so far; it can be stopped, and gone on with. */
function useHistory(arn: string, itemKey: Item) {
  const [history, setHistory] = useState(NOTHING);
  const [state, setState] = useState<'reading' | 'rests'>('reading');
  const [error, setError] = useState<Error | null>(null);
  const reader = useRef<HistoryReader | null>(null);
  const control = useRef<AbortController | null>(null);
  const goOn = () => {
    const mine = (control.current = new AbortController());
    const of = (reader.current ??= new HistoryReader(arn, itemKey));
    setState('reading');
    setError(null);
    of.read(mine.signal, (now) => !mine.signal.aborted && setHistory(now))
      .then(setHistory, (problem: Error) => !mine.signal.aborted && setError(problem))
      .finally(() => control.current === mine && setState('rests'));
  };
  const again = () => {
    control.current?.abort();
    reader.current = null;
    setHistory(NOTHING);
    goOn();
  };
  useEffect(() => {
    again();
    return () => control.current?.abort();
  }, [arn, JSON.stringify(itemKey)]);
  return { history, state, error, goOn, again, stop: () => control.current?.abort() };
}

function Events({ arn, itemKey }: { arn: string; itemKey: Item }) {
  const { history, state, error, goOn, again, stop } = useHistory(arn, itemKey);
  const { events, view, isWhole, looked } = history;
  return (
    <div class="column">
      {error && <ErrorBox error={error} onRetry={goOn} />}
      <div class="row">
        <span class="soft grow" role="status">
          {events.length > 0 && `${counted(events.length, 'change', 'changes')}. `}
          {state === 'reading' && `Reading the stream… ${count(looked)} changes of all items so far`}
          {state === 'rests' && !isWhole && `Not all was read: ${count(looked)} changes of all items so far, the newest part of the stream first.`}
          {isWhole && events.length === 0 && 'The stream tells nothing of this item: it was not changed in the last 24 hours, or before the stream was turned on.'}
        </span>
        {state === 'reading' ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <>
            {!isWhole && (
              <button type="button" onClick={goOn}>
                Go on
              </button>
            )}
            <button type="button" onClick={again}>
              Look again
            </button>
          </>
        )}
      </div>
      <ol class="events">
        {events.map((event) => (
          <li key={event.id}>
            <h3>
              {event.byExpiry ? 'Expired' : KINDS[event.kind]} <time dateTime={event.time.toISOString()}>{event.time.toLocaleString()}</time>
            </h3>
            {view === 'KEYS_ONLY' ? <p class="soft">This stream keeps keys only.</p> : <ChangeList before={event.before ?? {}} after={event.after ?? {}} />}
          </li>
        ))}
      </ol>
    </div>
  );
}
