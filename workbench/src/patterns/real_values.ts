// Values that exist, to be offered where parameters are asked for: found by one small Scan of each table.
import { type Item, shown } from '../item/value';
import { call, type Page } from '../server/dynamo';
import { endsTo, identityOf, tagOf } from './declared';
import { decode, plain } from './key_templates';
import type { ModelView } from './model_view';

const SCANNED = 200;
const OFFERED = 60;

export interface RealValues {
  ids: Record<string, string[][]>; // by entity: the parts of each
  named: Record<string, string[]>; // by the name of a field or the last step of a path
  times: string[];
  together: Record<string, string>[]; // by name, of one item each: values that belong together
}
export const NO_VALUES: RealValues = { ids: {}, named: {}, times: [], together: [] };

function namesOf(path: string): string[] {
  const steps = path.split('.');
  return steps.length === 2 ? [steps[1]!, steps[0]!] : [steps[steps.length - 1]!];
}

class Collector {
  private readonly ids = new Map<string, Map<string, string[]>>();
  private readonly named = new Map<string, Set<string>>();
  private readonly times = new Set<string>();
  private readonly together: Record<string, string>[] = [];
  constructor(private readonly view: ModelView) {}

  private value(name: string, text: string): void {
    const known = this.named.get(name) ?? new Set<string>();
    if (known.size < OFFERED && text.length < 200) known.add(text);
    this.named.set(name, known);
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) this.times.add(text);
  }
  private id(entity: string, parts: (string | undefined)[]): void {
    if (parts.length === 0 || parts.some((part) => part === undefined)) return;
    const known = this.ids.get(entity) ?? new Map<string, string[]>();
    if (known.size < OFFERED) known.set(parts.join('\n'), parts as string[]);
    this.ids.set(entity, known);
  }

  add(item: Item, tableName: string): void {
    const { declared, keys, tables } = this.view;
    const table = tables.find((each) => each.TableName === tableName)!;
    const decoded = decode(item, table, keys, (kind) => tagOf(declared, kind));
    const values: Record<string, string> = {};
    for (const [name, value] of Object.entries(item)) if ('S' in value || 'N' in value) values[name] = shown(value, Infinity);
    for (const [path, text] of Object.entries(decoded?.holes ?? {})) {
      const value = plain(text);
      values[path] = /^0+\d+$/.test(value) ? value.replace(/^0+(?=\d)/, '') : value;
    }
    for (const [path, text] of Object.entries(values)) {
      // An end is also called by its own name, if its id is one value: account.id is account.
      for (const name of namesOf(path)) this.value(name, text);
    }
    if (this.together.length < OFFERED) this.together.push(Object.fromEntries(Object.entries(values).flatMap(([path, text]) => namesOf(path).map((name) => [name, text]))));
    for (const { name } of declared.entities) {
      const parts = identityOf(declared, name);
      const at = (prefix: string) => parts.map((path) => values[prefix + path] ?? values[(prefix + path).replaceAll('.', '_')]);
      if (decoded?.kind === name) this.id(name, at(''));
      for (const end of endsTo(declared, name)) this.id(name, at(`${end}.`));
    }
  }
  taken(): RealValues {
    return {
      ids: Object.fromEntries([...this.ids].map(([name, all]) => [name, [...all.values()].sort((a, b) => a.join().localeCompare(b.join(), 'en', { numeric: true }))])),
      named: Object.fromEntries([...this.named].map(([name, all]) => [name, [...all].sort()])),
      times: [...this.times].sort(),
      together: this.together,
    };
  }
}

/** What cannot be read is not offered; nothing depends on it. */
export async function realValues(view: ModelView, signal?: AbortSignal): Promise<RealValues> {
  const collector = new Collector(view);
  await Promise.all(
    view.tables.map(async ({ TableName }) => {
      try {
        const page = await call<Page>('Scan', { TableName, Limit: SCANNED }, signal);
        for (const item of page.Items) collector.add(item, TableName);
      } catch {
        // Not allowed, or the table is gone.
      }
    }),
  );
  return collector.taken();
}
