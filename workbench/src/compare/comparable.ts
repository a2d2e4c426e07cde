// The models that can be compared: those that are served, and the drafts of this browser. Nothing has to be served for that.
import { drafts, layoutNames, modelName } from '../model/drafts';
import type { ServedModel } from '../server/workbench';

export interface Comparable {
  name: string;
  text: string;
  layout: string; // the one that it is stored in, or that is looked at
  layouts: string[];
  kind: 'served' | 'changed' | 'draft'; // as it is served; with another text; not served at all
}

/** Of a model that is served and has been changed, what was typed counts. Drafts come first, the newest before the others. */
export function comparables(models: ServedModel[]): Comparable[] {
  const own = Object.values(drafts.value)
    .filter((draft) => !models.some((each) => each.name === draft.name && each.text === draft.text))
    .sort((a, b) => b.changed.localeCompare(a.changed))
    .map(({ name, text, layout }): Comparable => {
      const layouts = layoutNames(text);
      const isServed = models.some((each) => each.name === name);
      return { name, text, layout: layouts.includes(layout) ? layout : 'default', layouts, kind: isServed ? 'changed' : 'draft' };
    });
  const served = models.filter(({ name }) => !own.some((each) => each.name === name)).map(({ name, text, layout, layouts }): Comparable => ({ name, text, layout, layouts, kind: 'served' }));
  return [...own, ...served];
}

export const labelOf = ({ name, text, kind }: Comparable): string => (kind === 'draft' ? `${modelName(text) ?? name} (draft)` : kind === 'changed' ? `${name} (changed here)` : name);
