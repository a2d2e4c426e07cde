// All tables and indexes, the busiest first, and what they have consumed over the last minutes.
import { useState } from 'preact/hooks';
import { counted } from '../parts/amount';
import { LineChart, type Series, Sparkline } from '../parts/line_chart';
import { linkTo, place } from '../parts/place';
import { Scrolled } from '../parts/scrolled';
import { CHART_SECONDS, heatOfAll, type HeatOf, isBusy, isOwn, loadOf, placeName, rate, type Summary, windowText } from './heat_answer';
import { usePolled } from './polled';
import { type Look, looks, type Seen } from './seen';
import { ShareBar } from './share';

interface Parts {
  seconds: number;
  isPaused: boolean;
  onMakeLoad: (() => void) | undefined;
}

export function Overview({ seconds, isPaused, onMakeLoad }: Parts) {
  const heat = usePolled((signal) => heatOfAll(seconds, signal), [seconds], isPaused);
  const [showsIdle, setShowsIdle] = useState(false);
  if (!heat.value) return heat.error ? null : <p class="soft">Loading…</p>;
  const busy = heat.value.filter((each) => isBusy(each) && !isOwn(each)).sort((a, b) => loadOf(b) - loadOf(a) || placeName(a).localeCompare(placeName(b)));
  const idle = heat.value.filter((each) => !busy.includes(each)).sort((a, b) => loadOf(b) - loadOf(a));
  if (heat.value.length === 0) return <NoTables />;
  if (busy.length === 0) return <Idle places={heat.value} onMakeLoad={onMakeLoad} />;
  return (
    <div class="column">
      <Findings places={busy} />
      <section class="sheet">
        <Consumed />
      </section>
      <section class="sheet">
        <h2>
          Tables and indexes <span class="soft">rates of {windowText(seconds)}</span>
        </h2>
        <Scrolled label="Tables and indexes">
          <Table places={showsIdle ? [...busy, ...idle] : busy} />
        </Scrolled>
        {idle.length > 0 && (
          <p class="soft">
            {showsIdle ? 'All are shown, those of Sheaf itself, too. ' : `Left out: ${counted(idle.length, 'table or index that is', 'tables and indexes that are')} idle or Sheaf’s own (NAME-sheaf). `}
            <button class="plain" onClick={() => setShowsIdle(!showsIdle)}>
              {showsIdle ? 'Show the busy ones only' : 'Show them'}
            </button>
          </p>
        )}
      </section>
    </div>
  );
}

function NoTables() {
  return (
    <div class="empty">
      <h2>There are no tables yet</h2>
      <p>Make one, or serve a model: its tables are made with it.</p>
      <div class="row">
        <a class="button" href={linkTo('tables')}>
          Tables
        </a>
        <a class="button" href={linkTo('learn', ['first-steps'])}>
          First steps
        </a>
      </div>
    </div>
  );
}

function Idle({ places, onMakeLoad }: { places: HeatOf<Summary>[]; onMakeLoad: (() => void) | undefined }) {
  const watched = places.filter((each) => !isOwn(each));
  const tables = watched.filter((each) => !each.index).length;
  return (
    <div class="empty">
      <h2>Nothing is asked at the moment</h2>
      <p>
        {counted(tables, 'table', 'tables')} and {counted(watched.length - tables, 'index', 'indexes')} are watched. As soon as somebody reads or writes, it shows here within two seconds.
      </p>
      <div class="row">
        {onMakeLoad && (
          <button class="primary" onClick={onMakeLoad}>
            Make some load
          </button>
        )}
        <a class="button" href={linkTo('patterns')}>
          Run a pattern
        </a>
      </div>
    </div>
  );
}

function Findings({ places }: { places: HeatOf<Summary>[] }) {
  const all = places.flatMap((each) => each.findings.map((finding) => ({ each, finding })));
  if (all.length === 0) return null;
  return (
    <ul class="findings" aria-label="Findings">
      {all.map(({ each, finding }) => (
        <li key={placeName(each) + finding.kind + finding.of} class="box warning">
          <a href={linkTo('heat', [each.table, ...(each.index ? [each.index] : [])])}>{placeName(each)}</a> <span class="badge">{finding.kind}</span> {finding.text}
        </li>
      ))}
    </ul>
  );
}

