// The stream of a table and the attribute that lets items expire.
import { useState } from 'preact/hooks';
import { ErrorBox, useLoaded } from '../../parts/loaded';
import { forWriters } from '../../parts/roles';
import { tell, tellError } from '../../parts/toasts';
import { call, type Table } from '../../server/dynamo';

const VIEWS: Record<string, string> = { NEW_AND_OLD_IMAGES: 'items before and after', NEW_IMAGE: 'items after', OLD_IMAGE: 'items before', KEYS_ONLY: 'keys only' };

interface Expiry {
  TimeToLiveStatus: string;
  AttributeName?: string;
}

export function StreamAndExpiry({ table, onAgain }: { table: Table; onAgain: () => void }) {
  const expiry = useLoaded(async () => (await call<{ TimeToLiveDescription: Expiry }>('DescribeTimeToLive', { TableName: table.TableName })).TimeToLiveDescription, [table]);
  const [view, setView] = useState('NEW_AND_OLD_IMAGES');
  const [attribute, setAttribute] = useState('expires');
  const [isBusy, setBusy] = useState(false);
  const change = async (operation: string, request: object, told: string) => {
    setBusy(true);
    try {
      await call(operation, { TableName: table.TableName, ...request });
      tell(told);
      onAgain();
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
  };
  const stream = table.StreamSpecification;
  const isExpiring = expiry.value?.TimeToLiveStatus === 'ENABLED' || expiry.value?.TimeToLiveStatus === 'ENABLING';
  return (
    <>
      <section class="sheet">
        <h3>Stream</h3>
        {stream?.StreamEnabled ? (
          <div class="row">
            <span class="grow">
              On: {VIEWS[stream.StreamViewType ?? ''] ?? stream.StreamViewType}. <span class="soft">The history of an item is in its window.</span>
            </span>
            <button aria-disabled={isBusy} {...forWriters()} onClick={() => void change('UpdateTable', { StreamSpecification: { StreamEnabled: false } }, 'The stream is off')}>
              Turn it off
            </button>
          </div>
        ) : (
          <div class="row">
            <span class="grow soft">Off. A stream keeps the changes of the last 24 hours.</span>
            <select aria-label="What the stream keeps" value={view} onChange={(event) => setView(event.currentTarget.value)}>
              {Object.entries(VIEWS).map(([name, text]) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </select>
            <button aria-disabled={isBusy} {...forWriters()} onClick={() => void change('UpdateTable', { StreamSpecification: { StreamEnabled: true, StreamViewType: view } }, 'The stream is on')}>
              Turn it on
            </button>
          </div>
        )}
      </section>
      <section class="sheet">
        <h3>Time to live</h3>
        {expiry.error ? (
          <ErrorBox error={expiry.error} onRetry={expiry.again} />
        ) : isExpiring ? (
          <div class="row">
            <span class="grow">
              Items go when the second in <code>{expiry.value!.AttributeName}</code> has passed.
            </span>
            <button
              aria-disabled={isBusy}
              {...forWriters()}
              onClick={() => void change('UpdateTimeToLive', { TimeToLiveSpecification: { Enabled: false, AttributeName: expiry.value!.AttributeName } }, 'Items do not expire any more')}
            >
              Turn it off
            </button>
          </div>
        ) : (
          <div class="row">
            <span class="grow soft">Off. Items stay until they are deleted.</span>
            <label class="check">
              attribute <input class="mono" value={attribute} spellcheck={false} onInput={(event) => setAttribute(event.currentTarget.value)} />
            </label>
            <button
              disabled={attribute.trim() === ''}
              aria-disabled={isBusy}
              {...forWriters()}
              onClick={() => void change('UpdateTimeToLive', { TimeToLiveSpecification: { Enabled: true, AttributeName: attribute.trim() } }, 'Items expire from now on')}
            >
              Turn it on
            </button>
          </div>
        )}
      </section>
    </>
  );
}
