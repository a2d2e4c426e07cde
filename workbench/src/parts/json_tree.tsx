// A value of JSON to be read: what is short stands in one line, what is long can be folded.
import type { ComponentChildren } from 'preact';
import './json_tree.css';

const LINE = 60;

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span class="json-text">{JSON.stringify(value)}</span>;
  if (typeof value === 'number') return <span class="json-number">{String(value)}</span>;
  return <span class="json-word">{String(value)}</span>;
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

function Name({ name }: { name: string | number | undefined }): ComponentChildren {
  return name === undefined ? null : (
    <>
      <span class={typeof name === 'number' ? 'json-place' : 'json-name'}>{name}</span>
      {': '}
    </>
  );
}

/** Whether it stands in one line. */
export function isLine(value: unknown): boolean {
  if (isScalar(value)) return true;
  return Object.values(value as object).every(isScalar) && JSON.stringify(value).length <= LINE;
}

interface Parts {
  value: unknown;
  name?: string | number;
  open?: number; // how many levels are unfolded at first
  isUnfolded?: boolean; // others beside it are too long for a line, and all are to look alike
}
export function JsonTree({ value, name, open = 4, isUnfolded = false }: Parts) {
  if (isScalar(value))
    return (
      <div class="json-line">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  const isList = Array.isArray(value);
  const entries: [string | number, unknown][] = isList ? value.map((each, i) => [i + 1, each]) : Object.entries(value as object);
  const hasLong = isList && value.some((each) => !isLine(each));
  if (isLine(value) && !(isUnfolded && entries.length > 0))
    return (
      <div class="json-line">
        <Name name={name} />
        {isList ? '[' : '{'}
        {entries.map(([key, each], i) => (
          <>
            {i > 0 && ', '}
            {!isList && <Name name={key} />}
            <Scalar value={each} />
          </>
        ))}
        {isList ? ']' : '}'}
      </div>
    );
  return (
    <details class="json" open={open > 0}>
      <summary>
        <Name name={name} />
        <span class="soft">{isList ? `${entries.length} in a list` : `${entries.length} fields`}</span>
      </summary>
      <div class="json-inner">
        {entries.map(([key, each]) => (
          <JsonTree key={key} name={key} value={each} open={open - 1} isUnfolded={hasLong} />
        ))}
      </div>
    </details>
  );
}
