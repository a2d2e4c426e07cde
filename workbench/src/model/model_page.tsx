// The model as a text, and beside it what it becomes.
import { useEffect, useState } from 'preact/hooks';
import { ErrorBox, Show, useLoaded } from '../parts/loaded';
import { linkTo, place } from '../parts/place';
import { type About, about, type ServedModel } from '../server/workbench';
import { drafts } from './drafts';
import type { Example } from './example_texts';
import { StartPage } from './start_page';
import { type Opened, Workspace } from './workspace';
import './diagram.css';
import './figures.css';
import './model.css';
import './relations.css';

export function ModelPage() {
  const [name] = place.value.path;
  const known = useLoaded(about, []);
  if (name === undefined) return <StartPage about={known} />;
  return (
    <div class="model">
      {known.error && (
        <div class="bar">
          <ErrorBox error={known.error} onRetry={known.again} />
        </div>
      )}
      {(known.value || known.error) && <Find key={name} name={name} about={known.value ?? null} onServed={known.again} />}
      {known.isLoading && !known.value && <p class="soft view-hint">One moment…</p>}
    </div>
  );
}

/** A draft comes first, then what is served, then an example. */
function Find({ name, about, onServed }: { name: string; about: About | null; onServed: () => void }) {
  const served: ServedModel | null = about?.models.find((each) => each.name === name) ?? null;
  const draft = drafts.peek()[name];
  const needsExample = !draft && !served;
  const example = useLoaded<Example | null>(async () => (needsExample ? ((await import('./example_texts')).EXAMPLES.find((each) => each.name === name) ?? null) : null), [name, needsExample]);
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    if (opened) return;
    const { layout } = place.peek().query;
    if (draft) setOpened({ name, text: draft.text, layout: layout ?? draft.layout });
    else if (served) setOpened({ name, text: served.text, layout: layout ?? served.layout });
    else if (example.value) setOpened({ name, text: example.value.text, layout: layout ?? 'default' });
  }, [example.value, served]);
  if (opened) return <Workspace opened={opened} about={about} served={served} onServed={onServed} />;
  return (
    <Show of={example}>
      {(found) =>
        found === null ? (
          <div class="empty">
            <h2>There is no model named {name}</h2>
            <p>It may have been renamed, or its draft is in another browser.</p>
            <div class="row">
              <a class="button" href={linkTo('model')}>
                Choose another, or begin a new one
              </a>
            </div>
          </div>
        ) : null
      }
    </Show>
  );
}
