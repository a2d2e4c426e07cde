// Item collections that are written to: how large they are against what is good or allowed, and when they will be there.
import { useState } from 'preact/hooks';
import { byteText, count, decimal } from '../parts/amount';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { Scrolled } from '../parts/scrolled';
import { describeTable } from '../server/dynamo';
import { busiest } from './by_entity';
import { BYTES_MAX, BYTES_MAX_LOCAL, collectionsOf, forecast, type Grown, ITEMS_MAX, lastOf, rememberSizes } from './growth';
import { heatOfOne } from './heat_answer';
import { collectionLink } from './key_list';
import { usePolled } from './polled';
import { percent } from './share';

interface Parts {
  seconds: number;
  isPaused: boolean;
  only: string | null; // a table
}
const FEW = 12;

export function Collections({ seconds, isPaused, only }: Parts) {
  const [showsAll, setShowsAll] = useState(false);
  const [round, setRound] = useState(0);
  const heat = usePolled(
    async (signal) => {
      const places =
        only === null
          ? (await busiest(seconds, 64, signal, (of) => (of.index ? -1 : of.writes.units_per_second))).places
          : [await heatOfOne({ table: only, index: null, seconds, keys: 64 }, signal)];
      rememberSizes(places);
      setRound((before) => before + 1);
      return places.length;
    },
    ['sizes', only, seconds],
    isPaused,
  );
  const all = collectionsOf(only);
  const tables = [...new Set(all.map((each) => each.table))].sort();
  const withLocal = useLoaded(async () => {
    const described = await Promise.all(tables.map((name) => describeTable(name).catch(() => null)));
    return new Set(described.filter((table) => (table?.LocalSecondaryIndexes ?? []).length > 0).map((table) => table!.TableName));
  }, [tables.join('\n')]);
  if (heat.error && all.length === 0) return <ErrorBox error={heat.error} onRetry={heat.again} />;
  if (heat.value === undefined && all.length === 0) return <p class="soft">Loading…</p>;
  const content =
    all.length === 0 ? (
      <p class="soft">
        No collection was written to in this time. Sizes are told of those that are written to, in tables with a sort key; to find what is large and nobody touches, use{' '}
        <a href={linkTo('heat', [], { view: 'limits' })}>Limits</a>.
      </p>
    ) : (
      <>
        <p class="soft">
          Collections that were written to in this time are listed. To see others, choose a longer time above; <a href={linkTo('heat', [], { view: 'limits' })}>Limits</a> reads through the tables of a model and finds what is large and
          nobody writes to. A good size is up to {byteText(BYTES_MAX)} and {count(ITEMS_MAX)} items; where a table has a local index, {byteText(BYTES_MAX_LOCAL)} is the end: writes are refused beyond it. Growth is what this page has seen
          while it was open.
        </p>
        <Scrolled label="Collection sizes">
        <table class="plain collections" data-round={round}>
          <thead>
            <tr>
              <th>Collection</th>
              {only === null && <th>Table</th>}
              <th>Items, of {count(ITEMS_MAX)}</th>
              <th>Bytes</th>
              <th class="number">items/min</th>
              <th>Reaches its limit</th>
            </tr>
          </thead>
          <tbody>
            {(showsAll ? all : all.slice(0, FEW)).map((grown) => (
              <Row key={grown.table + grown.name} of={grown} showsTable={only === null} hasLocal={withLocal.value?.has(grown.table) ?? false} />
            ))}
          </tbody>
        </table>
        </Scrolled>
        {all.length > FEW && (
          <button class="plain" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Only the largest' : `All ${count(all.length)}`}
          </button>
        )}
      </>
    );
  if (only !== null) return content;
  return (
    <section class="sheet">
      <h2>Collection sizes</h2>
      {content}
    </section>
  );
}

function Row({ of, showsTable, hasLocal }: { of: Grown; showsTable: boolean; hasLocal: boolean }) {
  const { items, bytes } = lastOf(of);
  const bytesMax = hasLocal ? BYTES_MAX_LOCAL : BYTES_MAX;
  const byItems = forecast(of, 'items', ITEMS_MAX);
  const byBytes = forecast(of, 'bytes', bytesMax);
  // The one that comes first is told.
  const isBytes = byBytes.seconds !== null && (byItems.seconds === null || byBytes.seconds < byItems.seconds);
  const next = isBytes ? byBytes : byItems;
  const limit = isBytes ? byteText(bytesMax) : `${count(ITEMS_MAX)} items`;
  return (
    <tr>
      <th scope="row">
        <a href={collectionLink(of.table, null, of.key, [])}>{of.name}</a>
        {!of.isWritten && <small class="soft">not written to at the moment</small>}
      </th>
      {showsTable && (
        <td>
          <a href={linkTo('heat', [of.table])}>{of.table}</a>
        </td>
      )}
      <td>
        <Meter label={`Items of ${of.name}`} value={items} max={ITEMS_MAX} text={count(items)} />
      </td>
      <td>
        <Meter label={`Bytes of ${of.name}`} value={bytes} max={bytesMax} text={`${byteText(bytes)} of ${byteText(bytesMax)}`} />
      </td>
      <td class="number">{byItems.isEarly ? '–' : decimal(Math.round(byItems.perSecond * 600) / 10)}</td>
      <td>
        {next.seconds === 0 ? (
          <span class="soon">is beyond {limit}</span>
        ) : (
          <>
            {next.seconds !== null && `${limit} `}
            <span class={next.seconds !== null && next.seconds < 86_400 ? 'soon' : undefined}>{next.text}</span>
          </>
        )}
        <small class="soft">{next.watchedText}</small>
      </td>
    </tr>
  );
}

export function Meter({ label, value, max, text }: { label: string; value: number; max: number; text: string }) {
  const share = max > 0 ? value / max : 0;
  return (
    <span class={share >= 0.8 ? 'limit high' : 'limit'}>
      <i role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={max} aria-valuenow={Math.min(value, max)} aria-valuetext={`${text}, ${percent(share)}`}>
        <b style={{ width: `${Math.min(100, share * 100)}%` }} />
      </i>
      <span>
        {text} <span class="soft">({percent(share)})</span>
      </span>
    </span>
  );
}
