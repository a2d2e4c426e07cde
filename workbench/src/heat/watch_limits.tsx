// `sheaf watch` from the page: what comes near a limit in the tables of a model, by entity, and when it will be there.
import { useEffect, useRef, useState } from 'preact/hooks';
import { byteText, count, counted, decimal } from '../parts/amount';
import { Icon } from '../parts/icon';
import { lastModel } from '../model/last_model';
import { ErrorBox, type Loaded, Show, useLoaded } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { Scrolled } from '../parts/scrolled';
import { type About, CommandError, runCommand, type ServedModel } from '../server/workbench';
import { ownerOf } from '../tables/owner';
import { busyTables } from './busy_tables';
import { Meter } from './collections';
import { durationText } from './growth';

interface Line {
  event: 'begins' | 'worsens' | 'ends' | 'figure' | 'end';
  limit: string;
  point?: string;
  table: string;
  index?: string;
  kind?: string;
  name?: string;
  severity?: 'note' | 'warning' | 'error';
  at?: string;
  value: number;
  line: number;
  watched_seconds: number;
  growth_per_day?: number;
  seconds_to_limit?: number;
  requests?: number;
  items?: number;
  heat?: boolean;
}

const MEANINGS: Record<string, string> = {
  'item-bytes': 'Size of an item',
  few: 'Entries within one item',
  'declared-max': 'Entries within one item, of what the model declares',
  'collection-bytes': 'Size of a collection',
  'collection-bytes-max': 'Size of a collection, with a local index',
  'collection-items': 'Items of a collection',
  'sort-key-bytes': 'Length of a sort key',
  'partition-reads': 'Reads of one partition key, units a second',
  'partition-writes': 'Writes of one partition key, units a second',
  throttled: 'Requests refused',
  'few-keys': 'Traffic to five partition keys or fewer',
  uneven: 'One partition key has half of the traffic',
};
const HAS_NO_LINE = ['throttled', 'few-keys', 'uneven'];
const FORECAST_AFTER = 15; // seconds
// All are long enough for a forecast, also of what is found only while tables are read through.
const TIMES = [
  { value: '75s', label: '75 seconds' },
  { value: '5m', label: '5 minutes' },
];

function linesOf(output: string): Line[] {
  return output.split('\n').flatMap((text) => {
    try {
      return text.trim() === '' ? [] : [JSON.parse(text) as Line];
    } catch {
      return []; // the last one may not be whole yet
    }
  });
}
const amount = (line: Line, value: number) => (line.limit.includes('bytes') ? byteText(value) : line.limit === 'declared-max' ? `${decimal(value)} %` : decimal(value));

export function WatchLimits({ models }: { models: Loaded<About> }) {
  return (
    <section class="sheet">
      <h2>What comes near a limit</h2>
      <p class="soft">
        Looks at the tables of a model for a while: sizes of items and collections, lengths of keys, traffic of partition keys. It also reads through the tables, with 300 requests a minute at most, to find what is large and nobody
        touches. Forecasts need time to watch.
      </p>
      <Show of={models}>{(about) => <Watching models={about.models} />}</Show>
    </section>
  );
}

/** The one whose tables are busiest, or else the one that was opened last. */
async function usualModel(): Promise<string | null> {
  for (const table of await busyTables().catch(() => [])) {
    const owner = await ownerOf(table);
    if (owner) return owner.name;
  }
  return lastModel();
}

