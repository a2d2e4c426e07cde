// A pattern: its text and plan, a form for its parameters, and its answer beside the items that were read.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Item } from '../item/value';
import { counted, unitsText } from '../parts/amount';
import { CodeBox } from '../parts/code_box';
import { isLine, JsonTree } from '../parts/json_tree';
import { ErrorBox } from '../parts/loaded';
import { steps } from '../learn/progress';
import { askPattern, type PatternAnswer, type PatternSummary } from '../server/models';
import { conditionText } from './bound_plan';
import { isBlank } from './draft';
import { givesText, textIn, variantFor } from './explained';
import type { ModelView } from './model_view';
import { Budget, FewerText } from './pattern_list';
import { type ActualStep, PlanDrawing } from './plan_drawing';
import { type RawRead, readRaw } from './raw_items';
import { RawItemsView } from './raw_items_view';
import type { RealValues } from './real_values';
import { Against, CallTexts, problemOf, RunError, RunForm, useDrafts, valuesOf } from './run_parts';

interface OnePage {
  values: Record<string, unknown>;
  cursor: string | undefined; // with which it was asked for
  answer: PatternAnswer;
  milliseconds: number;
  raw?: RawRead;
  rawError?: Error;
}
interface Ran {
  pages: OnePage[];
  at: number;
}
// What was answered last is there again when one comes back.
const answered = new Map<string, Ran>();

interface Parts {
  view: ModelView;
  pattern: PatternSummary;
  real: RealValues;
}

export function PatternRun({ view, pattern, real }: Parts) {
  const { name, parameters } = pattern;
  const key = `${view.served.name}/${view.served.layout}/${name}`;
  const [drafts, setDrafts] = useDrafts(view, name, parameters, real, true);
  const [found] = useState<Ran | null>(() => answered.get(key) ?? null);
  const [ran, setRan] = useState(found);
  const [problem, setProblem] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  useEffect(() => {
    if (ran) answered.set(key, ran);
  }, [ran]);

  const variants = view.explained.patterns.filter((each) => each.name === name);
  const given = parameters.filter((each) => !each.optional || !isBlank(drafts[each.name])).map((each) => each.name);
  const plan = variantFor(variants, given);

  const ask = async (values: Record<string, unknown>, pages: OnePage[], cursor: string | undefined) => {
    stop.current?.abort();
    const { signal } = (stop.current = new AbortController());
    setRunning(true);
    setError(null);
    try {
      const start = performance.now();
      const answer = await askPattern(view.served.name, name, values, cursor);
      steps.set('run', true);
      if (signal.aborted) return;
      const page: OnePage = { values, cursor, answer, milliseconds: performance.now() - start };
      const next: Ran = { pages: [...pages, page], at: pages.length };
      setRan(next);
      setRunning(false);
      const asked = variantFor(variants, Object.keys(values));
      if (!asked?.requests) return;
      const before = pages[pages.length - 1];
      const starts: (Item | null)[] | null = before ? (before.raw?.starts ?? []) : null;
      const more: Partial<OnePage> = await readRaw(view, name, parameters.map((each) => each.name), asked, values, answer, starts, signal).then(
        (raw) => ({ raw }),
        (rawError: Error) => ({ rawError }),
      );
      if (!signal.aborted) setRan({ ...next, pages: [...pages, { ...page, ...more }] });
    } catch (failed) {
      if (!signal.aborted) setError(failed as Error);
    } finally {
      if (!signal.aborted) setRunning(false);
    }
  };
  const run = () => {
    try {
      const missing = parameters.find((each) => !each.optional && isBlank(drafts[each.name]));
      if (missing) return setProblem(`Say what ${missing.name} is.`);
      const values = valuesOf(parameters, drafts, view.summary.types);
      setProblem(null);
      void ask(values, [], undefined);
    } catch (failed) {
      setProblem(problemOf(failed) ?? String(failed));
    }
  };

  const shownPage = ran?.pages[ran.at];
  return (
    <article class="one-pattern" aria-label={name}>
      <div class="title">
        <h2>
          {name}
          <span class="soft">({parameters.map((each) => each.name + (each.optional ? '?' : '')).join(', ')})</span>
        </h2>
        <span class="soft">gives {givesText(pattern)}</span>
      </div>
      {pattern.doc && <p>{pattern.doc}</p>}
      <CodeBox label="In the model" text={textIn(view.served.text, name) || `pattern ${name}`} />
      <div class="form-and-plan">
        <RunForm view={view} real={real} parameters={parameters} drafts={drafts} onChange={setDrafts} onRun={run} isRunning={isRunning} problem={problem} label="Run" />
        <section class="sheet" aria-label="Plan">
          <div class="row">
            <h3>Plan</h3>
            {plan?.planned && (
              <span class="soft">
                {counted(plan.planned.requests, 'request', 'requests')}, {counted(plan.planned.rounds, 'round', 'rounds')}, at most {unitsText(plan.planned.units)}, {plan.consistency}
              </span>
            )}
            {plan?.planned && <Budget of={plan} />}
          </div>
          {plan?.requests ? (
            <PlanDrawing requests={plan.requests} {...(shownPage && variantFor(variants, Object.keys(shownPage.values)) === plan ? boundParts(shownPage, plan.requests.length) : {})} />
          ) : (
            <div class="box warning">
              It cannot be answered with these parameters: {plan?.refusal ?? 'there is no plan'}. {plan?.fix && `To have a key for it, ${plan.fix}.`}
            </div>
          )}
          {plan?.planned && (
            <p>
              Could it be fewer? <FewerText requests={plan.planned.requests} fewer={plan.fewer} model={view.served.name} />
            </p>
          )}
        </section>
      </div>
      {error && <RunError error={error} onRetry={run} isRead />}
      {ran && shownPage && (
        <Answer
          view={view}
          name={name}
          ran={ran}
          page={shownPage}
          isNew={ran !== found}
          isRunning={isRunning}
          onGo={(at) => setRan({ ...ran, at })}
          onNext={() => void ask(shownPage.values, ran.pages.slice(0, ran.at + 1), shownPage.answer.cursor)}
        />
      )}
    </article>
  );
}

