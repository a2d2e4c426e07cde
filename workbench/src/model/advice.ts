// What the advisor says of each relation (doc/advise.md), and what the model says of it.
import { queuedJson } from './command_queue';
import type { RelationName } from './strategy_edit';

export type Answer = string | number | boolean;
export interface Known {
  question: string;
  text: string;
  answer: Answer;
  source: 'declared' | 'inferred' | 'seen' | 'told' | 'assumed';
  because: string;
  line?: number;
}
export interface Advice {
  relation: string; // Entity.end
  via: string;
  reason: string;
  written?: { via: string; by_keys: boolean; line?: number; verdict: string; objections: string[] };
  way: { test: string; holds: boolean; why: string }[];
  answers: Known[];
  tables_for: { row: string; says: string }[];
  tables_against: { row: string; says: string }[];
  trade_offs: { gain?: string; loss?: string }[];
  rejected: { via: string; possible: boolean; reason: string }[];
  changes: { question: string; answer: Answer; via: string }[];
  open: { question: string; text: string; forms: string; assumed: Answer }[];
  copies?: { advised: boolean; reason: string; fields: string[] };
  contradictions: string[];
}
export interface Relation {
  from: string;
  cardinality: '1--1' | '1--*' | '*--*';
  to: string;
  forward: string;
  backward?: string;
  required?: boolean | string;
  sizes?: { end?: string; of?: string; average?: number; max?: number; unbounded?: boolean }[];
  on_delete?: string;
}
export interface RelationAdvice {
  relation: Relation;
  name: RelationName;
  advice: Advice;
  /** How it is stored as the text is, whatever was told beside it. */
  stored: string;
}
/** By relation, by question: what the user knows. */
export type Told = Record<string, Record<string, string>>;

export async function advise(text: string, layout: string, told: Told, signal?: AbortSignal): Promise<RelationAdvice[]> {
  const options = { files: { 'model.sheaf': text }, ...(signal ? { signal } : {}) };
  const answers = Object.entries(told).flatMap(([relation, known]) => Object.entries(known).flatMap(([question, answer]) => ['--answer', `${relation}:${question}=${answer}`]));
  const model = await queuedJson<{ relations?: Relation[] }>(['model', 'json', 'model.sheaf'], options);
  const base = ['model', 'advise', 'model.sheaf', '--layout', layout, '--json', '--no-questions'];
  const untold = await queuedJson<Advice[]>(base, options);
  const all = answers.length === 0 ? untold : await queuedJson<Advice[]>([...base, ...answers], options);
  return all.flatMap((advice) => {
    const [entity, end] = advice.relation.split('.');
    const relation = model.relations?.find((each) => each.from === entity && each.forward === end);
    if (!relation) return [];
    const other = relation.backward ? { entity: relation.to, end: relation.backward } : null;
    const stored = effectiveVia(untold.find((each) => each.relation === advice.relation) ?? advice);
    return [{ relation, advice, stored, name: { entity: relation.from, end: relation.forward, other } }];
  });
}

const effectiveVia = ({ written, via }: Advice): string => (written && written.via !== 'auto' ? written.via : via);

/** The strategy alone, without the keys and tags that are written with it. */
export const coreOf = (via: string): string => via.split(/\s+(?:tag|key|index|in|store)\s/)[0]!;

export interface Alternative {
  via: string;
  isPossible: boolean;
  reason: string;
}
/** The others, with the forms that they come in. */
export function alternativesOf({ relation, advice, stored: now }: RelationAdvice): Alternative[] {
  const all: Alternative[] = [];
  const add = (via: string, isPossible: boolean, reason: string) => {
    if (via !== coreOf(now) && !all.some((each) => each.via === via)) all.push({ via, isPossible, reason });
  };
  if (advice.via !== coreOf(now)) add(advice.via, true, advice.reason);
  const ends = [relation.forward, relation.backward].filter((each): each is string => each !== undefined);
  for (const { via, possible, reason: told } of advice.rejected) {
    const reason = told.replace(/^it could be; what decided is on the way through the tree$/, 'it is possible; the answers above led elsewhere');
    if (via === 'edges' && possible) {
      // A symmetric relation's edges go both ways without saying so.
      const sides = !relation.backward ? [''] : relation.cardinality === '1--*' ? [' pk one', ' pk many', ' pk both'] : [...ends.map((each) => ` pk ${each}`), ' pk both'];
      for (const side of sides) add(via + side, true, reason);
    } else if (via === 'ids' && possible) {
      for (const end of relation.cardinality === '1--*' ? [relation.forward] : ends) add(`ids ${end}`, true, reason);
    } else add(via, possible, reason);
  }
  for (const change of advice.changes) add(change.via, true, `if ${questionText(advice, change.question)} ${change.answer}`);
  return all.sort((a, b) => Number(b.isPossible) - Number(a.isPossible));
}

export const questionText = (advice: Advice, id: string): string => advice.answers.find((each) => each.question === id)?.text ?? id;

/** What the words of a strategy mean. */
export function meaningOf(via: string): string {
  const [word = '', ...rest] = coreOf(via).split(/\s+/);
  const how: Record<string, string> = {
    embed: 'inside the item of the parent',
    ref: 'the id of the one on the many, found from that side alone',
    collection: 'parent and children in one partition',
    path: 'in one partition, behind the sort key of the parent',
    index: 'the id of the one on the many, and an index by it',
    ids: 'a list of ids on one side',
    lists: 'an entry on the items of both',
    graph: 'edges whose keys are led by parts of what they connect',
    edges: 'an item for each pair',
    auto: 'as Sheaf chooses',
  };
  const side = word === 'edges' && rest[0] === 'pk' ? (rest[1] === 'both' ? ', one in the partition of each' : `, in the partition of the ${rest[1]}`) : '';
  const copies = rest.includes('copy') ? ', with copies' : '';
  return (how[word] ?? '') + side + copies;
}
