// Fills the tables of a model that is served with data that is made up to fit it.
import { useEffect, useState } from 'preact/hooks';
import { count } from '../parts/amount';
import { Dialog } from '../parts/dialog';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { forWriters } from '../parts/roles';
import { isSheafsTable } from '../server/dynamo';
import { summaryOf } from '../server/models';
import { type Run, runCommand, runForJson, type ServedModel } from '../server/workbench';
import { Progress } from './progress';

interface Plan {
  entities: Record<string, number>;
  links: Record<string, number>;
}
const SIZES = [
  { scale: '0.1', label: 'A few' },
  { scale: '1', label: 'Some' },
  { scale: '10', label: 'Many' },
];

export function LoadDialog({ model, onLoaded, onClose }: { model: ServedModel; onLoaded: () => void; onClose: () => void }) {
  const [scale, setScale] = useState('1');
  const [skew, setSkew] = useState(1);
  const [seed, setSeed] = useState(1);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const files = { 'model.sheaf': model.text };
  const options = ['--layout', model.layout, '--scale', scale, '--skew', String(skew), '--seed', String(seed)];

  useEffect(() => {
    const asked = new AbortController();
    setPlan(null);
    runForJson<Plan>(['model', 'generate', 'model.sheaf', ...options, '--plan', '--json'], { files, signal: asked.signal }).then(
      (found) => !asked.signal.aborted && setPlan(found),
      (failed: Error) => !asked.signal.aborted && setError(failed),
    );
    return () => asked.abort();
  }, [scale]);
  useEffect(() => () => stop?.abort(), [stop]);

  const load = async () => {
    const asked = new AbortController();
    setStop(asked);
    setError(null);
    setRun(null);
    try {
      setRun(await runCommand(['model', 'generate', 'model.sheaf', ...options, '--load', '--endpoint', '@server'], { files, onProgress: setRun, signal: asked.signal }));
      onLoaded();
    } catch (failed) {
      if (!asked.signal.aborted) setError(failed as Error);
    } finally {
      setStop(null);
    }
  };
  const tables = useLoaded(() => summaryOf(model.name).then((is) => is.tables), [model.name]);
  const table = tables.value?.find((each) => !isSheafsTable(each));
  const isDone = run?.state === 'done';
  return (
    <Dialog
      title={`Load sample data into ${model.name}`}
      onClose={onClose}
      onSubmit={() => void load()}
      footer={
        isDone && !stop ? (
          <>
            <button type="button" onClick={onClose}>
              Done
            </button>
            <a class="button" href={linkTo('tables', table ? [table] : [])}>
              See the tables
            </a>
            <a class="button primary" href={linkTo('patterns', [model.name])}>
              Run the patterns
            </a>
          </>
        ) : stop ? (
          <button type="button" onClick={() => stop.abort()}>
            Stop
          </button>
        ) : (
          <button class="primary" disabled={plan === null} {...forWriters()}>
            Load it
          </button>
        )
      }
    >
      <p class="soft">Entities and links that fit the model: types, sizes, unique fields. They are added to what is there; the same seed makes the same data again.</p>
      <div class="row">
        <label class="field">
          How many
          <select value={scale} disabled={stop !== null} onChange={(event) => setScale(event.currentTarget.value)}>
            {SIZES.map((size) => (
              <option key={size.scale} value={size.scale}>
                {size.label}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Spread
          <select value={String(skew)} disabled={stop !== null} onChange={(event) => setSkew(Number(event.currentTarget.value))}>
            <option value="0">all alike</option>
            <option value="1">some have far more than others</option>
            <option value="2">few have nearly all</option>
          </select>
        </label>
        <label class="field">
          Seed
          <input type="number" min={1} max={999999} value={seed} disabled={stop !== null} onInput={(event) => setSeed(Math.max(1, Number(event.currentTarget.value) || 1))} />
        </label>
      </div>
      {plan && (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Entity</th>
              <th scope="col" class="number">
                How many
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(plan.entities).map(([name, number]) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{count(number)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {stop && <Progress run={run} label="Loading" />}
      {isDone && !stop && !error && (
        <div class="box note" role="status">
          {run.output.trim() || 'It is loaded.'}
        </div>
      )}
      {error && <ErrorBox error={error} />}
    </Dialog>
  );
}
