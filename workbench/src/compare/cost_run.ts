// What a month costs, by layout or strategy: `sheaf model cost --json`.
import { signal } from '@preact/signals';
import { filesOf, MODEL_FILE } from '../patterns/model_view';
import { runForJson } from '../server/workbench';

export interface BillLine {
  what: 'reads' | 'writes' | 'storage' | string;
  work?: string;
  table?: string;
  index?: string;
  amount: string;
}
export interface Bill {
  mode: 'on_demand' | 'provisioned';
  total: string;
  lines: BillLine[];
  warnings?: string[];
}
export interface CostOfLayout {
  layout: string;
  work: { name: string; kind: string; rate?: string; a_million_runs: string }[];
  bills: Bill[];
  unserved?: unknown[];
}
interface CostAnswer {
  measured_on: string;
  prices: { region: string; date: string; source: string; currency: string; hours_per_month: number };
  layouts: CostOfLayout[];
}
export interface Costs {
  measuredOn: string;
  prices: CostAnswer['prices'];
  rows: (CostOfLayout & { name: string })[];
  failed: { name: string; reason: string }[];
}

export type Rates = Record<string, string>; // team: 100/s
export interface CostRequest {
  model: string;
  text: string;
  rates: Rates;
  scale: string;
  /** Models that each have a strategy of their own; without them, the layouts of the model. */
  strategies: { name: string; text: string; layout: string }[] | null;
}
export interface CostRun {
  model: string;
  what: 'layouts' | 'strategies';
  state: 'running' | 'done' | 'failed';
  done: number;
  all: number;
  costs?: Costs;
  error?: string;
}

const KEPT = 'sheaf.costs';
function kept(): Record<string, CostRun> {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Record<string, CostRun>;
    return Object.fromEntries(Object.entries(all).filter(([, run]) => run.state === 'done'));
  } catch {
    return {};
  }
}
/** The last of each model. */
export const costRuns = signal<Record<string, CostRun>>(kept());
const set = (run: CostRun) => {
  costRuns.value = { ...costRuns.value, [run.model]: run };
  if (run.state !== 'done') return;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(costRuns.value));
  } catch {
    // No room: then it is not there after the page is loaded again.
  }
};

/** Of what the checker says only the mistakes, without where they are. */
function mistakesIn(text: string): string {
  const found = [...text.matchAll(/ error: (.*?)(?: \[[\w-]+\])?$/gm)].map((each) => each[1]!);
  return found.length > 0 ? found.join('; ') : text;
}

function optionsOf(rates: Rates, scale: string): string[] {
  const given = Object.entries(rates).filter(([, rate]) => rate.trim() !== '');
  return ['--json', ...given.flatMap(([name, rate]) => ['--rate', `${name}=${rate.trim()}`]), ...(scale.trim() && scale.trim() !== '1' ? ['--scale', scale.trim()] : [])];
}

export async function tellCosts({ model, text, rates, scale, strategies }: CostRequest): Promise<void> {
  const all = strategies?.length ?? 1;
  const what = strategies ? 'strategies' : 'layouts';
  let run: CostRun = { model, what, state: 'running', done: 0, all };
  set(run);
  try {
    const options = optionsOf(rates, scale);
    const costs: Costs = { measuredOn: '', prices: { region: '', date: '', source: '', currency: '', hours_per_month: 730 }, rows: [], failed: [] };
    const add = (answer: CostAnswer, name: (layout: string) => string) => {
      costs.measuredOn = answer.measured_on;
      costs.prices = answer.prices;
      costs.rows.push(...answer.layouts.map((each) => ({ ...each, name: name(each.layout) })));
    };
    if (!strategies) add(await runForJson<CostAnswer>(['model', 'cost', MODEL_FILE, '--compare', ...options], { files: filesOf(text) }), (layout) => layout);
    for (const each of strategies ?? []) {
      try {
        add(await runForJson<CostAnswer>(['model', 'cost', MODEL_FILE, '--layout', each.layout, ...options], { files: filesOf(each.text) }), () => each.name);
      } catch (error) {
        costs.failed.push({ name: each.name, reason: mistakesIn(error instanceof Error ? error.message : String(error)) });
      }
      run = { ...run, done: run.done + 1 };
      set(run);
    }
    if (costs.rows.length === 0 && costs.failed.length > 0) throw new Error(costs.failed[0]!.reason);
    set({ ...run, state: 'done', costs });
  } catch (error) {
    set({ ...run, state: 'failed', error: error instanceof Error ? error.message : String(error) });
  }
}

export const billOf = (of: CostOfLayout, mode: Bill['mode']): Bill | undefined => of.bills.find((each) => each.mode === mode);
export const sumOf = (bill: Bill | undefined, isWanted: (line: BillLine) => boolean): number =>
  (bill?.lines ?? []).filter(isWanted).reduce((sum, line) => sum + Number(line.amount), 0);
