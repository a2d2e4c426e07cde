// An operation: its text and plan, a form for its parameters, and what came of it.
import { useState } from 'preact/hooks';
import { count, counted, unitsText } from '../parts/amount';
import { CodeBox } from '../parts/code_box';
import { JsonTree } from '../parts/json_tree';
import { linkTo } from '../parts/place';
import { type Cost, type OperationSummary, runOperation } from '../server/models';
import { copiesOf, linkedBy } from './declared';
import { type Draft, fieldOf } from './draft';
import { copiesText, textIn, writesOf } from './explained';
import type { ModelView } from './model_view';
import { Budget, FewerText } from './pattern_list';
import { WriteDrawing } from './plan_drawing';
import type { RealValues } from './real_values';
import { Against, CallTexts, problemOf, RunError, RunForm, useDrafts, valuesOf } from './run_parts';

interface Outcome {
  put: unknown[];
  copies?: number;
  deleted?: number;
  pending?: number;
  retries?: number;
  cost?: Cost;
}
interface Ran {
  values: Record<string, unknown>;
  outcome: Outcome;
  milliseconds: number;
}

/** An entity without some of its members. */
function without(draft: Draft, names: Set<string> | undefined): Draft {
  if (!names || names.size === 0 || typeof draft !== 'object' || Array.isArray(draft)) return draft;
  return Object.fromEntries(Object.keys(draft).filter((name) => !names.has(name)).map((name) => [name, fieldOf(draft, name)]));
}

interface Parts {
  view: ModelView;
  operation: OperationSummary;
  real: RealValues;
  isAllowed: boolean;
  onWritten: () => void;
}

export function OperationRun({ view, operation, real, isAllowed, onWritten }: Parts) {
  const { name, parameters } = operation;
  const plan = view.explained.operations.find((each) => each.name === name);
  const takesAway = /^(delete|remove|unlink)\./.test(name) || (plan?.requests ?? []).some((each) => / delete /.test(' ' + each));
  const [drafts, setDrafts] = useDrafts(view, name, parameters, real, !takesAway);
  const [ran, setRan] = useState<Ran | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);

  // What it links by itself is not asked for.
  const linked = Object.fromEntries(parameters.map((each) => [each.name, linkedBy(view.declared, name, each.name)]));
  const withoutLinked = Object.fromEntries(Object.entries(drafts).map(([of, draft]) => [of, without(draft, linked[of])]));
  const jobs = writesOf(plan?.requests ?? []).later;
  const copies = (entity: string) => copiesOf(view.declared, view.served.layout, entity);

  const run = async () => {
    let values: Record<string, unknown>;
    try {
      values = valuesOf(parameters, withoutLinked, view.summary.types);
      setProblem(null);
    } catch (failed) {
      return setProblem(problemOf(failed) ?? String(failed));
    }
    setRunning(true);
    setError(null);
    setRan(null);
    try {
      const start = performance.now();
      const outcome = (await runOperation(view.served.name, name, values)) as Outcome;
      setRan({ values, outcome, milliseconds: performance.now() - start });
      onWritten();
    } catch (failed) {
      setError(failed as Error);
    } finally {
      setRunning(false);
    }
  };

  const text = textIn(view.served.text, name);
  return (
    <article class="one-pattern" aria-label={name}>
      <div class="title">
        <h2>
          {name}
          <span class="soft">({parameters.map((each) => each.name).join(', ')})</span>
        </h2>
        <span class="soft">{operation.doc ?? 'one transaction'}</span>
      </div>
      {text && <CodeBox label="In the model" text={text} />}
      {!isAllowed && <div class="box note">Your role may only read: operations can be looked at, not carried out.</div>}
      <div class={plan ? 'form-and-plan' : undefined}>
        <RunForm
          view={view}
          real={real}
          parameters={parameters}
          drafts={drafts}
          isLeftOut={(parameter, field) => linked[parameter]?.has(field) ?? false}
          onChange={setDrafts}
          onRun={() => void run()}
          isRunning={isRunning}
          problem={problem}
          label={name.startsWith('delete.') ? 'Delete it' : 'Carry it out'}
          isDangerous={takesAway}
          isDisabled={!isAllowed}
        />
        {plan && (
          <section class="sheet" aria-label="Plan">
            <div class="row">
              <h3>Plan</h3>
              {plan.planned && (
                <span class="soft">
                  {counted(plan.planned.requests, 'request', 'requests')}, {counted(plan.planned.rounds, 'round', 'rounds')}, at most {unitsText(plan.planned.units)}
                  {jobs.length > 0 && ', + a job'}, {plan.consistency}
                </span>
              )}
              {plan.planned && <Budget of={plan} />}
            </div>
            {plan.requests ? (
              <WriteDrawing requests={plan.requests} noteOf={(job) => copiesText(job, copies)} />
            ) : (
              <div class="box warning">
                It cannot be carried out in this layout: {plan.refusal}. {plan.fix}
              </div>
            )}
            {plan.planned && (
              <p>
                Could it be fewer? <FewerText requests={plan.planned.requests} fewer={plan.fewer} model={view.served.name} hasJob={jobs.length > 0} />
              </p>
            )}
          </section>
        )}
      </div>
      {error && <RunError error={error} onRetry={() => void run()} />}
      {ran && <OutcomeView view={view} name={name} ran={ran} />}
    </article>
  );
}

function OutcomeView({ view, name, ran: { values, outcome, milliseconds } }: { view: ModelView; name: string; ran: Ran }) {
  const { put, copies = 0, deleted = 0, pending = 0, retries = 0, cost } = outcome;
  const told = [
    put.length > 0 ? `${counted(put.length, 'entity was', 'entities were')} put` : null,
    copies > 0 ? `${counted(copies, 'copy was', 'copies were')} brought in step` : null,
    deleted > 0 ? `${counted(deleted, 'entity was', 'entities were')} deleted behind it` : null,
    pending > 0 ? `${counted(pending, 'job is', 'jobs are')} left, and will be done by the server` : null,
    retries > 0 ? `others were faster ${retries === 1 ? 'once' : `${count(retries)} times`}` : null,
  ].filter((each) => each !== null);
  const plan = view.explained.operations.find((each) => each.name === name);
  return (
    <section class="answer" aria-label="Outcome" aria-live="polite">
      <div class="box done" role="status">
        <strong>Done.</strong> {told.join('; ')}
        {told.length > 0 && '.'}
      </div>
      {put.length > 0 && (
        <div class="row">
          <span class="soft">Ids:</span>
          <JsonTree value={put.length === 1 ? put[0] : put} />
        </div>
      )}
      {cost && (
        <div class="sheet">
          <h4>Planned against actual</h4>
          <Against
            of={plan ?? {}}
            cost={cost}
            milliseconds={milliseconds}
            without={copies > 0 ? `without the ${counted(copies, 'copy that was', 'copies that were')} brought in step afterwards: about one write each` : undefined}
          />
        </div>
      )}
      <p>
        See the items in{' '}
        {view.tables.map(({ TableName }, i) => (
          <>
            {i > 0 && ', '}
            <a key={TableName} href={linkTo('tables', [TableName])}>
              {TableName}
            </a>
          </>
        ))}
        .
      </p>
      <div class="sheet">
        <h4>The call for programs</h4>
        <CallTexts call={{ model: view.served.name, kind: 'operations', name, values }} />
      </div>
    </section>
  );
}
