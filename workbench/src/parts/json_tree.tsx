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

/** `open`: how many levels are unfolded at first. */
export function JsonTree({ value, name, open = 4 }: { value: unknown; name?: string | number; open?: number }) {
  if (isScalar(value))
    return (
      <div class="json-line">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  const isList = Array.isArray(value);
  const entries: [string | number, unknown][] = isList ? value.map((each, i) => [i + 1, each]) : Object.entries(value as object);
  const isShort = entries.every(([, each]) => isScalar(each)) && JSON.stringify(value).length <= LINE;
  if (isShort)
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
          <JsonTree key={key} name={key} value={each} open={open - 1} />
        ))}
      </div>
    </details>
  );
}
