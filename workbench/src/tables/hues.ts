// In which colour an entity is drawn: the first in the first of these, and so on, so that few are never alike. Entities of a
// model come in its order, as its diagram has them (diagram.css has the same hues); others as they are met.
import { known } from '../server/workbench';

export const HUES = [214, 140, 42, 265, 346, 184, 22, 315, 90, 238, 165, 60];

/** However it is spelt: Employee, employee (a tag) and EMPLOYEE (of a key) are the same. */
const plainly = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, '');

export class Hues {
  private readonly places = new Map<string, number>();
  private next = 0;

  /** `order`: what each entity is called, its name and its tag. */
  constructor(order: string[][] = []) {
    for (const names of order) {
      for (const name of names) if (!this.places.has(plainly(name))) this.places.set(plainly(name), this.next);
      this.next++;
    }
  }
  of(entity: string): number {
    const name = plainly(entity);
    let place = this.places.get(name);
    if (place === undefined) this.places.set(name, (place = this.next++));
    return HUES[place % HUES.length]!;
  }
}

/** The entities of a text and what they are tagged with, then its relations, which may have items of their own. */
export function orderIn(text: string): string[][] {
  const code = text.replace(/\/\/.*$/gm, '');
  const entities = new Map<string, string[]>();
  for (const [, name, inside] of code.matchAll(/\bentity\s+`?(\w+)`?\s*(?:\{([^{}]*)\})?/g)) {
    const names = entities.get(name!) ?? [name!];
    const tag = /\btag\s+"([^"]*)"/.exec(inside ?? '')?.[1];
    entities.set(name!, tag ? [...names, tag] : names);
  }
  const relations = [...code.matchAll(/\brel\s+`?(\w+)`?\s+\S*--\S*\s+`?\w+`?\s+as\s+`?(\w+)/g)].map(([, from, end]) => [`${from}.${end}`]);
  return [...entities.values(), ...relations];
}

const kept = new Map<string, Hues>();
function keptHues(of: string, order: string[][]): Hues {
  const key = JSON.stringify([of, order]);
  let hues = kept.get(key);
  if (!hues) kept.set(key, (hues = new Hues(order)));
  return hues;
}

export const huesOfModel = (text: string): Hues => keptHues('model', orderIn(text));

/** A model's tables are named in its text, or as itself; after a move there is a number behind that. */
export const isTableOf = (table: string, model: { name: string; text: string }): boolean => {
  const own = model.name.length < 3 ? `${model.name}-data` : model.name; // names of tables have three letters at least
  const names = [own, ...[...model.text.replace(/\/\/.*$/gm, '').matchAll(/\btable\s+(?:`([^`]+)`|"([^"]+)"|([\w.-]+))/g)].map((found) => found[1] ?? found[2] ?? found[3]!)];
  return names.includes(table) || names.includes(table.replace(/-\d+$/, ''));
};

let last: { about: unknown; tables: Map<string, Hues> } = { about: null, tables: new Map() };
/** Of a table: in the order of the model that it belongs to, if it does. */
export function huesOfTable(table: string): Hues {
  const about = known.value;
  if (last.about !== about) last = { about, tables: new Map() };
  let hues = last.tables.get(table);
  if (!hues) {
    const model = about?.models.find((each) => isTableOf(table, each));
    last.tables.set(table, (hues = keptHues(`table ${table}`, model ? orderIn(model.text) : [])));
  }
  return hues;
}
