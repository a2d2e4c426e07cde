// The fields for a value of a type, with values that exist to choose from.
import { useId } from 'preact/hooks';
import type { Parameter } from '../server/models';
import { formOf, identityOf } from './declared';
import { type Draft, exampleOf, fieldOf, hasLines, isBlank, partOf } from './draft';
import type { ModelView } from './model_view';
import type { RealValues } from './real_values';
import { type Field, resolved, type Type, typeFrom } from './type_text';

interface Around {
  view: ModelView;
  real: RealValues;
}
interface Parts extends Around {
  parameters: Parameter[];
  drafts: Record<string, Draft>;
  /** Members of entities that are not asked for. */
  isLeftOut?: ((parameter: string, field: string) => boolean) | undefined;
  onChange: (drafts: Record<string, Draft>) => void;
}

export function ParameterForm({ parameters, drafts, isLeftOut, onChange, ...around }: Parts) {
  if (parameters.length === 0) return <p class="soft">It has no parameters.</p>;
  return (
    <div class="fields">
      {parameters.map(({ name, type, optional }) => (
        <ValueField
          key={name}
          field={{ name, type: typeFrom(type), isOptional: optional === true }}
          draft={drafts[name]}
          isLeftOut={(field) => isLeftOut?.(name, field) ?? false}
          onChange={(draft) => onChange({ ...drafts, [name]: draft })}
          {...around}
        />
      ))}
    </div>
  );
}

/** The entity that a type is the id of: DepartmentId is of Department. */
function entityOfId(type: Type, { view }: Around): string | null {
  if (type.kind !== 'named' || !type.name.endsWith('Id')) return null;
  const name = type.name.slice(0, -2);
  return view.declared.entities.some((each) => each.name === name) ? name : null;
}
function typeText(type: Type): string {
  switch (type.kind) {
    case 'scalar':
    case 'named':
      return type.name;
    case 'enum':
      return type.values.join(' | ');
    case 'list':
      return `list of ${typeText(type.of)}`;
    case 'map':
      return `map of ${typeText(type.of)}`;
    case 'tuple':
      return type.parts.map(typeText).join(', ');
    case 'record':
      return 'document';
  }
}

interface FieldParts extends Around {
  field: Field;
  draft: Draft;
  isLeftOut?: (field: string) => boolean;
  form?: string | null; // that it must match
  onChange: (draft: Draft) => void;
}

function ValueField(parts: FieldParts) {
  const { field, draft, onChange, isLeftOut, form: given, ...around } = parts;
  const { types } = around.view.summary;
  const type = resolved(field.type, types);
  const entity = entityOfId(field.type, around);
  if (entity && type.kind === 'tuple') return <IdField {...parts} entity={entity} parts={type.parts} />;
  if (type.kind === 'record') {
    const made = field.type.kind === 'named' ? /New(\w+)$/.exec(field.type.name)?.[1] : undefined;
    return (
      <fieldset>
        <legend>
          <Label {...field} of={field.type.kind === 'named' ? field.type.name.replace(/^(\w*?)New/, 'new ') : 'document'} />
        </legend>
        {type.fields
          .filter((each) => !each.isOptional || !isLeftOut?.(each.name))
          .map((each) => (
            <ValueField
              key={each.name}
              field={each}
              form={made ? formOf(around.view.declared, made, each.name) : null}
              draft={fieldOf(draft, each.name)}
              onChange={(to) => onChange({ ...(isRecord(draft) ? draft : {}), [each.name]: to })}
              {...around}
            />
          ))}
      </fieldset>
    );
  }
  if (type.kind === 'list' && type.of.kind === 'enum') return <Choices {...parts} values={type.of.values} />;
  const form = given ?? (entity ? formOf(around.view.declared, entity) : null);
  return (
    <label class="field">
      <Label {...field} of={(entity ?? typeText(field.type.kind === 'named' ? type : field.type)) + (form ? `, matches ${form}` : '')} />
      <PlainInput type={type} isOptional={field.isOptional} draft={draft} onChange={onChange} offered={offeredFor(field.name, type, entity, around)} isLines={hasLines(type, types)} />
    </label>
  );
}
const isRecord = (draft: Draft): draft is { [name: string]: Draft } => typeof draft === 'object' && !Array.isArray(draft);

function Label({ name, isOptional, of }: { name: string; isOptional: boolean; of: string }) {
  return (
    <span class="parameter-name">
      <b>{name}</b> <span class="soft">{of + (isOptional ? ', can be left out' : '')}</span>
    </span>
  );
}

function offeredFor(name: string, type: Type, entity: string | null, { real }: Around): string[] {
  if (entity) return (real.ids[entity] ?? []).map((parts) => parts[0]!);
  if (type.kind === 'scalar' && type.name === 'time') return real.named[name] ?? real.times;
  return real.named[name] ?? [];
}

