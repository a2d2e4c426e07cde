// Where one begins: a guided start, a new model, a file, or one of those that are there.
import { useRef } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { type Loaded, Show, useLoaded } from '../parts/loaded';
import { go, linkTo } from '../parts/place';
import { tellError } from '../parts/toasts';
import { about as askAbout, type About } from '../server/workbench';
import { drafts, forgetDraft, freeName, keepDraft, modelName, renamed } from './drafts';
import { guideTo } from './guided';
import { DEPARTMENTS, NEW_MODEL } from './starts';

/** Keeps a text as a new draft and opens it. */
export function openNew(text: string, taken: Iterable<string>, isGuided = false): void {
  const wanted = modelName(text) ?? 'mine';
  const name = freeName(wanted, taken);
  keepDraft(name, name === wanted ? text : renamed(text, name), 'default');
  if (isGuided) guideTo(name, 'read');
  go('model', [name]);
}
export async function openFile(file: File | undefined, taken: Iterable<string>): Promise<void> {
  if (!file) return;
  try {
    openNew(await file.text(), taken);
  } catch (error) {
    tellError(error);
  }
}

export function StartPage({ about }: { about: Loaded<About> }) {
  const file = useRef<HTMLInputElement>(null);
  const served = about.value?.models ?? [];
  const taken = served.map((each) => each.name);
  const examples = useLoaded(async () => (await import('./example_texts')).EXAMPLES, []);
  // Whoever is quick must not get a name that is taken.
  const begin = async (text: string, isGuided: boolean) => {
    const names = about.value ? taken : await askAbout().then(({ models }) => models.map((each) => each.name), () => []);
    openNew(text, names, isGuided);
  };
  const isServed = new Set(taken);
  const own = Object.values(drafts.value).sort((a, b) => b.changed.localeCompare(a.changed));
  return (
    <div class="page">
      <div class="title">
        <h1>Model</h1>
        <span class="soft">What there is, how it relates, and how it is asked for. Sheaf makes the keys, the indexes and the requests.</span>
      </div>
      <div class="starts">
        <button class="start primary" onClick={() => void begin(DEPARTMENTS, true)}>
          <strong>Departments and employees</strong>
          <span>A guided start: one relation, four ways to store it. Compare them, choose one, load data, run it.</span>
        </button>
        <button class="start" onClick={() => void begin(NEW_MODEL, false)}>
          <strong>A new model</strong>
          <span>Begin with two entities and a relation, and make them yours.</span>
        </button>
        <button class="start" onClick={() => file.current?.click()}>
          <strong>Open a file</strong>
          <span>A model that you have as NAME.sheaf.</span>
        </button>
        <input ref={file} type="file" accept=".sheaf,.txt,text/plain" hidden onChange={(event) => void openFile(event.currentTarget.files?.[0], taken)} />
      </div>
      {own.length > 0 && (
        <section class="choices">
          <h2>Drafts in this browser</h2>
          <ul>
            {own.map((draft) => (
              <li key={draft.name}>
                <a href={linkTo('model', [draft.name])}>{modelName(draft.text) ?? draft.name}</a>
                <span class="soft">
                  {isServed.has(draft.name) ? 'changed, not served yet' : 'not served yet'}, {new Date(draft.changed).toLocaleString()}
                </span>
                <button class="plain" aria-label={`Throw the draft ${draft.name} away`} onClick={() => confirm(`Throw the draft ${draft.name} away?`) && forgetDraft(draft.name)}>
                  <Icon name="trash" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="choices">
        <h2>Served here</h2>
        <Show of={about}>
          {({ models }) =>
            models.length === 0 ? (
              <p class="soft">None yet. Serve a model, and it is offered to programs at /models/NAME.</p>
            ) : (
              <ul>
                {models.map((model) => (
                  <li key={model.name}>
                    <a href={linkTo('model', [model.name])}>{model.name}</a>
                    <span class="soft">{titleOf(model.text) || `layout ${model.layout}`}</span>
                  </li>
                ))}
              </ul>
            )
          }
        </Show>
      </section>
      <Show of={examples}>
        {(all) => {
          const others = all.filter((each) => !isServed.has(each.name));
          if (others.length === 0) return null;
          return (
            <section class="choices">
              <h2>Examples</h2>
              <ul>
                {others.map((each) => (
                  <li key={each.name}>
                    <a href={linkTo('model', [each.name])}>{each.name}</a>
                    <span class="soft">{each.title}</span>
                  </li>
                ))}
              </ul>
            </section>
          );
        }}
      </Show>
    </div>
  );
}

/** The first sentence that a model says of itself. */
function titleOf(text: string): string {
  const said = /^((?:\/\/\/.*\n)+)/.exec(text)?.[1]?.replace(/^\/\/\/ ?/gm, '').replace(/\n/g, ' ') ?? '';
  return (/^.*?[.:](?=\s|$)/.exec(said)?.[0] ?? said).replace(/[.:]\s*$/, '').trim();
}
