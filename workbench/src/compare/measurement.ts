// Measurements: what `sheaf model measure --json` tells, and those that were made or are being made.
// They go on while one is on another page, and are kept until the window is closed.
import { signal } from '@preact/signals';
import { filesOf, MODEL_FILE } from '../patterns/model_view';
import { runCommand } from '../server/workbench';

export interface Subject {
  name: string;
  kind: 'pattern' | 'operation' | 'basic';
  runs: number;
  refused: number;
  refusal?: string;
  unserved: number;
  requests: number;
  rounds: number;
  read_units: number;
  write_units: number;
  items_read: number;
  items_returned: number;
  items_written: number;
  latency_us: { median: number; p95: number };
}
export interface StoredTable {
  table: string;
  items: number;
  bytes: number;
  indexes: { index: string; items: number; bytes: number }[];
}
export interface Contestant {
  name: string;
  keys_left_to_sheaf: 'nothing' | 'own keys' | 'all keys';
  text?: string; // the whole model with this strategy
  unserved: string[];
  shortfalls: string[];
  mix: { requests: number; rounds: number; read_units: number; write_units: number; items_a_write: number; units_a_write: number; latency_us: number };
  ratio_to_best: Record<'requests' | 'units' | 'bytes' | 'amplification' | 'latency', number>;
  stored: StoredTable[];
  subjects: Subject[];
}
export interface Difference {
  layout: string;
  subject: string;
  arguments: unknown[];
  other: string;
  expected: string;
  found: string;
}
export interface Measured {
  data: string;
  store: string;
  runs: number;
  answers_compared: number;
  mix: Record<string, number>;
  layouts: Contestant[];
  not_measured: { name: string; reason: string }[];
  differences: Difference[];
}

export const unitsOf = ({ mix }: Contestant): number => mix.read_units + mix.write_units;
export const bytesOf = ({ stored }: Contestant): number => stored.reduce((sum, { bytes, indexes }) => sum + bytes + indexes.reduce((of, each) => of + each.bytes, 0), 0);

type Ratios = Contestant['ratio_to_best'];
export type Criterion = keyof Ratios;
const FIGURES: Record<Criterion, (of: Contestant) => number> = {
  requests: ({ mix }) => mix.requests,
  units: unitsOf,
  bytes: bytesOf,
  amplification: ({ mix }) => mix.units_a_write,
  latency: ({ mix }) => mix.latency_us,
};
/** As the command ranks them: first those that can do everything, then by this, then by requests, units and bytes. */
export function ranked(layouts: Contestant[], by: Criterion): Contestant[] {
  const place = (of: Contestant) => [of.unserved.length, FIGURES[by](of), FIGURES.requests(of), FIGURES.units(of), FIGURES.bytes(of)];
  const compared = (a: number[], b: number[]) => a.map((value, at) => value - b[at]!).find((difference) => difference !== 0) ?? 0;
  return [...layouts].sort((a, b) => compared(place(a), place(b)));
}

export interface MeasureOptions {
  layout: string;
  scale: string;
  counts: string; // "Employee=5000 Department=10"
  runs: string;
  seed: string;
  basic: boolean;
}
export const USUAL: MeasureOptions = { layout: 'default', scale: '1', counts: '', runs: '20', seed: '1', basic: false };

export interface Measurement {
  id: number;
  model: string;
  relation: string; // '': what the model says is to be compared
  text?: string; // of the model, as it was then
  options: MeasureOptions;
  begun: number;
  seconds: number;
  state: 'running' | 'done' | 'failed' | 'stopped';
  progress: string;
  result?: Measured;
  html?: string;
  error?: string;
}

const KEPT = 'sheaf.measurements';
const MOST = 6;

function kept(): Measurement[] {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as Measurement[];
    return all.filter((each) => each.state !== 'running');
  } catch {
    return [];
  }
}
export const measurements = signal<Measurement[]>(kept());

