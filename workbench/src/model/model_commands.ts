// What the commands of `sheaf model` say of a text.
import { queued, queuedJson } from './command_queue';
import { dataOf } from './data_lines';
import { collectionsOf, type Chart, chartsOf, type Collections } from './drawn_tables';

const FILE = 'model.sheaf';
const of = (text: string) => ({ [FILE]: text });

export async function drawRelations(text: string, layout: string, signal?: AbortSignal): Promise<string> {
  return (await queued(['model', 'draw', FILE, 'relations', '--as', 'svg', '--layout', layout], { files: of(text), ...(signal ? { signal } : {}) })).output;
}
export async function charts(text: string, layout: string, signal?: AbortSignal): Promise<Chart[]> {
  const run = await queued(['model', 'draw', FILE, 'chart', '--as', 'markdown', '--layout', layout], { files: of(text), ...(signal ? { signal } : {}) });
  return chartsOf(run.output);
}

// --- Sample data

interface GeneratePlan {
  entities: Record<string, number>;
}
const SMALL = { scale: '0.02', each: 12 };
const LARGER = { scale: '0.05', each: 60 };

export interface SampleWish {
  layout: string;
  isLarge: boolean;
  seed: number;
}
export async function sampleTables(text: string, { layout, isLarge, seed }: SampleWish, signal?: AbortSignal): Promise<Collections[]> {
  const options = { files: of(text), ...(signal ? { signal } : {}) };
  const { scale, each } = isLarge ? LARGER : SMALL;
  const base = ['model', 'generate', FILE, '--scale', scale, '--seed', String(seed)];
  const plan = await queuedJson<GeneratePlan>([...base, '--plan', '--json'], options);
  const counts = Object.entries(plan.entities).flatMap(([name, count]) => ['--count', `${name}=${Math.min(count, each)}`]);
  // Fewer of one may not fit the sizes of another; then as many as they say.
  const lines = await queued([...base, ...counts], options).catch((error: unknown) => {
    if (Object.values(plan.entities).some((count) => count > 2000)) throw error;
    return queued(base, options);
  });
  const drawn = await queued(['model', 'draw', FILE, 'collections', '--as', 'markdown', '--layout', layout, '--data', 'data.json'], {
    ...options,
    files: { ...of(text), 'data.json': dataOf(lines.output) },
  });
  return collectionsOf(drawn.output);
}

// --- Plans and cost

export interface Amounts {
  requests: number;
  rounds: number;
  units: number;
}
export interface Explained {
  name: string;
  planned?: Amounts | null;
  budget?: Partial<Amounts>;
  unserved?: string;
}
export interface Explanation {
  patterns: Explained[];
  operations: Explained[];
  findings: unknown[];
}
export const explain = (text: string, layout: string, signal?: AbortSignal): Promise<Explanation> =>
  queuedJson(['model', 'explain', FILE, '--format', 'json', '--layout', layout], { files: of(text), ...(signal ? { signal } : {}) });

export interface CostedWork {
  name: string;
  kind: 'pattern' | 'operation';
  rate?: string;
  a_million_runs: string;
}
export interface LayoutCost {
  layout: string;
  work: CostedWork[];
  bills: { mode: 'on_demand' | 'provisioned'; total: string }[];
  unserved: unknown[];
}
export interface CostAnswer {
  measured_on: string;
  prices: { currency: string; source: string; region: string };
  layouts: LayoutCost[];
}
const COST = ['--json', '--runs', '10', '--sample', '4000'];
export const cost = (text: string, layout: string, signal?: AbortSignal): Promise<CostAnswer> =>
  queuedJson(['model', 'cost', FILE, '--layout', layout, ...COST], { files: of(text), ...(signal ? { signal } : {}) });
export const costOfAll = (text: string, signal?: AbortSignal): Promise<CostAnswer> =>
  queuedJson(['model', 'cost', FILE, '--compare', ...COST], { files: of(text), ...(signal ? { signal } : {}) });

// --- What should be otherwise

export interface Finding {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  severity: 'error' | 'warning' | 'note';
  id: string;
  message: string;
  why?: string;
  fix?: string;
  repair?: string;
  layout?: string;
}
export const lint = (text: string, signal?: AbortSignal): Promise<Finding[]> =>
  queuedJson(['model', 'lint', FILE, '--all-layouts', '--json'], { files: of(text), ...(signal ? { signal } : {}) });
/** The text with all that can be mended safely, but for what rules `without` find; null: nothing could. */
export async function lintFixed(text: string, without: string[] = []): Promise<string | null> {
  const off = without.flatMap((rule) => ['--severity', `${rule}=off`]);
  const run = await queued(['model', 'lint', FILE, '--all-layouts', '--fix', '--json', ...off], { files: of(text), accepts: [0, 1] });
  return run.files[FILE] ?? null;
}

export interface StorageChange {
  model: string[];
  storage: string[];
  moves: boolean;
  items: number;
}
/** What would have to change in the items; of no database. */
export const storageChange = (before: string, after: string, from: string, to: string, signal?: AbortSignal): Promise<StorageChange> =>
  queuedJson(['model', 'migrate', 'before.sheaf', 'after.sheaf', '--from', from, '--to', to, '--plan', '--json'], {
    files: { 'before.sheaf': before, 'after.sheaf': after },
    ...(signal ? { signal } : {}),
  });
