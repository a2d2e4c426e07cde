// One model that is open: its text at the left, what it becomes at the right.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Editor, type EditorControls } from '../parts/editor';
import { Icon } from '../parts/icon';
import { adjust, go, linkTo, place } from '../parts/place';
import { forWriters } from '../parts/roles';
import type { About, Diagnostic, Range, ServedModel } from '../server/workbench';
import { drafts, forgetDraft, keepDraft, layoutNames, modelName } from './drafts';
import { Guide } from './guide';
import { guided, guideFollows, guideOn } from './guided';
import { rememberModel } from './last_model';
import { LoadDialog } from './load_dialog';
import { ServeDialog } from './serve_dialog';
import { StopDialog } from './stop_dialog';
import { openFile } from './start_page';
import { Views } from './views';

export interface Opened {
  name: string;
  text: string;
  layout: string;
}
interface Parts {
  opened: Opened;
  about: About | null;
  served: ServedModel | null;
  onServed: () => void;
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `${name}.sheaf`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function Workspace({ opened, about, served, onServed }: Parts) {
  const { name } = opened;
  const [text, setText] = useState(opened.text);
  const [found, setMistakes] = useState<Diagnostic[] | null>(null); // null: it was not checked yet
  const mistakes = found ?? [];
  const [dialog, setDialog] = useState<'serve' | 'served' | 'load' | 'stop' | null>(null);
  useEffect(() => rememberModel(name), [name]);
  // Other pages lead here to serve it or to load data: ?open=load
  const { open } = place.value.query;
  useEffect(() => {
    if (open === undefined) return;
    setDialog(served && (open === 'load' || open === 'served') ? open : 'serve');
    adjust({ open: null });
  }, [open]);
  const controls = useRef<EditorControls | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const layouts = useMemo(() => layoutNames(text), [text]);
  const wanted = place.value.query['layout'] ?? opened.layout;
  const layout = layouts.includes(wanted) ? wanted : 'default';
  const isAsServed = served !== null && served.text === text;
  const errors = mistakes.filter((each) => each.severity === 1).length;
  const taken = about?.models.map((each) => each.name) ?? [];

  const change = (next: string) => {
    setText(next);
    if (served?.text === next) forgetDraft(name);
    else keepDraft(name, next, layout);
  };
  const goTo = (range: Range) => controls.current?.goTo(range);
  // What was clicked is gone with the dialog, and the editor is where it can be undone.
  const used = () => {
    guideOn(name, 'serve');
    setTimeout(() => controls.current?.focus());
  };
  const discard = () => {
    if (!confirm('Throw away what you changed, and take the text as it is served?')) return;
    forgetDraft(name);
    setText(served!.text);
  };
  return (
    <>
      <div class="bar">
        <h1>
          <a href={linkTo('model')}>Model</a> <span aria-hidden="true">/</span> {served ? name : (modelName(text) ?? name)}
        </h1>
        <Status served={served} isAsServed={isAsServed} />
        {served?.is_kept && (
          <button class="plain" aria-label="Stop serving…" {...forWriters('Stop serving it…')} onClick={() => setDialog('stop')}>
            <Icon name="stop" />
          </button>
        )}
        <span class="grow" />
        <button onClick={() => void controls.current?.format()} title="Lay the text out (Shift+Alt+F)">
          Format
        </button>
        <button onClick={() => file.current?.click()}>Open…</button>
        <input
          ref={file}
          type="file"
          accept=".sheaf,.txt,text/plain"
          hidden
          onChange={(event) => {
            void openFile(event.currentTarget.files?.[0], taken);
            event.currentTarget.value = '';
          }}
        />
        <button onClick={() => download(modelName(text) ?? name, text)}>Download</button>
        {served && !isAsServed && <button onClick={discard}>Throw away…</button>}
        {served && (
          <button {...forWriters()} onClick={() => setDialog('load')}>
            Load data…
          </button>
        )}
        {isAsServed && (served.is_moving || layouts.length > 1) && (
          <button class={served.layout === layout ? undefined : 'primary'} {...forWriters()} onClick={() => setDialog('serve')}>
            {served.layout === layout ? 'Move…' : `Move to ${layout}…`}
          </button>
        )}
        {isAsServed ? (
          <a class="button" href={linkTo('patterns', [name])}>
            <Icon name="run" /> Run its patterns
          </a>
        ) : (
          <button class="primary" disabled={errors > 0} {...forWriters(errors > 0 ? 'First mend what is wrong with it' : undefined)} onClick={() => setDialog('serve')}>
            <Icon name="run" /> Serve it
          </button>
        )}
      </div>
      {guided.value[name] && <Guide name={name} layout={layout} isServed={isAsServed} onServe={() => setDialog('serve')} onLoad={() => setDialog('load')} />}
      <div class="halves">
        <div class="text-half">
          <Editor
            value={text}
            onChange={change}
            language="sheaf"
            label={`Text of the model ${name}`}
            onReady={(ready) => (controls.current = ready)}
            onDiagnostics={setMistakes}
            onRun={() => errors === 0 && setDialog('serve')}
          />
          <div class="text-foot">
            <FirstMistake mistakes={found && found.filter((each) => each.severity === 1)} onGoTo={goTo} />
            <span class="soft leave" aria-hidden="true">
              Esc, then Tab: leave
            </span>
          </div>
        </div>
        <Views name={name} text={text} layout={layout} layouts={layouts} mistakes={mistakes} onLayout={(next) => adjust({ layout: next })} onGoTo={goTo} onText={change} onUsed={used} />
      </div>
      {(dialog === 'serve' || dialog === 'served') && (
        <ServeDialog
          isDone={dialog === 'served'}
          text={text}
          layout={layout}
          layouts={layouts}
          models={about?.models ?? []}
          onClose={() => setDialog(null)}
          onLoad={() => setDialog('load')}
          onMoving={onServed}
          onServed={(now) => {
            forgetDraft(now.name);
            guideFollows(name, now.name);
            guideOn(now.name, 'load');
            if (name !== now.name && drafts.peek()[name]) forgetDraft(name);
            onServed();
            if (now.name !== name) go('model', [now.name], { ...place.peek().query, layout: now.layout, open: 'served' });
            else {
              setText(now.text);
              adjust({ layout: now.layout });
            }
          }}
        />
      )}
      {dialog === 'stop' && served && (
        <StopDialog
          model={served}
          onClose={() => setDialog(null)}
          onStopped={() => {
            keepDraft(name, text, layout);
            setDialog(null);
            onServed();
          }}
        />
      )}
      {dialog === 'load' && served && <LoadDialog model={served} onLoaded={() => guideOn(name, 'run')} onClose={() => setDialog(null)} />}
    </>
  );
}

/** Its line is always there, so that nothing moves when a mistake is made or mended. */
function FirstMistake({ mistakes, onGoTo }: { mistakes: Diagnostic[] | null; onGoTo: (range: Range) => void }) {
  const [first] = [...(mistakes ?? [])].sort((a, b) => a.range.start.line - b.range.start.line);
  return (
    <div class="first-mistake" role="status">
      {mistakes && first ? (
        <>
          <button class="plain wrong" onClick={() => onGoTo(first.range)}>
            {mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`}
          </button>
          <span title={first.message}>
            Line {first.range.start.line + 1}: {first.message.split('\n')[0]}
          </span>
        </>
      ) : (
        mistakes && <span class="soft">No mistakes</span>
      )}
    </div>
  );
}

function Status({ served, isAsServed }: { served: ServedModel | null; isAsServed: boolean }) {
  return (
    <span class="row status" role="status">
      <span class="badge">{served === null ? 'Draft, not served' : isAsServed ? `Served in the layout ${served.layout}` : 'Changed, not served yet'}</span>
      {served?.is_moving && <span class="badge moving">moving</span>}
    </span>
  );
}
