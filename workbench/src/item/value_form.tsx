// The form of a value: its type, and what is in it, however deep.
import { useId, useRef } from 'preact/hooks';
import { counted } from '../parts/amount';
import { Icon } from '../parts/icon';
import { type Draft, type DraftPart, hasParts, isSetType, partFor, type Problems, withType } from './draft';
import { type TypeName, TYPE_NAMES } from './value';

const TYPES = Object.keys(TYPE_NAMES) as TypeName[];

interface ValueParts {
  draft: Draft;
  name: string; // for those who do not see where it is
  problem: string | undefined;
  isFixed?: boolean;
  onChange: (draft: Draft) => void;
}

/** The field of a value without parts. */
export function ValueField({ draft, name, problem, isFixed, onChange }: ValueParts) {
  const id = useId();
  const told = problem ? { 'aria-invalid': true, 'aria-describedby': id } : {};
  const field = () => {
    if (draft.type === 'BOOL')
      return (
        <label class="check value-field">
          <input type="checkbox" checked={draft.flag} disabled={isFixed} onChange={(event) => onChange({ ...draft, flag: event.currentTarget.checked })} />
          {draft.flag ? 'true' : 'false'}
          <span class="hidden-text">{name}</span>
        </label>
      );
    if (draft.type === 'NULL') return <span class="soft value-field">null</span>;
    const shared = {
      class: 'value-field mono',
      value: draft.text,
      readOnly: isFixed,
      spellcheck: false,
      'aria-label': name,
      onInput: (event: { currentTarget: { value: string } }) => onChange({ ...draft, text: event.currentTarget.value }),
      ...told,
    };
    if (draft.type === 'N') return <input {...shared} inputMode="decimal" />;
    // One element however long the text is: it grows, and what is typed stays in it.
    return <textarea rows={1} {...shared} placeholder={draft.type === 'B' ? 'base64' : undefined} />;
  };
  return (
    <>
      {field()}
      {problem && (
        <span class="problem" id={id}>
          {problem}
        </span>
      )}
    </>
  );
}

interface PartsParts {
  draft: Draft;
  path: string;
  problems: Problems;
  /** Names of members whose name, type or both stay as they are. */
  fixed?: { names: string[]; types: Record<string, TypeName>; isKept: boolean };
  onChange: (draft: Draft) => void;
}

/** The members of a map, or the elements of a list or set. */
export function ValueParts({ draft, path, problems, fixed, onChange }: PartsParts) {
  const put = (at: number, part: DraftPart) => onChange({ ...draft, parts: draft.parts.map((each, place) => (place === at ? part : each)) });
  const remove = (at: number) => onChange({ ...draft, parts: draft.parts.filter((_, place) => place !== at) });
  const move = (at: number, by: number) => {
    const parts = [...draft.parts];
    parts.splice(at + by, 0, ...parts.splice(at, 1));
    onChange({ ...draft, parts });
  };
  const isMap = draft.type === 'M';
  // What is added is typed at once: its name, or where there is none its value.
  const box = useRef<HTMLDivElement>(null);
  const add = () => {
    onChange({ ...draft, parts: [...draft.parts, partFor(draft.type, draft.parts[draft.parts.length - 1]?.value)] });
    setTimeout(() => {
      const added = [...(box.current?.children ?? [])].filter((each) => each.classList.contains('value-part')).at(-1);
      (added?.querySelector<HTMLElement>('input.value-name') ?? added?.querySelector<HTMLElement>('.value-content :is(input, textarea)'))?.focus();
    });
  };
  return (
    <div ref={box} class="value-parts">
      {draft.parts.map((part, at) => {
        const isKey = fixed?.names.includes(part.name) === true;
        const where = isMap ? (path ? `${path}.${part.name}` : part.name || 'new attribute') : `${path}[${at}]`;
        const isDeep = hasParts(part.value.type);
        return (
          <div class={'value-part' + (isDeep ? ' deep' : '')} key={part.id} role="group" aria-label={where}>
            <div class="value-line">
              {isMap && (
                <input
                  class="value-name"
                  value={part.name}
                  readOnly={isKey}
                  aria-label={`Name of ${where}`}
                  placeholder="name"
                  spellcheck={false}
                  onInput={(event) => put(at, { ...part, name: event.currentTarget.value })}
                />
              )}
              {!isSetType(draft.type) && (
                <select
                  class="value-type"
                  aria-label={`Type of ${where}`}
                  value={part.value.type}
                  disabled={isKey}
                  onChange={(event) => put(at, { ...part, value: withType(part.value, event.currentTarget.value as TypeName) })}
                >
                  {TYPES.map((type) => (
                    <option key={type} value={type}>
                      {TYPE_NAMES[type]}
                    </option>
                  ))}
                </select>
              )}
              <div class="value-content">
                {isDeep ? (
                  <span class="soft value-field">
                    {part.value.type === 'M' ? counted(part.value.parts.length, 'member', 'members') : counted(part.value.parts.length, 'element', 'elements')}
                    {problems.get(part.id) && <span class="problem"> {problems.get(part.id)}</span>}
                  </span>
                ) : (
                  <ValueField draft={part.value} name={where} problem={problems.get(part.id)} isFixed={isKey && fixed?.isKept === true} onChange={(value) => put(at, { ...part, value })} />
                )}
              </div>
              {draft.type === 'L' && (
                <button type="button" class="plain" aria-label={`Move ${where} up`} disabled={at === 0} onClick={() => move(at, -1)}>
                  ↑
                </button>
              )}
              {isKey ? (
                <span class="badge">key</span>
              ) : (
                <button type="button" class="plain" aria-label={`Remove ${where}`} onClick={() => remove(at)}>
                  <Icon name="trash" />
                </button>
              )}
            </div>
            {isDeep && <ValueParts draft={part.value} path={where} problems={problems} onChange={(value) => put(at, { ...part, value })} />}
          </div>
        );
      })}
      <div>
        <button type="button" class="plain add" onClick={add}>
          <Icon name="plus" /> {isMap ? (path ? `Member of ${path}` : 'Attribute') : `Element of ${path}`}
        </button>
      </div>
    </div>
  );
}
