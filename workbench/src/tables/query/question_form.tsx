// The fields of the query builder.
import { useId } from 'preact/hooks';
import type { TypeName } from '../../item/value';
import { Icon } from '../../parts/icon';
import { indexesOf, keysOf, type Table } from '../../server/dynamo';
import { FilterLine } from './filter_line';
import { newFilter, noSort, type Question, type SortCondition, type SortOperator } from './question';
import { typeOfKey } from './question_request';
import type { SeenTypes } from './seen_types';

const SORT_OPERATORS: Record<SortOperator, string> = { '=': '=', '<': '<', '<=': '≤', '>': '>', '>=': '≥', between: 'between', begins_with: 'begins with' };
const TYPES = { S: 'string', N: 'number', B: 'base64', BOOL: 'boolean', NULL: 'null' };

interface Parts {
  table: Table;
  question: Question;
  attributes: string[]; // as they are written in paths
  seen: SeenTypes | null;
  onChange: (question: Question) => void;
}

export function QuestionForm({ table, question, attributes, seen, onChange }: Parts) {
  const keys = keysOf(table, question.index || null);
  const names = useId();
  const set = (change: Partial<Question>) => onChange({ ...question, ...change });
  const setSort = (at: number, change: Partial<SortCondition>) =>
    set({ sort: keys.sort.map((_, place) => ({ ...(question.sort[place] ?? noSort), ...(place === at ? change : {}) })) });
  const isGlobal = (table.GlobalSecondaryIndexes ?? []).some((each) => each.IndexName === question.index);
  return (
    <>
      <div class="conditions">
        <label for={`${names}-of`}>From</label>
        <select
          id={`${names}-of`}
          value={question.index}
          onChange={(event) => {
            const index = event.currentTarget.value;
            const isOfGlobal = (table.GlobalSecondaryIndexes ?? []).some((each) => each.IndexName === index);
            set({ index, partition: [], sort: [], ...(isOfGlobal ? { isConsistent: false } : {}) });
          }}
        >
          <option value="">table {table.TableName}</option>
          {indexesOf(table).map((each) => (
            <option key={each.IndexName} value={each.IndexName}>
              index {each.IndexName}
            </option>
          ))}
        </select>
        {keys.partition.map((name, at) => (
          <Condition key={name} name={name} label="Partition key">
            <span class="operator">=</span>
            <input
              class="mono grow"
              aria-label={`${name} equals`}
              placeholder={TYPES[typeOfKey(table, name)]}
              value={question.partition[at] ?? ''}
              spellcheck={false}
              onInput={(event) => {
                const value = event.currentTarget.value;
                set({ partition: keys.partition.map((_, place) => (place === at ? value : (question.partition[place] ?? ''))) });
              }}
            />
          </Condition>
        ))}
        {keys.sort.map((name, at) => {
          const condition = question.sort[at] ?? noSort;
          return (
            <Condition key={name} name={name} label="Sort key">
              <select aria-label={`Condition on ${name}`} value={condition.operator} onChange={(event) => setSort(at, { operator: event.currentTarget.value as SortOperator })}>
                {Object.entries(SORT_OPERATORS)
                  .filter(([operator]) => operator !== 'begins_with' || typeOfKey(table, name) !== 'N')
                  .map(([operator, label]) => (
                    <option key={operator} value={operator}>
                      {label}
                    </option>
                  ))}
              </select>
              <input
                class="mono grow"
                aria-label={condition.operator === 'between' ? `${name} from` : `${name} value`}
                placeholder={`any ${TYPES[typeOfKey(table, name)]}`}
                value={condition.value}
                spellcheck={false}
                onInput={(event) => setSort(at, { value: event.currentTarget.value })}
              />
              {condition.operator === 'between' && (
                <>
                  and
                  <input class="mono grow" aria-label={`${name} to`} value={condition.to} spellcheck={false} onInput={(event) => setSort(at, { to: event.currentTarget.value })} />
                </>
              )}
            </Condition>
          );
        })}
      </div>
      <fieldset>
        <legend>Filters {question.filters.length > 1 && <span class="soft">(all of them)</span>}</legend>
        <datalist id={`${names}-names`}>
          {attributes.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        {question.filters.map((filter, at) => (
          <FilterLine
            key={at}
            filter={filter}
            place={at + 1}
            names={`${names}-names`}
            typesOf={(name) => typesOf(table, seen, name)}
            onChange={(next) => set({ filters: question.filters.map((each, place) => (place === at ? next : each)) })}
            onRemove={() => set({ filters: question.filters.filter((_, place) => place !== at) })}
          />
        ))}
        <button type="button" class="plain add" onClick={() => set({ filters: [...question.filters, newFilter] })}>
          <Icon name="plus" /> Filter
        </button>
      </fieldset>
      <div class="row options">
        <label class="check">
          <input type="checkbox" checked={question.isDescending} onChange={(event) => set({ isDescending: event.currentTarget.checked })} /> descending
        </label>
        <label class="check" title={isGlobal ? 'Global indexes have no consistent reads' : undefined}>
          <input type="checkbox" checked={question.isConsistent} disabled={isGlobal} onChange={(event) => set({ isConsistent: event.currentTarget.checked })} /> consistent
        </label>
        <label class="check" title="Limit: how many items are read for one page, before the filter">
          limit
          <input class="short" inputMode="numeric" placeholder="none" value={question.limit} onInput={(event) => set({ limit: event.currentTarget.value })} />
        </label>
        <label class="check grow">
          attributes
          <input class="grow mono" placeholder="all, or: name, address.city" value={question.projection} spellcheck={false} onInput={(event) => set({ projection: event.currentTarget.value })} />
        </label>
      </div>
    </>
  );
}

/** Those of a key are certain; of other attributes those that were seen. */
function typesOf(table: Table, seen: SeenTypes | null, name: string): TypeName[] {
  const key = table.AttributeDefinitions.find((each) => each.AttributeName === name)?.AttributeType;
  return key ? [key] : (seen?.get(name.trim()) ?? []);
}

function Condition({ name, label, children }: { name: string; label: string; children: preact.ComponentChildren }) {
  return (
    <>
      <span class="key-name" title={label}>
        <code>{name}</code>
      </span>
      <div class="row tight" role="group" aria-label={`${label} ${name}`}>
        {children}
      </div>
    </>
  );
}
