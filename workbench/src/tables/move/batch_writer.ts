// Puts many items, 25 at a time, and says which line could not be put.
import { type Item, itemBytes } from '../../item/value';
import { call } from '../../server/dynamo';
import { RequestError } from '../../server/session';
import type { FileItem } from './item_lines';

export interface Progress {
  read: number; // lines with items
  written: number;
  failed: { line: number; problem: string }[]; // the first of them
  failures: number;
}
const BATCH = 25;
const BATCH_BYTES = 8_000_000;
const AT_ONCE = 4;
const TRIES = 8;
const FAILURES_SHOWN = 200;

type Ready = { line: number; item: Item };
const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
const isThrottled = (error: unknown) => error instanceof RequestError && /Throttl|ThroughputExceeded|LimitExceeded|InternalServerError|ServiceUnavailable/.test(error.code);

export async function writeItems(
  table: string,
  items: Iterable<FileItem>,
  keyOf: (item: Item) => string,
  problemOf: (item: Item) => string | null,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const progress: Progress = { read: 0, written: 0, failed: [], failures: 0 };
  const fail = (line: number, problem: string) => {
    progress.failures++;
    if (progress.failed.length < FAILURES_SHOWN) progress.failed.push({ line, problem });
  };

  const putAlone = async ({ line, item }: Ready) => {
    for (let turn = 0; ; turn++) {
      try {
        await call('PutItem', { TableName: table, Item: item }, signal);
        progress.written++;
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!isThrottled(error) || turn >= TRIES) return fail(line, (error as Error).message);
        await wait(50 * 2 ** turn, signal);
      }
    }
  };
  const put = async (batch: Ready[]) => {
    let left = batch;
    for (let turn = 0; left.length > 0 && !signal.aborted; turn++) {
      if (turn > TRIES) return left.forEach(({ line }) => fail(line, 'the table is throttled: try again later'));
      if (turn > 0) await wait(50 * 2 ** turn, signal);
      try {
        const answer = await call<{ UnprocessedItems?: Record<string, { PutRequest: { Item: Item } }[]> }>(
          'BatchWriteItem',
          { RequestItems: { [table]: left.map(({ item }) => ({ PutRequest: { Item: item } })) } },
          signal,
        );
        const again = new Set((answer.UnprocessedItems?.[table] ?? []).map(({ PutRequest }) => keyOf(PutRequest.Item)));
        const before = left.length;
        left = left.filter(({ item }) => again.has(keyOf(item)));
        progress.written += before - left.length;
      } catch (error) {
        if (signal.aborted) return;
        if (isThrottled(error)) continue;
        if (!(error instanceof RequestError) || error.status === 0 || error.status === 403) throw error;
        // One of them is wrong: each for itself says which.
        for (const each of left) await putAlone(each);
        return;
      }
    }
  };

  const source = batches();
  function* batches(): Generator<Ready[]> {
    let batch: Ready[] = [];
    let keys = new Set<string>();
    let bytes = 0;
    for (const { line, item, problem } of items) {
      progress.read++;
      const wrong = problem ?? (item ? problemOf(item) : 'there is no item');
      if (wrong !== null || !item) {
        fail(line, wrong ?? '');
        continue;
      }
      const key = keyOf(item);
      const size = itemBytes(item);
      if (batch.length === BATCH || keys.has(key) || bytes + size > BATCH_BYTES) {
        yield batch;
        batch = [];
        keys = new Set();
        bytes = 0;
      }
      batch.push({ line, item });
      keys.add(key);
      bytes += size;
    }
    if (batch.length > 0) yield batch;
  }
  const worker = async () => {
    for (;;) {
      const next = source.next();
      if (next.done || signal.aborted) return;
      await put(next.value);
      onProgress({ ...progress, failed: [...progress.failed] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  onProgress({ ...progress });
  return progress;
}
