// Two layouts of a model beside each other: keys, requests, and what would have to move.
import { useState } from 'preact/hooks';
import type { Diagnostic, Range } from '../server/workbench';
import { ShowView, useView } from './kept_view';
import { charts, explain, storageChange } from './model_commands';
import { keyChanges, workChanges } from './strategy_trial';
import { KeyChanges, WorkChanges } from './trial_dialog';

interface Parts {
  name: string;
  text: string;
  layout: string;
  layouts: string[];
  mistakes: Diagnostic[];
  onGoTo: (range: Range) => void;
}

export function Layouts({ name, text, layout, layouts, mistakes, onGoTo }: Parts) {
  const [wanted, setWanted] = useState<string | null>(null);
  const others = layouts.filter((each) => each !== layout);
  const other = wanted !== null && others.includes(wanted) ? wanted : others[0];
  if (other === undefined)
    return (
      <div class="empty">
        <h2>One layout</h2>
        <p>
          A layout stores the same model otherwise. Write another one, as in <code>layout other {'{ rel Department.staff via edges pk one }'}</code>, and compare the two here.
        </p>
      </div>
    );
  return (
    <div class="view-body column">
      <label class="row">
        <span>
          <strong>{layout}</strong>, and beside it
        </span>
        <select value={other} onChange={(event) => setWanted(event.currentTarget.value)}>
          {others.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Compared key={`${layout}/${other}`} name={name} text={text} from={layout} to={other} mistakes={mistakes} onGoTo={onGoTo} />
    </div>
  );
}

interface ComparedParts {
  name: string;
  text: string;
  from: string;
  to: string;
  mistakes: Diagnostic[];
  onGoTo: (range: Range) => void;
}
function Compared({ name, text, from, to, mistakes, onGoTo }: ComparedParts) {
  const view = useView(`${name}/layouts/${from}/${to}`, text, async (now, signal) => ({
    keys: keyChanges(await charts(now, from, signal), await charts(now, to, signal)),
    work: workChanges(await explain(now, from, signal), await explain(now, to, signal)),
    move: await storageChange(now, now, from, to, signal),
  }));
  return (
    <ShowView of={view} mistakes={mistakes} onGoTo={onGoTo}>
      {({ keys, work, move }) => (
        <>
          <p class="soft">
            Numbers are of {from}, then of {to}.
          </p>
          <WorkChanges changes={work} />
          <KeyChanges changes={keys} names={[from, to]} />
          <section>
            <h3>To move from {from} to {to}</h3>
            {move.storage.length === 0 ? (
              <p class="soft">Nothing has to move: both store the same.</p>
            ) : (
              <ul class="changes">
                {move.storage.map((each) => (
                  <li key={each}>
                    <code>{each}</code>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </>
      )}
    </ShowView>
  );
}
