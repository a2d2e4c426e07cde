// What a month costs at given rates, by layout or by the strategies that were measured.
import { useState } from 'preact/hooks';
import { decimal } from '../parts/amount';
import { BarChart } from '../parts/bar_chart';
import { Icon } from '../parts/icon';
import type { Declared, DeclaredWork } from '../patterns/declared';
import type { Comparable } from './comparable';
import { type Bill, billOf, costRuns, type Costs, type Rates, sumOf, tellCosts } from './cost_run';
import type { Measurement } from './measurement';

const PER = ['s', 'min', 'h', 'day'] as const;
const KEPT = 'sheaf.rates';

function keptRates(model: string): Rates {
  try {
    return ((JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Record<string, Rates>)[model] ?? {}) as Rates;
  } catch {
    return {};
  }
}
function keepRates(model: string, rates: Rates): void {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Record<string, Rates>;
    sessionStorage.setItem(KEPT, JSON.stringify({ ...all, [model]: rates }));
  } catch {
    // They are asked for again.
  }
}
const split = (rate: string | undefined): [string, string] => {
  const [amount = '', per = 's'] = (rate ?? '').split('/');
  return [amount, per];
};

interface Parts {
  model: Comparable;
  declared: Declared;
  measurement: Measurement | undefined;
  names: Record<string, string>;
}

export function CostPart({ model, declared, measurement, names }: Parts) {
  const [rates, setRates] = useState<Rates>(() => keptRates(model.name));
  const [what, setWhat] = useState<'layouts' | 'strategies'>('layouts');
  const [mode, setMode] = useState<Bill['mode']>('on_demand');
  const run = costRuns.value[model.name];
  const strategies = (measurement?.result?.layouts ?? []).filter((each) => each.text !== undefined && each.unserved.length === 0);
  const change = (to: Rates) => {
    setRates(to);
    keepRates(model.name, to);
  };
  const tell = () =>
    void tellCosts({
      model: model.name,
      text: model.text,
      rates,
      scale: measurement?.options.scale ?? '1',
      strategies: what === 'strategies' && strategies.length > 0 ? strategies.map((each) => ({ name: names[each.name] ?? each.name, text: each.text!, layout: measurement!.options.layout })) : null,
    });
  const work = [...(declared.patterns ?? []), ...(declared.operations ?? [])];
  return (
    <section class="sheet cost" aria-label="What a month costs">
      <h3>What a month costs</h3>
      <p class="soft">Say how often each is asked for. Everything is run and metered on a throw-away database; what was metered is multiplied with the rates and the prices.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tell();
        }}
      >
        <div class="rates">
          {work.map((each) => (
            <RateField key={each.name} of={each} rate={rates[each.name]} onChange={(rate) => change({ ...rates, [each.name]: rate })} />
          ))}
        </div>
        <div class="row">
          <label class="field">
            Compare
            <select value={what} onChange={(event) => setWhat(event.currentTarget.value as typeof what)}>
              <option value="layouts">the layouts of the model ({model.layouts.length})</option>
              {strategies.length > 0 && <option value="strategies">the strategies measured above ({strategies.length})</option>}
            </select>
          </label>
          <label class="field">
            Billed
            <select value={mode} onChange={(event) => setMode(event.currentTarget.value as typeof mode)}>
              <option value="on_demand">on demand</option>
              <option value="provisioned">provisioned</option>
            </select>
          </label>
          <button class="primary" aria-disabled={run?.state === 'running'}>
            <Icon name="run" /> Tell the cost
          </button>
          {run?.state === 'running' && (
            <span role="status">
              <progress max={run.all} value={run.all > 1 ? run.done : undefined} /> {run.all > 1 ? `${run.done} of ${run.all}` : 'metering…'}
            </span>
          )}
        </div>
      </form>
      {run?.state === 'failed' && (
        <div class="box error" role="alert">
          {run.error}
        </div>
      )}
      {run?.costs && <CostTable costs={run.costs} mode={mode} what={run.what} />}
    </section>
  );
}

