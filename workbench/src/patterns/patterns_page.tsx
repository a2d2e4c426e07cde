// Patterns and operations of the models that are served: what they take, and what they answer.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { Show, useLoaded } from '../parts/loaded';
import { go, linkTo, place } from '../parts/place';
import { drafts } from '../model/drafts';
import { GuideLink } from '../model/guide_link';
import { lastModel, rememberModel } from '../model/last_model';
import { about, type About } from '../server/workbench';
import { Coverage } from './coverage';
import { overBudget } from './explained';
import { forgetViews, type ModelView, viewOf } from './model_view';
import { OperationRun } from './operation_run';
import { PatternList } from './pattern_list';
import { PatternRun } from './pattern_run';
import { NO_VALUES, realValues } from './real_values';
import './patterns.css';

export function PatternsPage() {
  const known = useLoaded(about, []);
  return (
    <div class="patterns">
      {known.value === undefined && <h1 class="hidden-text">Patterns</h1>}
      <Show of={known}>{(is) => <Chosen is={is} onAgain={known.again} />}</Show>
    </div>
  );
}

function Chosen({ is, onAgain }: { is: About; onAgain: () => void }) {
  const [name, item] = place.value.path;
  const { show } = place.value.query;
  const served = is.models.find((each) => each.name === name);
  useEffect(() => {
    if (served) rememberModel(served.name);
    else if (name === undefined && is.models.length > 0) {
      const last = is.models.find((each) => each.name === lastModel()) ?? is.models.find((each) => each.name === 'hr') ?? is.models[0]!;
      location.replace(linkTo('patterns', [last.name]));
    }
  }, [name, served]);
  const view = useLoaded(async () => (served ? viewOf(served) : null), [served?.name, served?.layout, served?.text]);
  const again = () => {
    forgetViews();
    onAgain();
    view.again();
  };
  if (is.models.length === 0 && name !== undefined && drafts.value[name]) return <NotServed name={name} />;
  if (is.models.length === 0)
    return (
      <div class="empty">
        <h2>No model is served</h2>
        <p>A model says which entities there are and how they are read. Write one, or begin with an example.</p>
        <div class="row">
          <a class="button" href={linkTo('model')}>
            Write a model
          </a>
          <a class="button" href={linkTo('learn')}>
            Begin with an example
          </a>
        </div>
      </div>
    );
  const current = view.value && view.value.served.name === served?.name ? view.value : null;
  return (
    <>
      <aside aria-label="Patterns of a model">
        <div class="row">
          <h1 class="grow">Patterns</h1>
          <button class="plain" aria-label="Look again" onClick={again}>
            <Icon name="refresh" />
          </button>
        </div>
        <label class="field">
          Model
          <select value={served?.name ?? ''} onChange={(event) => go('patterns', [event.currentTarget.value], show ? { show } : {})}>
            {!served && <option value="">Choose…</option>}
            {is.models.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
        <GuideLink model={name} />
        {current && <SideList view={current} chosen={item} show={show} />}
      </aside>
      <section class="content" data-content>
        {!served && name !== undefined ? (
          <NotServed name={name} />
        ) : view.error ? (
          <Show of={view}>{() => null}</Show>
        ) : current ? (
          <OfModel key={current.served.name} view={current} item={item} show={show} isAllowed={is.role === 'admin'} />
        ) : (
          <p class="soft">Planning…</p>
        )}
      </section>
    </>
  );
}

function NotServed({ name }: { name: string }) {
  if (!drafts.value[name])
    return (
      <div class="empty">
        <h2>There is no model {name}</h2>
        <p>Choose one of those that are served.</p>
      </div>
    );
  return (
    <div class="empty">
      <h2>{name} is not served yet</h2>
      <p>It is a draft in this browser. Serve it, and its tables are made and its patterns can be run here.</p>
      <div class="row">
        <a class="button primary" href={linkTo('model', [name], { open: 'serve' })}>
          Serve it
        </a>
        <a class="button" href={linkTo('compare', [name])}>
          Compare the ways to store it
        </a>
      </div>
    </div>
  );
}

function SideList({ view, chosen, show }: { view: ModelView; chosen: string | undefined; show: string | undefined }) {
  const [wanted, setWanted] = useState('');
  const { summary, explained, served } = view;
  const over = new Set([...explained.patterns, ...explained.operations].filter((each) => overBudget(each.planned, each.budget).length > 0).map(({ name }) => name));
  const isWanted = ({ name }: { name: string }) => name.toLowerCase().includes(wanted.toLowerCase());
  const link = (name: string) => (
    <li key={name}>
      <a href={linkTo('patterns', [served.name, name])} aria-current={name === chosen ? 'true' : undefined}>
        {name}
        {over.has(name) && <span class="badge over">over budget</span>}
      </a>
    </li>
  );
  const own = summary.operations.filter(({ name }) => explained.operations.some((each) => each.name === name));
  const basic = summary.operations.filter((each) => !own.includes(each));
  const patterns = summary.patterns.filter(isWanted);
  const operations = own.filter(isWanted);
  const others = basic.filter(isWanted);
  return (
    <>
      <ul>
        <li>
          <a href={linkTo('patterns', [served.name])} aria-current={chosen === undefined && show !== 'coverage' ? 'true' : undefined}>
            Overview
          </a>
        </li>
        <li>
          <a href={linkTo('patterns', [served.name], { show: 'coverage' })} aria-current={chosen === undefined && show === 'coverage' ? 'true' : undefined}>
            Coverage
          </a>
        </li>
      </ul>
      <input type="search" placeholder="Find one" aria-label="Find a pattern or operation" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      {patterns.length > 0 && <h2>Patterns</h2>}
      <ul>{patterns.map(({ name }) => link(name))}</ul>
      {operations.length > 0 && <h2>Operations</h2>}
      <ul>{operations.map(({ name }) => link(name))}</ul>
      {others.length > 0 && (
        <details open={wanted !== '' || basic.some(({ name }) => name === chosen)}>
          <summary>What every model has</summary>
          <ul>{others.map(({ name }) => link(name))}</ul>
        </details>
      )}
      {patterns.length + operations.length + others.length === 0 && <p class="soft">None is called so.</p>}
    </>
  );
}

interface OfModelParts {
  view: ModelView;
  item: string | undefined;
  show: string | undefined;
  isAllowed: boolean;
}
function OfModel({ view, item, show, isAllowed }: OfModelParts) {
  const found = useLoaded((signal) => realValues(view, signal), [view]);
  const written = useCallback(() => found.again(), [found.again]);
  const { served, summary } = view;
  if (item === undefined)
    return (
      <>
        <div class="title">
          <h2>{served.name}</h2>
          <span class="soft">{show === 'coverage' ? 'patterns by keys and indexes' : 'what everything takes'}</span>
        </div>
        {served.is_moving && <div class="box note">It is moving to another layout; plans are those of {served.layout}.</div>}
        {show === 'coverage' ? <Coverage view={view} /> : <PatternList view={view} />}
      </>
    );
  const real = found.value ?? NO_VALUES;
  const pattern = summary.patterns.find((each) => each.name === item);
  if (pattern) return <PatternRun key={item} view={view} pattern={pattern} real={real} />;
  const operation = summary.operations.find((each) => each.name === item);
  if (operation) return <OperationRun key={item} view={view} operation={operation} real={real} isAllowed={isAllowed} onWritten={written} />;
  return (
    <div class="empty">
      <h2>
        {served.name} has no {item}
      </h2>
      <p>Choose a pattern or an operation from the list.</p>
    </div>
  );
}
