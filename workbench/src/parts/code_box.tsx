import { tell, tellError } from './toasts';

/** Text to be copied. */
export function CodeBox({ text, label }: { text: string; label: string }) {
  const copy = () => navigator.clipboard.writeText(text).then(() => tell('Copied'), tellError);
  return (
    <div class="code-box">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <button type="button" onClick={copy}>
        Copy
      </button>
    </div>
  );
}
