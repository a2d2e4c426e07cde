// The window in which a table is created.
import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeBox } from '../parts/code_box';
import { Dialog } from '../parts/dialog';
import { Icon } from '../parts/icon';
import { ErrorBox } from '../parts/loaded';
import { tell } from '../parts/toasts';
import { call } from '../server/dynamo';
import { IndexFields, KeyFields } from './settings/index_fields';
import { createTableRequest, newIndex, newTable, type TableDraft } from './settings/table_request';

interface Parts {
  onClose: () => void;
  onCreated: (name: string) => void;
}

export function CreateTable({ onClose, onCreated }: Parts) {
  const [draft, setDraft] = useState<TableDraft>(newTable);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);
  const set = (change: Partial<TableDraft>) => setDraft({ ...draft, ...change });
  const request = (): object | Error => {
    try {
      return createTableRequest(draft);
    } catch (problem) {
      return problem as Error;
    }
  };
  const ready = request();
  const create = async () => {
    if (ready instanceof Error) return setError(ready);
    setBusy(true);
    setError(null);
    try {
      await call('CreateTable', ready);
      tell(`${draft.name.trim()} was created`);
      onCreated(draft.name.trim());
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  };
  const nextName = (kind: 'global' | 'local') => `${kind === 'global' ? 'GSI' : 'LSI'}${draft.indexes.filter((each) => each.kind === kind).length + 1}`;
  const addIndex = (kind: 'global' | 'local') => set({ indexes: [...draft.indexes, newIndex(kind, nextName(kind))] });
  return (
    <Dialog
      title="Create a table"
      wide
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          {ready instanceof Error && draft.name !== '' && <span class="problem">{ready.message}</span>}
          <button class="primary" disabled={ready instanceof Error} aria-disabled={isBusy}>
            Create
          </button>
        </>
      }
    >
      {error && <ErrorBox error={error} />}
      <label class="field">
        Name
        <input ref={name} value={draft.name} spellcheck={false} onInput={(event) => set({ name: event.currentTarget.value })} />
      </label>
      <div class="row top">
        <div class="grow">
          <KeyFields label="Partition key" attribute={draft.partition} onChange={(partition) => set({ partition })} />
        </div>
        <div class="grow">
          <KeyFields label="Sort key" isOptional attribute={draft.sort} onChange={(sort) => set({ sort })} />
        </div>
      </div>
      <fieldset class="indexes">
        <legend>Indexes</legend>
        {draft.indexes.map((index) => (
          <div class="sheet" key={index.id} role="group" aria-label={`Index ${index.name}`}>
            <div class="row">
              <h3 class="grow">{index.kind === 'global' ? 'Global index' : 'Local index'}</h3>
              <button type="button" class="plain" aria-label={`Remove the index ${index.name}`} onClick={() => set({ indexes: draft.indexes.filter((each) => each !== index) })}>
                <Icon name="trash" />
              </button>
            </div>
            <IndexFields index={index} onChange={(next) => set({ indexes: draft.indexes.map((each) => (each === index ? next : each)) })} />
          </div>
        ))}
        <div class="row">
          <button type="button" onClick={() => addIndex('global')}>
            <Icon name="plus" /> Global index
          </button>
          <button type="button" disabled={draft.sort.name.trim() === ''} title={draft.sort.name.trim() === '' ? 'A table with local indexes has a sort key' : undefined} onClick={() => addIndex('local')}>
            <Icon name="plus" /> Local index
          </button>
        </div>
      </fieldset>
      <div class="row tight">
        <label class="field">
          Billing
          <select value={draft.billing} onChange={(event) => set({ billing: event.currentTarget.value as TableDraft['billing'] })}>
            <option value="PAY_PER_REQUEST">on demand</option>
            <option value="PROVISIONED">provisioned units</option>
          </select>
        </label>
        {draft.billing === 'PROVISIONED' && (
          <>
            <label class="field">
              Read units
              <input class="short" inputMode="numeric" value={draft.readUnits} onInput={(event) => set({ readUnits: event.currentTarget.value })} />
            </label>
            <label class="field">
              Write units
              <input class="short" inputMode="numeric" value={draft.writeUnits} onInput={(event) => set({ writeUnits: event.currentTarget.value })} />
            </label>
          </>
        )}
        <label class="field">
          Stream
          <select value={draft.stream} onChange={(event) => set({ stream: event.currentTarget.value as TableDraft['stream'] })}>
            <option value="">none</option>
            <option value="NEW_AND_OLD_IMAGES">items before and after</option>
            <option value="NEW_IMAGE">items after</option>
            <option value="OLD_IMAGE">items before</option>
            <option value="KEYS_ONLY">keys only</option>
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={draft.isProtected} onChange={(event) => set({ isProtected: event.currentTarget.checked })} /> protected against deletion
        </label>
      </div>
      <label class="field">
        Tags, one in a line: name=value
        <textarea rows={2} value={draft.tags} spellcheck={false} onInput={(event) => set({ tags: event.currentTarget.value })} />
      </label>
      {!(ready instanceof Error) && (
        <details>
          <summary>The request</summary>
          <CodeBox text={JSON.stringify(ready, null, 2)} label="The request as JSON" />
        </details>
      )}
    </Dialog>
  );
}
