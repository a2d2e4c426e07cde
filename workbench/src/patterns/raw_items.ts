// The items behind an answer: the requests of its plan are sent once more, as anybody could send them by DynamoDB's API.
import { counted } from '../parts/amount';
import { type Item, shown, type Value } from '../item/value';
import { call, type ConsumedCapacity, type Page, type Table } from '../server/dynamo';
import type { PatternAnswer } from '../server/models';
import { type BoundRequest, boundPlan, type GetRequest, type QueryRequest } from './bound_plan';
import { tagOf } from './declared';
import type { ExplainedPattern } from './explained';
import { decode, fill, type Holes, holesIn, itemText } from './key_templates';
import type { ModelView } from './model_view';

const CALLS_MAX = 30;
const PAGES_MAX = 5;

export interface RawItem {
  item: Item;
  kind: string | null;
}
export interface RawRequest {
  step: number;
  operation: string;
  table: string;
  index: string | null;
  bound: BoundRequest;
  items: RawItem[];
  units: number;
}
export interface RawRead {
  requests: RawRequest[];
  starts: (Item | null)[]; // where the next page begins, of each request of the plan
  notes: string[];
}

interface Around {
  view: ModelView;
  answer: PatternAnswer;
  signal: AbortSignal | undefined;
}

const unitsOf = (consumed: ConsumedCapacity | ConsumedCapacity[] | undefined): number =>
  Array.isArray(consumed) ? consumed.reduce((sum, each) => sum + each.CapacityUnits, 0) : (consumed?.CapacityUnits ?? 0);
const METERED = { ReturnConsumedCapacity: 'TOTAL' };

class Reader {
  readonly read: RawRequest[] = [];
  constructor(private readonly around: Around) {}

  private table(name: string): Table | undefined {
    return this.around.view.tables.find((each) => each.TableName === name);
  }
  private add(bound: BoundRequest, table: string, index: string | null, items: Item[], units: number): void {
    const { declared, keys } = this.around.view;
    const of = this.table(table);
    const raw = items.map((item) => ({ item, kind: of ? (decode(item, of, keys, (kind) => tagOf(declared, kind))?.kind ?? null) : null }));
    this.read.push({ step: bound.step, operation: bound.operation, table, index, bound, items: raw, units });
  }

  /** Where it goes on, if it ended at its limit. */
  async query(bound: BoundRequest & { operation: 'Query' }, start: Item | null): Promise<Item | null> {
    const items: Item[] = [];
    let units = 0;
    let from: Item | undefined = start ?? undefined;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page: Page = await call<Page>('Query', { ...bound.request, ...METERED, ...(from ? { ExclusiveStartKey: from } : {}) }, this.around.signal);
      items.push(...page.Items);
      units += unitsOf(page.ConsumedCapacity);
      from = page.LastEvaluatedKey;
      if (!from || bound.request.Limit !== undefined) break;
    }
    this.add(bound, bound.request.TableName, bound.request.IndexName ?? null, items, units);
    return from ?? null;
  }
  async get(bound: BoundRequest, requests: GetRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const table = requests[0]!.TableName;
    if (requests.length === 1 && bound.operation === 'GetItem') {
      const answer = await call<{ Item?: Item; ConsumedCapacity?: ConsumedCapacity }>('GetItem', { ...requests[0], ...METERED }, this.around.signal);
      return this.add({ ...bound, request: requests[0]! } as BoundRequest, table, null, answer.Item ? [answer.Item] : [], unitsOf(answer.ConsumedCapacity));
    }
    for (let at = 0; at < requests.length; at += 100) {
      const request = { RequestItems: { [table]: { Keys: requests.slice(at, at + 100).map(({ Key }) => Key) } } };
      const answer = await call<{ Responses?: Record<string, Item[]>; ConsumedCapacity?: ConsumedCapacity[] }>('BatchGetItem', { ...request, ...METERED }, this.around.signal);
      this.add({ operation: 'BatchGetItem', request, step: bound.step }, table, null, answer.Responses?.[table] ?? [], unitsOf(answer.ConsumedCapacity));
    }
  }

  /** Each set of values that earlier items, or else the answer, have for these holes. */
  bindings(holes: string[]): Holes[] {
    const found = new Map<string, Holes>();
    const add = (one: Holes | null) => one && found.set(JSON.stringify(one), one);
    for (const { items, table } of this.read)
      for (const { item } of items) {
        const of = this.table(table);
        for (const one of of ? holesOfItem(item, of, holes, this.around.view) : []) add(one);
      }
    if (found.size === 0) for (const document of this.around.answer.documents) for (const one of holesOfDocument(document, holes)) add(one);
    return [...found.values()];
  }
}

