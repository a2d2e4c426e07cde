// All items of a table into a file, page by page.
import { useEffect, useRef, useState } from 'preact/hooks';
import { byteText, count, counted, unitsText } from '../../parts/amount';
import { Dialog } from '../../parts/dialog';
import { ErrorBox } from '../../parts/loaded';
import type { Item } from '../../item/value';
import { call, type Page, type Table } from '../../server/dynamo';
import { CsvWriter, type FileFormat, jsonLine } from './item_lines';

interface State {
  isRunning: boolean;
  items: number;
  units: number;
  blob: Blob | null;
}
const idle: State = { isRunning: false, items: 0, units: 0, blob: null };
const TYPES: Record<FileFormat, { type: string; ending: string }> = { json: { type: 'application/x-ndjson', ending: 'jsonl' }, csv: { type: 'text/csv', ending: 'csv' } };

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function ExportDialog({ table, onClose }: { table: Table; onClose: () => void }) {
  const [format, setFormat] = useState<FileFormat>('json');
  const [state, setState] = useState<State>(idle);
  const [error, setError] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const name = `${table.TableName}.${TYPES[format].ending}`;

  const run = async () => {
    const stopping = new AbortController();
    stop.current = stopping;
    setError(null);
    setState({ ...idle, isRunning: true });
    const keys = table.KeySchema.map(({ AttributeName }) => ({ name: AttributeName, type: table.AttributeDefinitions.find((each) => each.AttributeName === AttributeName)!.AttributeType }));
    const csv = new CsvWriter(keys);
    const parts: Blob[] = []; // of JSON: what a Blob holds need not be in memory
    let items = 0;
    let units = 0;
    let from: Item | undefined;
    const blobOf = () => new Blob(format === 'csv' ? csv.parts() : parts, { type: TYPES[format].type });
    try {
      do {
        const page: Page = await call('Scan', { TableName: table.TableName, ReturnConsumedCapacity: 'TOTAL', ...(from ? { ExclusiveStartKey: from } : {}) }, stopping.signal);
        if (format === 'csv') for (const item of page.Items) csv.add(item);
        else parts.push(new Blob([page.Items.map(jsonLine).join('')]));
        items += page.Count;
        units += page.ConsumedCapacity?.CapacityUnits ?? 0;
        from = page.LastEvaluatedKey;
        setState({ isRunning: true, items, units, blob: null });
      } while (from);
      const blob = blobOf();
      setState({ isRunning: false, items, units, blob });
      saveAs(blob, name);
    } catch (problem) {
      if (!stopping.signal.aborted) setError(problem as Error);
      setState({ isRunning: false, items, units, blob: items > 0 ? blobOf() : null });
    }
  };

  return (
    <Dialog
      title={`Export ${table.TableName}`}
      onClose={onClose}
      onSubmit={() => !state.isRunning && void run()}
      footer={
        state.isRunning ? (
          <button type="button" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        ) : (
          <>
            {state.blob && (
              <button type="button" onClick={() => saveAs(state.blob!, name)}>
                Save {name} ({byteText(state.blob.size)})
              </button>
            )}
            <button class="primary">Export</button>
          </>
        )
      }
    >
      {error && <ErrorBox error={error} />}
      <fieldset class="choice" disabled={state.isRunning}>
        <legend>As</legend>
        <label class="check">
          <input type="radio" name="format" checked={format === 'json'} onChange={() => setFormat('json')} /> DynamoDB JSON, an item in each line
        </label>
        <label class="check">
          <input type="radio" name="format" checked={format === 'csv'} onChange={() => setFormat('csv')} /> CSV, with types in its head
        </label>
      </fieldset>
      <p class="soft">The table is read from its start to its end, and the file is made here in the browser.</p>
      {(state.isRunning || state.items > 0) && (
        <div role="status">
          <progress aria-label="Items read" value={state.items} max={Math.max(table.ItemCount, state.items, 1)} />
          <div>
            {count(state.items)} of about {counted(Math.max(table.ItemCount, state.items), 'item', 'items')}, {unitsText(state.units)}
            {!state.isRunning && state.blob && (state.items < table.ItemCount ? '. Stopped.' : '. Done.')}
          </div>
        </div>
      )}
    </Dialog>
  );
}
