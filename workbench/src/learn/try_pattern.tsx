// A pattern that runs right here, with parameters that are in the example's data.
import { useState } from 'preact/hooks';
import { counted, decimal } from '../parts/amount';
import { CodeBox } from '../parts/code_box';
import { Icon } from '../parts/icon';
import { ErrorBox } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { askPattern, type Cost, type PatternAnswer, type PatternSummary } from '../server/models';
import { inline } from './page_text';
import type { Try } from './tour';

const shownValue = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** As it was typed: text stays text if the parameter was text; what is left out is null. */
function readValue(text: string, example: unknown): unknown {
  if (text.trim() === '') return null;
  if (typeof example === 'string' || example === null) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function TryPattern({ model, of, pattern }: { model: string; of: Try; pattern: PatternSummary | undefined }) {
  const [texts, setTexts] = useState(of.values.map(shownValue));
  const [answer, setAnswer] = useState<PatternAnswer | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      setAnswer(await askPattern(model, of.pattern, of.values.map((example, at) => readValue(texts[at]!, example))));
      setError(null);
    } catch (failure) {
      setError(failure as Error);
      setAnswer(null);
    }
    setRunning(false);
  };
  return (
    <form
      class="try"
      aria-label={`Run ${of.pattern}`}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <div class="row">
        <a class="mono" href={linkTo('patterns', [model, of.pattern])} title="Open it on the Patterns page">
          {of.pattern}
        </a>
        {of.values.map((example, at) => {
          const name = pattern?.parameters[at]?.name ?? `parameter ${at + 1}`;
          return (
            <label key={at} class="parameter">
              <span>{name}</span>
              <input
                value={texts[at]}
                size={Math.max(6, shownValue(example).length + 1)}
                placeholder={example === null ? 'left out' : undefined}
                onInput={(event) => setTexts(texts.map((text, other) => (other === at ? event.currentTarget.value : text)))}
              />
            </label>
          );
        })}
        <button aria-disabled={isRunning}>
          <Icon name="run" /> Run
        </button>
      </div>
      <p class="soft">{inline(of.look)}</p>
      <div aria-live="polite">
        {error && <ErrorBox error={error} />}
        {answer && <Answer of={answer} label={`Answer of ${of.pattern}`} />}
      </div>
    </form>
  );
}

const costText = (cost: Cost) =>
  `${counted(cost.requests, 'request', 'requests')}, ${decimal(cost.units)} ${cost.units === 1 ? 'unit' : 'units'}, ${counted(cost.items_read, 'item', 'items')} read`;

function Answer({ of, label }: { of: PatternAnswer; label: string }) {
  const { documents, cost, plan, cursor } = of;
  return (
    <>
      {cost && (
        <p class="cost">
          <b>{costText(cost)}</b>, {counted(documents.length, 'document', 'documents')}
          {cursor && ', and there are more pages'}
        </p>
      )}
      {documents.length === 0 ? <p>There is none.</p> : <CodeBox label={label} text={JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2)} />}
      {plan && (
        <details>
          <summary>The requests behind it</summary>
          <pre tabIndex={0} aria-label="The plan">
            {plan}
          </pre>
        </details>
      )}
    </>
  );
}
