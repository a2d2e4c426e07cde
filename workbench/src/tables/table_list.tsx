// All tables: people's own, and apart from them what Sheaf keeps for its models.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { ErrorBox, isAway, type Loaded, Show } from '../parts/loaded';
import { go, linkTo, place } from '../parts/place';
import { forWriters } from '../parts/roles';
import { isSheafsTable } from '../server/dynamo';
import { CreateTable } from './create_table';

const isSheafs = isSheafsTable;

export function TableList({ tables, chosen }: { tables: Loaded<string[]>; chosen: string | undefined }) {
  const [wanted, setWanted] = useState('');
  const [isCreating, setCreating] = useState(false);
  const { console: asked } = place.value.query;
  // What is beside it says that the server is away; once is enough.
  const isToldBeside = chosen !== undefined && asked === undefined && isAway(tables.error);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('a[aria-current]')?.scrollIntoView({ block: 'nearest' }), [chosen, tables.value]);
  return (
    <aside aria-label="Tables">
      <div class="row">
        <h1 class="grow">Tables</h1>
        <button class="plain" aria-label="Look again" title="Look again" onClick={tables.again}>
          <Icon name="refresh" />
        </button>
        <button class="plain" aria-label="Create a table" {...forWriters('Create a table')} onClick={() => setCreating(true)}>
          <Icon name="plus" />
        </button>
      </div>
      <PlaceSelect names={tables.value ?? []} chosen={chosen} console={asked} />
      <input type="search" placeholder="Find a table" aria-label="Find a table" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      <div class="table-list" ref={list}>
        {isToldBeside && <ErrorBox error={tables.error!} onRetry={tables.again} isQuiet />}
        <Show of={isToldBeside ? { ...tables, error: undefined, value: tables.value ?? [] } : tables}>
          {(names) => {
            const found = names.filter((each) => each.toLowerCase().includes(wanted.toLowerCase()));
            const own = found.filter((each) => !isSheafs(each));
            const sheafs = found.filter(isSheafs);
            if (names.length === 0 && isToldBeside) return null;
            if (names.length === 0)
              return (
                <div class="column">
                  <p class="soft">There are none yet.</p>
                  <button {...forWriters()} onClick={() => setCreating(true)}>
                    <Icon name="plus" /> Create a table
                  </button>
                </div>
              );
            return (
              <>
                {found.length === 0 ? <p class="soft">None is called so.</p> : <Names names={own} chosen={chosen} />}
                {sheafs.length > 0 && (
                  <details open={wanted !== '' || (chosen !== undefined && isSheafs(chosen))}>
                    <summary title="Tables in which Sheaf keeps what belongs to models: versions, counters, jobs">
                      Sheaf’s own <span class="badge">{sheafs.length}</span>
                    </summary>
                    <Names names={sheafs} chosen={chosen} />
                  </details>
                )}
              </>
            );
          }}
        </Show>
      </div>
      <ul class="consoles" aria-label="Consoles">
        <li>
          <a href={linkTo('tables', [], { console: 'partiql' })} aria-current={asked === 'partiql' ? 'true' : undefined}>
            <Icon name="console" /> PartiQL
          </a>
        </li>
        <li>
          <a href={linkTo('tables', [], { console: 'request' })} aria-current={asked === 'request' ? 'true' : undefined}>
            <Icon name="console" /> Requests
          </a>
        </li>
      </ul>
      {isCreating && (
        <CreateTable
          onClose={() => setCreating(false)}
          onCreated={(name) => {
            setCreating(false);
            tables.again();
            go('tables', [name]);
          }}
        />
      )}
    </aside>
  );
}

/** Instead of the list where there is little room. */
function PlaceSelect({ names, chosen, console }: { names: string[]; chosen: string | undefined; console: string | undefined }) {
  const options = (of: string[]) =>
    of.map((each) => (
      <option key={each} value={`table ${each}`}>
        {each}
      </option>
    ));
  return (
    <select
      class="place-select"
      aria-label="Table or console"
      value={console ? `console ${console}` : chosen ? `table ${chosen}` : ''}
      onChange={(event) => {
        const [kind, name] = event.currentTarget.value.split(/ (.*)/s);
        if (kind === 'console') go('tables', [], { console: name });
        else if (name) go('tables', [name]);
      }}
    >
      <option value="">Choose…</option>
      <optgroup label="Tables">{options(names.filter((each) => !isSheafs(each)))}</optgroup>
      <optgroup label="Consoles">
        <option value="console partiql">PartiQL</option>
        <option value="console request">Requests</option>
      </optgroup>
      <optgroup label="Sheaf’s own">{options(names.filter(isSheafs))}</optgroup>
    </select>
  );
}

function Names({ names, chosen }: { names: string[]; chosen: string | undefined }) {
  return (
    <ul>
      {names.map((each) => (
        <li key={each}>
          <a href={linkTo('tables', [each])} aria-current={each === chosen ? 'true' : undefined}>
            {each}
          </a>
        </li>
      ))}
    </ul>
  );
}
