// The items that were read, request by request, as they lie in the table.
import { shown, typeOf } from '../item/value';
import { counted, unitsText } from '../parts/amount';
import { linkTo } from '../parts/place';
import { keysOf, type Table } from '../server/dynamo';
import { entityOf } from '../tables/entities';
import { huesOfTable } from '../tables/hues';
import { conditionText } from './bound_plan';
import type { RawItem, RawRead, RawRequest } from './raw_items';

const SHOWN_MAX = 200;

export function RawItemsView({ read, tables }: { read: RawRead; tables: Table[] }) {
  return (
    <div class="raw">
      {read.requests.map((request, i) => (
        <OneRequest key={i} request={request} table={tables.find((each) => each.TableName === request.table)} />
      ))}
      {read.notes.map((note) => (
        <p key={note} class="soft">
          {note}
        </p>
      ))}
      {read.requests.length === 0 && read.notes.length === 0 && <p class="soft">Nothing was read.</p>}
    </div>
  );
}

function OneRequest({ request, table }: { request: RawRequest; table: Table | undefined }) {
  const { operation, index, items, units, bound } = request;
  const partition = bound.operation === 'Query' ? shown(bound.request.ExpressionAttributeValues[':p'], 500) : null;
  return (
    <section class="raw-request">
      <h4>
        {operation} {request.table}
        {index && <> · {index}</>}
        <span class="soft">
          {' '}
          {counted(items.length, 'item', 'items')}, {unitsText(units)}
        </span>
      </h4>
      <p class="condition">
        <code>{conditionText(bound)}</code>{' '}
        <a href={linkTo('tables', [request.table], { index, partition })}>in the table</a>
      </p>
      {table && items.length > 0 && <ItemTable items={items.slice(0, SHOWN_MAX)} table={table} index={index} label={`Items of ${conditionText(bound)}`} />}
      {items.length > SHOWN_MAX && <p class="soft">The first {SHOWN_MAX} are shown.</p>}
    </section>
  );
}

function ItemTable({ items, table, index, label }: { items: RawItem[]; table: Table; index: string | null; label: string }) {
  const keys = keysOf(table, index);
  const names = [...keys.partition, ...keys.sort];
  const hues = huesOfTable(table.TableName);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="items">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Kind</th>
            <th scope="col">Attributes</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ item, kind }, i) => {
            const entity = kind ?? entityOf(item, keys, null);
            return (
              <tr key={i} style={{ '--hue': hues.of(entity) }}>
                {names.map((name) => (
                  <td key={name} class="key">
                    {shown(item[name])}
                  </td>
                ))}
                <td>
                  <span class="kind">{entity || '?'}</span>
                </td>
                <td class="attributes">
                  {Object.keys(item)
                    .filter((name) => !names.includes(name))
                    .map((name) => (
                      <span key={name} class="attribute">
                        <small>{name}</small> <span class={`value ${typeOf(item[name]!)}`}>{shown(item[name], 80)}</span>
                      </span>
                    ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
