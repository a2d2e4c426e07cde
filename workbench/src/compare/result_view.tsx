// What a measurement came to: the same answers, the ranking, bars, the grid, what is not legal.
import { useState } from 'preact/hooks';
import { count, counted, decimal } from '../parts/amount';
import { ChosenStrategy } from './chosen_strategy';
import { layoutWords } from './layout_words';
import { type Criterion, type Difference, type Measurement, ranked, shortNames } from './measurement';
import { OperationGrid } from './operation_grid';
import { Charts, CRITERIA, Ranking, Winners } from './ranking';
import { save } from './saved_file';

export function ResultView({ measurement }: { measurement: Measurement }) {
  const [by, setBy] = useState<Criterion>('requests');
  const result = { ...measurement.result!, layouts: ranked(measurement.result!.layouts, by) };
  const { model, relation } = measurement;
  const names = shortNames([...result.layouts, ...result.not_measured], relation);
  const [chosen, setChosen] = useState<string | null>(result.layouts[0]?.name ?? null);
  const of = result.layouts.find((each) => each.name === chosen);
  const wordsOf = (name: string) => (relation || !measurement.text ? '' : layoutWords(measurement.text, name));
  const parts = { result, names, chosen, onChoose: setChosen, wordsOf };
  const file = `${model}-${relation || 'layouts'}`;
  return (
    <>
      <SameAnswers compared={result.answers_compared} differences={result.differences} layouts={result.layouts.length} isPartial={result.layouts.some(({ unserved }) => unserved.length > 0)} />
      <p class="soft">
        {counted(result.layouts.length, 'way', 'ways')} to store it, on {result.data}, {result.runs} runs of each{measurement.state === 'done' && `, in ${decimal(measurement.seconds)} s`}.
      </p>
      <section class="sheet" aria-label="Ranking">
        <div class="row">
          <h2>Ranking</h2>
          <label class="row">
            <span class="soft">ranked by</span>
            <select value={by} onChange={(event) => setBy(event.currentTarget.value as Criterion)}>
              {CRITERIA.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <span class="soft grow">{by === 'requests' ? 'then units and bytes' : by === 'units' ? 'then requests and bytes' : by === 'bytes' ? 'then requests and units' : 'then requests, units and bytes'}</span>
          <button type="button" onClick={() => save(`${file}.json`, JSON.stringify(result, null, 2), 'application/json')}>
            Save as JSON
          </button>
          {measurement.html && (
            <button type="button" onClick={() => save(`${file}.html`, measurement.html!, 'text/html')}>
              Save as a page
            </button>
          )}
        </div>
        <p class="soft">
          These are averages of what was measured; plans, elsewhere, are of the largest sizes. Generated data is skewed, and entities that have much are asked for more often than others: a call about most others takes less.
        </p>
        <Winners {...parts} />
        <Ranking {...parts} />
      </section>
      {of && <ChosenStrategy of={of} words={wordsOf(of.name)} model={model} relation={relation} layout={measurement.options.layout} />}
      <section aria-label="Charts">
        <h2>Side by side</h2>
        <Charts {...parts} />
        {result.layouts.some(({ unserved }) => unserved.length > 0) && <p class="soft">Dashed bars: it cannot do everything, and was measured on what it can. Latency is of one process and few runs: on a machine with other work it says little.</p>}
      </section>
      <section class="sheet" aria-label="Grid">
        <h2>Method by operation</h2>
        <OperationGrid {...parts} />
      </section>
      {result.not_measured.length > 0 && (
        <section class="sheet" aria-label="Not legal">
          <h2>What is not possible, and why</h2>
          <dl class="reasons">
            {result.not_measured.map(({ name, reason }) => (
              <div key={name}>
                <dt>{names[name] ?? name}</dt>
                <dd>{reason}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

function SameAnswers({ compared, differences, layouts, isPartial }: { compared: number; differences: Difference[]; layouts: number; isPartial: boolean }) {
  if (differences.length === 0)
    return (
      <div class="box done proven" role="status">
        <strong>The same answers.</strong> {count(compared)} answers were compared, before the first write, after each and at the end: {layouts === 2 ? 'both' : `all ${layouts}`} ways to store it answer alike{isPartial ? ', in what they can answer' : ''}.
      </div>
    );
  return (
    <div class="box error" role="alert">
      <strong>They do not answer alike.</strong> {count(compared)} answers were compared; these differ:
      <ul>
        {differences.map((each, i) => (
          <li key={i}>
            <b>
              {each.subject}({each.arguments.map((value) => JSON.stringify(value)).join(', ')})
            </b>{' '}
            in {each.layout} gives <code>{each.found}</code>, and in {each.other} <code>{each.expected}</code>.
          </li>
        ))}
      </ul>
    </div>
  );
}
