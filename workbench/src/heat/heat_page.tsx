// Heat: what is read and written now, of all tables and indexes, and of each.
import { useState } from 'preact/hooks';
import { steps } from '../learn/progress';
import { GuideLink } from '../model/guide_link';
import { lastModel } from '../model/last_model';
import { Icon } from '../parts/icon';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { adjust, linkTo, place } from '../parts/place';
import { Tabs } from '../parts/tabs';
import { about } from '../server/workbench';
import { ByEntity } from './by_entity';
import { Collections } from './collections';
import { CHART_SECONDS, heatOfAll, isBusy, isForbidden, isOwn, isTurnedOff, WINDOWS } from './heat_answer';
import './heat.css';
import { LoadState, MakeLoad } from './make_load';
import { OnePlace } from './one_place';
import { Overview } from './overview';
import { usePolled } from './polled';
import { remember } from './seen';
import { WatchLimits } from './watch_limits';

const VIEWS = [
  { name: 'tables', label: 'Tables and indexes' },
  { name: 'entities', label: 'Entities' },
  { name: 'collections', label: 'Collections' },
  { name: 'limits', label: 'Limits' },
] as const;
type View = (typeof VIEWS)[number]['name'];

export function HeatPage() {
  const { path, query } = place.value;
  const [table, index] = path;
  const window = WINDOWS.find((each) => String(each.seconds) === query['window']) ?? WINDOWS[0];
  const view: View = VIEWS.find((each) => each.name === query['view'])?.name ?? 'tables';
  const [isPaused, setPaused] = useState(false);
  const [isMakingLoad, setMakingLoad] = useState(false);
  const known = useLoaded(about, []);
  const isDevelopment = known.value?.mode === 'development';
  // The charts live on this one, whatever is shown below.
  const now = usePolled(
    async (signal) => {
      const resources = await heatOfAll(CHART_SECONDS, signal);
      remember(resources);
      if (resources.some((each) => isBusy(each) && !isOwn(each))) steps.set('heat', true);
      return resources;
    },
    ['now'],
    isPaused,
  );
  const onMakeLoad = isDevelopment ? () => setMakingLoad(true) : undefined;
  const error = now.error;
  const isBlocked = error !== undefined && (isTurnedOff(error) || isForbidden(error));
  return (
    <div class="page heat">
      <div class="title">
        {table === undefined ? (
          <h1>Heat</h1>
        ) : (
          <h1>
            <a href={linkTo('heat', [], { window: query['window'] })}>Heat</a> <span class="soft">/</span> {index ? `${table} / ${index}` : table}
          </h1>
        )}
        {!isBlocked && <span class="soft">{isPaused ? 'paused' : `asked every 2 seconds; rates of ${window.text}`}</span>}
        <span class="grow" />
        {!isBlocked && (
          <>
            <div role="group" aria-label="Rates of the last" class="choice">
              {WINDOWS.map(({ seconds, label, text }) => (
                <button key={seconds} aria-pressed={seconds === window.seconds} title={`Rates of ${text}`} onClick={() => adjust({ window: seconds === 60 ? null : String(seconds) })}>
                  {label}
                </button>
              ))}
            </div>
            <button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
              <Icon name={isPaused ? 'run' : 'stop'} /> {isPaused ? 'Go on' : 'Pause'}
            </button>
            {onMakeLoad && (
              <button onClick={onMakeLoad}>
                <Icon name="heat" /> Make some load
              </button>
            )}
          </>
        )}
      </div>
      <LoadState />
      <GuideLink model={lastModel()} />
      {error && isTurnedOff(error) ? (
        <NotCounted />
      ) : error && isForbidden(error) ? (
        <NotAllowed error={error} onRetry={now.again} />
      ) : (
        <>
          {error && <ErrorBox error={error} onRetry={now.again} />}
          {table !== undefined ? (
            <OnePlace key={`${table}/${index ?? ''}`} table={table} index={index ?? null} seconds={window.seconds} isPaused={isPaused} onMakeLoad={onMakeLoad} />
          ) : (
            <Tabs label="What to show" tabs={VIEWS} chosen={view} onChoose={(name) => adjust({ view: name === 'tables' ? null : name })}>
              {view === 'tables' && <Overview seconds={window.seconds} isPaused={isPaused} onMakeLoad={onMakeLoad} />}
              {view === 'entities' && <ByEntity seconds={window.seconds} isPaused={isPaused} />}
              {view === 'collections' && <Collections seconds={window.seconds} isPaused={isPaused} only={null} />}
              {view === 'limits' && <WatchLimits models={known} />}
            </Tabs>
          )}
        </>
      )}
      {isMakingLoad && <MakeLoad table={table ?? null} onClose={() => setMakingLoad(false)} />}
    </div>
  );
}

function NotCounted() {
  return (
    <div class="empty">
      <h2>This server does not count heat</h2>
      <p>
        It was started with <code>--no-heat</code>. Start it without that option to see which keys are read and written most.
      </p>
    </div>
  );
}

function NotAllowed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div class="empty">
      <h2>Your access key may not see heat</h2>
      <p>Whoever may Query may ask for it. Use another key (below the navigation), or ask whoever runs the server for the role readonly.</p>
      <p class="soft">{error.message}</p>
      <div class="row">
        <button onClick={onRetry}>Try again</button>
      </div>
    </div>
  );
}
