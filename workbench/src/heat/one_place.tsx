// One table or index: how hot it is, where, and what is wrong with that.
import { counted } from '../parts/amount';
import { LineChart } from '../parts/line_chart';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { go, linkTo, place } from '../parts/place';
import { describeTable, indexesOf, keysOf } from '../server/dynamo';
import { RequestError } from '../server/session';
import { EntitySums } from './by_entity';
import { Collections } from './collections';
import { type Access, CHART_SECONDS, heatOfOne, type HeatOf, placeName, rate, type Whole, windowText } from './heat_answer';
import { KeyList } from './key_list';
import { KeyStrip, QuarterMap } from './partition_map';
import { usePolled } from './polled';
import { looks, quartersOf, rememberQuarters } from './seen';

interface Parts {
  table: string;
  index: string | null;
  seconds: number;
  isPaused: boolean;
  onMakeLoad: (() => void) | undefined;
}

export function OnePlace({ table, index, seconds, isPaused, onMakeLoad }: Parts) {
  const described = useLoaded(() => describeTable(table), [table]);
  const heat = usePolled(
    async (signal) => {
      const [whole, now] = await Promise.all([
        heatOfOne({ table, index, seconds, keys: 64 }, signal),
        heatOfOne({ table, index, seconds: CHART_SECONDS, keys: 1 }, signal),
      ]);
      rememberQuarters(now);
      return { whole, now };
    },
    [table, index, seconds],
    isPaused,
  );
  const isGone = heat.error instanceof RequestError && heat.error.code === 'not_found';
  if (isGone) return <Gone table={table} index={index} />;
  const partition = described.value ? keysOf(described.value, index).partition : [];
  const name = placeName({ table, ...(index ? { index } : {}) });
  return (
    <div class="column">
      <div class="row">
        <label class="row">
          <span class="soft">Shown</span>
          <select value={index ?? ''} onChange={(event) => go('heat', [table, ...(event.currentTarget.value ? [event.currentTarget.value] : [])], { window: place.value.query['window'] })}>
            <option value="">the table</option>
            {described.value && indexesOf(described.value).map((each) => <option key={each.IndexName} value={each.IndexName}>{`index ${each.IndexName}`}</option>)}
            {!described.value && index && <option value={index}>index {index}</option>}
          </select>
        </label>
        <a class="button" href={linkTo('tables', [table], { index })}>
          Open its collections
        </a>
      </div>
      {heat.error && !heat.value && <ErrorBox error={heat.error} onRetry={heat.again} />}
      {!heat.value && !heat.error && <p class="soft">Loading…</p>}
      {heat.value && (
        <>
          {heat.value.whole.findings.length > 0 && (
            <ul class="findings" aria-label="Findings">
              {heat.value.whole.findings.map((finding) => (
                <li key={finding.kind + finding.of} class="box warning">
                  <span class="badge">
                    {finding.kind}, {finding.of}
                  </span>{' '}
                  {finding.text}
                </li>
              ))}
            </ul>
          )}
          <section class="sheet">
            <h2>
              Capacity consumed <span class="soft">since this page is open</span>
            </h2>
            <Course name={name} />
          </section>
          <IdleNote of={heat.value.whole} onMakeLoad={onMakeLoad} />
          <div class={isOneSided(heat.value.whole) ? 'two one-sided' : 'two'}>
            <Side access="reads" title="Reads" seconds={seconds} whole={heat.value.whole} now={heat.value.now} partition={partition} />
            <Side access="writes" title="Writes" seconds={seconds} whole={heat.value.whole} now={heat.value.now} partition={partition} />
          </div>
          <section class="sheet">
            <h2>By entity</h2>
            <EntitySums places={[heat.value.whole]} />
          </section>
          {index === null && (
            <section class="sheet">
              <h2>Collection sizes</h2>
              <Collections seconds={seconds} isPaused={isPaused} only={table} />
            </section>
          )}
        </>
      )}
    </div>
  );
}

