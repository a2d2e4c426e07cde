// What `sheaf model explain --format json` tells of each pattern and operation.
import type { PatternSummary } from '../server/models';

export interface Planned {
  requests: number;
  rounds: number;
  units: number;
}
export interface PlannedRequest {
  operation: string;
  view: string; // hr-data, hr-data.GSI1
  key_condition: string;
  text: string;
  round: number;
  calls: number;
  items_read: number;
  units: number;
}
export interface Fewer {
  requests: number;
  change: string;
  changes: string[]; // which it has, made together
  keeps_keys: boolean;
  worse: string[];
}
/** With a set of parameters: a pattern whose parameters are optional has several. */
export interface Explanation<Request> {
  name: string;
  parameters: string[];
  refusal?: string; // then all that follows but the fix is missing
  fix?: string;
  consistency?: string;
  planned?: Planned;
  items_read?: number;
  requests?: Request[];
  budget?: Partial<Planned>;
  fewer?: Fewer | null;
}
export type ExplainedPattern = Explanation<PlannedRequest>;
export type ExplainedOperation = Explanation<string>;
export interface Explained {
  layout: string;
  patterns: ExplainedPattern[];
  operations: ExplainedOperation[];
}

const UNITS: (keyof Planned)[] = ['requests', 'rounds', 'units'];

/** "2 of at most 1 requests", for each budget that is exceeded. */
export function overBudget(taken: Partial<Planned> | undefined, budget: Partial<Planned> | undefined): string[] {
  return UNITS.filter((unit) => budget?.[unit] !== undefined && (taken?.[unit] ?? 0) > budget[unit]!).map(
    (unit) => `${taken![unit]} ${unit}, and at most ${budget![unit]} are allowed`,
  );
}
export const budgetText = (budget: Partial<Planned> | undefined): string =>
  UNITS.filter((unit) => budget?.[unit] !== undefined)
    .map((unit) => `${budget![unit]}\u00a0${budget![unit] === 1 ? unit.slice(0, -1) : unit}`)
    .join(', ');

/** The plan for those parameters that have a value. */
export function variantFor<R>(variants: Explanation<R>[], given: string[]): Explanation<R> | undefined {
  const wanted = [...given].sort().join();
  return variants.find((each) => [...each.parameters].sort().join() === wanted) ?? variants.find((each) => each.planned) ?? variants[0];
}

/** What a request is followed by: ", backwards, limit 3" and whom it brings. */
export function restOf({ operation, view, key_condition, text }: PlannedRequest): { how: string; brings: string } {
  const start = `${operation} ${view}: ${key_condition}`;
  const rest = text.startsWith(start) ? text.slice(start.length) : text.slice(operation.length);
  const at = rest.indexOf(': ');
  const how = rest.slice(0, at < 0 ? 0 : at).replace(/^[,\s]+/, '');
  return { how, brings: at < 0 ? rest : rest.slice(at + 2) };
}

export interface WriteStep {
  number: string; // "1", or "" of what a job does behind it
  operation: string;
  actions: string[];
}
/** "1. TransactWriteItems: put Employee $e, check Department $d" */
export function stepOf(text: string): WriteStep {
  const job = /^then, by a job: (.*)$/.exec(text);
  if (job) return { number: '', operation: 'later, by a job', actions: [job[1]!] };
  const found = /^(\d+)\. ([^:]*): (.*)$/.exec(text);
  if (!found) return { number: '', operation: '', actions: [text] };
  return { number: found[1]!, operation: found[2]!, actions: found[3]!.split(', ') };
}
const WRITES = /^(PutItem|UpdateItem|DeleteItem|TransactWriteItems|BatchWriteItem)$/;
export interface Writes {
  written: number;
  checked: number;
  later: string[];
  reads: string[];
}
export function writesOf(requests: string[]): Writes {
  const sum: Writes = { written: 0, checked: 0, later: [], reads: [] };
  for (const { number, operation, actions } of requests.map(stepOf)) {
    if (number === '') sum.later.push(...actions);
    else if (!WRITES.test(operation)) sum.reads.push(operation);
    else for (const action of actions) action.startsWith('check ') ? sum.checked++ : sum.written++;
  }
  return sum;
}

/** Of what a job does behind an operation: how many copies it brings in step, as far as the model says; '' if it does not. */
export function copiesText(job: string, copies: (entity: string) => { average?: number; max?: number }): string {
  const entity = /^bring copies of (\S+)/.exec(job)?.[1];
  if (entity === undefined) return '';
  const { average, max } = copies(entity);
  const parts = [average !== undefined && average !== max && `about ${average}`, max !== undefined && `at most ${max}`].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', ')}, a write each` : 'a write each';
}

/** The lines of the model that say it. */
export function textIn(model: string, name: string): string {
  const lines = model.split('\n');
  const isStart = new RegExp(`^\\s*(pattern|op)\\s+\`?${name.replace(/[^\w]/g, '\\$&')}\`?\\s*\\(`);
  let at = lines.findIndex((line) => isStart.test(line));
  if (at < 0) return '';
  const found = [lines[at]!];
  while (++at < lines.length && !/^\s*(pattern|op|entity|rel|table|layout|compare|expect|\/\/|\})/.test(lines[at]!) && lines[at]!.trim() !== '') found.push(lines[at]!);
  const indent = /^\s*/.exec(found[0]!)![0].length;
  return found.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))).join('\n');
}

export const givesText = ({ gives, document }: PatternSummary): string => (gives === 'pages' ? `${document}, in pages` : `one ${document}, or none`);
