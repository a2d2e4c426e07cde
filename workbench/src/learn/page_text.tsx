// The little of Markdown that pages about rules use: paragraphs, `code`, and blocks of code.
import type { ComponentChildren } from 'preact';

/** Text with `code` in it. */
export function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`)/).map((part, at) => (part.startsWith('`') && part.endsWith('`') && part.length > 2 ? <code key={at}>{part.slice(1, -1)}</code> : part));
}

export function PageText({ text }: { text: string }) {
  const blocks: ComponentChildren[] = [];
  // Odd parts are within fences.
  text.split(/^```.*\n?/m).forEach((part, at) => {
    if (at % 2 === 1) {
      const before = text.split(/^```.*\n?/m)[at - 1]!;
      const label = /(\w[^\n]*):\s*$/.exec(before.trim())?.[1] ?? 'Example';
      blocks.push(
        <pre key={at} tabIndex={0} aria-label={label} class={/wrong/i.test(label) ? 'wrong' : /right/i.test(label) ? 'right' : undefined}>
          {part.replace(/\n$/, '')}
        </pre>,
      );
      return;
    }
    part
      .split(/\n{2,}/)
      .map((each) => each.trim())
      .filter(Boolean)
      .forEach((each, index) => {
        const key = `${at} ${index}`;
        if (/^#+ /.test(each)) return; // the title is there already
        blocks.push(/^(Wrong|Right):$/.test(each) ? <h3 key={key}>{each.replace(':', '')}</h3> : <p key={key}>{inline(each.replaceAll('\n', ' '))}</p>);
      });
  });
  return <div class="page-text">{blocks}</div>;
}
