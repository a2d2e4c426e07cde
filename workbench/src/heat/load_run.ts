// Some reads or writes of a table, so that there is something to see: as uneven as real ones, and not too many.
import { signal } from '@preact/signals';
import { call, describeTable, primaryKey } from '../server/dynamo';
import { itemsForLoad, rewriteRequest } from './load_items';

export type LoadKind = 'reads' | 'writes';
export interface LoadRun {
  table: string;
  kind: LoadKind;
  sent: number;
  failed: number;
  keys: number;
  secondsLeft: number;
}
/** null: none is under way. */
export const loadRun = signal<LoadRun | null>(null);
export const loadEnd = signal<string | null>(null);

const SECONDS = 30;
const EACH_SECOND = 40;
let stop: AbortController | null = null;

export const stopLoad = (): void => stop?.abort();

/** The k-th key is asked for about as often as 1/k. */
export const zipfian = (count: number): number => Math.min(count - 1, Math.floor(count ** Math.random()) - (count > 1 ? 1 : 0));

/** Ends after half a minute. Throws if it cannot begin. */
export async function makeLoad(table: string, kind: LoadKind = 'reads'): Promise<void> {
  stopLoad();
  const control = new AbortController();
  stop = control;
  loadEnd.value = null;
  const described = await describeTable(table);
  const items = await itemsForLoad(table, control.signal);
  if (items.length === 0) throw new Error(`The table ${table} is empty, so there is nothing to read. Choose another, or put something into it.`);
  const names = described.KeySchema.map((each) => each.AttributeName);
  const send = () => {
    const item = items[zipfian(items.length)]!;
    return kind === 'reads' ? call('GetItem', { TableName: table, Key: primaryKey(described, item) }, control.signal) : call('UpdateItem', rewriteRequest(table, names, item), control.signal);
  };
  const until = Date.now() + SECONDS * 1000;
  loadRun.value = { table, kind, sent: 0, failed: 0, keys: items.length, secondsLeft: SECONDS };
  let sent = 0;
  let failed = 0;
  let waiting = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      if (control.signal.aborted || left === 0) {
        clearInterval(timer);
        resolve();
        return;
      }
      loadRun.value = { table, kind, sent, failed, keys: items.length, secondsLeft: left };
      // If the server is slow we do not pile up requests.
      for (let each = 0; each < EACH_SECOND / 10 && waiting < 8; each++) {
        waiting++;
        send()
          .then(
            () => sent++,
            () => failed++,
          )
          .finally(() => waiting--);
      }
    }, 100);
  });
  if (stop === control) {
    loadRun.value = null;
    loadEnd.value = `${sent} ${kind} of ${table} were sent${failed > 0 && !control.signal.aborted ? `, ${failed} of them failed` : ''}.`;
  }
}
