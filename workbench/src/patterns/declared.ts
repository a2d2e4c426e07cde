// What `sheaf model json` tells: entities, what they are told apart by, and the ends of relations.

interface DeclaredField {
  name: string;
  id?: boolean;
  type?: unknown;
}
export interface DeclaredEntity {
  name: string;
  within?: string;
  tag?: string;
  fields: DeclaredField[];
}
export interface DeclaredRelation {
  from: string;
  to: string;
  cardinality: string;
  forward: string;
  backward?: string;
}
export interface DeclaredWork {
  name: string;
  rate?: { count: number; per: string };
}
export interface Declared {
  model: string;
  tables?: { name: string; tag?: string }[];
  entities: DeclaredEntity[];
  relations?: DeclaredRelation[];
  layouts?: { name: string }[];
  patterns?: DeclaredWork[];
  operations?: DeclaredWork[];
  compares?: { layouts?: string[] }[];
}

const entityOf = (model: Declared, name: string) => model.entities.find((each) => each.name === name);

/** Where an end of an entity leads. */
function targetOf(model: Declared, entity: string, end: string): string | null {
  for (const { from, to, forward, backward } of model.relations ?? []) {
    if (from === entity && forward === end) return to;
    if (to === entity && backward === end) return from;
  }
  return null;
}

/** What tells one from another, in the order of its parts: ["customer.id", "number"]. */
export function identityOf(model: Declared, name: string, depth = 0): string[] {
  const entity = entityOf(model, name);
  if (!entity || depth > 10) return [];
  const own = entity.fields.filter((field) => field.id).map((field) => field.name);
  const parent = entity.within ? targetOf(model, name, entity.within) : null;
  return parent ? [...identityOf(model, parent, depth + 1).map((path) => `${entity.within}.${path}`), ...own] : own;
}

/** The ends that lead to an entity, whoever has them. */
export function endsTo(model: Declared, entity: string): string[] {
  const ends = new Set<string>();
  for (const { from, to, forward, backward } of model.relations ?? []) {
    if (to === entity) ends.add(forward);
    if (from === entity && backward) ends.add(backward);
  }
  return [...ends];
}

export function tagOf(model: Declared, kind: string): string {
  return entityOf(model, kind)?.tag ?? kind;
}
export const relationNames = (model: Declared): string[] => (model.relations ?? []).map(({ from, forward }) => `${from}.${forward}`);
