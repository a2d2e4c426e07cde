// Shows what a strategy would change, before it is taken.
import { decimal } from '../parts/amount';
import { Dialog } from '../parts/dialog';
import { ErrorBox, Show, useLoaded } from '../parts/loaded';
import type { LayoutCost } from './model_commands';
import { type KeyChange, lineChanges, tryCost, tryText, type WorkChange } from './strategy_trial';
import { Template } from './template_text';

interface Parts {
  relation: string;
  via: string;
  layout: string;
  before: string;
  after: string | null; // null: the place for it was not found
  onClose: () => void;
  onUse: (text: string) => void;
}

export function TrialDialog({ relation, via, layout, before, after, onClose, onUse }: Parts) {
  const trial = useLoaded(async (signal) => (after === null ? null : tryText(before, after, layout, signal)), [before, after, layout]);
  const isPossible = trial.value !== null && trial.value !== undefined && trial.value.mistakes.length === 0;
  const costs = useLoaded(async (signal) => (isPossible ? tryCost(before, after!, layout, signal) : null), [isPossible, before, after, layout]);
  const lines = after === null ? null : lineChanges(before, after);
  return (
    <Dialog
      title={`${relation} via ${via}`}
      wide
      onClose={onClose}
      onSubmit={() => isPossible && onUse(after!)}
      footer={
        <>
          <button type="button" onClick={onClose}>
            Leave it as it is
          </button>
          <button class="primary" disabled={!isPossible}>
            Use it
          </button>
        </>
      }
    >
      {after === null && <ErrorBox error={new Error('The relation is not found in the text. Mend its mistakes first.')} />}
      {lines && (
        <section>
          <h3>In the text, line {lines.line}</h3>
          <pre class="difference" tabIndex={0} aria-label="Lines that change">
            {lines.removed.map((line, at) => (
              <div key={`-${at}`} class="removed">
                − {line}
              </div>
            ))}
            {lines.added.map((line, at) => (
              <div key={`+${at}`} class="added">
                + {line}
              </div>
            ))}
          </pre>
        </section>
      )}
      {after !== null && (
        <Show of={trial}>
          {(found) =>
            found === null ? null : found.mistakes.length > 0 ? (
              <div class="box warning">
                It cannot be stored so:
                <ul>
                  {found.mistakes.map((each) => (
                    <li key={each.message}>{each.message}</li>
                  ))}
                </ul>
              </div>
            ) : (
              <>
                <KeyChanges changes={found.keys} />
                <WorkChanges changes={found.work} />
              </>
            )
          }
        </Show>
      )}
      {isPossible && (
        <section>
          <h3>Cost</h3>
          {costs.error && <ErrorBox error={costs.error} onRetry={costs.again} />}
          {!costs.error && !costs.value && <p class="soft">Both are run and metered on made up data…</p>}
          {costs.value && (
            <>
              <CostChanges before={costs.value.before.layouts[0]!} after={costs.value.after.layouts[0]!} currency={costs.value.after.prices.currency} />
              <p class="soft small">
                Metered on {costs.value.after.measured_on}. Prices of {costs.value.after.prices.region}: {costs.value.after.prices.source}.
              </p>
            </>
          )}
        </section>
      )}
    </Dialog>
  );
}

export function KeyChanges({ changes, names = ['Before', 'After'] }: { changes: KeyChange[]; names?: [string, string] }) {
  return (
    <section>
      <h3>Keys and indexes</h3>
      {changes.length === 0 ? (
        <p class="soft">All keys stay as they are.</p>
      ) : (
        <div class="wide-table" tabIndex={0} role="region" aria-label="Keys that change">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">Entity</th>
                <th scope="col">{names[0]}</th>
                <th scope="col">{names[1]}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((each) => (
                <tr key={`${each.where}/${each.entity}`}>
                  <td>{each.where}</td>
                  <th scope="row">{each.entity}</th>
                  <td>{each.before === null ? <span class="soft">not there</span> : <Template text={each.before} />}</td>
                  <td>{each.after === null ? <span class="soft">{names[1] === 'After' ? 'no more' : 'not there'}</span> : <Template text={each.after} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Change({ before, after }: { before: number | null; after: number | null }) {
  const text = (value: number | null) => (value === null ? 'not served' : decimal(value));
  if (before === after) return <span class="soft">{text(after)}</span>;
  const isBetter = after !== null && (before === null || after < before);
  return (
    <span class={isBetter ? 'better' : 'worse'}>
      {text(before)} → {text(after)} <span class="hidden-text">{isBetter ? 'better' : 'worse'}</span>
      <span aria-hidden="true">{isBetter ? '▾' : '▴'}</span>
    </span>
  );
}

export function WorkChanges({ changes }: { changes: WorkChange[] }) {
  return (
    <section>
      <h3>Requests</h3>
      <p class="soft small">Planned, at the largest sizes that the model declares: mostly it is less. What jobs do afterwards is not counted.</p>
      <div class="wide-table" tabIndex={0} role="region" aria-label="Requests before and after">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Pattern or operation</th>
              <th scope="col" class="number">
                Requests at most
              </th>
              <th scope="col" class="number">
                Rounds at most
              </th>
              <th scope="col" class="number">
                Units at most
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((each) => (
              <tr key={`${each.kind}/${each.name}`}>
                <th scope="row">
                  {each.name} <span class="soft plain-weight">{each.kind === 'operation' ? 'operation' : ''}</span>
                </th>
                {(['requests', 'rounds', 'units'] as const).map((what) => (
                  <td key={what} class="number">
                    <Change before={each.before?.[what] ?? null} after={each.after?.[what] ?? null} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function CostChanges({ before, after, currency }: { before: LayoutCost; after: LayoutCost; currency: string }) {
  const total = (of: LayoutCost) => Number(of.bills.find((each) => each.mode === 'on_demand')?.total ?? 0);
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label="Cost before and after">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{currency}</th>
            <th scope="col" class="number">
              A million runs
            </th>
          </tr>
        </thead>
        <tbody>
          {after.work.map((each) => (
            <tr key={each.name}>
              <th scope="row">{each.name}</th>
              <td class="number">
                <Change before={numberOf(before.work.find((other) => other.name === each.name)?.a_million_runs)} after={Number(each.a_million_runs)} />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">A month on demand, at the rates that the model says</th>
            <td class="number">
              <Change before={total(before)} after={total(after)} />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text));