/** The plan with what was filled in, and what each step really read. */
function boundParts(page: OnePage, steps: number): { bound?: (string | undefined)[]; actual?: (ActualStep | undefined)[] } {
  if (!page.raw || page.raw.requests.some(({ step }) => step >= steps)) return {};
  const bound: (string | undefined)[] = [];
  const actual: (ActualStep | undefined)[] = [];
  for (let step = 0; step < steps; step++) {
    const of = page.raw.requests.filter((each) => each.step === step);
    if (of.length === 0) continue;
    bound[step] = conditionText(of[0]!.bound) + (of.length > 1 ? `, and ${of.length - 1} more` : '');
    actual[step] = { items: of.reduce((sum, each) => sum + each.items.length, 0), units: of.reduce((sum, each) => sum + each.units, 0) };
  }
  return { bound, actual };
}

interface AnswerParts {
  view: ModelView;
  name: string;
  ran: Ran;
  page: OnePage;
  isNew: boolean; // it was asked for here, and not before one came
  isRunning: boolean;
  onGo: (at: number) => void;
  onNext: () => void;
}
function Answer({ view, name, ran, page, isNew, isRunning, onGo, onNext }: AnswerParts) {
  const { answer } = page;
  const plan = variantFor(
    view.explained.patterns.filter((each) => each.name === name),
    Object.keys(page.values),
  );
  const isLast = ran.at === ran.pages.length - 1;
  const box = useRef<HTMLElement>(null);
  // Whoever has run it wants to see what came.
  useEffect(() => {
    if (box.current && isNew && box.current.getBoundingClientRect().top > innerHeight * 0.6) box.current.scrollIntoView({ block: 'start' });
  }, [page.answer]);
  return (
    <section ref={box} class="answer" aria-label="Answer" aria-live="polite">
      <div class="row">
        <h3>Answer</h3>
        <span class="soft">
          {answer.documents.length === 0 ? 'nothing was found' : counted(answer.documents.length, 'document', 'documents')}
          {(ran.pages.length > 1 || answer.cursor) && `, page ${ran.at + 1}`} for {JSON.stringify(page.values)}
        </span>
        <span class="grow" />
        {ran.at > 0 && (
          <button type="button" onClick={() => onGo(ran.at - 1)}>
            Page before
          </button>
        )}
        {(answer.cursor || !isLast) && (
          <button type="button" aria-disabled={isRunning} onClick={() => (isLast ? onNext() : onGo(ran.at + 1))}>
            Next page
          </button>
        )}
      </div>
      {answer.cost && plan && (
        <div class="sheet">
          <h4>Planned against actual</h4>
          <Against of={plan} cost={answer.cost} milliseconds={page.milliseconds} />
        </div>
      )}
      <div class="beside">
        <section class="sheet" aria-label="Documents">
          <h4>{answer.documents.length === 1 ? 'The document' : 'The documents'}</h4>
          {answer.documents.length === 0 && <p class="soft">There is none for these values. Choose others that exist from the lists in the fields.</p>}
          <div class="scroll" tabIndex={0} role="region" aria-label="Documents as JSON">
            {answer.documents.map((document, i) => (
              <JsonTree key={i} value={document} isUnfolded={answer.documents.some((each) => !isLine(each))} {...(answer.documents.length > 1 ? { name: i + 1 } : {})} />
            ))}
          </div>
        </section>
        <section class="sheet" aria-label="Raw items">
          <h4>The items it was made of</h4>
          {page.raw ? (
            <RawItemsView read={page.raw} tables={view.tables} />
          ) : page.rawError ? (
            <ErrorBox error={page.rawError} />
          ) : (
            <p class="soft">Reading them…</p>
          )}
        </section>
      </div>
      <div class="sheet">
        <h4>The call for programs</h4>
        <CallTexts call={{ model: view.served.name, kind: 'patterns', name, values: page.values, ...(page.cursor ? { cursor: page.cursor } : {}) }} />
      </div>
    </section>
  );
}
