// A view of a table or of one of its indexes: the grid, what it has cost to read, and the entities in it.
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { type Item, keyText } from '../item/value';
import { counted, decimal } from '../parts/amount';
import { Icon } from '../parts/icon';
import { ErrorBox } from '../parts/loaded';
import { tellError } from '../parts/toasts';
import { call, indexesOf, keysOf, primaryKey, type Table } from '../server/dynamo';
import { CollectionGrid } from './collection_grid';
import { entityOf } from './entities';
import { huesOfTable } from './hues';
import { Legend } from './legend';
import { collectionRequest, type Collected } from './collection_request';
import { type Reading, RowSource } from './row_source';

export interface Chosen {
  key: string; // as keyText
  item: Item;
  pane: number; // where it was chosen
}
interface Parts {
  place: number;
  table: Table;
  round: number;
  index: string;
  onIndex: (index: string) => void;
  chosen: Chosen | null;
  onChoose: (item: Item) => void;
  onOpen: (item: Item) => void;
  onClose?: () => void;
}

export function readingOf(table: Table, index: string | null): Reading {
  const keys = keysOf(table, index);
  const own = table.KeySchema.map((each) => each.AttributeName);
  return { keyOf: (item) => (own.every((name) => item[name]) ? keyText(primaryKey(table, item)) : JSON.stringify(item)), entityOf: (item) => entityOf(item, keys, null) };
}

/** Draws again whenever rows come, and reads again in each new round. */
export function useSource(source: RowSource, round: number): void {
  const [, redraw] = useReducer((before: number) => before + 1, 0);
  useEffect(() => source.subscribe(() => redraw(0)), [source]);
  useEffect(() => {
    if (round > 0) source.refresh();
  }, [round]);
}

export function Pane({ place, table, round, index, onIndex, chosen, onChoose, onOpen, onClose }: Parts) {
  const found = indexesOf(table).find((each) => each.IndexName === index);
  const name = found?.IndexName ?? null;
  const about = found?.ItemCount ?? table.ItemCount;
  const reading = useMemo(() => readingOf(table, name), [table.TableName, name]);
  const whole = useMemo(() => RowSource.scan({ TableName: table.TableName, ...(name ? { IndexName: name } : {}) }, about, reading), [table.TableName, name]);
  const [collected, setCollected] = useState<Collected | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [lit, setLit] = useState<string | null>(null);
  const source = collected?.source ?? whole;
  useSource(source, round);
  useEffect(() => () => whole.stop(), [whole]);
  useEffect(() => () => collected?.source.stop(), [collected]);
  useEffect(() => {
    setCollected(null);
    setNotice(null);
  }, [table.TableName, name]);

  // What was chosen in the other pane is shown here, too; where it is not loaded, by a Query for its collection.
  useEffect(() => {
    setNotice(null);
    if (!chosen || chosen.pane === place || source.find(chosen.key) >= 0) return;
    const stop = new AbortController();
    const nowhere = () => setNotice(name ? `The chosen item is not in ${name}: it has no ${[...keysOf(table, name).partition, ...keysOf(table, name).sort].join(' and ')}.` : 'The chosen item is not there any more.');
    const follow = async () => {
      if (!collected && whole.isWhole) return nowhere();
      const needed = [...keysOf(table, name).partition, ...keysOf(table, name).sort];
      let item: Item | undefined = chosen.item;
      if (needed.some((each) => !item![each])) item = (await call<{ Item?: Item }>('GetItem', { TableName: table.TableName, Key: primaryKey(table, chosen.item) }, stop.signal)).Item;
      const next = item && (await collectionRequest(table, name, item, reading, stop.signal));
      if (stop.signal.aborted) return;
      if (next) setCollected(next);
      else nowhere();
    };
    follow().catch((error: unknown) => !stop.signal.aborted && tellError(error));
    return () => stop.abort();
  }, [chosen, name, whole]);

  const label = name ? `Items of the index ${name}` : `Items of ${table.TableName}`;
  return (
    <div class="pane" role="region" aria-label={label}>
      <div class="bar">
        <label>
          <span class="hidden-text">Shown</span>
          <select value={name ?? ''} onChange={(event) => onIndex(event.currentTarget.value)}>
            <option value="">table</option>
            {indexesOf(table).map((each) => (
              <option key={each.IndexName} value={each.IndexName}>
                index {each.IndexName}
              </option>
            ))}
          </select>
        </label>
        <span class="soft">{counted(source.isWhole ? source.length : about, 'item', 'items')}</span>
        <Legend hues={huesOfTable(table.TableName)} entities={[...source.entities]} lit={lit} onLight={setLit} />
        <span class="grow" />
        <span class="soft units" title={`${counted(source.totals.returned, 'item', 'items')} came in ${counted(source.totals.requests, 'request', 'requests')}, which consumed so many read units`}>
          {decimal(source.totals.units)} {source.totals.units === 1 ? 'unit' : 'units'}
        </span>
        {onClose && (
          <button class="plain" aria-label="Close this pane" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {collected && (
        <div class="bar note-bar">
          <span class="grow cut">
            Only the collection <code>{collected.text}</code>
            {collected.isCut && ', from the chosen item on'}
          </span>
          <button onClick={() => setCollected(null)}>Show all</button>
        </div>
      )}
      {notice && <div class="bar note-bar soft">{notice}</div>}
      {source.error && <ErrorBox error={source.error} onRetry={() => source.retry()} />}
      {source.isWhole && source.length === 0 ? (
        <div class="empty">
          <h3>No items</h3>
          <p>{name ? `No item of ${table.TableName} has the key of ${name}.` : 'Create one with “New item”, or import some.'}</p>
        </div>
      ) : (
        <CollectionGrid table={table} index={name} source={source} label={label} tag={null} chosen={chosen?.key ?? null} lit={lit} onChoose={onChoose} onOpen={onOpen} />
      )}
    </div>
  );
}
