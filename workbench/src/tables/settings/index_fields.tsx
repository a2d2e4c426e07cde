// The fields of a new index.
import { Icon } from '../../parts/icon';
import type { IndexDraft, KeyAttribute, KeyAttributeType } from './table_request';

const TYPES: Record<KeyAttributeType, string> = { S: 'String', N: 'Number', B: 'Binary' };

interface KeyParts {
  label: string;
  attribute: KeyAttribute;
  isOptional?: boolean;
  onChange: (attribute: KeyAttribute) => void;
}
export function KeyFields({ label, attribute, isOptional, onChange }: KeyParts) {
  return (
    <div class="row tight">
      <label class="field grow">
        {label}
        <input class="mono" value={attribute.name} placeholder={isOptional ? 'none' : 'attribute'} spellcheck={false} onInput={(event) => onChange({ ...attribute, name: event.currentTarget.value })} />
      </label>
      <label class="field">
        Type
        <select value={attribute.type} onChange={(event) => onChange({ ...attribute, type: event.currentTarget.value as KeyAttributeType })}>
          {Object.entries(TYPES).map(([type, text]) => (
            <option key={type} value={type}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface Parts {
  index: IndexDraft;
  onChange: (index: IndexDraft) => void;
}
export function IndexFields({ index, onChange }: Parts) {
  const keys = (which: 'partition' | 'sort', label: string) => {
    const attributes = index[which];
    return (
      <div class="column tight grow">
        {attributes.map((attribute, at) => (
          <KeyFields
            key={at}
            label={at === 0 ? label : `and ${at + 1}.`}
            attribute={attribute}
            isOptional={which === 'sort' || at > 0}
            onChange={(next) => onChange({ ...index, [which]: attributes.map((each, place) => (place === at ? next : each)) })}
          />
        ))}
        {index.kind === 'global' && attributes.length < 4 && (
          <div>
            <button type="button" class="plain add" onClick={() => onChange({ ...index, [which]: [...attributes, { name: '', type: 'S' }] })}>
              <Icon name="plus" /> {attributes.length === 0 ? label : 'Another attribute'}
            </button>
          </div>
        )}
      </div>
    );
  };
  return (
    <div class="column tight">
      <label class="field">
        Name of the {index.kind} index
        <input value={index.name} spellcheck={false} onInput={(event) => onChange({ ...index, name: event.currentTarget.value })} />
      </label>
      <div class="row top">
        {index.kind === 'global' && keys('partition', 'Partition key')}
        {keys('sort', 'Sort key')}
      </div>
      <div class="row tight">
        <label class="field">
          Holds
          <select value={index.projection} onChange={(event) => onChange({ ...index, projection: event.currentTarget.value as IndexDraft['projection'] })}>
            <option value="ALL">all attributes</option>
            <option value="KEYS_ONLY">keys only</option>
            <option value="INCLUDE">keys and some attributes</option>
          </select>
        </label>
        {index.projection === 'INCLUDE' && (
          <label class="field grow">
            Attributes
            <input class="mono" placeholder="name, city" value={index.attributes} spellcheck={false} onInput={(event) => onChange({ ...index, attributes: event.currentTarget.value })} />
          </label>
        )}
      </div>
    </div>
  );
}
