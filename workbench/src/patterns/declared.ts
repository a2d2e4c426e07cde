// What `sheaf model json` tells: entities, what they are told apart by, and the ends of relations.

interface DeclaredField {
  name: string;
  id?: boolean;
  matches?: string; // the form of a text
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
  sizes?: { end?: string; of?: string; average?: number; max?: number; unbounded?: boolean }[];
}
export interface DeclaredLayout {
  name: string;
  extends?: string;
  relations?: { entity: string; end: string; via?: { copies?: { end: string }[] } }[];
}
export interface DeclaredWrite {
  kind: string; // put, link, set, ...
  path?: string; // $e, $e.department
  to?: string; // of a link: $d
  assignments?: { path: string }[];
}
export interface DeclaredWork {
  name: string;
  parameters?: { name: string; entity?: string }[];
  writes?: DeclaredWrite[];
  rate?: { count: number; per: string };
}
export interface Declared {
  model: string;
  tables?: { name: string; tag?: string }[];
  entities: DeclaredEntity[];
  relations?: DeclaredRelation[];
  layouts?: DeclaredLayout[];
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

/** A layout, and those that it extends. */
function withBases(model: Declared, name: string): DeclaredLayout[] {
  const found: DeclaredLayout[] = [];
  for (let next: string | undefined = name; next !== undefined && found.length < 20; ) {
    const layout: DeclaredLayout | undefined = model.layouts?.find((each) => each.name === next);
    if (layout) found.push(layout);
    next = layout?.extends;
  }
  return found;
}
/** How many copies of one entity there are in a layout, as its relations are declared; {}: nobody says. */
export function copiesOf(model: Declared, layout: string, entity: string): { average?: number; max?: number } {
  let average: number | undefined = 0;
  let max: number | undefined = 0;
  for (const relation of model.relations ?? []) {
    const { from, to, forward, backward, cardinality } = relation;
    const written = withBases(model, layout).flatMap((each) => each.relations ?? []).find((each) => each.entity === from && each.end === forward && each.via);
    for (const { end } of written?.via?.copies ?? []) {
      const isForward = end === forward;
      if ((isForward ? to : from) !== entity) continue;
      // It is copied to whoever the other end leads to.
      const other = isForward ? backward : forward;
      const isOne = cardinality === '1--1' || (cardinality === '1--*' && isForward);
      const size = isOne ? { average: 1, max: 1 } : relation.sizes?.find((each) => (each.of ?? each.end ?? forward) === other);
      average = average === undefined || size?.average === undefined ? undefined : average + size.average;
      max = max === undefined || size?.max === undefined ? undefined : max + size.max;
    }
  }
  return { ...(average ? { average } : {}), ...(max ? { max } : {}) };
}

/** The end that leads back. */
function otherEnd(model: Declared, entity: string, end: string): string | undefined {
  for (const { from, to, forward, backward } of model.relations ?? []) {
    if (from === entity && forward === end) return backward;
    if (to === entity && backward === end) return forward;
  }
  return undefined;
}
/** The ends of a parameter that an operation links by itself: whoever gives them, too, would link them twice. */
export function linkedBy(model: Declared, operation: string, parameter: string): Set<string> {
  const of = model.operations?.find((each) => each.name === operation);
  const ends = new Set<string>();
  for (const { kind, path, to } of of?.writes ?? []) {
    const [name, end] = path?.split('.') ?? [];
    if (kind !== 'link' || end === undefined) continue;
    if (name === `$${parameter}`) ends.add(end);
    const entity = of?.parameters?.find((each) => `$${each.name}` === name)?.entity;
    const back = to === `$${parameter}` && entity ? otherEnd(model, entity, end) : undefined;
    if (back !== undefined) ends.add(back);
  }
  return ends;
}
/** The form that a field has, where the model says one; without a field, that of the id. */
export function formOf(model: Declared, entity: string, field?: string): string | null {
  const ids = entityOf(model, entity)?.fields.filter((each) => each.id) ?? [];
  const found = field === undefined ? (ids.length === 1 ? ids[0] : undefined) : entityOf(model, entity)?.fields.find((each) => each.name === field);
  return found?.matches ?? null;
}

export function tagOf(model: Declared, kind: string): string {
  return entityOf(model, kind)?.tag ?? kind;
}
export const relationNames = (model: Declared): string[] => (model.relations ?? []).map(({ from, forward }) => `${from}.${forward}`);