function holesOfItem(item: Item, table: Table, wanted: string[], { declared, keys }: ModelView): Holes[] {
  const decoded = decode(item, table, keys, (kind) => tagOf(declared, kind));
  const values: Holes = {};
  for (const [name, value] of Object.entries(item)) if ('S' in value || 'N' in value) values[name] = shown(value, Infinity);
  Object.assign(values, decoded?.holes);
  const end = decoded?.kind.split('.')[1];
  // Edges of a symmetric relation say from and to; the one that is met is called by the end.
  for (const [path, text] of Object.entries(decoded?.holes ?? {})) if (end && path.startsWith('to.')) values[end + path.slice(2)] = text;
  const one: Holes = {};
  for (const hole of wanted) {
    const value = values[hole] ?? values[hole.replaceAll('.', '_')];
    if (value !== undefined) one[hole] = value;
  }
  if (wanted.every((hole) => hole in one)) return [one];
  // Lists of ids, and maps by id.
  const listed = item[wanted[0]!.split('.')[0]!];
  const ids: Value[] = !listed ? [] : 'L' in listed ? listed.L : 'SS' in listed ? listed.SS.map((S) => ({ S })) : 'M' in listed ? Object.keys(listed.M).map((S) => ({ S })) : [];
  return ids.flatMap((id): Holes[] => {
    if (wanted.length === 1 && ('S' in id || 'N' in id)) return [{ [wanted[0]!]: shown(id, Infinity) }];
    if ('L' in id && id.L.length === wanted.length) return [Object.fromEntries(wanted.map((hole, i) => [hole, shown(id.L[i], Infinity)]))];
    return [];
  });
}

/** An object anywhere in a document that has the last steps of all paths. */
function holesOfDocument(document: unknown, wanted: string[]): Holes[] {
  if (document === null || typeof document !== 'object') return [];
  const own = document as Record<string, unknown>;
  const one: Holes = {};
  for (const hole of wanted) {
    const value = own[hole.split('.').pop()!];
    if (typeof value === 'string' || typeof value === 'number') one[hole] = String(value);
  }
  const here = !Array.isArray(document) && wanted.every((hole) => hole in one) ? [one] : [];
  return [...here, ...Object.values(own).flatMap((each) => holesOfDocument(each, wanted))];
}

function filled(item: Item, holes: Holes): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, 'S' in value ? { S: fill(value.S, holes) } : value]));
}
const holesOf = (item: Item): string[] => [...new Set(Object.values(item).flatMap((value) => ('S' in value ? holesIn(value.S) : [])))];

/** The bucket before or behind the one that ends a partition key: 2026-10 is before 2026-11. */
export function nextBucket(key: string, isBack: boolean): string | null {
  const found = /(\d{4})(-\d\d)?(-\d\d)?(T\d\d)?$/.exec(key);
  if (!found) return null;
  const [whole, year, month, day, hour] = found;
  const at = new Date(Date.UTC(Number(year), month ? Number(month.slice(1)) - 1 : 0, day ? Number(day.slice(1)) : 1, hour ? Number(hour.slice(1)) : 0));
  const by = isBack ? -1 : 1;
  if (hour) at.setUTCHours(at.getUTCHours() + by);
  else if (day) at.setUTCDate(at.getUTCDate() + by);
  else if (month) at.setUTCMonth(at.getUTCMonth() + by);
  else at.setUTCFullYear(at.getUTCFullYear() + by);
  return key.slice(0, found.index) + at.toISOString().slice(0, whole.length);
}