interface InputParts {
  type: Type;
  isOptional: boolean;
  draft: Draft;
  onChange: (draft: Draft) => void;
  offered: string[];
  isLines: boolean;
  label?: string;
}
function PlainInput({ type, isOptional, draft, onChange, offered, isLines, label }: InputParts) {
  const list = useId();
  const text = typeof draft === 'string' ? draft : '';
  if (type.kind === 'enum' || (type.kind === 'scalar' && type.name === 'bool'))
    return (
      <select value={text} onChange={(event) => onChange(event.currentTarget.value)} aria-label={label}>
        <option value="">{isOptional ? '(left out)' : 'Choose…'}</option>
        {(type.kind === 'enum' ? type.values : ['true', 'false']).map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    );
  if (isLines) return <textarea rows={3} value={text} placeholder="one a line" aria-label={label} onInput={(event) => onChange(event.currentTarget.value)} />;
  if (type.kind !== 'scalar' || type.name === 'any')
    return <textarea rows={3} value={text} placeholder={type.kind === 'map' ? '{"strength": 12}' : 'JSON'} spellcheck={false} aria-label={label} onInput={(event) => onChange(event.currentTarget.value)} />;
  return (
    <>
      <input
        value={text}
        list={offered.length > 0 ? list : undefined}
        placeholder={exampleOf(type)}
        inputMode={type.name === 'int' || type.name === 'number' ? 'decimal' : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {offered.length > 0 && (
        <datalist id={list}>
          {offered.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** An id of several parts: one that exists is chosen whole, or its parts are typed. */
function IdField({ field, draft, onChange, entity, parts, ...around }: FieldParts & { entity: string; parts: Type[] }) {
  const names = identityOf(around.view.declared, entity);
  const known = around.real.ids[entity] ?? [];
  const change = (at: number, to: Draft) => onChange(parts.map((_, i) => (i === at ? to : (partOf(draft, i) ?? ''))));
  const chosen = known.findIndex((id) => id.every((part, i) => part === partOf(draft, i)));
  return (
    <fieldset>
      <legend>
        <Label {...field} of={entity} />
      </legend>
      {known.length > 0 && (
        <select
          class="known"
          aria-label={`${field.name}: one that exists`}
          value={chosen < 0 ? '' : String(chosen)}
          onChange={(event) => {
            const id = known[Number(event.currentTarget.value)];
            onChange(event.currentTarget.value === '' || !id ? undefined : [...id]);
          }}
        >
          <option value="">{isBlank(draft) ? 'One that exists…' : 'Another'}</option>
          {known.map((id, i) => (
            <option key={i} value={i}>
              {id.join(' · ')}
            </option>
          ))}
        </select>
      )}
      <div class="id-parts">
        {parts.map((part, i) => (
          <label key={i} class="field">
            {names[i] ?? `part ${i + 1}`}
            <PlainInput
              type={resolved(part, around.view.summary.types)}
              isOptional={field.isOptional}
              draft={partOf(draft, i)}
              onChange={(to) => change(i, to)}
              offered={[...new Set(known.map((id) => id[i]!))]}
              isLines={false}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Choices({ field, draft, onChange, values }: FieldParts & { values: string[] }) {
  const chosen = Array.isArray(draft) ? (draft as string[]) : [];
  return (
    <fieldset>
      <legend>
        <Label {...field} of="any of these" />
      </legend>
      <div class="row">
        {values.map((value) => (
          <label key={value} class="check">
            <input type="checkbox" checked={chosen.includes(value)} onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value))} />
            {value}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The first that exists of every id, so that there is something to see at once. */
export function firstValues(parameters: Parameter[], around: Around): Record<string, Draft> {
  const drafts: Record<string, Draft> = {};
  const texts = parameters.filter(({ type, optional }) => !optional && type === 'string').map(({ name }) => name);
  const together = around.real.together.find((one) => texts.every((name) => name in one));
  for (const { name, type, optional } of parameters) {
    if (optional) continue;
    const parsed = typeFrom(type);
    const entity = entityOfId(parsed, around);
    const id = entity ? around.real.ids[entity]?.[0] : undefined;
    const real = resolved(parsed, around.view.summary.types);
    if (id) drafts[name] = real.kind === 'tuple' ? [...id] : id[0]!;
    else if (real.kind === 'enum') drafts[name] = real.values[0]!;
    else if (real.kind === 'scalar' && real.name === 'time') drafts[name] = around.real.times[name === 'to' ? around.real.times.length - 1 : 0];
    else if (real.kind === 'scalar') drafts[name] = together?.[name] ?? around.real.named[name]?.[0];
  }
  return drafts;
}
