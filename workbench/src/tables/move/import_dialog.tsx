// Items from a file into a table.
import { useEffect, useRef, useState } from 'preact/hooks';
import { keyText } from '../../item/value';
import { byteText, counted } from '../../parts/amount';
import { Dialog } from '../../parts/dialog';
import { ErrorBox } from '../../parts/loaded';
import { primaryKey, type Table } from '../../server/dynamo';
import { type Progress, writeItems } from './batch_writer';
import { type FileFormat, itemsOfCsv, keyProblem } from './item_lines';
import { formText, itemsOfJson, jsonForm } from './json_items';

const LOOKED_AT_ONCE = 8_000_000; // bytes

interface Parts {
  table: Table;
  onClose: () => void;
  onImported: () => void;
}

export function ImportDialog({ table, onClose, onImported }: Parts) {
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<FileFormat>('json');
  const [guesses, setGuesses] = useState(true);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [state, setState] = useState<'idle' | 'running' | 'done' | 'stopped'>('idle');
  const [error, setError] = useState<Error | null>(null);
  const [form, setForm] = useState<string | null>(null); // of JSON, as it was recognised
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const take = (given: File | null) => {
    setFile(given);
    setProgress(null);
    setState('idle');
    setForm(null);
    if (!given) return;
    const isCsv = /\.(csv|tsv|txt)$/i.test(given.name);
    setFormat(isCsv ? 'csv' : 'json');
    if (isCsv || given.size > LOOKED_AT_ONCE) return;
    given.text().then(recognise).catch(() => {});
  };
  /** What is wrong with it is told when it is imported. */
  const recognise = (text: string) => {
    try {
      setForm(formText(jsonForm(text)));
    } catch {
      setForm(null);
    }
  };
  const run = async () => {
    if (!file) return;
    const stopping = new AbortController();
    stop.current = stopping;
    setError(null);
    setState('running');
    // The keys of indexes, too, are of the types that the table says; but only its own must be there.
    const types = Object.fromEntries(table.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
    const keyTypes = Object.fromEntries(table.KeySchema.map(({ AttributeName }) => [AttributeName, types[AttributeName]!]));
    try {
      const text = await file.text();
      if (format === 'json') recognise(text);
      const items = format === 'csv' ? itemsOfCsv(text, { keyTypes: types, guesses }) : itemsOfJson(text);
      await writeItems(
        table.TableName,
        items,
        (item) => keyText(primaryKey(table, item)),
        (item) => keyProblem(item, keyTypes),
        setProgress,
        stopping.signal,
      );
      setState(stopping.signal.aborted ? 'stopped' : 'done');
    } catch (problem) {
      if (!stopping.signal.aborted) setError(problem as Error);
      setState('stopped');
    }
    onImported();
  };
  return (
    <Dialog
      title={`Import into ${table.TableName}`}
      onClose={onClose}
      onSubmit={() => (state === 'idle' || state === 'stopped') && void run()}
      footer={
        state === 'running' ? (
          <button type="button" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        ) : state === 'done' ? (
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        ) : (
          <button class="primary" disabled={!file}>
            Import
          </button>
        )
      }
    >
      {error && <ErrorBox error={error} />}
      <label class="field">
        File
        <input type="file" accept=".jsonl,.ndjson,.json,.csv,.txt" disabled={state === 'running'} onChange={(event) => take(event.currentTarget.files?.[0] ?? null)} />
      </label>
      {file && (
        <p class="soft" role="status">
          {file.name}, {byteText(file.size)}
          {form && format === 'json' && `. ${form}`}
        </p>
      )}
      <fieldset class="choice" disabled={state === 'running'}>
        <legend>It has</legend>
        <label class="check">
          <input type="radio" name="format" checked={format === 'json'} onChange={() => setFormat('json')} />
          <span>
            JSON, plain or with DynamoDB’s types: an item in each line, a list of items, or what <code>aws dynamodb scan</code> prints
          </span>
        </label>
        <label class="check">
          <input type="radio" name="format" checked={format === 'csv'} onChange={() => setFormat('csv')} /> CSV, with the names of attributes in its first line
        </label>
        {format === 'csv' && (
          <label class="check">
            <input type="checkbox" checked={guesses} onChange={(event) => setGuesses(event.currentTarget.checked)} /> what looks like a number or boolean is one, where the head says no type (age:N)
          </label>
        )}
      </fieldset>
      <p class="soft">Items with the same key as in the file are replaced.</p>
      {progress && (
        <div role="status">
          {state === 'running' && <progress aria-label="Importing" />}
          <div>
            {counted(progress.written, 'item', 'items')} written
            {progress.failures > 0 && `, ${counted(progress.failures, 'line', 'lines')} failed`}
            {state === 'done' && '. Done.'}
            {state === 'stopped' && '. Stopped.'}
          </div>
        </div>
      )}
      {progress && progress.failed.length > 0 && (
        <div class="scrolled failures" tabIndex={0} role="region" aria-label="Lines that failed">
          <table class="plain">
            <thead>
              <tr>
                <th scope="col" class="number">
                  Line
                </th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {progress.failed.map(({ line, problem }) => (
                <tr key={line}>
                  <td class="number">{line}</td>
                  <td>{problem}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}
