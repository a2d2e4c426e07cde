// Tables and their item collections: the list of tables, and what was chosen there.
import { useLoaded } from '../parts/loaded';
import { linkTo, place } from '../parts/place';
import { listTables } from '../server/dynamo';
import { PartiqlConsole } from './console/partiql_console';
import { RequestConsole } from './console/request_console';
import { OneTable } from './one_table';
import { TableList } from './table_list';
import './tables.css';
import './query/query.css';
import './console/console.css';
import './settings/settings.css';

export function TablesPage() {
  const tables = useLoaded(listTables, []);
  const {
    path: [name],
    query: { console: asked },
  } = place.value;
  const names = tables.value ?? [];
  return (
    <div class="tables">
      <TableList tables={tables} chosen={name} />
      <section aria-label={name ?? 'No table'} data-content={name !== undefined || asked !== undefined ? '' : undefined}>
        {asked === 'partiql' ? (
          <PartiqlConsole tables={names} />
        ) : asked === 'request' ? (
          <RequestConsole tables={names} />
        ) : name === undefined ? (
          <NoTable isEmpty={tables.value?.length === 0} />
        ) : (
          <OneTable key={name} name={name} onListChange={tables.again} />
        )}
      </section>
    </div>
  );
}

function NoTable({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div class="empty">
      <h2>{isEmpty ? 'There are no tables yet' : 'Choose a table'}</h2>
      <p>{isEmpty ? 'Design a model, and Sheaf makes its tables; or create one by hand, at the left.' : 'Its item collections are drawn here, and any of its indexes beside them.'}</p>
      <div class="row">
        <a class={isEmpty ? 'button primary' : 'button'} href={linkTo('learn', ['first-steps'])}>
          New here? First steps
        </a>
        <a class="button" href={linkTo('model')}>
          Design a model
        </a>
      </div>
    </div>
  );
}
