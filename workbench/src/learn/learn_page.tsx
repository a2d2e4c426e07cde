// Learn: first steps, the tour through the examples, and the rules of the linter.
import { useEffect, useState } from 'preact/hooks';
import { counted } from '../parts/amount';
import { Icon } from '../parts/icon';
import { useLoaded } from '../parts/loaded';
import { linkTo, place } from '../parts/place';
import { about, type About } from '../server/workbench';
import { ExamplePage } from './example_page';
import { FirstSteps } from './first_steps';
import './learn.css';
import { LintPage } from './lint_page';
import { toured } from './progress';
import { GROUPS, type Stop, stopOf, TOUR } from './tour';

export function LearnPage() {
  const [first, second] = place.value.path;
  const known = useLoaded(about, []);
  if (first === undefined) return <Contents known={known.value} />;
  if (first === 'first-steps') return <FirstSteps known={known} />;
  if (first === 'lint') return <LintPage known={known} rule={second ?? null} />;
  const stop = stopOf(first);
  if (stop) return <ExamplePage key={stop.model} stop={stop} known={known} />;
  return (
    <div class="page learn">
      <div class="empty">
        <h1>There is no example called {first}</h1>
        <div class="row">
          <a class="button" href={linkTo('learn')}>
            All examples
          </a>
        </div>
      </div>
    </div>
  );
}

const matches = (stop: Stop, wanted: string) =>
  wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `e${stop.number} ${stop.model} ${stop.title} ${stop.group} ${stop.about} ${stop.look.join(' ')}`.toLowerCase().includes(word));

function Contents({ known }: { known: About | undefined }) {
  const [wanted, setWanted] = useState('');
  const seen = toured.of.value;
  const found = TOUR.filter((stop) => matches(stop, wanted));
  const next = TOUR.find((stop) => !seen.has(stop.model));
  const count = TOUR.filter((stop) => seen.has(stop.model)).length;
  useEffect(() => {
    document.title = 'Learn · Sheaf';
  }, []);
  return (
    <div class="page learn">
      <div class="title">
        <h1>Learn</h1>
        <span class="soft">Item collections, relations and their keys, one example at a time. Each is a live model to play with.</span>
      </div>
      <div class="cards">
        <a class="sheet card" href={linkTo('learn', ['first-steps'])}>
          <h2>First steps</h2>
          <p>Design departments and employees, compare the four methods, pick one, load data, run the patterns, watch heat.</p>
        </a>
        <a class="sheet card" href={linkTo('learn', [(next ?? TOUR[0]!).model])}>
          <h2>{count === 0 ? 'Start the tour' : next ? 'Go on with the tour' : 'You have seen the whole tour'}</h2>
          <p>
            {next ? `Next: ${next.title}.` : 'Begin again whenever you like.'} {count} of {TOUR.length} seen.
          </p>
          <progress max={TOUR.length} value={count} aria-label="Examples seen" />
        </a>
        <a class="sheet card" href={linkTo('learn', ['lint'])}>
          <h2>What the linter knows</h2>
          <p>Anti-patterns of single-table design, each with a wrong and a right example, and what it finds in your models.</p>
        </a>
      </div>
      <div class="row search">
        <h2 class="grow">The examples</h2>
        <input type="search" placeholder="Find an example" aria-label="Find an example" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        <span class="soft" aria-live="polite">
          {counted(found.length, 'example', 'examples')}
        </span>
      </div>
      {found.length === 0 && <p>None is about “{wanted}”. Try a word such as index, copy, month or edge.</p>}
      {GROUPS.map((group) => {
        const stops = found.filter((stop) => stop.group === group);
        if (stops.length === 0) return null;
        return (
          <section key={group}>
            <h3>{group}</h3>
            <ul class="stops">
              {stops.map((stop) => (
                <li key={stop.model}>
                  <a href={linkTo('learn', [stop.model])}>
                    <span class="number">E{stop.number}</span>
                    <span class="grow">
                      {stop.title} <small class="soft mono">{stop.model}</small>
                    </span>
                    {known && !known.models.some((each) => each.name === stop.model) && <small class="badge">not served</small>}
                    {seen.has(stop.model) && (
                      <span class="done">
                        <Icon name="lint" /> <span class="hidden-text">seen</span>
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
