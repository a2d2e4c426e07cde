// Which pattern uses which key: patterns by the table's own keys and each index; and what operations write.
import { counted, decimal } from '../parts/amount';
import { linkTo } from '../parts/place';
import { indexesOf, keysOf } from '../server/dynamo';
import { type Explanation, type PlannedRequest, writesOf } from './explained';
import type { ModelView } from './model_view';
import './coverage.css';

interface Column {
  view: string;
  table: string;
  index: string | null;
  keys: string;
}
function columnsOf({ tables, keys }: ModelView): Column[] {
  if (tables.length > 0)
    return tables.flatMap((table) =>
      [null, ...indexesOf(table).map((each) => each.IndexName)].map((index) => {
        const { partition, sort } = keysOf(table, index);
        return { view: index ? `${table.TableName}.${index}` : table.TableName, table: table.TableName, index, keys: [...partition, ...sort].join(' / ') };
      }),
    );
  return keys.tables.flatMap(({ table, kinds }) =>
    [null, ...new Set(kinds.flatMap((kind) => kind.indexes.map((each) => each.index)))].map((index) => ({ view: index ? `${table}.${index}` : table, table, index, keys: '' })),
  );
}

type Use = 'get' | 'query' | 'get and query';
function usesOf(requests: (PlannedRequest | string)[]): Map<string, Use> {
  const uses = new Map<string, Use>();
  const add = (view: string, use: 'get' | 'query') => {
    const before = uses.get(view);
    uses.set(view, before && before !== use ? 'get and query' : use);
  };
  for (const each of requests) {
    if (typeof each !== 'string') add(each.view, each.operation === 'Query' ? 'query' : 'get');
    else for (const found of each.matchAll(/\bQuery ([\w.-]+?)(?=[:,\s])/g)) add(found[1]!, 'query');
  }
  return uses;
}

const WORDS: Record<Use, string> = { get: '● get', query: '≡ query', 'get and query': '● ≡ both' };

export function Coverage({ view }: { view: ModelView }) {
  const columns = columnsOf(view);
  const { patterns, operations } = view.explained;
  const reading = operations.filter((each) => usesOf(each.requests ?? []).size > 0);
  const used = new Set([...patterns, ...operations].flatMap((each) => [...usesOf(each.requests ?? []).keys()]));
  const unused = columns.filter((column) => column.index !== null && !used.has(column.view));
  const unserved = patterns.filter((each) => each.refusal);
  return (
    <div class="coverage">
      <p class="soft">
        A row for every question, a column for every key that can answer it. <b>● get</b>: by the whole key; <b>≡ query</b>: by a partition, and a range of its sort keys.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Patterns by keys and indexes">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Pattern</th>
              {columns.map(({ view: name, table, index, keys }) => (
                <th key={name} scope="col" class={unused.some((each) => each.view === name) ? 'unused' : undefined}>
                  <a href={linkTo('tables', [table], { index })}>{index ?? table}</a>
                  <small>{index ? `index of ${table}` : 'table'}</small>
                  <small class="keys">{keys}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {patterns.map((pattern, i) => (
              <Row key={i} model={view.served.name} of={pattern} columns={columns} unused={unused} />
            ))}
            {reading.map((operation) => (
              <Row key={`op ${operation.name}`} model={view.served.name} of={operation} columns={columns} unused={unused} isOperation />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Used by</th>
              {columns.map(({ view: name }) => {
                const times = [...patterns, ...operations].filter((each) => usesOf(each.requests ?? []).has(name)).length;
                return <td key={name}>{times === 0 ? <span class="badge warning">nobody</span> : counted(times, 'plan', 'plans')}</td>;
              })}
            </tr>
          </tfoot>
        </table>
      </div>
      {unused.map(({ view: name, index }) => {
        const serves = view.keys.relations.filter(({ via }) => via.split(/\s+/).includes(index!)).map(({ relation }) => relation);
        return (
          <div key={name} class="box warning">
            No pattern and no operation reads <b>{name}</b>, and every write of its keys costs a unit.{' '}
            {serves.length > 0 ? `It is how ${serves.join(', ')} is found from the one side: deletions and copies need that. Add a pattern that uses it, or store the relation otherwise.` : 'It could go.'}
          </div>
        );
      })}
      {unserved.map((each, i) => (
        <div key={i} class="box warning">
          <b>
            {each.name}({each.parameters.join(', ')})
          </b>{' '}
          has no key: {each.refusal}. To have one, {each.fix}.
        </div>
      ))}
      {unused.length === 0 && unserved.length === 0 && <div class="box done">Every pattern has a key, and every index is used.</div>}
      <h3>What operations write</h3>
      {operations.length === 0 ? <p class="soft">The model names no operations.</p> : <WriteTable view={view} />}
    </div>
  );
}

interface RowParts {
  model: string;
  of: Explanation<PlannedRequest> | Explanation<string>;
  columns: Column[];
  unused: Column[];
  isOperation?: boolean;
}
function Row({ model, of, columns, unused, isOperation }: RowParts) {
  const uses = usesOf(of.requests ?? []);
  return (
    <tr class={of.refusal ? 'refused' : undefined}>
      <th scope="row">
        <a href={linkTo('patterns', [model, of.name])}>{of.name}</a>
        <span class="soft">({of.parameters.join(', ')})</span>
        {isOperation && <small> operation, reads first</small>}
        {of.refusal && <small> no key</small>}
      </th>
      {columns.map(({ view }) => {
        const use = uses.get(view);
        return (
          <td key={view} class={use ? 'used' : unused.some((each) => each.view === view) ? 'unused' : undefined}>
            {use ? WORDS[use] : <span class="hidden-text">not used</span>}
          </td>
        );
      })}
    </tr>
  );
}

function WriteTable({ view }: { view: ModelView }) {
  const rows = view.explained.operations.map((each) => ({ ...each, writes: writesOf(each.requests ?? []) })).sort((a, b) => b.writes.written - a.writes.written);
  const most = Math.max(1, ...rows.map(({ writes }) => writes.written));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="What operations write">
      <table class="plain explained">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Items written</th>
            <th scope="col" class="number">
              Checked
            </th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Units
            </th>
            <th scope="col">Reads first</th>
            <th scope="col">Later, by a job</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, parameters, planned, refusal, writes }) => (
            <tr key={name}>
              <th scope="row">
                <a href={linkTo('patterns', [view.served.name, name])}>{name}</a>
                <span class="soft">({parameters.join(', ')})</span>
              </th>
              {planned ? (
                <>
                  <td>
                    <span class="small-bar" style={{ width: `${(writes.written / most) * 80}px` }} aria-hidden="true" /> {writes.written}
                  </td>
                  <td class="number">{writes.checked}</td>
                  <td class="number">{decimal(planned.requests)}</td>
                  <td class="number">{decimal(planned.units)}</td>
                  <td>{writes.reads.join(', ') || <span class="soft">nothing</span>}</td>
                  <td>{writes.later.join('; ') || <span class="soft">nothing</span>}</td>
                </>
              ) : (
                <td colSpan={6}>{refusal}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
