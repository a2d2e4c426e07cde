// One stop of the tour: the idea, a drawing, patterns that run, the model's text, and where to go on.
import { useEffect, useState } from 'preact/hooks';
import { CodeBox } from '../parts/code_box';
import { Icon } from '../parts/icon';
import { type Loaded, Show, useLoaded } from '../parts/loaded';
import { go, linkTo } from '../parts/place';
import { forWriters } from '../parts/roles';
import { tell, tellError } from '../parts/toasts';
import { call, describeTable, indexesOf, isSheafsTable, type Page } from '../server/dynamo';
import { type ModelSummary, summaryOf } from '../server/models';
import { type About, runCommand, type ServedModel, serveModel } from '../server/workbench';
import { Drawing } from './drawing';
import { exampleData, exampleText } from './example_files';
import { inline } from './page_text';
import { toured } from './progress';
import { type Stop, TOUR } from './tour';
import { TryPattern } from './try_pattern';

export function ExamplePage({ stop, known }: { stop: Stop; known: Loaded<About> }) {
  const at = TOUR.indexOf(stop);
  const before = TOUR[at - 1];
  const after = TOUR[at + 1];
  useEffect(() => {
    toured.set(stop.model, true);
    document.title = `${stop.title} · Learn · Sheaf`;
    document.querySelector<HTMLElement>('.learn h1')?.focus({ preventScroll: true });
  }, [stop]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const to = event.key === 'n' ? after : event.key === 'p' ? before : undefined;
    if (!to) return;
    event.preventDefault();
    go('learn', [to.model]);
  };
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  return (
    <div class="page learn">
      <div class="row way">
        <a href={linkTo('learn')}>Learn</a>
        <span class="soft">
          {stop.group} · E{stop.number} of {TOUR.length}
        </span>
        <span class="grow" />
        <nav aria-label="Tour" class="row">
          {before ? (
            <a class="button" href={linkTo('learn', [before.model])} title={`${before.title} (Alt+P)`}>
              Previous
            </a>
          ) : (
            <a class="button" href={linkTo('learn')}>
              Contents
            </a>
          )}
          {after ? (
            <a class="button next" href={linkTo('learn', [after.model])} title={`${after.title} (Alt+N)`}>
              Next <Icon name="right" />
            </a>
          ) : (
            <a class="button next" href={linkTo('learn')}>
              Finish
            </a>
          )}
        </nav>
      </div>
      <h1 tabIndex={-1}>{stop.title}</h1>
      <p class="lead">{inline(stop.about)}</p>
      <Show of={known}>
        {({ models, role }) => {
          const model = models.find((each) => each.name === stop.model);
          return model ? <Live key={stop.model} stop={stop} model={model} /> : <NotServed key={stop.model} stop={stop} isAllowed={role === 'admin'} onServed={known.again} />;
        }}
      </Show>
    </div>
  );
}

const loadData = ({ text, layout }: { text: string; layout: string }, data: string) =>
  runCommand(['model', 'load', 'model.sheaf', 'data.json', '--layout', layout, '--endpoint', '@server'], { files: { 'model.sheaf': text, 'data.json': data } });

