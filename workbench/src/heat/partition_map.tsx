// How reads or writes are spread: over the parts of the table as time goes, and over partition keys.
import { count } from '../parts/amount';
import { type Access, CHART_SECONDS, type HotKey, keyName, rate, type Whole } from './heat_answer';
import { type Quarters, QUARTER_COLUMNS } from './seen';
import { percent } from './share';

const STEPS = 5;
const CELL = 10;
const ROW = 18;

/** 0: nothing; 1 to 5: of the most that was seen. */
const stepOf = (value: number, most: number) => (value <= 0 || most <= 0 ? 0 : Math.max(1, Math.ceil((value / most) * STEPS)));

export function QuarterMap({ access, seen, now }: { access: Access; seen: Quarters[]; now: Whole }) {
  const rows = now.quarters.length;
  if (rows === 0) return null;
  const sum = now.quarters.reduce((total, each) => total + each, 0);
  const most = Math.max(0, ...seen.flatMap((each) => each[access]));
  const shares = now.quarters.map((each) => (sum > 0 ? each / sum : 0));
  const told = shares.map((share, at) => `quarter ${at + 1}: ${percent(share)}`).join(', ');
  const width = QUARTER_COLUMNS * CELL;
  return (
    <div class="quarter-map">
      <h3>Over partitions</h3>
      <p class="soft">
        Quarters of the key space, by the hash of the partition key: a new on-demand table has a partition for each; shares are of the last {CHART_SECONDS} seconds. {sum > 0 && evenness(shares)}
      </p>
      <div class="quarter-rows">
        <svg viewBox={`0 0 ${width} ${rows * ROW}`} preserveAspectRatio="none" role="img" aria-label={`Heat map of ${access} since this page is open, over the last two minutes at most. Now ${told}.`}>
          <rect class="step-none" x={width - seen.length * CELL} y={0} width={seen.length * CELL} height={rows * ROW} />
          {seen.map((column, at) =>
            column[access].map((value, row) => (
              <rect key={`${at} ${row}`} class={`step-${stepOf(value, most)}`} x={(QUARTER_COLUMNS - seen.length + at) * CELL} y={row * ROW} width={CELL} height={ROW - 2} />
            )),
          )}
        </svg>
        <ul aria-hidden="true">
          {shares.map((share, at) => (
            <li key={at}>{sum > 0 ? percent(share) : '–'}</li>
          ))}
        </ul>
      </div>
      <p class="legend">
        <span>{seen.length < QUARTER_COLUMNS ? 'since this page is open' : 'two minutes ago'}</span>
        <span class="steps">
          0
          {[0, 1, 2, 3, 4, 5].map((step) => (
            <i key={step} class={`step-${step}`} aria-hidden="true" />
          ))}
          {rate(most)} units/s
        </span>
        <span>now</span>
      </p>
    </div>
  );
}

function evenness(shares: number[]): string {
  const most = Math.max(...shares);
  if (most > 0.9) return `Nearly all of it goes to quarter ${shares.indexOf(most) + 1}.`;
  if (most > 0.5) return `Quarter ${shares.indexOf(most) + 1} has more than half.`;
  return 'They share it rather evenly.';
}

/** The hottest keys as parts of a strip, each as wide as its share. */
export function KeyStrip({ access, keys, total }: { access: Access; keys: HotKey[]; total: number }) {
  if (keys.length === 0) return null;
  const shown = keys.slice(0, 12);
  const rest = Math.max(0, 1 - shown.reduce((sum, key) => sum + key.share, 0));
  const told = shown.slice(0, 5).map((key) => `${keyName(key)} ${percent(key.share)}`);
  return (
    <div class="key-strip">
      <h3>Over partition keys</h3>
      <p class="soft">{total > 5000 ? 'More than 5,000 different keys.' : total === 1 ? 'All of it goes to one key.' : `About ${count(Math.round(total))} different keys.`}</p>
      <div role="img" aria-label={`Shares of ${access} by partition key: ${told.join(', ')}${rest > 0.001 ? `, all others ${percent(rest)}` : ''}.`}>
        {shown
          .filter((key) => key.share > 0.002)
          .map((key) => (
            <span key={keyName(key)} class={`cell step-${stepOf(key.share, Math.max(0.5, shown[0]!.share))}`} style={{ flexGrow: key.share * 100 }} title={`${keyName(key)}: ${percent(key.share)}`}>
              {key.share > 0.05 ? keyName(key) : ''}
            </span>
          ))}
        {rest > 0.002 && (
          <span class="cell step-none" style={{ flexGrow: rest * 100 }} title={`All others: ${percent(rest)}`}>
            {rest > 0.12 ? 'others' : ''}
          </span>
        )}
      </div>
    </div>
  );
}
