// Moves what is stored to another text or layout, while it is used: first what there is to do, then the copying, then either
// the end of the old or the way back.
import { useEffect, useState } from 'preact/hooks';
import { count } from '../parts/amount';
import { Dialog } from '../parts/dialog';
import { ErrorBox } from '../parts/loaded';
import { tellError } from '../parts/toasts';
import { about, type Run, runCommand, runForJson, type ServedModel, serveModel } from '../server/workbench';
import type { StorageChange } from './model_commands';
import { Progress } from './progress';

interface Parts {
  before: ServedModel;
  text: string;
  layout: string;
  onClose: () => void;
  /** It has begun: the new one is read, and the old one can still be gone back to. */
  onStep: () => void;
  onMoved: (now: ServedModel) => void;
}
/** The model once the server has seen that the move is over; it looks every few seconds. */
async function settled(name: string): Promise<ServedModel | undefined> {
  for (let round = 0; ; round++) {
    const now = (await about()).models.find((each) => each.name === name);
    if (!now?.is_moving || round === 15) return now;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}
/** Without how the command would be gone on with. */
const plainly = (output: string) =>
  output
    .replace(/ ?Go on with --finish.*$/m, '')
    .trim()
    .split('\n')
    .map((line) => line.charAt(0).toUpperCase() + line.slice(1).replace(/\.?$/, '.'))
    .join(' ');

type Step = 'plan' | 'ready' | 'moving' | 'moved' | 'ending' | 'ended' | 'back';

export function MovePanel({ before, text, layout, onClose, onStep, onMoved }: Parts) {
  const [step, setStep] = useState<Step>(before.is_moving ? 'moved' : 'plan');
  const [plan, setPlan] = useState<StorageChange | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const [said, setSaid] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [stop] = useState(() => new AbortController());
  const files = { 'old.sheaf': before.text, 'new.sheaf': text };
  const base = ['model', 'migrate', 'old.sheaf', 'new.sheaf', '--from', before.layout, '--to', layout, '--endpoint', '@server'];

  useEffect(() => {
    if (step === 'moved') runCommand([...base, '--status'], { files }).then((done) => setSaid(plainly(done.output)), setError);
    if (step === 'plan')
      runForJson<StorageChange>([...base, '--plan', '--json'], { files, accepts: [0, 1] }).then(
        (found) => {
          setPlan(found);
          setStep('ready');
        },
        (failed: Error) => setError(failed),
      );
  }, []);

  const does = async (options: string[], during: Step, after: Step, otherwise: Step) => {
    setStep(during);
    setError(null);
    setRun(null);
    try {
      const done = await runCommand([...base, ...options], { files, onProgress: setRun, signal: stop.signal });
      setSaid(plainly(done.output));
      setStep(after);
      if (after === 'moved') onStep();
      else await tellMoved(after === 'ended');
    } catch (failed) {
      if (stop.signal.aborted) return;
      setError(failed as Error);
      setStep(otherwise);
    }
  };
  const tellMoved = async (isEnded: boolean) => {
    try {
      let now = await settled(before.name);
      // What was given here is kept as it is now, for the next start of the server.
      if (now && isEnded && before.is_kept) now = await serveModel(now.text, now.layout);
      if (now) onMoved(now);
    } catch (failed) {
      tellError(failed);
    }
  };
  const isBusy = step === 'moving' || step === 'ending' || (step === 'plan' && !error);
  return (
    <Dialog
      title={before.layout === layout ? `Move ${before.name}` : `Move ${before.name} to ${layout}`}
      wide
      onClose={onClose}
      footer={
        <>
          {step === 'ready' && (
            <button type="button" class="primary" onClick={() => void does([], 'moving', plan?.moves === false ? 'ended' : 'moved', 'ready')}>
              {plan?.moves === false ? 'Change it' : 'Move it'}
            </button>
          )}
          {step === 'moved' && (
            <>
              <button type="button" onClick={() => void does(['--back'], 'ending', 'back', 'moved')}>
                Take it back
              </button>
              <button type="button" class="primary" onClick={() => void does(['--finish'], 'ending', 'ended', 'moved')}>
                Finish: remove the old
              </button>
            </>
          )}
          {(step === 'ended' || step === 'back') && (
            <button type="button" class="primary" onClick={onClose}>
              Done
            </button>
          )}
        </>
      }
    >
      <ol class="steps">
        <li aria-current={step === 'plan' || step === 'ready' ? 'step' : undefined}>See what changes</li>
        <li aria-current={step === 'moving' ? 'step' : undefined}>Copy and compare; both are written</li>
        <li aria-current={step === 'moved' || step === 'ending' ? 'step' : undefined}>The new one is read: finish, or go back</li>
      </ol>
      {plan && (step === 'ready' || step === 'moving') && (
        <>
          <p>
            {plan.moves
              ? `About ${count(plan.items)} items are copied and compared, while programs go on reading and writing. Until the end there is a way back.`
              : 'No item has to move: the new text is applied where the old one is.'}
          </p>
          {[...plan.model, ...plan.storage].length > 0 && (
            <ul class="changes">
              {[...plan.model, ...plan.storage].map((each) => (
                <li key={each}>
                  <code>{each}</code>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {isBusy && <Progress run={run} label={step === 'plan' ? 'Looking at what is stored' : step === 'moving' ? 'Moving' : 'Ending the move'} />}
      {step === 'moved' && (
        <div class="box note" role="status">
          {said || 'A move is under way: the new layout is read, and both are written.'}
          <div>Look around, run the patterns. Finish when you are content: then the old tables are removed, and there is no way back.</div>
        </div>
      )}
      {(step === 'ended' || step === 'back') && (
        <div class="box note" role="status">
          {said || (step === 'ended' ? 'It is moved.' : 'It is as it was.')}
        </div>
      )}
      {error && <ErrorBox error={error} />}
    </Dialog>
  );
}
