// The entity chart: for each kind of item its keys in the table and in each index.
import { type Hues, huesOfModel } from '../tables/hues';
import type { Chart } from './drawn_tables';
import { Template } from './template_text';

export function EntityCharts({ charts, text }: { charts: Chart[]; text: string }) {
  const hues = huesOfModel(text);
  const tables = charts.filter((each) => each.index === null);
  if (tables.length === 0) return <p class="soft view-hint">There is no entity that has items of its own yet.</p>;
  return (
    <div class="view-body column">
      {tables.map((table) => (
        <EntityChart key={table.table} hues={hues} table={table} indexes={charts.filter((each) => each.index !== null && each.table === table.table)} />
      ))}
    </div>
  );
}

function EntityChart({ hues, table, indexes }: { hues: Hues; table: Chart; indexes: Chart[] }) {
  const keys = Math.max(...[table, ...indexes].map((chart) => chart.keys.length));
  return (
    <section>
      <h3>
        Table <code>{table.table}</code>
      </h3>
      <div class="wide-table" tabIndex={0} role="region" aria-label={`Entity chart of the table ${table.table}`}>
        <table class="chart">
          {[table, ...indexes].map((chart) => (
            <tbody key={chart.index}>
              <tr class="view-row">
                <th scope="col">{chart.index === null ? 'Entity' : `Index ${chart.index}`}</th>
                {Array.from({ length: keys }, (_, place) => (
                  <th key={place} scope="col">
                    <code>{chart.keys[place] ?? ''}</code>
                  </th>
                ))}
                <th scope="col" class="attributes">
                  {chart.index === null ? 'Attributes' : <span class="soft plain-weight">{chart.notes[0]}</span>}
                </th>
              </tr>
              {chart.rows.map((row, line) => (
                <tr key={line} style={{ '--hue': hues.of(row.entity) }}>
                  <th scope="row" class="entity">
                    {row.entity}
                  </th>
                  {Array.from({ length: keys }, (_, place) => (
                    <td key={place}>{row.keys[place] ? <Template text={row.keys[place]!} /> : null}</td>
                  ))}
                  <td class="attributes soft">{row.attributes}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}
