// What runs of patterns and of operations have in common: the form, planned against actual, the call for programs.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { decimal } from '../parts/amount';
import { CodeBox } from '../parts/code_box';
import { Icon } from '../parts/icon';
import { ErrorBox } from '../parts/loaded';
import { Tabs } from '../parts/tabs';
import type { Cost, Parameter } from '../server/models';
import { accessKey, RequestError } from '../server/session';
import { CALL_LANGUAGES, type CallLanguage, callText, type ModelCall } from './call_text';
import { type Draft, DraftError, isBlank, valueOf } from './draft';
import { type Explanation, overBudget, type Planned } from './explained';
import { keepValues, keptValues } from './kept_values';
import type { ModelView } from './model_view';
import { NO_VALUES, type RealValues } from './real_values';
import { typeFrom } from './type_text';
import { firstValues, ParameterForm } from './value_form';

/** Throws DraftError. What is left out is not in it. */
export function valuesOf(parameters: Parameter[], drafts: Record<string, Draft>, types: Record<string, string>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type, optional } of parameters) {
    const value = valueOf(typeFrom(type), drafts[name], name, optional === true, types);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** The values that were typed last, or the first that exist; `isOffered`: whether to begin with some at all. */
export function useDrafts(view: ModelView, name: string, parameters: Parameter[], real: RealValues, isOffered: boolean) {
  const [drafts, setDrafts] = useState<Record<string, Draft>>(() => keptValues(view.served.name, name));
  const isFilled = useRef(false);
  useEffect(() => {
    if (!isOffered || isFilled.current || real === NO_VALUES) return;
    isFilled.current = true;
    // What was typed meanwhile stays.
    setDrafts((before) => ({ ...firstValues(parameters, { view, real }), ...Object.fromEntries(Object.entries(before).filter(([, draft]) => !isBlank(draft))) }));
  }, [real]);
  const change = (to: Record<string, Draft>) => {
    setDrafts(to);
    keepValues(view.served.name, name, to);
  };
  return [drafts, change] as const;
}

interface FormParts {
  view: ModelView;
  real: RealValues;
  parameters: Parameter[];
  drafts: Record<string, Draft>;
  isLeftOut?: (parameter: string, field: string) => boolean;
  onChange: (drafts: Record<string, Draft>) => void;
  onRun: () => void;
  isRunning: boolean;
  problem: string | null;
  label: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  children?: ComponentChildren;
}
export function RunForm({ view, real, parameters, drafts, isLeftOut, onChange, onRun, isRunning, problem, label, isDangerous, isDisabled, children }: FormParts) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isDisabled) return;
      event.preventDefault();
      onRun();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <form
      class="sheet run-form"
      aria-label="Parameters"
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <h3>Parameters</h3>
      <ParameterForm view={view} real={real} parameters={parameters} drafts={drafts} isLeftOut={isLeftOut} onChange={onChange} />
      {problem && (
        <div class="box error" role="alert">
          {problem}
        </div>
      )}
      <div class="row">
        <button class={isDangerous ? 'danger' : 'primary'} disabled={isDisabled} aria-disabled={isRunning} title="Ctrl+Enter">
          <Icon name="run" /> {isRunning ? 'Running…' : label}
        </button>
        <span class="soft keys">Ctrl+Enter</span>
      </div>
      {children}
    </form>
  );
}

export const problemOf = (error: unknown): string | null => (error instanceof DraftError ? error.message : null);

/** It is about what is asked for, and not about an entity: what the page shows is not what is served any more. */
const isOfTheModel = ({ code, message }: RequestError): boolean => code === 'not_found' && /^there is no (model|pattern|operation|parameter)\b/.test(message);
const MEANINGS: Record<string, string> = {
  in_use: 'Nothing was written.',
  conflict: 'A condition did not hold, or others were faster. Nothing was written.',
  not_found: 'Nothing was written. It was mistyped, or it has been deleted.',
  invalid: 'Nothing was written.',
  unserved: 'The layout has no key for these parameters. Give others, or add the key that is named.',
  throttled: 'The table has less capacity than this takes. Wait a moment, or raise it.',
  forbidden: 'Your role does not cover this.',
  AccessDeniedException: 'Your role does not cover this.',
  unknown: 'It is not known whether it was carried out. Look before you try again.',
};
/** Asked again in the same words, these are refused again. */
const STAYS = ['not_found', 'in_use', 'invalid', 'malformed', 'too_large', 'unserved', 'forbidden', 'AccessDeniedException'];
export function RunError({ error, onRetry, isRead = false }: { error: Error; onRetry: () => void; isRead?: boolean }) {
  const { code } = error instanceof RequestError ? error : { code: '' };
  const isOld = error instanceof RequestError && isOfTheModel(error);
  const meaning = isOld ? 'The model was changed since this page was loaded: load it again.' : isRead && /^(not_found|invalid)$/.test(code) ? undefined : MEANINGS[code];
  return (
    <div class="column">
      <ErrorBox error={error} onRetry={STAYS.includes(code) ? undefined : onRetry} isManual />
      {meaning && <p class="soft">{meaning}</p>}
    </div>
  );
}

interface AgainstParts {
  of: Pick<Explanation<unknown>, 'planned' | 'budget' | 'items_read'>;
  cost: Cost;
  milliseconds: number;
  without?: string | undefined; // what the figures leave out
}
/** Planned against actual. */
export function Against({ of, cost, milliseconds, without }: AgainstParts) {
  const rows: { name: string; planned: number | undefined; actual: number; budget: number | undefined }[] = [
    { name: 'Requests', planned: of.planned?.requests, actual: cost.requests, budget: of.budget?.requests },
    { name: 'Rounds', planned: of.planned?.rounds, actual: cost.rounds, budget: of.budget?.rounds },
    { name: 'Units', planned: of.planned?.units, actual: cost.units, budget: of.budget?.units },
    { name: 'Items read', planned: of.items_read, actual: cost.items_read, budget: undefined },
  ];
  const over = overBudget(cost satisfies Planned, of.budget);
  return (
    <div class="against">
      <table class="plain">
        <caption class="hidden-text">Planned against actual</caption>
        <thead>
          <tr>
            <td />
            <th scope="col" class="number">
              Planned, at most
            </th>
            <th scope="col" class="number">
              Actual
            </th>
            <th scope="col" class="number">
              Budget
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, planned, actual, budget }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{planned === undefined ? '–' : decimal(planned)}</td>
              <td class="number">
                <b>{decimal(actual)}</b>
              </td>
              <td class="number">{budget === undefined ? '–' : `${decimal(budget)} ${actual > budget ? '✕' : '✓'}`}</td>
            </tr>
          ))}
          {without && (
            <tr>
              <td colSpan={4}>{without}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p class="soft">
        {Math.round(milliseconds)} ms, over the network and back. Plans count on declared sizes and on items of 400 bytes.
        {over.length > 0 && <strong class="over-text"> Over budget: {over.join('; ')}.</strong>}
      </p>
    </div>
  );
}

export function CallTexts({ call }: { call: ModelCall }) {
  const [language, setLanguage] = useState<CallLanguage>('curl');
  return (
    <div>
      <Tabs label="The call for programs" tabs={CALL_LANGUAGES} chosen={language} onChoose={setLanguage}>
        <CodeBox label="The call" text={callText(call, language, location.origin, accessKey.value !== null)} />
      </Tabs>
    </div>
  );
}
