// The ways to store a model, measured side by side.
import { useEffect } from 'preact/hooks';
import { counted } from '../parts/amount';
import { GuideLink } from '../model/guide_link';
import { lastModel, rememberModel } from '../model/last_model';
import { Icon } from '../parts/icon';
import { ErrorBox, Show, useLoaded } from '../parts/loaded';
import { go, linkTo, place } from '../parts/place';
import { type Declared, relationNames } from '../patterns/declared';
import { declaredIn } from '../patterns/model_view';
import { about, type About, CommandError } from '../server/workbench';
import { ClaimsGrid } from './claims_grid';
import { type Comparable, comparables, labelOf } from './comparable';
import { CostPart } from './cost_part';
import { ALL_LAYOUTS, MeasureForm } from './measure_form';
import { howFar, lastOf, type Measurement, running, shortNames, stopMeasuring } from './measurement';
import { ResultView } from './result_view';
import '../patterns/coverage.css';
import '../patterns/patterns.css';
import './compare.css';

export function ComparePage() {
  const known = useLoaded(about, []);
  return (
    <div class="page compare">
      <div class="title">
        <h1>Compare</h1>
        <span class="soft grow">the same data and the same questions, stored in every way that is legal</span>
        <GuideLink model={place.value.path[0]} />
      </div>
      <Show of={known}>{(is) => <Chosen is={is} />}</Show>
    </div>
  );
}

function Chosen({ is }: { is: About }) {
  const [name] = place.value.path;
  const models = comparables(is.models);
  const model = models.find((each) => each.name === name);
  useEffect(() => {
    if (model) rememberModel(model.name);
    else if (name === undefined && models.length > 0) {
      const usual = models.find(({ kind }) => kind !== 'served') ?? models.find((each) => each.name === 'hr') ?? models[0]!;
      const last = models.find((each) => each.name === lastModel()) ?? usual;
      location.replace(linkTo('compare', [last.name]));
    }
  }, [name, model?.name]);
  const declared = useLoaded(async () => (model ? { name: model.name, is: await declaredIn(model.text) } : null), [model?.name, model?.text]);
  if (models.length === 0)
    return (
      <div class="empty">
        <h2>There is no model yet</h2>
        <p>Write a model first, or begin with an example; then the ways to store it can be compared here.</p>
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
  if (!model)
    return name === undefined ? null : (
      <div class="empty">
        <h2>There is no model {name}</h2>
        <div class="row">
          {models.map((each) => (
            <a key={each.name} class="button" href={linkTo('compare', [each.name])}>
              {each.name}
            </a>
          ))}
        </div>
      </div>
    );
  if (declared.error) return <Mistaken model={model} others={models.filter((each) => each !== model)} error={declared.error} />;
  const current = declared.value;
  if (!current || current.name !== model.name) return <p class="soft">Loading…</p>;
  return <OfModel key={model.name} models={models} model={model} declared={current.is} />;
}

/** Mostly it is a draft that is not finished. */
function Mistaken({ model, others, error }: { model: Comparable; others: Comparable[]; error: Error }) {
  if (!(error instanceof CommandError)) return <ErrorBox error={error} />;
  return (
    <div class="empty">
      <h2>There are mistakes in {labelOf(model)}</h2>
      <p>They have to be mended before the ways to store it can be compared.</p>
      <pre class="mistakes" tabIndex={0} aria-label="Mistakes">
        {error.message}
      </pre>
      <div class="row">
        <a class="button primary" href={linkTo('model', [model.name])}>
          Mend them
        </a>
        {others.length > 0 && (
          <select aria-label="Compare another model" value="" onChange={(event) => go('compare', [event.currentTarget.value])}>
            <option value="">Compare another…</option>
            {others.map((each) => (
              <option key={each.name} value={each.name}>
                {labelOf(each)}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  );
}

function OfModel({ models, model, declared }: { models: Comparable[]; model: Comparable; declared: Declared }) {
  const asked = place.value.path[1];
  const relations = relationNames(declared);
  // hr compares its layouts by itself; where nothing is said the first relation is as good as any.
  const usual = declared.compares?.some((each) => each.layouts) ? '' : (relations[0] ?? '');
  const relation = asked === ALL_LAYOUTS ? '' : asked !== undefined && relations.includes(asked) ? asked : usual;
  const measurement = lastOf(model.name, relation);
  const busy = running();
  const names = measurement?.result ? shortNames(measurement.result.layouts, relation) : {};
  const isOfTheDocument = ['Department', 'Employee'].every((name) => declared.entities.some((each) => each.name === name));
  return (
    <div class="column compare-parts">
      <MeasureForm key={relation} models={models} model={model} declared={declared} relation={relation} current={measurement} isBusy={busy !== undefined} />
      {busy && <Running of={busy} isElsewhere={busy !== measurement} />}
      {measurement?.result && measurement.state !== 'running' && measurement.text !== undefined && measurement.text !== model.text && (
        <div class="box warning" role="status">
          The model was changed since this was measured. Measure again to see what that changes.
        </div>
      )}
      {measurement && measurement.state !== 'running' && <Ended of={measurement} />}
      {!measurement && !busy && (
        <div class="empty">
          <h2>Nothing was measured yet</h2>
          <p>{relation ? `Every legal way to store ${relation} is tried: references, indexes, collections, lists, edges, with copies and without.` : 'The layouts that the model names are tried.'} It takes some seconds.</p>
        </div>
      )}
      {isOfTheDocument && measurement?.state === 'done' && <ClaimsGrid />}
      <CostPart key={model.name} model={model} declared={declared} measurement={measurement} names={names} />
    </div>
  );
}

function Running({ of, isElsewhere }: { of: Measurement; isElsewhere: boolean }) {
  const far = howFar(of.progress);
  return (
    <section class="sheet running" aria-label="Progress">
      <div class="row">
        <strong role="status">
          Measuring {isElsewhere ? `${of.model}, ${of.relation || 'its layouts'}` : ''} {far ? `${far.done} of ${far.all}` : '…'}
        </strong>
        <progress class="grow" aria-label="Measuring" max={far?.all ?? 1} value={far ? far.done : undefined} />
        <span class="soft">{Math.round(of.seconds)} s</span>
        <button type="button" onClick={() => stopMeasuring(of.id)}>
          <Icon name="stop" /> Stop
        </button>
      </div>
      <p class="soft">{of.progress ? `${of.progress}.` : 'The data is being made.'} You can go to another page: it goes on.</p>
    </section>
  );
}

function Ended({ of }: { of: Measurement }) {
  if (of.state !== 'done')
    return (
      <>
        {of.state === 'failed' ? (
          <div class="box error" role="alert">
            {of.error?.replace(/\s*Run with --help.*$/s, '')}
          </div>
        ) : (
          <div class="box note" role="status">
            It was stopped after {counted(Math.round(of.seconds), 'second', 'seconds')}.{of.result && ' What follows is from the time before.'}
          </div>
        )}
        {of.result && <ResultView key={of.id} measurement={of} />}
      </>
    );
  if (!of.result) return null;
  if (of.result.layouts.length === 0)
    return (
      <div class="box warning">
        No way to store it could be measured. {of.result.not_measured.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}
      </div>
    );
  return <ResultView key={of.id} measurement={of} />;
}
