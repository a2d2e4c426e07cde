// A table and, beside it, the same items as an index groups them. What is chosen in one is shown in the other.
import { useState } from 'preact/hooks';
import { type Item, keyText, shown } from '../item/value';
import { Icon } from '../parts/icon';
import { adjust, linkTo, place } from '../parts/place';
import { keysOf, primaryKey, type Table } from '../server/dynamo';
import { type Chosen, Pane } from './pane';
import { questionOfCollection, questionText } from './query/question';

interface Parts {
  table: Table;
  round: number;
  onOpen: (item: Item) => void;
}

export function Panes({ table, round, onOpen }: Parts) {
  const { index = '', beside } = place.value.query;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choose = (pane: number) => (item: Item) => setChosen({ key: keyText(primaryKey(table, item)), item, pane });
  return (
    <>
      <div class="panes">
        <Pane place={0} table={table} round={round} index={index} onIndex={(to) => adjust({ index: to })} chosen={chosen} onChoose={choose(0)} onOpen={onOpen} />
        {beside !== undefined && (
          <Pane
            place={1}
            table={table}
            round={round}
            index={beside}
            onIndex={(to) => adjust({ beside: to || '-' })}
            chosen={chosen}
            onChoose={choose(1)}
            onOpen={onOpen}
            onClose={() => adjust({ beside: null })}
          />
        )}
      </div>
      {chosen ? (
        <ChosenBar table={table} index={chosen.pane === 1 ? (beside ?? '') : index} item={chosen.item} onOpen={onOpen} />
      ) : (
        // It is always there: if it came with the choice, the row that was chosen could be below it.
        <div class="bar chosen-bar soft">Choose an item to open it, or to query its collection.</div>
      )}
    </>
  );
}

function ChosenBar({ table, index, item, onOpen }: { table: Table; index: string; item: Item; onOpen: (item: Item) => void }) {
  const keys = keysOf(table, index || null);
  const question = questionOfCollection(index, keys, item);
  return (
    <div class="bar chosen-bar" role="status">
      <span class="mono grow cut">{[...keys.partition, ...keys.sort].map((name) => shown(item[name], 80)).join(' · ')}</span>
      <a class="button" href={linkTo('tables', [table.TableName], { view: 'query', q: questionText(question) })}>
        <Icon name="search" /> Query its collection
      </a>
      <button onClick={() => onOpen(item)} title="Enter, or a double click on the row">
        <Icon name="edit" /> Open
      </button>
    </div>
  );
}
