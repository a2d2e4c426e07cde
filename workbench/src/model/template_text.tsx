/** A key template with its holes in colour. */
export function Template({ text }: { text: string }) {
  return (
    <code class="template">
      {text.split(/(<[^<>]+>)/).map((part) => (/^<.+>$/.test(part) ? <span class="hole">{part}</span> : part))}
    </code>
  );
}
