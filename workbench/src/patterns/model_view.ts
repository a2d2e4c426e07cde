// All that is known of a model that is served: its text, what may be asked, the plans, the keys and the tables.
import { describeTable, type Table } from '../server/dynamo';
import { type ModelSummary, summaryOf } from '../server/models';
import type { ServedModel } from '../server/workbench';
import type { Declared } from './declared';
import type { Explained } from './explained';
import { keysFrom, type LayoutKeys } from './key_templates';
import { explainedIn, keysIn, tableNames, type TableNames } from './real_tables';
import { runForJson, runCommand } from '../server/workbench';

export interface ModelView {
  served: ServedModel;
  summary: ModelSummary;
  explained: Explained;
  keys: LayoutKeys;
  declared: Declared;
  tables: Table[]; // those with its items, not its own one
  names: TableNames; // of its tables, where they are not as the text says
}

export const MODEL_FILE = 'model.sheaf';
export const filesOf = (text: string): Record<string, string> => ({ [MODEL_FILE]: text });

const kept = new Map<string, Promise<ModelView>>();

async function load(served: ServedModel, summary: ModelSummary): Promise<ModelView> {
  const files = filesOf(served.text);
  const layout = ['--layout', served.layout];
  const explained = await runForJson<Explained>(['model', 'explain', MODEL_FILE, ...layout, '--format', 'json'], { files, accepts: [0, 1] });
  const plan = await runCommand(['model', 'plan', MODEL_FILE, ...layout], { files });
  const declared = await declaredIn(served.text);
  const planned = keysFrom(plan.output);
  const names = tableNames(
    planned.tables.map(({ table }) => table),
    summary.tables,
  );
  const keys = keysIn(planned, names);
  // A role that may ask patterns may not be allowed to describe tables: then there is less to show.
  const tables = await Promise.all(keys.tables.map(({ table }) => describeTable(table).catch(() => null)));
  return { served, summary, explained: explainedIn(explained, names), keys, declared, tables: tables.filter((each) => each !== null), names };
}

export const declaredIn = (text: string): Promise<Declared> => runForJson<Declared>(['model', 'json', MODEL_FILE], { files: filesOf(text) });

/** Asked for once, as long as neither its text nor its layout nor its tables change. */
export async function viewOf(served: ServedModel): Promise<ModelView> {
  const summary = await summaryOf(served.name);
  const key = JSON.stringify([served.name, served.layout, served.text, summary.tables]);
  let view = kept.get(key);
  if (!view) {
    view = load(served, summary);
    view.catch(() => kept.delete(key));
    kept.set(key, view);
  }
  return view;
}
export const forgetViews = (): void => kept.clear();
