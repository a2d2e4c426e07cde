// One card for each relation: how it is stored and why, what it costs, what would change it, and what could be instead.
import { useState } from 'preact/hooks';
import { type Advice, type Answer, alternativesOf, coreOf, type Known, meaningOf, questionText, reasonOf, type RelationAdvice } from './advice';

interface Parts {
  all: RelationAdvice[];
  told: Record<string, Record<string, string>>;
  onTell: (relation: string, question: string, answer: string | null) => void;
  onTry: (relation: RelationAdvice, via: string) => void;
  onLine: (line: number) => void;
}

export function Relations({ all, told, onTell, onTry, onLine }: Parts) {
  if (all.length === 0)
    return (
      <div class="empty">
        <h2>No relations yet</h2>
        <p>
          Write one, as in <code>rel Customer 1--* Order as orders / customer</code>, and see here how it can be stored.
        </p>
      </div>
    );
  return (
    <div class="view-body column">
      {all.map((each) => (
        <RelationCard
          key={each.advice.relation}
          of={each}
          told={told[each.advice.relation] ?? {}}
          onTell={(question, answer) => onTell(each.advice.relation, question, answer)}
          onTry={(via) => onTry(each, via)}
          onLine={onLine}
        />
      ))}
    </div>
  );
}

const VERDICTS: Record<string, { label: string; kind: string }> = {
  agrees: { label: 'as advised', kind: 'good' },
  differs: { label: 'can stay; another is advised', kind: '' },
  contradicted: { label: 'another is advised', kind: 'bad' },
};

interface CardParts {
  of: RelationAdvice;
  told: Record<string, string>;
  onTell: (question: string, answer: string | null) => void;
  onTry: (via: string) => void;
  onLine: (line: number) => void;
}