function RateField({ of, rate, onChange }: { of: DeclaredWork; rate: string | undefined; onChange: (rate: string) => void }) {
  // What the model says counts as long as nothing is typed; typing goes on in its unit.
  const own = of.rate ? `${of.rate.count}/${of.rate.per}` : undefined;
  const [amount, typedPer] = split(rate);
  const [ownAmount, ownPer] = split(own);
  const per = amount === '' ? ownPer : typedPer;
  return (
    <fieldset class="rate">
      <legend>{of.name}</legend>
      <input aria-label={`${of.name}: how often`} inputMode="decimal" pattern="[0-9.]*" placeholder={ownAmount || 'not asked'} value={amount} onInput={(event) => onChange(event.currentTarget.value === '' ? '' : `${event.currentTarget.value}/${per}`)} />
      <select aria-label={`${of.name}: in which time`} value={per} onChange={(event) => onChange(`${amount}/${event.currentTarget.value}`.replace(/^\/.*/, ''))} disabled={amount === ''}>
        {PER.map((each) => (
          <option key={each} value={each}>
            {each === 's' ? 'a second' : each === 'min' ? 'a minute' : each === 'h' ? 'an hour' : 'a day'}
          </option>
        ))}
      </select>
    </fieldset>
  );
}

function CostTable({ costs, mode, what }: { costs: Costs; mode: Bill['mode']; what: 'layouts' | 'strategies' }) {
  const rows = costs.rows.map((each) => ({ ...each, bill: billOf(each, mode) })).sort((a, b) => Number(a.bill?.total ?? 0) - Number(b.bill?.total ?? 0));
  const { currency } = costs.prices;
  const work = costs.rows[0]?.work.filter(({ rate }) => rate) ?? [];
  const none = costs.rows[0]?.work.filter(({ rate }) => !rate).map(({ name }) => name) ?? [];
  const money = (value: number) => (value === 0 ? '0' : value < 0.01 ? '< 0.01' : value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  const least = Math.min(...rows.map(({ bill }) => Number(bill?.total ?? Infinity)));
  return (
    <>
      <BarChart
        title={`${currency} a month, ${mode === 'on_demand' ? 'on demand' : 'provisioned'}`}
        bars={rows.map(({ name, bill }) => {
          const total = Number(bill?.total ?? 0);
          return { name, value: total, text: money(total), note: least > 0 && total > least ? `${decimal(total / least)}×` : '' };
        })}
      />
      <div class="scroll" tabIndex={0} role="region" aria-label="The bill">
        <table class="plain bill">
          <thead>
            <tr>
              <th scope="col">{what === 'layouts' ? 'Layout' : 'Strategy'}</th>
              {work.map(({ name, rate }) => (
                <th key={name} scope="col" class="number">
                  {name} <small>{rate}</small>
                </th>
              ))}
              <th scope="col" class="number">
                Reads
              </th>
              <th scope="col" class="number">
                Writes
              </th>
              <th scope="col" class="number">
                Storage
              </th>
              <th scope="col" class="number">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, bill }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {work.map((each) => (
                  <td key={each.name} class="number">
                    {money(sumOf(bill, (line) => line.work === each.name))}
                  </td>
                ))}
                {['reads', 'writes', 'storage'].map((kind) => (
                  <td key={kind} class="number">
                    {money(sumOf(bill, (line) => line.what === kind))}
                  </td>
                ))}
                <td class="number">
                  <b>{money(Number(bill?.total ?? 0))}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft">
        Measured on {costs.measuredOn}. Prices: {costs.prices.region}, {costs.prices.date}, {costs.prices.source}.
        {none.length > 0 && ` Without a rate, so not in the bill: ${none.join(', ')}.`}
      </p>
      {costs.failed.length > 0 && (
        <>
          <h4>Not in the bill, because the model forbids them</h4>
          <dl class="reasons">
            {costs.failed.map(({ name, reason }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{reason}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}
