// Items in the order of a table or index, loaded where one looks. A scan is cut into segments of the key space, so that
// the middle of a million items is one request away; a query goes on page by page.
import type { Item } from '../item/value';
import { call, type Page } from '../server/dynamo';

/** A part of the rows: loaded, or so many as is thought. */
interface Chunk {
  request: object; // besides ExclusiveStartKey
  from: Item | null;
  count: number;
  items: Item[] | null;
  places: Map<string, number>; // of the items, by their keys
  state: 'unread' | 'loading' | 'loaded' | 'failed' | 'paused';
}
const unread = (request: object, count: number, from: Item | null = null): Chunk => ({ request, from, count, items: null, places: new Map(), state: 'unread' });

export interface Totals {
  requests: number;
  units: number;
  returned: number;
  scanned: number;
}
/** `before` rows stand before the change, and `by` were added there. */
export interface RowChange {
  before: number;
  by: number;
}
export interface Reading {
  keyOf: (item: Item) => string;
  entityOf: (item: Item) => string;
}

const SEGMENT_ITEMS = 400;
const PAGE_ITEMS = 1000;
const SEGMENTS_MAX = 1_000_000;
const REQUESTS_AT_ONCE = 3;
// A filter may let nothing through: after so many requests one is asked whether it should go on.
const PAGES_IN_A_ROW = 20;

export class RowSource {
  private starts: number[] = [];
  private wanted = { first: 0, last: 0 };
  private loading = 0;
  private pagesLeft: number;
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<(change: RowChange) => void>();
  readonly totals: Totals = { requests: 0, units: 0, returned: 0, scanned: 0 };
  /** Those that were seen, in the order in which they were. */
  readonly entities = new Set<string>();
  error: Error | null = null;

  private constructor(
    private readonly operation: 'Query' | 'Scan',
    private readonly chunks: Chunk[],
    private readonly reading: Reading,
    private readonly pagesInARow: number,
  ) {
    this.pagesLeft = pagesInARow;
    this.count();
  }

  /** All of a table or index of about so many items. */
  static scan(request: { TableName: string; IndexName?: string }, about: number, reading: Reading): RowSource {
    const segments = Math.max(1, Math.min(SEGMENTS_MAX, Math.ceil(about / SEGMENT_ITEMS)));
    const each = Math.max(1, Math.round(about / segments));
    const chunks = Array.from({ length: segments }, (_, Segment) => unread(segments === 1 ? request : { ...request, Segment, TotalSegments: segments }, each));
    return new RowSource('Scan', chunks, reading, Infinity);
  }
  /** What a request returns, page after page; with a Limit of its own it stops after each page. */
  static pages(operation: 'Query' | 'Scan', request: object, reading: Reading): RowSource {
    return new RowSource(operation, [unread(request, 1)], reading, 'Limit' in request ? 1 : PAGES_IN_A_ROW);
  }

  get length(): number {
    const last = this.chunks.length - 1;
    return last < 0 ? 0 : this.starts[last]! + this.chunks[last]!.count;
  }
  /** Whether all rows are there, so that their number is certain. */
  get isWhole(): boolean {
    return this.chunks.every((chunk) => chunk.state === 'loaded');
  }
  get isLoading(): boolean {
    return this.loading > 0;
  }
  /** There is more, but nobody said that it should be read. */
  get isPaused(): boolean {
    return this.chunks[this.chunks.length - 1]?.state === 'paused';
  }

