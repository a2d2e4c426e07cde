// What the documents say of the four methods, held against figures: `sheaf model claims I1`.
import { Show, useLoaded } from '../parts/loaded';
import { runForJson } from '../server/workbench';

interface Claim {
  about: string;
  source: string;
  statement: string;
  how: string;
  verdict: string; // holds, holds in part, contradicted
  figure: string;
}
const TOPICS = ['reassign', 'list many', 'fetch one', 'many relations'];
const topicOf = ({ statement }: Claim) => TOPICS.find((topic) => statement.startsWith(topic)) ?? 'besides';
const SIGNS: Record<string, { sign: string; kind: string }> = {
  holds: { sign: '✓ holds', kind: 'within' },
  'holds in part': { sign: '◐ holds in part', kind: 'warning' },
  contradicted: { sign: '✕ contradicted', kind: 'over' },
};

let asked: Promise<Claim[]> | null = null;
const claims = () => {
  asked ??= runForJson<Claim[]>(['model', 'claims', 'I1', '--json']);
  asked.catch(() => (asked = null));
  return asked;
};

export function ClaimsGrid() {
  const told = useLoaded(claims, []);
  return (
    <section class="sheet" aria-label="What is claimed of the four methods">
      <h3>What is said of the four methods, and whether it holds</h3>
      <p class="soft">
        Claims of a document that compares four ways to store departments and employees; each is measured now, on a small model that is part of Sheaf.
      </p>
      <Show of={told}>{(all) => <Grid claims={all} />}</Show>
    </section>
  );
}

function Grid({ claims: all }: { claims: Claim[] }) {
  const methods = [...new Set(all.map(({ about }) => about))];
  const topics = [...TOPICS, 'besides'].filter((topic) => all.some((each) => topicOf(each) === topic));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Claims by method">
      <table class="matrix claims">
        <thead>
          <tr>
            <th scope="col">Method</th>
            {topics.map((topic) => (
              <th key={topic} scope="col">
                {topic}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {methods.map((method) => (
            <tr key={method}>
              <th scope="row">
                {method.split(' (')[0]}
                <small>{method.replace(/^[^(]*\(|\)$/g, '')}</small>
              </th>
              {topics.map((topic) => (
                <td key={topic}>
                  {all
                    .filter((each) => each.about === method && topicOf(each) === topic)
                    .map((each) => (
                      <div key={each.statement} class="claim">
                        <span class={`badge ${SIGNS[each.verdict]?.kind ?? ''}`}>{SIGNS[each.verdict]?.sign ?? each.verdict}</span>
                        <div>{topic === 'besides' ? each.statement : each.statement.slice(topic.length).replace(/^ (is|are|takes) /, (word) => (word === ' takes ' ? 'takes ' : ''))}</div>
                        <small>{each.figure}</small>
                      </div>
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
