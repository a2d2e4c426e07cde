// An item while it is being edited: also what is not (yet) right is kept as it was typed.
import { binaryProblem, numberProblem } from './number_text';
import type { Item, TypeName, Value } from './value';

export interface Draft {
  type: TypeName;
  text: string; // of S, N, B
  flag: boolean; // of BOOL
  parts: DraftPart[]; // of L, M and sets
}
export interface DraftPart {
  id: number; // stays the same while names change
  name: string; // of members of M
  value: Draft;
}

let last = 0;
const part = (name: string, value: Draft): DraftPart => ({ id: ++last, name, value });
const SET_OF = { SS: 'S', NS: 'N', BS: 'B' } as const;
export const isSetType = (type: TypeName): type is keyof typeof SET_OF => type in SET_OF;
export const hasParts = (type: TypeName): boolean => type === 'L' || type === 'M' || isSetType(type);

export const emptyDraft = (type: TypeName): Draft => ({ type, text: '', flag: false, parts: isSetType(type) ? [part('', emptyDraft(SET_OF[type]))] : [] });
/** A further element or member of it. */
export function partFor(type: TypeName, like?: Draft): DraftPart {
  return part('', isSetType(type) ? emptyDraft(SET_OF[type]) : emptyDraft(type === 'L' && like ? like.type : 'S'));
}

export function draftOf(value: Value): Draft {
  const of = (type: TypeName, given: Partial<Draft>): Draft => ({ type, text: '', flag: false, parts: [], ...given });
  const texts = (type: 'S' | 'N' | 'B', values: string[]) => values.map((text) => part('', of(type, { text })));
  if ('S' in value) return of('S', { text: value.S });
  if ('N' in value) return of('N', { text: value.N });
  if ('B' in value) return of('B', { text: value.B });
  if ('BOOL' in value) return of('BOOL', { flag: value.BOOL });
  if ('NULL' in value) return of('NULL', {});
  if ('SS' in value) return of('SS', { parts: texts('S', value.SS) });
  if ('NS' in value) return of('NS', { parts: texts('N', value.NS) });
  if ('BS' in value) return of('BS', { parts: texts('B', value.BS) });
  if ('L' in value) return of('L', { parts: value.L.map((each) => part('', draftOf(each))) });
  return of('M', { parts: Object.entries(value.M).map(([name, each]) => part(name, draftOf(each))) });
}

/** The same with another type; what can be kept is kept, and what was typed is there again if one goes back. */
export function withType(draft: Draft, type: TypeName): Draft {
  if (draft.type === type) return draft;
  if (isSetType(type)) {
    const from = draft.parts.length > 0 ? draft.parts.map((each) => each.value.text) : [draft.text];
    return { ...draft, type, parts: from.map((text) => part('', { ...emptyDraft(SET_OF[type]), text })) };
  }
  if (type === 'L' && draft.parts.length === 0 && draft.text !== '') return { ...draft, type, parts: [part('', { ...emptyDraft('S'), text: draft.text })] };
  if (type === 'BOOL') return { ...draft, type, flag: draft.type === 'S' || draft.type === 'N' ? /^(true|1|yes)$/i.test(draft.text) : draft.flag };
  if (draft.type === 'BOOL' && type === 'S' && draft.text === '') return { ...draft, type, text: String(draft.flag) };
  return { ...draft, type };
}

/** What is wrong, by the id of the part that it is in. */
export type Problems = Map<number, string>;

function valueOf(draft: Draft, id: number, problems: Problems): Value {
  const note = (problem: string | null) => problem && problems.set(id, problem);
  const texts = () => {
    const values = draft.parts.map((each) => {
      const value = valueOf(each.value, each.id, problems);
      return Object.values(value)[0] as string;
    });
    if (values.length === 0) note('a set has at least one element');
    if (new Set(values).size < values.length) note('a set has no element twice');
    return values;
  };
  switch (draft.type) {
    case 'S':
      return { S: draft.text };
    case 'N':
      note(numberProblem(draft.text));
      return { N: draft.text.trim() };
    case 'B':
      note(binaryProblem(draft.text));
      return { B: draft.text };
    case 'BOOL':
      return { BOOL: draft.flag };
    case 'NULL':
      return { NULL: true };
    case 'SS':
      return { SS: texts() };
    case 'NS':
      return { NS: texts() };
    case 'BS':
      return { BS: texts() };
    case 'L':
      return { L: draft.parts.map((each) => valueOf(each.value, each.id, problems)) };
    case 'M':
      return { M: itemOfParts(draft.parts, problems) };
  }
}
function itemOfParts(parts: DraftPart[], problems: Problems): Item {
  const item: Item = {};
  const named = new Set<string>();
  for (const each of parts) {
    const value = valueOf(each.value, each.id, problems);
    if (each.name === '') problems.set(each.id, 'a name is missing');
    else if (named.has(each.name)) problems.set(each.id, `“${each.name}” is there twice`);
    named.add(each.name);
    Object.defineProperty(item, each.name, { value, enumerable: true, configurable: true, writable: true });
  }
  return item;
}

export function itemOfDraft(draft: Draft): { item: Item; problems: Problems } {
  const problems: Problems = new Map();
  return { item: itemOfParts(draft.parts, problems), problems };
}
