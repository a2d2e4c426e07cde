// Serves a model: its tables are made, its patterns offered. What is stored otherwise already has to be moved.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { ErrorBox } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { forWriters } from '../parts/roles';
import { type ServedModel, serveModel } from '../server/workbench';
import { freeName, modelName, renamed } from './drafts';
import { MovePanel } from './move_panel';

interface Parts {
  isDone: boolean; // just now; it only has to be said
  text: string;
  layout: string;
  layouts: string[];
  models: ServedModel[];
  onClose: () => void;
  onLoad: () => void;
  onMoving: () => void;
  onServed: (now: ServedModel) => void;
}

export function ServeDialog({ isDone, text, layout: shown, layouts, models, onClose, onLoad, onMoving, onServed }: Parts) {
  const wanted = modelName(text) ?? 'mine';
  const before = models.find((each) => each.name === wanted) ?? null;
  const isOfFile = before !== null && !before.is_kept;
  const isSameText = before?.text === text;
  const [layout, setLayout] = useState(shown);
  const [name, setName] = useState(isOfFile && !isSameText ? freeName(wanted, models.map((each) => each.name)) : wanted);
  // The same text in another layout is stored otherwise, in any case: who has chosen that sees at once what moves.
  const movesAtOnce = before !== null && (before.is_moving || (isSameText && before.layout !== shown));
  const [state, setState] = useState<'asking' | 'working' | 'moving' | 'done'>(isDone ? 'done' : movesAtOnce ? 'moving' : 'asking');
  const [error, setError] = useState<Error | null>(null);
  const isTaken = name !== wanted && models.some((each) => each.name === name);
  const isNew = before === null || name !== wanted;
  const isSame = !isNew && isSameText && before.layout === layout;
  const isMove = !isNew && isSameText && !isSame;

  const serve = async () => {
    if (isMove) {
      setState('moving');
      return;
    }
    setState('working');
    setError(null);
    try {
      const now = await serveModel(isNew && name !== wanted ? renamed(text, name) : text, layout);
      setState('done');
      onServed(now);
    } catch (failed) {
      setError(failed as Error);
      setState('asking');
    }
  };

  if (state === 'moving' && before)
    return <MovePanel before={before} text={isSameText ? before.text : text} layout={layout} onClose={onClose} onStep={onMoving} onMoved={onServed} />;
  return (
    <Dialog
      title={isNew ? 'Serve the model' : isSameText && state !== 'done' ? `Move ${wanted}` : `Serve ${wanted}`}
      onClose={onClose}
      onSubmit={() => state === 'asking' && !isSame && void serve()}
      footer={
        state === 'done' || (isSame && state === 'asking') ? (
          <>
            <button type="button" onClick={onClose}>
              Done
            </button>
            <a class="button" href={linkTo('patterns', [name])}>
              Run the patterns
            </a>
            <button type="button" class="primary" onClick={onLoad}>
              Load sample data…
            </button>
          </>
        ) : (
          <>
            {error && !isNew && (
              <button type="button" onClick={() => setState('moving')}>
                Move what is stored…
              </button>
            )}
            <button class="primary" disabled={name === '' || isTaken} aria-disabled={state === 'working'} {...forWriters()}>
              {state === 'working' ? 'One moment…' : isMove ? 'See what moves' : 'Serve it'}
            </button>
          </>
        )
      }
    >
      {state === 'done' ? (
        <div class="box note" role="status">
          {name} is served. Its tables are there, and programs can ask for its patterns at <code>/models/{name}</code>.
        </div>
      ) : (
        <>
          {isSame && <div class="box note">It is served as it is here. Choose another layout to move it there.</div>}
          {isNew && <p>Sheaf makes the tables of the layout, and offers patterns and operations to programs. Nothing is deleted.</p>}
          {!isNew && !isSameText && <p>The model is served already. This text takes its place; what is stored stays, and has to be moved only if it lies otherwise then.</p>}
          {isOfFile && !isSameText && (
            <>
              <div class="box warning">{wanted} is a file of the server, which only whoever runs it can change. Serve your text as a model with another name.</div>
              <label class="field">
                Name
                <input value={name} pattern="[A-Za-z_][A-Za-z0-9_]*" required onInput={(event) => setName(event.currentTarget.value.trim())} />
              </label>
              {isTaken && <p class="soft">There is a model of this name already.</p>}
            </>
          )}
          {layouts.length > 1 && (
            <label class="field">
              Layout that it is stored in
              <select value={layout} onChange={(event) => setLayout(event.currentTarget.value)}>
                {layouts.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
          )}
          {!isNew && before.layout !== layout && (
            <p class="soft">
              It is stored in the layout {before.layout} now. Next you see what has to move to {layout}.
            </p>
          )}
        </>
      )}
      {error && <ErrorBox error={error} />}
      {error && !isNew && <p class="soft">If items lie otherwise in the new text, they have to be moved: you see what that means before anything is done.</p>}
    </Dialog>
  );
}
