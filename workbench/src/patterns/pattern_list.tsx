// All patterns and operations of a model, with what each takes and whether that is within its budget.
import { counted, decimal } from '../parts/amount';
import { linkTo } from '../parts/place';
import { copiesOf } from './declared';
import { budgetText, copiesText, type Explanation, type Fewer, overBudget, type PlannedRequest, stepOf, writesOf } from './explained';
import type { ModelView } from './model_view';

export function PatternList({ view }: { view: ModelView }) {
  const { explained, summary } = view;
  const over = [...explained.patterns, ...explained.operations].filter((each) => overBudget(each.planned, each.budget).length > 0);
  const unserved = [...new Set(explained.patterns.filter((each) => each.refusal).map(({ name }) => name))];
  return (
    <>
      <p class="soft">
        {summary.doc && <span class="model-doc">{summary.doc.replaceAll('\n', ' ')}</span>}
        {counted(explained.patterns.length, 'plan', 'plans')} of patterns
        {explained.operations.length > 0 && ` and ${counted(explained.operations.length, 'plan', 'plans')} of operations`} in the layout <b>{explained.layout}</b>
        {over.length === 0 ? ', all within their budgets.' : '.'} What they take is planned, at the largest sizes that the model declares: mostly it is less.
      </p>
      {over.length > 0 && (
        <div class="box warning" role="note">
          Over budget: {over.map(({ name }) => name).join(', ')}.
        </div>
      )}
      {unserved.length > 0 && (
        <div class="box note" role="note">
          Not every question has an answer here: {unserved.join(', ')} with some of its parameters. The rows say what would help.
        </div>
      )}
      <h3>Patterns</h3>
      <ExplainedTable view={view} what="pattern" rows={explained.patterns} planOf={requestsText} />
      <h3>Operations</h3>
      {explained.operations.length === 0 ? (
        <p class="soft">The model names none. What every model has (put, set, delete, link …) is in the list at the side.</p>
      ) : (
        <ExplainedTable view={view} what="operation" rows={explained.operations} planOf={operationText} jobsOf={(requests) => writesOf(requests).later} />
      )}
    </>
  );
}

function requestsText(requests: PlannedRequest[]): string {
  return requests.map(({ operation, view, calls }) => `${calls > 1 ? `${calls} × ` : ''}${operation} ${view}`).join(', ');
}

const operationText = (requests: string[]): string => requests.map((each) => stepOf(each).operation).join(', then ');

interface TableParts<R> {
  view: ModelView;
  what: 'pattern' | 'operation';
  rows: Explanation<R>[];
  planOf: (requests: R[]) => string;
  jobsOf?: (requests: R[]) => string[];
}
function ExplainedTable<R>({ view, what, rows, planOf, jobsOf }: TableParts<R>) {
  const { name: model, layout } = view.served;
  const copies = (entity: string) => copiesOf(view.declared, layout, entity);
  return (
    <div class="scroll" role="region" aria-label={`${what === 'pattern' ? 'Patterns' : 'Operations'} and what they take`} tabIndex={0}>
      <table class="plain explained">
        <thead>
          <tr>
            <th scope="col">{what === 'pattern' ? 'Pattern' : 'Operation'}</th>
            <th scope="col">Plan</th>
            <th scope="col" class="number">
              Requests <small>at most</small>
            </th>
            <th scope="col" class="number">
              Rounds <small>at most</small>
            </th>
            <th scope="col" class="number">
              Units <small>at most</small>
            </th>
            {what === 'operation' && (
              <th scope="col" class="number">
                Writes
              </th>
            )}
            <th scope="col">Consistency</th>
            <th scope="col">Budget</th>
            <th scope="col">Could it be fewer?</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => {
            const jobs = jobsOf?.(row.requests ?? []) ?? [];
            return (
              <tr key={i}>
                <th scope="row">
                  <a href={linkTo('patterns', [model, row.name])}>{row.name}</a>
                  <wbr />
                  <span class="soft">({row.parameters.join(', ')})</span>
                </th>
                {row.planned ? (
                  <>
                    <td>
                      {planOf(row.requests ?? [])}
                      {jobs.map((job) => (
                        <div key={job} class="soft">
                          {job}
                          {copiesText(job, copies) && `: ${copiesText(job, copies)}`}
                        </div>
                      ))}
                    </td>
                    <td class="number">
                      {decimal(row.planned.requests)}
                      {jobs.length > 0 && <div class="and-job">+ a job</div>}
                    </td>
                    <td class="number">{decimal(row.planned.rounds)}</td>
                    <td class="number">{decimal(row.planned.units)}</td>
                    {what === 'operation' && <td class="number">{writesOf((row.requests ?? []) as string[]).written}</td>}
                    <td>{row.consistency}</td>
                    <td class="budget">
                      <Budget of={row} />
                    </td>
                    <td>
                      <FewerText isShort requests={row.planned.requests} fewer={row.fewer} model={model} hasJob={jobs.length > 0} />
                    </td>
                  </>
                ) : (
                  <td colSpan={what === 'operation' ? 8 : 7}>
                    <span class="badge warning">no key for it</span> {row.refusal}. {row.fix && <span class="soft">To have one, {row.fix}.</span>}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function Budget({ of }: { of: Pick<Explanation<unknown>, 'planned' | 'budget'> }) {
  const text = budgetText(of.budget);
  if (!text) return <span class="soft">no budget</span>;
  const over = overBudget(of.planned, of.budget);
  return (
    <span>
      <span class={over.length > 0 ? 'badge over' : 'badge within'}>{over.length > 0 ? '✕ over' : '✓ within'}</span> {text}
    </span>
  );
}

/** `isShort`: without the tags and keys that go with the change. */
export function FewerText({ requests, fewer, model, isShort, hasJob }: { requests: number; fewer: Fewer | null | undefined; model: string; isShort?: boolean; hasJob?: boolean }) {
  if (!fewer) return <span class="soft">{requests > 1 ? 'no way found' : hasJob ? 'one request already; the job writes afterwards, and is not counted' : 'no: one request'}</span>;
  // The model shows one change at a time.
  const found = fewer.changes.length === 1 ? /^rel (\S+) via (.*)$/s.exec(fewer.change) : null;
  const shown = fewer.changes.map((change) => (isShort ? change.replace(/\s(tag|key|index \w+) ".*$/s, ' …') : change));
  return (
    <>
      {counted(fewer.requests, 'request', 'requests')} with <code class="change">{shown.join(' and ')}</code>
      {fewer.worse.length > 0 && <span class="soft">, but then more for {fewer.worse.join(', ')}</span>}
      {found && (
        <>
          {' '}
          <a href={linkTo('model', [model], { relation: found[1], strategy: found[2]!.replace(/\s+/g, ' ') })}>see it in the model</a>
        </>
      )}
    </>
  );
}
