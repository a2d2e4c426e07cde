// A model, drawn by `sheaf model draw`. It is shown as a picture, so that nothing in it can do anything.
import { useState } from 'preact/hooks';
import { ErrorBox, useLoaded } from '../parts/loaded';
import { theme } from '../parts/theme';
import { runCommand } from '../server/workbench';

type Kind = 'collections' | 'relations';
interface Parts {
  name: string;
  text: string;
  data: string | undefined; // sample data; without it there are no collections to draw
  layouts: string[];
}
const drawn = new Map<string, string>();

async function draw(text: string, data: string | undefined, kind: Kind, layout: string, as: 'svg' | 'text', signal: AbortSignal): Promise<string> {
  const key = JSON.stringify([text, data, kind, layout, as]);
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const withData = kind === 'collections' && data !== undefined;
  const { output } = await runCommand(['model', 'draw', 'model.sheaf', kind, '--layout', layout, '--as', as, ...(withData ? ['--data', 'data.json'] : [])], {
    files: { 'model.sheaf': text, ...(withData ? { 'data.json': data } : {}) },
    signal,
  });
  drawn.set(key, output);
  return output;
}

/** Light or dark as the page is, which need not be as the system is. */
function inTheme(svg: string, isDark: boolean): string {
  return svg.replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/g, isDark ? '@media all' : '@media not all');
}

export function Drawing({ name, text, data, layouts }: Parts) {
  const [kind, setKind] = useState<Kind>(data === undefined ? 'relations' : 'collections');
  const [layout, setLayout] = useState('default');
  const [isWhole, setWhole] = useState(false);
  const svg = useLoaded((signal) => draw(text, data, kind, layout, 'svg', signal), [text, kind, layout]);
  const label = kind === 'collections' ? `Item collections of ${name}, layout ${layout}` : `Entities and relations of ${name}`;
  return (
    <div class="drawing">
      <div class="row">
        {data !== undefined && (
          <div role="group" aria-label="What to draw" class="choice">
            <button aria-pressed={kind === 'collections'} onClick={() => setKind('collections')}>
              Item collections
            </button>
            <button aria-pressed={kind === 'relations'} onClick={() => setKind('relations')}>
              Relations
            </button>
          </div>
        )}
        {kind === 'collections' && layouts.length > 1 && (
          <label class="row">
            <span class="soft">Layout</span>
            <select value={layout} onChange={(event) => setLayout(event.currentTarget.value)}>
              {layouts.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        )}
        <span class="grow" />
        <button aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          Full size
        </button>
      </div>
      {svg.error && <ErrorBox error={svg.error} onRetry={svg.again} />}
      {!svg.error && svg.value === undefined && <p class="soft">Drawing…</p>}
      {!svg.error && svg.value !== undefined && (
        <div class={isWhole ? 'picture whole' : 'picture'} tabIndex={0} role="region" aria-label={label} aria-busy={svg.isLoading}>
          <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(inTheme(svg.value, theme.value === 'dark'))}`} alt={`${label}. Below it is the same as text.`} />
        </div>
      )}
      <AsText key={`${kind} ${layout}`} text={text} data={data} kind={kind} layout={layout} label={label} />
    </div>
  );
}

interface TextParts {
  text: string;
  data: string | undefined;
  kind: Kind;
  layout: string;
  label: string;
}
function AsText({ text, data, kind, layout, label }: TextParts) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The same as text</summary>
      {isOpen && <TextDrawing text={text} data={data} kind={kind} layout={layout} label={label} />}
    </details>
  );
}

function TextDrawing({ text, data, kind, layout, label }: TextParts) {
  const told = useLoaded((signal) => draw(text, data, kind, layout, 'text', signal), [text, kind, layout]);
  if (told.error) return <ErrorBox error={told.error} onRetry={told.again} />;
  return (
    <pre tabIndex={0} aria-label={label}>
      {told.value ?? 'Drawing…'}
    </pre>
  );
}
