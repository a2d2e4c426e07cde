// A model that was served here is not offered any more. Its tables stay.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { ErrorBox } from '../parts/loaded';
import { tell } from '../parts/toasts';
import { type ServedModel, stopServing } from '../server/workbench';

export function StopDialog({ model, onClose, onStopped }: { model: ServedModel; onClose: () => void; onStopped: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const stop = async () => {
    setBusy(true);
    setError(null);
    try {
      await stopServing(model.name);
      tell(`${model.name} is not served any more`);
      onStopped();
    } catch (failed) {
      setError(failed as Error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Stop serving ${model.name}?`}
      onClose={onClose}
      onSubmit={() => void stop()}
      footer={
        <>
          <button type="button" onClick={onClose}>
            No
          </button>
          <button class="danger" aria-disabled={isBusy}>
            Stop serving it
          </button>
        </>
      }
    >
      <p>Programs cannot ask for its patterns and operations any more, and its jobs stop. Its tables stay with all of their items, and its text stays here as a draft: serve it again, and all is as before.</p>
      {error && <ErrorBox error={error} />}
    </Dialog>
  );
}
