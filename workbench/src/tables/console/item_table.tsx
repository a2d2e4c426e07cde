// Items as a plain table: a column for each attribute.
import { type Item, shown, TYPE_NAMES, typeOf } from '../../item/value';

const ROWS_MAX = 1000;
const COLUMNS_MAX = 60;

export function ItemTable({ items }: { items: Item[] }) {
  const seen = items.slice(0, ROWS_MAX);
  const names = [...new Set(seen.flatMap(Object.keys))].slice(0, COLUMNS_MAX);
  return (
    <div class="item-table" tabIndex={0} role="region" aria-label="Items">
      <table class="plain">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {seen.map((item, at) => (
            <tr key={at}>
              {names.map((name) => (
                <td key={name} class={item[name] && 'N' in item[name] ? 'number' : undefined} title={item[name] ? TYPE_NAMES[typeOf(item[name])] : undefined}>
                  {shown(item[name], 300)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {items.length > ROWS_MAX && <p class="soft">The first {ROWS_MAX} are shown here; all of them are under JSON.</p>}
    </div>
  );
}