  subscribe(listener: (change: RowChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  keyOf(item: Item): string {
    return this.reading.keyOf(item);
  }
  /** These rows are looked at: what is missing of them is loaded, and nothing else. */
  want(first: number, last: number): void {
    this.wanted = { first, last };
    this.pump();
  }
  /** The item of a row; undefined: it is not loaded. */
  known(row: number): Item | undefined {
    const place = this.chunkOf(row);
    return this.chunks[place]?.items?.[row - this.starts[place]!];
  }
  /** The row of the item with this key among those that are loaded; -1: none. */
  find(key: string): number {
    for (let place = 0; place < this.chunks.length; place++) {
      const at = this.chunks[place]!.places.get(key);
      if (at !== undefined) return this.starts[place]! + at;
    }
    return -1;
  }
  loadedItems(): Item[] {
    return this.chunks.flatMap((chunk) => chunk.items ?? []);
  }
  retry(): void {
    this.error = null;
    for (const chunk of this.chunks) if (chunk.state === 'failed') chunk.state = 'unread';
    this.tell({ before: 0, by: 0 });
    this.pump();
  }
  goOn(): void {
    const last = this.chunks[this.chunks.length - 1];
    if (last?.state !== 'paused') return;
    this.pagesLeft = this.pagesInARow;
    last.state = 'unread';
    last.count = 1;
    this.count(this.chunks.length - 1);
    this.wanted = { first: this.wanted.first, last: Math.max(this.wanted.last, this.length) };
    this.tell({ before: this.length, by: 0 });
    this.pump();
  }
  /** Reads everything again, where one looks at it; until then the old rows are shown. */
  refresh(): void {
    this.error = null;
    for (const chunk of this.chunks) if (chunk.state !== 'loading' && chunk.state !== 'paused') chunk.state = 'unread';
    this.pump();
  }
  stop(): void {
    this.stopping.abort();
    this.listeners.clear();
  }

  private tell(change: RowChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }
  private chunkOf(row: number): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low; // the last that starts there: those before it have no rows
  }
  private count(from = 0): void {
    let sum = from === 0 ? 0 : this.starts[from - 1]! + this.chunks[from - 1]!.count;
    this.starts.length = this.chunks.length;
    for (let i = from; i < this.chunks.length; i++) {
      this.starts[i] = sum;
      sum += this.chunks[i]!.count;
    }
  }

  private pump(): void {
    if (this.error || this.stopping.signal.aborted) return;
    const { first, last } = this.wanted;
    let at = this.chunkOf(Math.max(0, first));
    // Chunks without rows, which come before it, may have to be read again.
    while (at > 0 && this.chunks[at - 1]!.count === 0) at--;
    for (; at < this.chunks.length && this.loading < REQUESTS_AT_ONCE; at++) {
      if (this.starts[at]! >= last && at > 0) break;
      const chunk = this.chunks[at]!;
      if (chunk.state === 'unread') void this.load(chunk);
    }
  }

  private async load(chunk: Chunk): Promise<void> {
    chunk.state = 'loading';
    this.loading++;
    this.pagesLeft--;
    try {
      const page = await call<Page>(
        this.operation,
        { Limit: PAGE_ITEMS, ...chunk.request, ReturnConsumedCapacity: 'TOTAL', ...(chunk.from ? { ExclusiveStartKey: chunk.from } : {}) },
        this.stopping.signal,
      );
      this.totals.requests++;
      this.totals.units += page.ConsumedCapacity?.CapacityUnits ?? 0;
      this.totals.returned += page.Count;
      this.totals.scanned += page.ScannedCount;
      this.loading--;
      this.take(chunk, page);
    } catch (error) {
      this.loading--;
      if (this.stopping.signal.aborted) return;
      chunk.state = 'failed';
      this.error = error as Error;
      this.tell({ before: 0, by: 0 });
    }
    this.pump();
  }

  private take(chunk: Chunk, page: Page): void {
    const place = this.chunks.indexOf(chunk);
    const before = this.length;
    const end = this.starts[place]! + chunk.count;
    chunk.items = page.Items;
    chunk.count = page.Items.length;
    chunk.places = new Map(page.Items.map((item, at) => [this.reading.keyOf(item), at]));
    chunk.state = 'loaded';
    for (const item of page.Items) this.entities.add(this.reading.entityOf(item));
    // What goes on where it ended: the same as before if it is read again.
    let next = this.chunks[place + 1];
    const goesOn = next?.from && next.request === chunk.request ? next : undefined;
    if (!page.LastEvaluatedKey) {
      while ((next = this.chunks[place + 1])?.from && next.request === chunk.request) this.chunks.splice(place + 1, 1);
    } else if (!goesOn) {
      const more = unread(chunk.request, 1, page.LastEvaluatedKey);
      if (this.pagesLeft <= 0) Object.assign(more, { state: 'paused', count: 0 });
      this.chunks.splice(place + 1, 0, more);
    } else if (JSON.stringify(goesOn.from) !== JSON.stringify(page.LastEvaluatedKey)) {
      goesOn.from = page.LastEvaluatedKey;
      if (goesOn.state === 'loaded') goesOn.state = 'unread';
    }
    this.count(place);
    this.tell({ before: end, by: this.length - before });
  }
}
