// What is measured: a model, a relation or its layouts, how much data, how often.
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { go } from '../parts/place';
import { forWriters, whyNotWrite } from '../parts/roles';
import { type Declared, relationNames } from '../patterns/declared';
import { type Comparable, labelOf } from './comparable';
import { DataSize } from './data_size';
import { type Measurement, measure, type MeasureOptions, USUAL } from './measurement';

export const ALL_LAYOUTS = 'layouts'; // in the address, for: what the model says is to be compared

interface Parts {
  models: Comparable[];
  model: Comparable;
  declared: Declared;
  relation: string;
  current: Measurement | undefined;
  isBusy: boolean;
}

export function MeasureForm({ models, model, declared, relation, current, isBusy }: Parts) {
  const [options, setOptions] = useState<MeasureOptions>({ ...USUAL, layout: model.layout, ...current?.options });
  const set = (to: Partial<MeasureOptions>) => setOptions({ ...options, ...to });
  const relations = relationNames(declared);
  const compares = declared.compares?.find((each) => each.layouts)?.layouts;
  return (
    <form
      class="sheet measure-form"
      aria-label="What to measure"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void measure(model.name, model.text, relation, options);
      }}
    >
      <div class="fields-in-row">
        <label class="field">
          Model
          <select value={model.name} onChange={(event) => go('compare', [event.currentTarget.value])}>
            {models.map((each) => (
              <option key={each.name} value={each.name}>
                {labelOf(each)}
              </option>
            ))}
          </select>
        </label>
        <label class="field wide">
          Compare
          <select value={relation} onChange={(event) => go('compare', [model.name, event.currentTarget.value || ALL_LAYOUTS])}>
            {relations.map((name) => (
              <option key={name} value={name}>
                every way to store {name}
              </option>
            ))}
            <option value="">{compares ? `the layouts ${compares.join(', ')}` : 'every way to store each relation'}</option>
          </select>
        </label>
        <label class="field small">
          Runs of each
          <input inputMode="numeric" pattern="[0-9]+" value={options.runs} onInput={(event) => set({ runs: event.currentTarget.value })} />
        </label>
        <label class="field small">
          Scale
          <input inputMode="decimal" pattern="[0-9.]+" value={options.scale} onInput={(event) => set({ scale: event.currentTarget.value })} title="Times as much data as the model's sizes make" />
        </label>
        <label class="field small">
          Seed
          <input inputMode="numeric" pattern="[0-9]+" value={options.seed} onInput={(event) => set({ seed: event.currentTarget.value })} title="Other data for another number" />
        </label>
      </div>
      <details>
        <summary>More</summary>
        <div class="fields-in-row">
          <label class="field wide">
            How many
            <input placeholder={declared.entities.slice(0, 2).map(({ name }, i) => `${name}=${i === 0 ? 50 : 5000}`).join(' ')} value={options.counts} onInput={(event) => set({ counts: event.currentTarget.value })} />
          </label>
          {relation && (
            <label class="field">
              All else as in
              <select value={options.layout} onChange={(event) => set({ layout: event.currentTarget.value })}>
                {model.layouts.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <label class="check">
            <input type="checkbox" checked={options.basic} onChange={(event) => set({ basic: event.currentTarget.checked })} />
            also put, set, delete, link and unlink
          </label>
        </div>
      </details>
      <div class="row">
        <button class="primary" aria-disabled={isBusy} {...forWriters()}>
          <Icon name="run" /> Measure
        </button>
        {whyNotWrite() ? <span class="problem">{whyNotWrite()}</span> : <DataSize text={model.text} scale={options.scale} counts={options.counts} />}
        <span class="soft">Each strategy gets a database of its own, the same data and the same questions. Nothing here touches your tables{model.kind === 'served' ? '' : ', and the model need not be served'}.</span>
      </div>
    </form>
  );
}