function keep(): void {
  const all = measurements.value.filter((each) => each.state !== 'running');
  // The oldest go first if there is no room for all.
  for (let from = Math.max(0, all.length - MOST); from <= all.length; from++) {
    try {
      return sessionStorage.setItem(KEPT, JSON.stringify(all.slice(from)));
    } catch {
      // The next try is smaller.
    }
  }
}
const change = (id: number, to: Partial<Measurement>) => {
  measurements.value = measurements.value.map((each) => (each.id === id ? { ...each, ...to } : each));
  if (to.state) keep();
};

export const lastOf = (model: string, relation: string): Measurement | undefined => measurements.value.find((each) => each.model === model && each.relation === relation);
export const running = (): Measurement | undefined => measurements.value.find((each) => each.state === 'running');

const stops = new Map<number, AbortController>();
export const stopMeasuring = (id: number): void => stops.get(id)?.abort();

export function argumentsOf(relation: string, { layout, scale, counts, runs, seed, basic }: MeasureOptions): string[] {
  const given: string[] = ['model', 'measure', MODEL_FILE, '--json', '--html', 'report.html', '--runs', runs.trim() || '20', '--seed', seed.trim() || '1'];
  if (relation) given.push('--relation', relation, '--layout', layout);
  const sizes = counts.split(/[\s,]+/).filter(Boolean);
  for (const size of sizes) given.push('--count', size);
  if (scale.trim() && scale.trim() !== '1') given.push('--scale', scale.trim());
  if (basic) given.push('--basic');
  return given;
}

/** The report needs nothing from elsewhere: it is kept as it is, for whoever wants to save it. */
export async function measure(model: string, text: string, relation: string, options: MeasureOptions): Promise<void> {
  const id = Date.now();
  const stop = new AbortController();
  stops.set(id, stop);
  const begun = Date.now();
  const before = lastOf(model, relation);
  measurements.value = [
    ...measurements.value.filter((each) => each.model !== model || each.relation !== relation),
    { id, model, relation, text, options, begun, seconds: 0, state: 'running', progress: '', ...(before?.result ? { result: before.result, html: before.html ?? '' } : {}) },
  ];
  const seconds = () => (Date.now() - begun) / 1000;
  const clock = setInterval(() => change(id, { seconds: seconds() }), 1000);
  try {
    const run = await runCommand(argumentsOf(relation, options), {
      files: filesOf(text),
      accepts: [0, 1],
      signal: stop.signal,
      onProgress: ({ progress }) => change(id, { progress, seconds: seconds() }),
    });
    if (!run.output.trim()) throw new Error(run.errors.trim() || 'The command has told nothing.');
    change(id, { state: 'done', result: JSON.parse(run.output) as Measured, html: run.files['report.html'] ?? '', seconds: seconds(), progress: '' });
  } catch (error) {
    if (stop.signal.aborted) change(id, { state: 'stopped', seconds: seconds() });
    else change(id, { state: 'failed', error: error instanceof Error ? error.message : String(error), seconds: seconds() });
  } finally {
    clearInterval(clock);
    stops.delete(id);
  }
}

/** "3 layouts of 18 (16 %), 2 a second" */
export function howFar(progress: string): { done: number; all: number } | null {
  const found = /(\d+)\D+ of (\d+)/.exec(progress) ?? /(\d+)\s*\/\s*(\d+)/.exec(progress);
  return found ? { done: Number(found[1]), all: Number(found[2]) } : null;
}

/** Without the relation, and with copies told in a word, unless two would be called the same. */
export function shortNames(layouts: { name: string }[], relation: string): Record<string, string> {
  const start = relation ? `${relation} via ` : '';
  const bare = (name: string) => (start && name.startsWith(start) ? name.slice(start.length) : name);
  const short = (name: string) => {
    const [strategy, ...copies] = bare(name).split(/ (?=copy )/);
    return copies.length > 0 ? `${strategy} + copies` : strategy!;
  };
  const times = new Map<string, number>();
  for (const { name } of layouts) times.set(short(name), (times.get(short(name)) ?? 0) + 1);
  return Object.fromEntries(layouts.map(({ name }) => [name, times.get(short(name)) === 1 ? short(name) : bare(name)]));
}
