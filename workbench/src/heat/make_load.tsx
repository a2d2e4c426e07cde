// Asks for some load, and shows that it is under way.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { Icon } from '../parts/icon';
import { Show, useLoaded } from '../parts/loaded';
import { tell, tellError } from '../parts/toasts';
import { isSheafsTable, listTables } from '../server/dynamo';
import { summaryOf } from '../server/models';
import { lastModel } from '../model/last_model';
import { exampleTable, openedTable } from '../tables/last_table';
import { busyTables } from './busy_tables';
import { loadEnd, type LoadKind, loadRun, makeLoad, stopLoad } from './load_run';

/** The table that was busiest just now, mostly the one that somebody has filled or asked; or else what was opened last. */
async function usualTable(): Promise<string | null> {
  const [busy] = await busyTables().catch(() => []);
  if (busy !== undefined) return busy;
  const model = lastModel();
  if (openedTable() !== null || model === null) return openedTable();
  return summaryOf(model).then(({ tables }) => exampleTable(tables), () => null);
}

export function MakeLoad({ table, onClose }: { table: string | null; onClose: () => void }) {
  const tables = useLoaded(async () => ({ all: await listTables(), usual: table ?? (await usualTable()) }), []);
  const [chosen, setChosen] = useState(table);
  const [kind, setKind] = useState<LoadKind>('reads');
  // What Sheaf keeps for itself comes last.
  const names = [...(tables.value?.all ?? [])].sort((a, b) => Number(isSheafsTable(a)) - Number(isSheafsTable(b)));
  const of = chosen ?? names.find((name) => name === tables.value?.usual) ?? names[0] ?? null;
  const begin = () => {
    if (of === null) return;
    makeLoad(of, kind).then(() => loadEnd.value && tell(loadEnd.value), tellError);
    onClose();
  };
  return (
    <Dialog
      title="Make some load"
      onClose={onClose}
      onSubmit={begin}
      footer={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={of === null}>
            {kind === 'reads' ? 'Read' : 'Write'} for 30 seconds
          </button>
        </>
      }
    >
      <p class="soft">
        This page sends about 40 {kind} a second of single items, for half a minute. Some items are {kind === 'reads' ? 'read' : 'written'} far more often than others, as it is in life.{' '}
        {kind === 'reads' ? 'Nothing is written.' : 'Items are written as they are, on condition that they are still there: nothing is changed.'}
      </p>
      <Show of={tables}>
        {() =>
          names.length === 0 ? (
            <p>There are no tables to read.</p>
          ) : (
            <label class="field">
              Table
              <select value={of ?? ''} onChange={(event) => setChosen(event.currentTarget.value)}>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )
        }
      </Show>
      <label class="field">
        What
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as LoadKind)}>
          <option value="reads">reads</option>
          <option value="writes">writes, which change nothing</option>
        </select>
      </label>
    </Dialog>
  );
}

export function LoadState() {
  const run = loadRun.value;
  if (run === null) return null;
  return (
    <div class="box note load-state">
      <span>
        {run.kind === 'reads' ? 'Reading' : 'Writing'} {run.table}: {run.sent} {run.kind}, {run.secondsLeft} s left{run.failed > 0 ? `, ${run.failed} failed` : ''}
      </span>
      <button onClick={stopLoad}>
        <Icon name="stop" /> Stop the load
      </button>
    </div>
  );
}
