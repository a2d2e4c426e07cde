// One condition of a filter.
import { Icon } from '../../parts/icon';
import { TYPE_NAMES, type TypeName } from '../../item/value';
import { type Filter, FILTER_OPERATORS, type FilterOperator, type ScalarType } from './question';

interface Parts {
  filter: Filter;
  place: number; // from 1
  names: string; // the id of a datalist
  typesOf: (attribute: string) => TypeName[]; // that it is known to have
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

const ALL_TYPES: ScalarType[] = ['S', 'N', 'B', 'BOOL', 'NULL'];
const ORDERED: ScalarType[] = ['S', 'N', 'B'];
function typesFor(operator: FilterOperator): ScalarType[] {
  if (operator === '=' || operator === '<>' || operator === 'in' || operator === 'contains' || operator === 'not_contains') return ALL_TYPES;
  if (operator === 'begins_with') return ['S', 'B'];
  return ORDERED;
}

/** Whether a value of the type can be what an attribute of these types has, or has among others. */
function fits(type: ScalarType, operator: FilterOperator, seen: TypeName[]): boolean {
  const holds: TypeName[] = operator === 'contains' || operator === 'not_contains' ? [type, `${type}S` as TypeName, 'L'] : [type];
  return seen.some((each) => holds.includes(each));
}

export function FilterLine({ filter, place, names, typesOf, onChange, onRemove }: Parts) {
  const { operator } = filter;
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change });
  const isPresence = operator === 'attribute_exists' || operator === 'attribute_not_exists';
  const isSize = operator.startsWith('size');
  const isBetween = operator === 'between' || operator === 'size between';
  const types = typesFor(operator);
  const type = types.includes(filter.type) ? filter.type : types[0]!;
  const label = `filter ${place}`;
  const seen = typesOf(filter.attribute);
  const differs = !isPresence && !isSize && operator !== 'attribute_type' && seen.length > 0 && !fits(type, operator, seen);
  const field = () => {
    if (isPresence) return null;
    if (operator === 'attribute_type')
      return (
        <select aria-label={`Type in ${label}`} value={filter.value || 'S'} onChange={(event) => set({ value: event.currentTarget.value })}>
          {Object.entries(TYPE_NAMES).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      );
    return (
      <>
        {!isSize && (
          <select class="narrow" aria-label={`Type of the value in ${label}`} value={type} onChange={(event) => set({ type: event.currentTarget.value as ScalarType })}>
            {types.map((each) => (
              <option key={each} value={each}>
                {TYPE_NAMES[each]}
              </option>
            ))}
          </select>
        )}
        {type === 'BOOL' && !isSize && operator !== 'in' ? (
          <select aria-label={`Value of ${label}`} value={filter.value || 'true'} onChange={(event) => set({ value: event.currentTarget.value })}>
            <option value="true">true</option>
            <option value="false">false</option>
          </select>
        ) : type === 'NULL' && !isSize ? null : (
          <input
            class="mono grow"
            aria-label={`Value of ${label}`}
            placeholder={operator === 'in' ? 'a, b, "c, d"' : isSize ? 'bytes or elements' : undefined}
            value={filter.value}
            spellcheck={false}
            onInput={(event) => set({ value: event.currentTarget.value })}
          />
        )}
        {isBetween && (
          <>
            and
            <input class="mono grow" aria-label={`Upper value of ${label}`} value={filter.to} spellcheck={false} onInput={(event) => set({ to: event.currentTarget.value })} />
          </>
        )}
      </>
    );
  };
  return (
    <div class="filter-line" role="group" aria-label={label}>
      <div class="row tight filter">
        <input
          class="mono attribute-name"
          list={names}
          aria-label={`Attribute of ${label}`}
          placeholder="attribute"
          value={filter.attribute}
          spellcheck={false}
          onInput={(event) => {
            const attribute = event.currentTarget.value;
            set({ attribute, type: typesOf(attribute).find((each): each is ScalarType => types.includes(each as ScalarType)) ?? filter.type });
          }}
        />
        <select
          aria-label={`Condition of ${label}`}
          value={operator}
          onChange={(event) => {
            const next = event.currentTarget.value as FilterOperator;
            const fitting = typesFor(next);
            set({ operator: next, type: fitting.includes(filter.type) ? filter.type : fitting[0]!, ...(operator === 'attribute_type' || next === 'attribute_type' ? { value: '' } : {}) });
          }}
        >
          {Object.entries(FILTER_OPERATORS).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        {field()}
      </div>
      <button type="button" class="plain" aria-label={`Remove ${label}`} onClick={onRemove}>
        <Icon name="trash" />
      </button>
      {differs && (
        <p class="filter-hint" role="status">
          {filter.attribute} was seen as {seen.map((each) => TYPE_NAMES[each]).join(' or ')} only: a {TYPE_NAMES[type]} is never the same.
        </p>
      )}
    </div>
  );
}
