// Who takes least: the ranking, and the figures side by side as bars.
import { byteText, decimal } from '../parts/amount';
import { BarChart } from '../parts/bar_chart';
import { bytesOf, type Contestant, type Criterion, type Measured, unitsOf } from './measurement';

interface Parts {
  result: Measured;
  names: Record<string, string>;
  chosen: string | null;
  onChoose: (name: string) => void;
  wordsOf: (name: string) => string; // what the model says of a layout
}

const ratio = (value: number): string => `${decimal(value)}×`;
const serves = ({ unserved }: Contestant) => unserved.length === 0;

export function Ranking({ result, names, chosen, onChoose, wordsOf }: Parts) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The ranking">
      <table class="plain ranking">
        <caption class="hidden-text">The ranking, the best first</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              <span class="hidden-text">Place</span>
            </th>
            <th scope="col">Stored</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Units
            </th>
            <th scope="col" class="number">
              Bytes
            </th>
            <th scope="col" class="number">
              Items a write
            </th>
            <th scope="col" class="number">
              Units a write
            </th>
            <th scope="col" class="number">
              Latency
            </th>
            <th scope="col">What it lacks</th>
          </tr>
        </thead>
        <tbody>
          {result.layouts.map((each, i) => {
            const { mix, ratio_to_best: to } = each;
            const figure = (text: string, times: number) => (
              <td class="number">
                {text} <span class={times === 1 && serves(each) ? 'best-mark' : 'soft'}>{serves(each) ? (times === 1 ? 'best' : ratio(times)) : ''}</span>
              </td>
            );
            return (
              <tr key={each.name} class={each.name === chosen ? 'chosen' : undefined}>
                <td class="number soft">{serves(each) ? i + 1 : '–'}</td>
                <th scope="row">
                  <button type="button" class="plain link" aria-pressed={each.name === chosen} title={each.name} onClick={() => onChoose(each.name)}>
                    {names[each.name]}
                  </button>
                  {wordsOf(each.name) && <div class="layout-words">{wordsOf(each.name)}</div>}
                </th>
                {figure(decimal(mix.requests), to.requests)}
                {figure(decimal(unitsOf(each)), to.units)}
                {figure(byteText(bytesOf(each)), to.bytes)}
                <td class="number">{decimal(mix.items_a_write)}</td>
                {figure(decimal(mix.units_a_write), to.amplification)}
                {figure(`${decimal(mix.latency_us)} µs`, to.latency)}
                <td>
                  {each.unserved.length > 0 && <span class="badge over">✕ cannot {each.unserved.join(', ')}</span>}
                  {each.unserved.length === 0 && each.shortfalls.map((text) => <div key={text}>{text}</div>)}
                  {each.shortfalls.length === 0 && <span class="soft">nothing</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function Charts({ result, names, chosen, onChoose }: Parts) {
  const chart = (title: string, hint: string, value: (of: Contestant) => number, text: (of: Contestant) => string) => (
    <div class="sheet">
      <BarChart
        title={title}
        hint={hint}
        chosen={chosen}
        onChoose={onChoose}
        bars={result.layouts.map((each) => ({ name: each.name, label: names[each.name]!, value: value(each), text: text(each), isPale: !serves(each) }))}
      />
    </div>
  );
  return (
    <div class="charts">
      {chart('Requests', 'of an average call', ({ mix }) => mix.requests, ({ mix }) => decimal(mix.requests))}
      {chart('Units', 'of an average call', unitsOf, (each) => decimal(unitsOf(each)))}
      {chart('Bytes stored', 'tables and indexes', bytesOf, (each) => byteText(bytesOf(each)))}
      {chart('Write amplification', 'units of an average write', ({ mix }) => mix.units_a_write, ({ mix }) => decimal(mix.units_a_write))}
      {chart('Items written', 'by an average write', ({ mix }) => mix.items_a_write, ({ mix }) => decimal(mix.items_a_write))}
      {chart('Latency', 'median, in one process', ({ mix }) => mix.latency_us, ({ mix }) => `${decimal(mix.latency_us)} µs`)}
    </div>
  );
}

export const CRITERIA: { name: Criterion; label: string }[] = [
  { name: 'requests', label: 'fewest requests' },
  { name: 'units', label: 'fewest units' },
  { name: 'bytes', label: 'fewest bytes' },
  { name: 'amplification', label: 'fewest units a write' },
  { name: 'latency', label: 'shortest time' },
];

export function Winners({ result, names, onChoose }: Omit<Parts, 'chosen'>) {
  const whole = result.layouts.filter(serves);
  return (
    <dl class="winners">
      {CRITERIA.map(({ name, label }) => {
        const best = whole.filter((each) => each.ratio_to_best[name] === 1);
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              {best.length === 0
                ? '–'
                : best.slice(0, 2).map((each, i) => (
                    <>
                      {i > 0 && ', '}
                      <button key={each.name} type="button" class="plain link" title={each.name} onClick={() => onChoose(each.name)}>
                        {names[each.name]}
                      </button>
                    </>
                  ))}
              {best.length > 2 && <span class="soft"> and {best.length - 2} more</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
