// The tables that a layout makes, with sample items: partition keys over their items, an attribute's name above its value.
import type { Item } from '../item/value';
import { entityOf } from '../tables/entities';
import { type Hues, huesOfModel } from '../tables/hues';
import type { Collections, DrawnItem } from './drawn_tables';

export function SampleTables({ tables, text }: { tables: Collections[]; text: string }) {
  const hues = huesOfModel(text);
  return (
    <div class="view-body column">
      {tables.map((each) => (
        <CollectionTable key={`${each.table}/${each.index}`} hues={hues} of={each} />
      ))}
    </div>
  );
}

function kindOf(item: DrawnItem, partition: string, { partitionKey, sortKey }: Collections): string {
  const values: Item = { [partitionKey]: { S: partition } };
  if (sortKey) values[sortKey] = { S: item.sort };
  for (const { name, value } of item.attributes) values[name] = { S: value };
  return entityOf(values, { partition: [partitionKey], sort: sortKey ? [sortKey] : [] }, null);
}

function CollectionTable({ hues, of }: { hues: Hues; of: Collections }) {
  const title = of.index === null ? `Table ${of.table}` : `Index ${of.index} of ${of.table}`;
  const widest = Math.max(1, ...of.partitions.flatMap(({ items }) => items.map((item) => item.attributes.length)));
  return (
    <section>
      <h3>
        {of.index === null ? 'Table ' : 'Index '}
        <code>{of.index ?? of.table}</code> <span class="soft plain-weight">{of.notes[0]}</span>
      </h3>
      {of.partitions.length > 0 && (
        <div class="wide-table samples" tabIndex={0} role="region" aria-label={`${title}, with sample items`}>
          <table class="collections">
            <thead>
              <tr>
                <th scope="col">{of.partitionKey}</th>
                {of.sortKey && <th scope="col">{of.sortKey}</th>}
                <th scope="colgroup" colSpan={widest}>
                  Attributes
                </th>
              </tr>
            </thead>
            {of.partitions.map(({ key, items }) => (
              <tbody key={key}>
                {items.map((item, place) => {
                  const kind = kindOf(item, key, of);
                  return (
                    <tr key={place} style={{ '--hue': hues.of(kind) }} title={kind || undefined}>
                      {place === 0 && (
                        <th scope="rowgroup" rowSpan={items.length} class="partition" title={key}>
                          {key}
                        </th>
                      )}
                      {of.sortKey && (
                        <th scope="row" class="sort" title={item.sort}>
                          {item.sort}
                        </th>
                      )}
                      {item.attributes.map(({ name, value }) => (
                        <td key={name} class="attribute">
                          <small>{name}</small>
                          <span title={value}>{value}</span>
                        </td>
                      ))}
                      {item.attributes.length < widest && <td class="rest" colSpan={widest - item.attributes.length} />}
                    </tr>
                  );
                })}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </section>
  );
}
