// The guided start: what to do next, one step after the other.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { adjust, linkTo } from '../parts/place';
import { forWriters } from '../parts/roles';
import { endGuide, guided, guideOn, guideTo, type GuideStep, STEPS } from './guided';

interface Parts {
  name: string;
  layout: string;
  isServed: boolean;
  onServe: () => void;
  onLoad: () => void;
}
interface Told {
  title: string;
  text: string;
  action: ComponentChildren;
}

export function Guide({ name, layout, isServed, onServe, onLoad }: Parts) {
  const step = guided.value[name] ?? 'read';
  useEffect(() => {
    if (isServed && step === 'serve') guideOn(name, 'load');
  }, [isServed]);
  const all: Record<GuideStep, Told> = {
    read: {
      title: 'Read the model',
      text: 'At the left: two entities, one relation, and what is asked for. At the right it is drawn. Hover over a word to see what it means; change what you like.',
      action: <button class="primary" onClick={() => adjust({ view: 'diagram', layout: null })}>Show the diagram</button>,
    },
    items: {
      title: 'See the items',
      text: 'The same model in four layouts. Choose one under Layout, and see how its items lie side by side in the table and regroup in the index.',
      action: <button class="primary" onClick={() => adjust({ view: 'tables', layout: 'method1' })}>Show method 1</button>,
    },
    compare: {
      title: 'Compare',
      text: 'Measure the four ways on the same data: requests, units, bytes, and whether all answer alike. Nothing is stored for that.',
      action: (
        <a class="button primary" href={linkTo('compare', [name])}>
          Compare the methods
        </a>
      ),
    },
    choose: {
      title: 'Choose',
      text: 'For the relation there is an advice, with reasons, prices and the alternatives. “Use it…” shows what changes before you accept it. Or take one of the four layouts.',
      action: <button class="primary" onClick={() => adjust({ view: 'relations', layout: null })}>Show the relation</button>,
    },
    serve: {
      title: 'Serve it',
      text: isServed
        ? 'It is served: its tables are there, and its patterns can be asked for.'
        : `Sheaf makes the tables and offers the patterns to programs.${layout === 'default' ? '' : ` You look at the layout ${layout}: that one is offered first.`}`,
      action: (
        <button class={isServed ? undefined : 'primary'} {...forWriters()} onClick={onServe}>
          Serve it…
        </button>
      ),
    },
    load: {
      title: 'Load data',
      text: isServed ? 'Made up departments and employees, as many as you like.' : 'Made up departments and employees, as many as you like. Serve the model first.',
      action: (
        <button class="primary" onClick={onLoad} disabled={!isServed} {...forWriters(isServed ? undefined : 'Serve it first')}>
          Load data…
        </button>
      ),
    },
    run: {
      title: 'Run it',
      text: 'Run the patterns with values that exist, and see what each takes. Then make some load, and watch which keys are hot.',
      action: (
        <>
          <a class="button primary" href={linkTo('patterns', [name])}>
            Run the patterns
          </a>
          <a class="button" href={linkTo('heat')}>
            Watch heat
          </a>
        </>
      ),
    },
  };
  const next = STEPS[STEPS.indexOf(step) + 1];
  // What the step is about comes first, and Next is the lesser one, unless that is done.
  const isDone = step === 'serve' && isServed;
  return (
    <section class="guide" aria-label="Guided start">
      <ol>
        {STEPS.map((each, at) => (
          <li key={each}>
            <button class="plain" aria-current={each === step ? 'step' : undefined} onClick={() => guideTo(name, each)}>
              <span class="number">{at + 1}</span> {all[each].title}
            </button>
          </li>
        ))}
      </ol>
      <div class="row">
        <p class="grow">{all[step].text}</p>
        {all[step].action}
        {next && (
          <button class={isDone ? 'primary' : undefined} onClick={() => guideTo(name, next)}>
            Next
          </button>
        )}
      </div>
      <button
        class="plain close"
        aria-label="Close the guide"
        onClick={() => endGuide(name)}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