type Which = 'both' | 'reads' | 'writes';
const SHOWN = 6;
const amountOf = (seen: Seen | undefined, which: Which) => (seen === undefined ? 0 : which === 'both' ? seen.reads + seen.writes : seen[which]);

/** Those that consumed most, and the others in one. Sheaf's own are left out: it looks at them all the time. */
function stacked(all: Look[], which: Which): Series[] {
  const sums = new Map<string, number>();
  for (const look of all) for (const [name, seen] of look.of) sums.set(name, (sums.get(name) ?? 0) + amountOf(seen, which));
  const names = [...sums].filter(([name, sum]) => sum > 0 && !isOwn({ table: name })).sort((a, b) => b[1] - a[1]);
  const top = names.map(([name]) => name).slice(0, SHOWN);
  const series: Series[] = top.map((name, at) => ({ name, colour: at + 1, values: all.map((look) => amountOf(look.of.get(name), which)) }));
  const others = names.map(([name]) => name).filter((name) => !top.includes(name));
  if (others.length > 0)
    series.push({
      name: counted(others.length, 'other', 'others'),
      colour: 'rest',
      values: all.map((look) => others.reduce((sum, name) => sum + amountOf(look.of.get(name), which), 0)),
    });
  return series;
}

function Consumed() {
  const [which, setWhich] = useState<Which>('both');
  const all = looks.value;
  return (
    <>
      <div class="row">
        <h2 class="grow">
          Capacity consumed <span class="soft">since this page is open</span>
        </h2>
        <label class="row">
          <span class="hidden-text">Of which requests</span>
          <select value={which} onChange={(event) => setWhich(event.currentTarget.value as Which)}>
            <option value="both">reads and writes</option>
            <option value="reads">reads</option>
            <option value="writes">writes</option>
          </select>
        </label>
      </div>
      <LineChart
        label={`Capacity consumed by table and index, ${which === 'both' ? 'reads and writes' : which}`}
        unit={`units per second, over ${CHART_SECONDS} s`}
        times={all.map((look) => look.at)}
        series={stacked(all, which)}
        isStacked
      />
    </>
  );
}

const SPARK_MS = 5 * 60 * 1000;

function Table({ places }: { places: HeatOf<Summary>[] }) {
  const all = looks.value;
  const last = all[all.length - 1]?.at ?? 0;
  const recent = all.filter((look) => last - look.at <= SPARK_MS);
  return (
    <table class="plain heat-table">
      <thead>
        <tr>
          <th rowSpan={2}>Table or index</th>
          <th rowSpan={2}>Last minutes</th>
          <th colSpan={3} class="group">
            Reads
          </th>
          <th colSpan={3} class="group">
            Writes
          </th>
          <th rowSpan={2} class="number">
            Throttled/s
          </th>
        </tr>
        <tr>
          {['Reads', 'Writes'].map((of) => [
            <th key={of + 1} class="number" aria-label={`${of}: units per second`}>
              units/s
            </th>,
            <th key={of + 2} class="number" aria-label={`${of}: requests per second`}>
              requests/s
            </th>,
            <th key={of + 3} class="number" aria-label={`${of}: share of the hottest key`}>
              hottest key
            </th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {places.map((each) => {
          const name = placeName(each);
          const throttled = each.reads.throttled_per_second + each.writes.throttled_per_second;
          const course = recent.map((look) => amountOf(look.of.get(name), 'both'));
          return (
            <tr key={name}>
              <th scope="row">
                <a href={linkTo('heat', [each.table, ...(each.index ? [each.index] : [])], { window: place.value.query['window'] })}>{name}</a>
                {each.findings.length > 0 && <span class="badge finding">{counted(each.findings.length, 'finding', 'findings')}</span>}
              </th>
              <td>
                <Sparkline values={course} label={`Units per second of ${name}: from ${rate(course[0] ?? 0)} to ${rate(course[course.length - 1] ?? 0)}, at most ${rate(Math.max(0, ...course))}`} />
              </td>
              <RateCells of={each.reads} />
              <RateCells of={each.writes} />
              <td class={throttled > 0 ? 'number bad' : 'number'}>{rate(throttled)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function RateCells({ of }: { of: Summary }) {
  return (
    <>
      <td class="number">{rate(of.units_per_second)}</td>
      <td class="number">{rate(of.requests_per_second)}</td>
      <td class="number">{of.requests_per_second > 0 ? <ShareBar share={of.hottest_share} /> : <span class="soft">–</span>}</td>
    </>
  );
}