function NotServed({ stop, isAllowed, onServed }: { stop: Stop; isAllowed: boolean; onServed: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const text = exampleText(stop.model);
  const data = exampleData(stop.model);
  const serve = async () => {
    setBusy(true);
    try {
      await serveModel(text!, 'default');
      if (data) await loadData({ text: text!, layout: 'default' }, data);
      tell(`${stop.model} is served, with its data.`);
      onServed();
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
  };
  return (
    <div class="column">
      <div class="box note">
        This server does not serve the model <code>{stop.model}</code>.{' '}
        {text && isAllowed ? (
          <>
            Its tables can be made now, and its data loaded; nothing else is touched.
            <div class="row" style={{ marginTop: '6px' }}>
              <button class="primary" aria-disabled={isBusy} onClick={() => void serve()}>
                {isBusy ? 'Loading…' : 'Serve it'}
              </button>
            </div>
          </>
        ) : (
          <>
            <code>script/server</code> serves all examples.
          </>
        )}
      </div>
      <LookAt stop={stop} />
      {text && (
        <section class="sheet">
          <h2>The model</h2>
          <CodeBox text={text} label={`The model ${stop.model}`} />
        </section>
      )}
    </div>
  );
}

function LookAt({ stop }: { stop: Stop }) {
  return (
    <section class="sheet">
      <h2>What to look at</h2>
      <ul>
        {stop.look.map((each) => (
          <li key={each}>{inline(each)}</li>
        ))}
      </ul>
      <h2>What to try</h2>
      <ul>
        {stop.todo.map((each) => (
          <li key={each}>{inline(each)}</li>
        ))}
      </ul>
    </section>
  );
}

/** A server that keeps nothing begins with tables that have nothing in them. */
function EmptyTables({ model, tables }: { model: ServedModel; tables: string[] }) {
  const data = exampleData(model.name);
  const [isBusy, setBusy] = useState(false);
  const isEmpty = useLoaded(async (signal) => {
    const pages = await Promise.all(tables.map((TableName) => call<Page>('Scan', { TableName, Limit: 1 }, signal)));
    return pages.every(({ Count }) => Count === 0);
  }, [tables.join('\n')]);
  if (!isEmpty.value || !data) return null;
  const load = async () => {
    setBusy(true);
    try {
      await loadData(model, data);
      tell(`The data of ${model.name} is loaded.`);
      isEmpty.again();
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
  };
  return (
    <div class="box note row whole">
      <span class="grow">Its tables are empty, so its patterns find nothing yet.</span>
      <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void load()} {...forWriters()}>
        {isBusy ? 'Loading…' : 'Load its data'}
      </button>
    </div>
  );
}

function Live({ stop, model }: { stop: Stop; model: ServedModel }) {
  const summary = useLoaded(() => summaryOf(model.name), [model.name]);
  return (
    <div class="example">
      {summary.value && <EmptyTables model={model} tables={summary.value.tables.filter((name) => !isSheafsTable(name))} />}
      <LookAt stop={stop} />
      <section class="sheet">
        <h2>Run it here</h2>
        {stop.tries.map((each) => (
          <TryPattern key={each.pattern} model={model.name} of={each} pattern={summary.value?.patterns.find(({ name }) => name === each.pattern)} />
        ))}
      </section>
      <section class="sheet whole">
        <h2>The idea in one drawing</h2>
        <Drawing name={model.name} text={model.text} data={exampleData(model.name)} layouts={model.layouts.includes('default') ? model.layouts : ['default', ...model.layouts]} />
      </section>
      <section class="sheet">
        <h2>The model</h2>
        <CodeBox text={model.text} label={`The model ${model.name}`} />
        <div class="row foot">
          <a class="button" href={linkTo('model', [model.name])}>
            <Icon name="edit" /> Open in the Model page
          </a>
        </div>
      </section>
      <Show of={summary}>{(found) => <Links of={found} layouts={model.layouts} />}</Show>
    </div>
  );
}

function Links({ of, layouts }: { of: ModelSummary; layouts: string[] }) {
  const names = of.tables.filter((name) => !isSheafsTable(name));
  const tables = useLoaded(() => Promise.all(names.map((name) => describeTable(name))), [names.join('\n')]);
  return (
    <section class="sheet links">
      <h2>Its tables</h2>
      <Show of={tables}>
        {(found) => (
          <ul>
            {found.map((table) => (
              <li key={table.TableName}>
                <a href={linkTo('tables', [table.TableName])}>{table.TableName}</a>
                {indexesOf(table).map(({ IndexName }) => (
                  <span key={IndexName}>
                    {', '}
                    <a href={linkTo('tables', [table.TableName], { beside: IndexName })}>with {IndexName} beside it</a>
                  </span>
                ))}
              </li>
            ))}
          </ul>
        )}
      </Show>
      <h2>Its patterns</h2>
      <ul>
        {of.patterns.map((pattern) => (
          <li key={pattern.name}>
            <a class="mono" href={linkTo('patterns', [of.name, pattern.name])}>
              {pattern.name}({pattern.parameters.map(({ name }) => name).join(', ')})
            </a>
            {pattern.doc && <span class="soft"> {pattern.doc}</span>}
          </li>
        ))}
      </ul>
      {layouts.length > 1 && (
        <>
          <h2>Its layouts</h2>
          <p>
            {layouts.join(', ')}.{' '}
            <a href={linkTo('compare', [of.name])}>Compare them</a>: the same data, the same questions, measured.
          </p>
        </>
      )}
    </section>
  );
}
