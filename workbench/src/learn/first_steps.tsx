// From nothing to a model that runs, in six steps. What can be seen to be done is ticked; the rest one ticks oneself.
import { useEffect } from 'preact/hooks';
import { looks } from '../heat/seen';
import { drafts } from '../model/drafts';
import { type Loaded, useLoaded } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { describeTable, isSheafsTable } from '../server/dynamo';
import { summaryOf } from '../server/models';
import type { About } from '../server/workbench';
import { BEGUN, STEP_IDS, steps } from './progress';

interface Step {
  id: (typeof STEP_IDS)[number];
  title: string;
  what: string;
  link: string;
  label: string;
}

const isOfStaff = ({ text }: { text: string }) => /\bentity\s+Department\b/.test(text) && /\bentity\s+Employee\b/.test(text);
/** The model of departments and employees: one's own, served or as a draft, or else the example. */
function staffModel(models: About['models']): string | null {
  const found = models.filter(isOfStaff);
  const own = Object.values(drafts.value)
    .filter(isOfStaff)
    .sort((a, b) => b.changed.localeCompare(a.changed));
  return (own[0] ?? found.find((each) => each.is_kept) ?? found[0])?.name ?? null;
}

function stepsFor(model: string | null): Step[] {
  const path = model === null ? [] : [model]; // without one, each page says how to begin
  return [
    {
      id: 'design',
      title: 'Design departments and employees',
      what: 'On the Model page, choose “Departments and employees”: two entities, a relation between them, and the questions that will be asked. Change what you like; mistakes are told as you type.',
      link: linkTo('model'),
      label: 'Begin a model',
    },
    {
      id: 'compare',
      title: 'Compare the four methods',
      what: 'A foreign key with an index, the same with copies, and relationship items in two ways: run all four on the same data, and see requests, units and bytes side by side, and that all answer alike.',
      link: linkTo('compare', path),
      label: 'Compare',
    },
    {
      id: 'pick',
      title: 'Pick one, and serve it',
      what: 'On the Model page, look at the relation Department.staff: what the advisor says, and what the other ways would cost. One click changes it. Then serve the model: its tables are made.',
      link: linkTo('model', path, { view: 'relations' }),
      label: 'See the relation',
    },
    {
      id: 'load',
      title: 'Load data',
      what: 'Load made-up departments and employees on the Model page, as many as you like. The Tables page shows them as item collections: put an index beside the table, and see them regroup.',
      link: linkTo('model', path, { open: 'load' }),
      label: 'Load data',
    },
    {
      id: 'run',
      title: 'Run the patterns',
      what: 'Ask for a team by its department, and for the department of an employee. Each shows the document, the requests behind it and what they cost, planned against actual.',
      link: linkTo('patterns', path),
      label: 'Run a pattern',
    },
    {
      id: 'heat',
      title: 'Watch heat',
      what: 'Make some load, and see which keys are hot, how it spreads over partitions, and what comes near a limit.',
      link: linkTo('heat'),
      label: 'Watch heat',
    },
  ];
}

/** Another page has kept something under this name, and not nothing. */
function isKept(name: string): boolean {
  const kept = localStorage.getItem(name) ?? sessionStorage.getItem(name);
  return kept !== null && !['', '{}', '[]', 'null'].includes(kept);
}

async function hasItems(model: string): Promise<boolean> {
  const { tables } = await summaryOf(model);
  const described = await Promise.all(tables.filter((name) => !isSheafsTable(name)).map((name) => describeTable(name)));
  return described.some((table) => table.ItemCount > 0);
}

export function FirstSteps({ known }: { known: Loaded<About> }) {
  const models = known.value?.models ?? [];
  const model = staffModel(models);
  const served = models.find((each) => each.name === model);
  const items = useLoaded(() => (served ? hasItems(served.name).catch(() => false) : Promise.resolve(false)), [served?.name]);
  useEffect(() => {
    document.title = 'First steps · Sheaf';
    steps.set(BEGUN, true);
    const seen: Record<string, boolean> = {
      design: (served?.is_kept ?? false) || isKept('sheaf.model-drafts'),
      compare: isKept('sheaf.measurements'),
      pick: served?.is_kept ?? false,
      heat: looks.value.some((look) => [...look.of.keys()].some((name) => !isSheafsTable(name.split(' / ')[0]!))),
      // The examples have their data from the start: that was nobody's step.
      load: (served?.is_kept ?? false) && (items.value ?? false),
    };
    for (const [id, isDone] of Object.entries(seen)) if (isDone) steps.set(id, true);
  }, [served, items.value]);
  const done = steps.of.value;
  const all = stepsFor(model);
  const next = all.find((step) => !done.has(step.id));
  return (
    <div class="page learn">
      <div class="row way">
        <a href={linkTo('learn')}>Learn</a>
      </div>
      <h1>First steps</h1>
      <p class="lead">You know DynamoDB, and Sheaf is new to you: six steps, ten minutes, and everything happens on these pages. “First steps” in the navigation brings you back here.</p>
      <ol class="steps">
        {all.map((step, at) => (
          <li key={step.id} class={step === next ? 'sheet next' : 'sheet'}>
            <label class="check">
              <input type="checkbox" checked={done.has(step.id)} onChange={(event) => steps.set(step.id, event.currentTarget.checked)} />
              <b>
                {at + 1}. {step.title}
              </b>
              <span class="soft">{done.has(step.id) ? 'done' : ''}</span>
            </label>
            <p>{step.what}</p>
            <a class={step === next ? 'button next' : 'button'} href={step.link}>
              {step.label}
            </a>
          </li>
        ))}
      </ol>
      {!next && (
        <p class="box note">
          That was all. The <a href={linkTo('learn')}>tour through the examples</a> shows 25 more ideas.
        </p>
      )}
    </div>
  );
}