export async function readRaw(
  view: ModelView,
  name: string,
  allParameters: string[],
  plan: ExplainedPattern,
  values: Record<string, unknown>,
  answer: PatternAnswer,
  starts: (Item | null)[] | null,
  signal?: AbortSignal,
): Promise<RawRead> {
  const planned = plan.requests ?? [];
  const bound = await boundPlan(view, name, allParameters, values, planned);
  if (bound === null) return { requests: [], starts: [], notes: ['The plan cannot be shown for a parameter that is left out while later ones are given.'] };
  const reader = new Reader({ view, answer, signal });
  const ends: (Item | null)[] = [];
  const notes: string[] = [];
  for (const [at, each] of bound.entries()) {
    const start = starts?.[at] ?? null;
    ends.push(null);
    if (each.operation === 'Query') {
      const holes = holesOf(each.request.ExpressionAttributeValues);
      const buckets = /a call for every (\w+) from the (newest|oldest)/.exec(planned[each.step]?.text ?? '');
      if (holes.length > 0) {
        const bindings = reader.bindings(holes);
        if (bindings.length > CALLS_MAX) notes.push(`The first ${CALLS_MAX} of ${bindings.length} calls are shown.`);
        for (const one of bindings.slice(0, CALLS_MAX))
          await reader.query({ ...each, request: { ...each.request, ExpressionAttributeValues: filled(each.request.ExpressionAttributeValues, one) } }, null);
      } else if (buckets && starts) notes.push('Further pages of partitions by time are not shown here.');
      else if (buckets) await readBuckets(reader, each.request, each.step, buckets[2] === 'newest', answer);
      else if (starts === null || start !== null) ends[at] = await reader.query(each, start);
      continue;
    }
    const gets: GetRequest[] =
      each.operation === 'GetItem'
        ? [each.request]
        : each.operation === 'BatchGetItem'
          ? Object.entries(each.request.RequestItems).flatMap(([TableName, { Keys }]) => Keys.map((Key) => ({ TableName, Key })))
          : each.request.TransactItems.map(({ Get }) => Get);
    const all = gets.flatMap((get) => {
      const holes = holesOf(get.Key);
      return holes.length === 0 ? [get] : reader.bindings(holes).map((one) => ({ ...get, Key: filled(get.Key, one) }));
    });
    await reader.get(each, all);
  }
  const tableOf = (name: string) => view.tables.find((each) => each.TableName === name);
  const distinct = new Set(reader.read.flatMap(({ table, items }) => items.map(({ item }) => (tableOf(table) ? itemText(tableOf(table)!, item) : JSON.stringify(item)))));
  const wanted = answer.cost?.items_read ?? 0;
  const shownItems = reader.read.reduce((sum, { items }) => sum + items.length, 0);
  if (starts === null && shownItems < wanted && distinct.size < wanted) notes.push(`${counted(wanted, 'item was', 'items were')} read; ${shownItems} of them can be found again from outside.`);
  return { requests: reader.read, starts: ends, notes };
}

async function readBuckets(reader: Reader, request: QueryRequest, step: number, isBack: boolean, answer: PatternAnswer): Promise<void> {
  const most = Math.min(CALLS_MAX, answer.cost?.requests ?? 1);
  let left = request.Limit ?? Infinity;
  let key: string | null = shown(request.ExpressionAttributeValues[':p'], Infinity);
  for (let calls = 0; calls < most && key !== null && left > 0; calls++) {
    const one: QueryRequest = { ...request, ExpressionAttributeValues: { ...request.ExpressionAttributeValues, ':p': { S: key } }, ...(Number.isFinite(left) ? { Limit: left } : {}) };
    await reader.query({ operation: 'Query', request: one, step }, null);
    left -= reader.read[reader.read.length - 1]!.items.length;
    key = nextBucket(key, isBack);
  }
}
