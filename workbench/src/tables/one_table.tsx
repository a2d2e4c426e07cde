// One table: its items, questions to it, and its settings.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ItemEditor, type Opened } from '../item/item_editor';
import { type Item } from '../item/value';
import { byteText, counted } from '../parts/amount';
import { Icon } from '../parts/icon';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { adjust, linkTo, place } from '../parts/place';
import { forWriters } from '../parts/roles';
import { Tabs } from '../parts/tabs';
import { describeTable, indexesOf, primaryKey, type Table } from '../server/dynamo';
import { RequestError } from '../server/session';
import { rememberTable } from './last_table';
import { useOwner } from './owner';
import { Panes } from './panes';
import { QueryView } from './query/query_view';
import { TableDetails } from './settings/table_details';
import { MoveMenu } from './move/move_menu';

type View = 'items' | 'query' | 'details';
const VIEWS = [
  { name: 'items', label: 'Items' },
  { name: 'query', label: 'Query' },
  { name: 'details', label: 'Details' },
] as const;

export function OneTable({ name, onListChange }: { name: string; onListChange: () => void }) {
  const described = useLoaded(() => describeTable(name), [name]);
  const last = useRef<Table | null>(null); // what is open stays open when it cannot be described again
  if (described.value) {
    last.current = described.value;
    rememberTable(described.value.TableName);
  }
  return (
    <>
      {described.error && (isGone(described.error) ? <Gone name={name} onAgain={described.again} onListChange={onListChange} /> : <ErrorBox error={described.error} onRetry={described.again} />)}
      {last.current ? <Described table={last.current} onAgain={described.again} onListChange={onListChange} /> : !described.error && <p class="soft page">Loading…</p>}
    </>
  );
}

const isGone = (error: Error) => error instanceof RequestError && error.code === 'ResourceNotFoundException';

/** It was deleted elsewhere, or never was. What is open below stays, so that nothing that was typed is lost. */
function Gone({ name, onAgain, onListChange }: { name: string; onAgain: () => void; onListChange: () => void }) {
  useEffect(onListChange, []);
  return (
    <div class="empty" role="alert">
      <h2>There is no table {name}</h2>
      <p>It may have been deleted or renamed elsewhere. Choose another one from the list.</p>
      <div class="row">
        <button type="button" onClick={onAgain}>
          Look again
        </button>
        <a class="button" href={linkTo('tables')}>
          All tables
        </a>
      </div>
    </div>
  );
}

function Described({ table, onAgain, onListChange }: { table: Table; onAgain: () => void; onListChange: () => void }) {
  const { view: asked, beside } = place.value.query;
  const view: View = asked === 'query' || asked === 'details' ? asked : 'items';
  const [opened, setOpened] = useState<Opened | null>(null);
  const [round, setRound] = useState(0); // of reading the items
  const indexes = indexesOf(table);
  const owner = useOwner(table.TableName)?.name ?? null;
  const again = () => {
    setRound((before) => before + 1);
    onAgain();
  };
  const open = (item: Item) => setOpened({ key: primaryKey(table, item) });
  return (
    <>
      <div class="bar">
        <h2>{table.TableName}</h2>
        <span class="soft">
          {counted(table.ItemCount, 'item', 'items')}, {byteText(table.TableSizeBytes)}
          {table.TableStatus !== 'ACTIVE' && `, ${table.TableStatus.toLowerCase()}`}
        </span>
        <span class="grow" />
        {view === 'items' && indexes.length > 0 && (
          <button aria-pressed={beside !== undefined} onClick={() => adjust({ beside: beside === undefined ? indexes[0]!.IndexName : null })}>
            <Icon name="split" /> An index beside it
          </button>
        )}
        <button {...forWriters()} onClick={() => setOpened({ start: {} })}>
          <Icon name="plus" /> New item
        </button>
        <MoveMenu table={table} onImported={again} />
        <button aria-label="Read again" title="Read again" onClick={again}>
          <Icon name="refresh" />
        </button>
      </div>
      <Tabs label={`What to see of ${table.TableName}`} tabs={VIEWS} chosen={view} onChoose={(to) => adjust({ view: to === 'items' ? null : to })} />
      {view === 'items' && <Panes table={table} round={round} onOpen={open} />}
      {view === 'query' && <QueryView table={table} round={round} onOpen={open} />}
      {view === 'details' && <TableDetails table={table} owner={owner} onAgain={again} onListChange={onListChange} />}
      {opened && <ItemEditor table={table} owner={owner} opened={opened} onClose={() => setOpened(null)} onChanged={again} onTableChange={onAgain} />}
    </>
  );
}
