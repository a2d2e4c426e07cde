// One item as a row: its key, and its attributes in the colour of its entity.
import { type Item, shown, typeOf } from '../item/value';
import { unlessChanged } from '../parts/unless_changed';
import type { KeyNames } from '../server/dynamo';
import { tagOf } from './entities';

export interface RowWidths {
  partition: number;
  sort: number;
  attribute: number;
}
interface Parts {
  id: string;
  row: number;
  y: number;
  item: Item;
  keys: KeyNames;
  otherKeys: Set<string>; // attributes of the table's keys: those that are not shown as keys come last
  widths: RowWidths;
  hue: number;
  showsPartition: boolean;
  startsCollection: boolean;
  isChosen: boolean;
  isDim: boolean;
  onChoose: (item: Item) => void;
  onOpen: (item: Item) => void;
}

export const textOf = (item: Item, names: string[]): string => names.map((name) => shown(item[name])).join(' · ');

// While one scrolls, the rows that stay are not drawn again.
export const CollectionRow = unlessChanged(function CollectionRow({ id, row, y, item, keys, otherKeys, widths, hue, showsPartition, startsCollection, isChosen, isDim, onChoose, onOpen }: Parts) {
  const others = Object.keys(item).filter((name) => !keys.partition.includes(name) && !keys.sort.includes(name));
  const tag = tagOf(item);
  // Last what Sheaf keeps for itself, as versions: its names begin with _.
  const rank = (name: string) => (otherKeys.has(name) ? 2 : name === tag ? 1 : name.startsWith('_') ? 3 : 0);
  const ordered = [0, 1, 2, 3].flatMap((wanted) => others.filter((name) => rank(name) === wanted));
  const partition = textOf(item, keys.partition);
  const sort = textOf(item, keys.sort);
  return (
    <div
      id={id}
      class={'grid-row' + (startsCollection ? ' starts' : '') + (isChosen ? ' chosen' : '') + (isDim ? ' dim' : '')}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isChosen}
      style={{ transform: `translateY(${y}px)`, '--hue': hue }}
      onClick={() => onChoose(item)}
      onDblClick={() => onOpen(item)}
    >
      <span role="gridcell" class="partition" style={{ width: `${widths.partition}px` }} title={partition}>
        <span class={showsPartition ? undefined : 'hidden-text'}>{partition}</span>
      </span>
      {keys.sort.length > 0 && (
        <span role="gridcell" class="sort" style={{ width: `${widths.sort}px` }} title={sort}>
          <span>{sort}</span>
        </span>
      )}
      {ordered.map((name) => {
        const value = shown(item[name]);
        return (
          <span key={name} role="gridcell" class={otherKeys.has(name) ? 'attribute of-key' : 'attribute'} style={{ width: `${widths.attribute}px` }} title={value.length > 18 ? value : undefined}>
            <small>{name}</small>
            <span class={`value ${typeOf(item[name]!)}`}>{value}</span>
          </span>
        );
      })}
    </div>
  );
});
