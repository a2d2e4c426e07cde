// The hottest keys, by what they stand for in the model.
import { type Item, shown } from '../item/value';
import { count } from '../parts/amount';
import { linkTo } from '../parts/place';
import { type HotKey, keyName, partsOfKey, rate } from './heat_answer';
import { ShareBar } from './share';

interface Parts {
  caption: string;
  keys: HotKey[];
  table: string;
  index: string | null;
  empty: string;
  partition: readonly string[]; // names of the attributes of the partition key
  rateOf?: 'refused';
}
const FEW = 8;

const keyText = (key: HotKey, partition: readonly string[]) =>
  partsOfKey(key.key, partition)
    .map(([name, value]) => `${name} = ${shown(value)}`)
    .join(', ');

/** Where the Tables page asks for the collection of this key. Without the names, the key is taken for a partition key. */
export function collectionLink(table: string, index: string | null, key: Item, partition: readonly string[]): string {
  const values = (partition.length > 0 ? partition : Object.keys(key)).map((name) => shown(key[name], Infinity));
  return linkTo('tables', [table], { view: 'query', q: JSON.stringify({ ...(index ? { index } : {}), partition: values }) });
}

export function KeyList({ caption, keys, table, index, partition, empty, rateOf }: Parts) {
  if (keys.length === 0)
    return (
      <div>
        <h3>{caption}</h3>
        <p class="soft">{empty}</p>
      </div>
    );
  const list = (some: HotKey[]) => some.map((key) => <KeyRow key={keyText(key, partition)} of={key} table={table} index={index} partition={partition} rateOf={rateOf} />);
  const head = (
    <tr>
      <th>Key</th>
      {rateOf !== 'refused' && <th class="number">units/s</th>}
      <th class="number">{rateOf === 'refused' ? 'refused/s' : 'times/s'}</th>
      {rateOf !== 'refused' && <th class="number">share</th>}
    </tr>
  );
  return (
    <div>
      <table class="plain key-list">
        <caption>{caption}</caption>
        <thead>{head}</thead>
        <tbody>{list(keys.slice(0, FEW))}</tbody>
      </table>
      {keys.length > FEW && (
        <details>
          <summary>{count(keys.length - FEW)} more</summary>
          <table class="plain key-list">
            <caption class="hidden-text">{caption}, the others</caption>
            <thead class="hidden-text">{head}</thead>
            <tbody>{list(keys.slice(FEW))}</tbody>
          </table>
        </details>
      )}
    </div>
  );
}

type RowParts = Pick<Parts, 'table' | 'index' | 'partition'> & { of: HotKey; rateOf: 'refused' | undefined };

function KeyRow({ of, table, index, partition, rateOf }: RowParts) {
  return (
    <tr>
      <th scope="row">
        <a href={collectionLink(table, index, of.key, partition)} title={`${keyText(of, partition)}: open its collection`}>
          {keyName(of, partition)}
        </a>
        {of.name && <small class="mono">{keyText(of, partition)}</small>}
      </th>
      {rateOf !== 'refused' && <td class="number">{rate(of.units_per_second)}</td>}
      <td class="number">{rate(of.times_per_second)}</td>
      {rateOf !== 'refused' && (
        <td class="number">
          <ShareBar share={of.share} isHigh={of.share >= 0.5} />
        </td>
      )}
    </tr>
  );
}