function Gone({ table, index }: { table: string; index: string | null }) {
  return (
    <div class="empty">
      <h2>{index ? `There is no index ${index} of ${table}` : `There is no table ${table}`}</h2>
      <p>It may have been deleted meanwhile.</p>
      <div class="row">
        <a class="button" href={linkTo('heat')}>
          All tables and indexes
        </a>
      </div>
    </div>
  );
}

function IdleNote({ of, onMakeLoad }: { of: HeatOf<Whole>; onMakeLoad: (() => void) | undefined }) {
  if (of.reads.requests_per_second + of.writes.requests_per_second > 0) return null;
  return (
    <div class="empty">
      <h2>Nobody asks it at the moment</h2>
      <p>Nothing was read or written in the last {counted(Math.round(of.seconds), 'second', 'seconds')}. Choose a longer time above, or wait.</p>
      {onMakeLoad && (
        <div class="row">
          <button class="primary" onClick={onMakeLoad}>
            Make some load
          </button>
        </div>
      )}
    </div>
  );
}

function Course({ name }: { name: string }) {
  const all = looks.value;
  const of = (what: 'reads' | 'writes' | 'throttled') => all.map((look) => look.of.get(name)?.[what] ?? 0);
  const throttled = of('throttled');
  return (
    <LineChart
      label={`Capacity consumed by ${name}`}
      unit={`per second, over ${CHART_SECONDS} s`}
      height={150}
      times={all.map((look) => look.at)}
      series={[
        { name: 'read units', colour: 1, values: of('reads') },
        { name: 'write units', colour: 2, values: of('writes') },
        ...(throttled.some((each) => each > 0) ? [{ name: 'throttled requests', colour: 'danger' as const, values: throttled }] : []),
      ]}
    />
  );
}

const isAsked = (of: Whole) => of.requests_per_second + of.throttled_per_second > 0;
const isOneSided = (of: HeatOf<Whole>) => isAsked(of.reads) !== isAsked(of.writes);
/** Below it a key is as good as any other. */
const STANDS_OUT = 0.005;

interface SideParts {
  access: Access;
  title: string;
  seconds: number;
  whole: HeatOf<Whole>;
  now: HeatOf<Whole>;
  partition: readonly string[];
}
function Side({ access, title, seconds, whole, now, partition }: SideParts) {
  const of = whole[access];
  const index = whole.index ?? null;
  return (
    <section class="sheet side" aria-label={title}>
      <h2>{title}</h2>
      <p>
        <b>{rate(of.units_per_second)}</b> units and <b>{rate(of.requests_per_second)}</b> requests a second in {windowText(seconds)}
        {of.throttled_per_second > 0 ? (
          <>
            , <b class="bad">{rate(of.throttled_per_second)} throttled</b>
          </>
        ) : (
          ', none throttled'
        )}
        {whole.partition_count !== undefined && `; ${counted(whole.partition_count, 'partition', 'partitions')} by now`}.
      </p>
      {isAsked(of) && (
        <div class="parts">
          <div>
            <QuarterMap access={access} seen={quartersOf(placeName(whole))} now={now[access]} />
            <KeyStrip access={access} keys={of.partitions} total={of.partition_keys} />
          </div>
          <KeyList caption="Hottest partition keys" keys={of.partitions.filter((key, at) => at === 0 || key.share >= STANDS_OUT).slice(0, 20)} table={whole.table} index={index} partition={partition} empty="None stands out." />
          <KeyList caption="Hottest items" keys={of.items.filter((key) => key.share >= STANDS_OUT).slice(0, 20)} table={whole.table} index={index} partition={partition} empty="None stands out: all are touched alike." />
          {of.throttled_partitions.length > 0 && (
            <KeyList caption="Throttled partition keys" keys={of.throttled_partitions.slice(0, 20)} table={whole.table} index={index} partition={partition} empty="" rateOf="refused" />
          )}
        </div>
      )}
    </section>
  );
}