function RelationCard({ of, told, onTell, onTry, onLine }: CardParts) {
  const { relation, advice } = of;
  const now = of.stored;
  const isOther = advice.written?.verdict !== 'agrees' && advice.via !== coreOf(now);
  const verdict = advice.written ? (VERDICTS[advice.written.verdict] ?? { label: advice.written.verdict, kind: '' }) : { label: 'chosen by Sheaf', kind: isOther ? '' : 'good' };
  const alternatives = alternativesOf(of);
  const way = wayOf(advice);
  const title = `${relation.from} ${relation.cardinality} ${relation.to}`;
  return (
    <article class="sheet relation" id={`relation-${advice.relation}`} aria-label={`Relation ${advice.relation}`}>
      <header class="row">
        <h3>{title}</h3>
        <span class="soft">
          as {relation.forward}
          {relation.backward && ` / ${relation.backward}`}
        </span>
        <span class="grow" />
        <span class={`badge ${verdict.kind}`}>{verdict.label}</span>
      </header>
      <p class="facts soft">{factsOf(of)}</p>
      <p class="stored">
        Stored via <code title={now}>{coreOf(now)}</code>
        {meaningOf(now) && <>: {meaningOf(now)}</>}
        {coreOf(now) !== now && ', with keys of its own'}.
      </p>
      {isOther ? (
        <div class={`box ${advice.written?.verdict === 'contradicted' ? 'warning' : 'note'} row`}>
          <span class="grow">
            {Object.keys(told).length > 0 ? 'With what you say, advised is ' : 'Advised is '}
            <code>{advice.via}</code>: {reasonOf(of)}.
            {advice.written?.objections.map((each) => (
              <span key={each}> Against what is written: {each}.</span>
            ))}
          </span>
          <button type="button" onClick={() => onTry(advice.via)}>
            Try it…
          </button>
        </div>
      ) : (
        <p>Because {advice.reason}.</p>
      )}
      <div>
        {isOther && (
          <p class="soft small">
            What <code>{advice.via}</code> gives and costs:
          </p>
        )}
        <ul class="gains" aria-label="What it gives and what it costs">
          {advice.trade_offs.map((each) => (
            <li key={each.gain ?? each.loss} class={each.gain ? 'gain' : 'loss'}>
              <span aria-hidden="true">{each.gain ? '+' : '−'}</span>
              <span class="hidden-text">{each.gain ? 'for it: ' : 'against it: '}</span>
              {each.gain ?? each.loss}
            </li>
          ))}
        </ul>
      </div>
      {(advice.open.length > 0 || Object.keys(told).length > 0) && <OpenQuestions advice={advice} told={told} onTell={onTell} />}
      <details>
        <summary>How it came to that ({way.length} answers)</summary>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Question</th>
              <th scope="col">Answer</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {way.map(({ known, why }) => (
              <tr key={known.question}>
                <td>
                  {known.text}
                  <div class="soft small">{why}</div>
                </td>
                <td>{String(known.answer)}</td>
                <td class="soft">
                  {known.because}, {known.source}
                  {known.line !== undefined && (
                    <>
                      {' '}
                      <button type="button" class="plain link" onClick={() => onLine(known.line!)}>
                        line {known.line}
                      </button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {advice.tables_for.length + advice.tables_against.length > 0 && (
          <ul class="rules">
            {advice.tables_for.map((each) => (
              <li key={each.row}>For it: {each.says}</li>
            ))}
            {advice.tables_against.map((each) => (
              <li key={each.row}>Would have another: {each.says}</li>
            ))}
          </ul>
        )}
        {advice.copies && (
          <p class="soft">
            Copies: {advice.copies.advised ? `advised, of ${advice.copies.fields.join(', ')}` : 'not advised'}, {advice.copies.reason}.
          </p>
        )}
      </details>
      {advice.changes.length > 0 && (
        <details>
          <summary>What would change it ({advice.changes.length})</summary>
          <ul class="rules">
            {advice.changes.map((each) => (
              <li key={`${each.question}=${each.answer}`}>
                If “{questionText(advice, each.question)}” were <strong>{String(each.answer)}</strong>: <code>via {each.via}</code>{' '}
                <button type="button" class="plain link" onClick={() => onTell(each.question, String(each.answer))}>
                  Say so
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <details open>
        <summary>Alternatives ({alternatives.length})</summary>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Strategy</th>
              <th scope="col">Why not, or when</th>
              <th scope="col">
                <span class="hidden-text">Try it</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {alternatives.map(({ via, isPossible, reason }) => (
              <tr key={via}>
                <th scope="row">
                  <code>{via}</code>
                  <div class="soft small">{meaningOf(via)}</div>
                </th>
                <td>{isPossible ? reason : <span class="soft">It cannot be: {reason}</span>}</td>
                <td>
                  {isPossible && (
                    <button type="button" onClick={() => onTry(via)}>
                      Use it…
                      <span class="hidden-text">
                        {via} for {advice.relation}
                      </span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </article>
  );
}

function factsOf({ relation }: RelationAdvice): string {
  const sizes = (relation.sizes ?? []).map((size) => {
    const of = size.of ?? size.end;
    const parts = [size.average !== undefined && `${size.average} on average`, size.max !== undefined && `at most ${size.max}`, size.unbounded && 'without bound'].filter(Boolean);
    return (of ? `${of}: ` : `${relation.forward}: `) + parts.join(', ');
  });
  const rest = [relation.required && `${relation.backward ?? 'the other'} is required`, relation.on_delete && `on delete ${relation.on_delete}`].filter(Boolean);
  return [...(sizes.length > 0 ? sizes : ['nobody says how many there are; 100 are assumed']), ...rest].join('; ');
}

/** The answers that were asked for on the way, in their order. */
function wayOf(advice: Advice): { known: Known; why: string }[] {
  return advice.way.flatMap(({ test, why }) => {
    const known = advice.answers.find((each) => each.question === test.split(' ')[0]);
    return known ? [{ known, why }] : [];
  });
}

function OpenQuestions({ advice, told, onTell }: { advice: Advice; told: Record<string, string>; onTell: (question: string, answer: string | null) => void }) {
  const asked = [
    ...advice.open,
    ...Object.keys(told)
      .filter((id) => !advice.open.some((each) => each.question === id))
      .map((question) => ({ question, text: questionText(advice, question), forms: formsOf(told[question]!), assumed: '' as Answer })),
  ];
  return (
    <fieldset class="questions">
      <legend>Do you know?</legend>
      {asked.map((each) => (
        <OpenQuestion key={each.question} of={each} value={told[each.question] ?? ''} onTell={(answer) => onTell(each.question, answer)} />
      ))}
    </fieldset>
  );
}
const formsOf = (answer: string) => (/^\d+$/.test(answer) ? 'a number' : /^(yes|no)$/.test(answer) ? 'yes or no' : `${answer}`);

interface QuestionParts {
  of: { text: string; forms: string; assumed: Answer };
  value: string;
  onTell: (answer: string | null) => void;
}
function OpenQuestion({ of, value, onTell }: QuestionParts) {
  const [typed, setTyped] = useState(value);
  const words = of.forms.split(/,\s*|\s+or\s+/).map((each) => each.trim());
  const isNumber = /number|how many|count/i.test(of.forms);
  const unsaid = of.assumed === '' ? 'not said' : `assumed: ${of.assumed}`;
  return (
    <label class="question">
      <span>{of.text}</span>
      {isNumber ? (
        <input
          type="number"
          min={0}
          value={typed}
          placeholder={unsaid}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => onTell(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        />
      ) : (
        <select value={value} onChange={(event) => onTell(event.currentTarget.value || null)}>
          <option value="">{unsaid}</option>
          {words.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}
