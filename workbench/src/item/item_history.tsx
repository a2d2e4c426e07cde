// The history of an item, from the stream of its table.
import { useState } from 'preact/hooks';
import { count, counted } from '../parts/amount';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { tell } from '../parts/toasts';
import { call, type Table } from '../server/dynamo';
import { ChangeList } from './change_list';
import { historyOf, type ItemEvent } from './stream_history';
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
        <button type="button" class="primary" disabled={isBusy} onClick={turnOn}>
          Turn the stream on
        </button>
      </div>
      {error && <ErrorBox error={error} />}
    </div>
  );
}

const KINDS: Record<ItemEvent['kind'], string> = { INSERT: 'Created', MODIFY: 'Changed', REMOVE: 'Deleted' };

function Events({ arn, itemKey }: { arn: string; itemKey: Item }) {
  const [looked, setLooked] = useState(0);
  const history = useLoaded((signal) => historyOf(arn, itemKey, signal, setLooked), [arn, JSON.stringify(itemKey)]);
  if (history.error) return <ErrorBox error={history.error} onRetry={history.again} />;
  if (!history.value) return <p class="soft">Reading the stream… {count(looked)} changes so far</p>;
  const { events, view, isWhole } = history.value;
  return (
    <div class="column">
      <div class="row">
        <span class="soft grow">
          {events.length === 0 ? 'The stream tells nothing of this item: it was not changed in the last 24 hours, or before the stream was turned on.' : counted(events.length, 'change', 'changes')}
          {!isWhole && ' The stream has more than was read.'}
        </span>
        <button type="button" onClick={history.again}>
          Look again
        </button>
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