function Watching({ models }: { models: ServedModel[] }) {
  const [chosen, setName] = useState<string | null>(null);
  const usual = useLoaded(() => usualModel().catch(() => null), []).value;
  const name = chosen ?? (models.find((each) => each.name === usual) ?? models[0])?.name ?? '';
  const [time, setTime] = useState(TIMES[0]!.value);
  const [lines, setLines] = useState<Line[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const model = models.find((each) => each.name === name);
  if (models.length === 0)
    return (
      <p>
        No model is served. <a href={linkTo('model')}>Serve one</a>, and its limits can be watched here.
      </p>
    );
  const watch = async () => {
    if (!model) return;
    setName(model.name); // it stays, whatever is busy meanwhile
    const control = new AbortController();
    stop.current = control;
    setRunning(true);
    setError(null);
    setLines([]);
    try {
      const run = await runCommand(
        ['watch', '--model', `model.sheaf:${model.layout}`, '--endpoint', '@server', '--for', time, '--every', '5s', '--forecast-after', `${FORECAST_AFTER}s`, '--requests', '300', '--json'],
        { files: { 'model.sheaf': model.text }, signal: control.signal, onProgress: (run) => setLines(linesOf(run.output)), accepts: [0, 1] },
      );
      if (run.status === 1 && linesOf(run.output).length === 0) throw new CommandError(run);
      setLines(linesOf(run.output));
    } catch (failure) {
      if (!control.signal.aborted) setError(failure as Error);
      else setLines((before) => (before && before.length > 0 ? before : null));
    }
    setRunning(false);
  };
  return (
    <>
      <form
        class="row watch-form"
        onSubmit={(event) => {
          event.preventDefault();
          void watch();
        }}
      >
        <label class="field">
          Model
          <select value={name} onChange={(event) => setName(event.currentTarget.value)} disabled={isRunning}>
            {models.map((each) => (
              <option key={each.name} value={each.name}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          For
          <select value={time} onChange={(event) => setTime(event.currentTarget.value)} disabled={isRunning}>
            {TIMES.map((each) => (
              <option key={each.value} value={each.value}>
                {each.label}
              </option>
            ))}
          </select>
        </label>
        {isRunning ? (
          <button type="button" class="at-foot" onClick={() => stop.current?.abort()}>
            <Icon name="stop" /> Stop
          </button>
        ) : (
          <button class="primary at-foot">
            <Icon name="run" /> Watch
          </button>
        )}
      </form>
      <div aria-live="polite">{isRunning && <p class="soft">Watching {name}… What begins is told at once, the figures at the end.</p>}</div>
      {error && <ErrorBox error={error} />}
      {lines && <Told lines={lines} isRunning={isRunning} />}
    </>
  );
}

function Told({ lines, isRunning }: { lines: Line[]; isRunning: boolean }) {
  const events = lines.filter((line) => line.event !== 'figure' && line.event !== 'end');
  const figures = lines.filter((line) => line.event === 'figure');
  const end = lines.find((line) => line.event === 'end');
  return (
    <>
      {events.length > 0 && (
        <ul class="findings" aria-label="Events">
          {events.map((line, at) => (
            <li key={at} class={`box ${line.severity ?? 'note'}`}>
              <span class="badge">
                {line.severity} {line.event}
              </span>{' '}
              {line.name ?? line.kind ?? ''} in {line.table}
              {line.index ? ` / ${line.index}` : ''}: {MEANINGS[line.limit] ?? line.limit}
              {!HAS_NO_LINE.includes(line.limit) && `: ${amount(line, line.value)} of ${amount(line, line.line)}`}
              {line.seconds_to_limit !== undefined && `; there in ${durationText(line.seconds_to_limit)} at this rate`}
            </li>
          ))}
        </ul>
      )}
      {figures.length > 0 && (
        <Scrolled label="Limits">
          <table class="plain collections">
            <thead>
              <tr>
                <th>Limit</th>
                <th>Entity or relation</th>
                <th>Nearest to it</th>
                <th>How near</th>
                <th>Forecast</th>
              </tr>
            </thead>
            <tbody>
              {figures.map((line, at) => (
                <tr key={at}>
                  <th scope="row">{MEANINGS[line.limit] ?? line.limit}</th>
                  <td>
                    {line.kind ?? ''} <small class="soft">{line.index ? `${line.table} / ${line.index}` : line.table}</small>
                  </td>
                  <td>{line.name ?? ''}</td>
                  <td>{HAS_NO_LINE.includes(line.limit) ? count(line.value) : <Meter label={`${MEANINGS[line.limit]} of ${line.name}`} value={line.value} max={line.line} text={`${amount(line, line.value)} of ${amount(line, line.line)}`} />}</td>
                  <td>
                    {forecastText(line)}
                    {forecastText(line) && <small class="soft">watched for {durationText(line.watched_seconds)}</small>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {end && (
        <p class="soft">
          Watched for {durationText(end.watched_seconds)}: {counted(end.requests ?? 0, 'request', 'requests')}, {counted(end.items ?? 0, 'item', 'items')} looked at; {events.length === 0 ? 'nothing began.' : `${count(events.length)} told.`}
          {end.heat === false && ' The server does not count heat, so traffic was not seen.'}
        </p>
      )}
      {!isRunning && !end && <p class="soft">It was stopped before the figures were told.</p>}
    </>
  );
}

function forecastText(line: Line): string {
  if (HAS_NO_LINE.includes(line.limit) || line.limit.startsWith('partition-')) return '';
  if (line.value >= line.line) return 'is beyond it';
  if (line.seconds_to_limit !== undefined) return `in ${durationText(line.seconds_to_limit)} at this rate`;
  if (line.watched_seconds < FORECAST_AFTER) return 'too early to say';
  return line.growth_per_day !== undefined && line.growth_per_day > 0 ? 'grows too unevenly to say' : 'does not grow';
}
