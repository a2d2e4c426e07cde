// What the advisor says of each relation (doc/advise.md), and what the model says of it.
import { queued, queuedJson } from './command_queue';
import { type StoredRelation, storedRelationsOf } from './drawn_tables';
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
  const all = await queuedJson<Advice[]>([...base, ...answers], options);
  const drawn = storedRelationsOf((await queued(['model', 'draw', 'model.sheaf', 'relations', '--as', 'markdown', '--layout', layout], options)).output);
  return all.flatMap((advice) => {
    const [entity, end] = advice.relation.split('.');
    const relation = model.relations?.find((each) => each.from === entity && each.forward === end);
    if (!relation) return [];
    const other = relation.backward ? { entity: relation.to, end: relation.backward } : null;
    const stored = storedVia(relation, advice, drawn);
    return [{ relation, advice: plainAdvice(advice), stored, name: { entity: relation.from, end: relation.forward, other } }];
  });
}

/** Without the numbers of the advisor's own rules, "(F23)" or "J16: ", which tell a reader nothing. */
export const withoutCodes = (text: string): string => text.replace(/ \([A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*\)/g, '').replace(/\b[A-Z]\d{1,2}(?:: |, )/g, '');
/** What was rejected is told with its questions first: see plainReason. */
function plainAdvice(advice: Advice): Advice {
  const says = (rules: Advice['tables_for']) => rules.map((each) => ({ ...each, says: withoutCodes(each.says) }));
  return {
    ...advice,
    reason: withoutCodes(advice.reason),
    ...(advice.written ? { written: { ...advice.written, objections: advice.written.objections.map(withoutCodes) } } : {}),
    way: advice.way.map((each) => ({ ...each, why: withoutCodes(each.why) })),
    trade_offs: advice.trade_offs.map(({ gain, loss }) => ({ ...(gain ? { gain: withoutCodes(gain) } : {}), ...(loss ? { loss: withoutCodes(loss) } : {}) })),
    tables_for: says(advice.tables_for),
    tables_against: says(advice.tables_against),
    ...(advice.copies ? { copies: { ...advice.copies, reason: withoutCodes(advice.copies.reason) } } : {}),
    contradictions: advice.contradictions.map(withoutCodes),
  };
}

/** What is written, or else what the layout has come to: that has no copies, though they may be advised. */
export function storedVia(relation: Relation, { written, via }: Pick<Advice, 'written' | 'via'>, drawn: StoredRelation[]): string {
  if (written && !/^auto\b/.test(written.via)) return written.via;
  const ends = relation.backward ? `${relation.forward} / ${relation.backward}` : relation.forward;
  const found = drawn.find((each) => each.ends === ends && each.relation === `${relation.from} ${relation.cardinality} ${relation.to}`);
  if (!found) return withoutCopies(via);
  return [asWritten(found.strategy, relation), ...found.copies.map(({ end, fields }) => `copy ${end}(${fields})`)].join(' ');
}
/** A drawing names the index and the ends; a text leaves out what follows by itself. */
function asWritten(drawn: string, { cardinality, forward, backward }: Relation): string {
  const [word = '', ...rest] = drawn.split(' ');
  if (word === 'ids') return drawn;
  if (word !== 'edges' || !backward) return word;
  const side = cardinality !== '1--*' ? rest[1] : rest[1] === forward ? 'many' : rest[1] === backward ? 'one' : rest[1];
  return side ? `edges pk ${side}` : word;
}

/** The strategy alone, without the keys and tags that are written with it. */
export const coreOf = (via: string): string => via.split(/\s+(?:tag|key|index|in|store)\s/)[0]!;
/** And without copies. */
export const withoutCopies = (via: string): string => coreOf(via).split(/\s+copy\s/)[0]!;
/** Why this is advised. Where only copies are missing, why they are. */
export const reasonOf = ({ advice, stored }: Pick<RelationAdvice, 'advice' | 'stored'>): string =>
  advice.copies?.advised && advice.via !== coreOf(stored) && withoutCopies(advice.via) === withoutCopies(stored) ? advice.copies.reason : advice.reason;

export interface Alternative {
  via: string;
  isPossible: boolean;
  reason: string;
}
/** The others, with the forms that they come in. */
export function alternativesOf(of: RelationAdvice): Alternative[] {
  const { relation, advice, stored: now } = of;
  const all: Alternative[] = [];
  const add = (via: string, isPossible: boolean, reason: string) => {
    if (via !== coreOf(now) && !all.some((each) => each.via === via)) all.push({ via, isPossible, reason });
  };
  if (advice.via !== coreOf(now)) add(advice.via, true, reasonOf(of));
  if (withoutCopies(advice.via) !== coreOf(advice.via)) add(withoutCopies(advice.via), true, 'the same without copies: nothing has to be kept in step, and what they hold is read where it is');
  const ends = [relation.forward, relation.backward].filter((each): each is string => each !== undefined);
  for (const { via, possible, reason: told } of advice.rejected) {
    const reason = plainReason(advice, told);
    if (via === 'edges' && possible) {
      // A symmetric relation's edges go both ways without saying so.
      const sides = !relation.backward ? [''] : relation.cardinality === '1--*' ? [' pk one', ' pk many', ' pk both'] : [...ends.map((each) => ` pk ${each}`), ' pk both'];
      for (const side of sides) add(via + side, true, reason);
    } else if (via === 'ids' && possible) {
      for (const end of relation.cardinality === '1--*' ? [relation.forward] : ends) add(`ids ${end}`, true, reason);
    } else add(via, possible, reason);
  }
  for (const change of advice.changes) add(change.via, true, `if “${questionText(advice, change.question)}” were ${change.answer}`);
  return all.sort((a, b) => Number(b.isPossible) - Number(a.isPossible));
}

/** "what decided is D4, which is 1" with the question in place of its number. */
const plainReason = (advice: Advice, reason: string): string =>
  withoutCodes(
    reason
      .replace(/^it could be; what decided is on the way through the tree$/, 'it is possible; the answers above led elsewhere')
      .replace(/\b(what decided is) ([A-Z]\d+)\b/, (_, words: string, id: string) => `${words} “${questionText(advice, id)}”`),
  );

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
