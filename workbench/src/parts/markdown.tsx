// The little Markdown in which the language answers, as elements: paragraphs, code and lists. Nothing of it becomes HTML.
import type { ComponentChildren } from 'preact';

type Block = { kind: 'text'; lines: string[] } | { kind: 'code'; lines: string[] } | { kind: 'list'; lines: string[] };

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      open = isCode ? null : { kind: 'code', lines: [] };
      if (open) blocks.push(open);
      isCode = !isCode;
      continue;
    }
    if (isCode) {
      open!.lines.push(line);
      continue;
    }
    const bullet = /^\s*[-*] (.*)$/.exec(line);
    if (line.trim() === '' || /^---+$/.test(line)) open = null;
    else if (bullet) {
      if (open?.kind !== 'list') blocks.push((open = { kind: 'list', lines: [] }));
      open.lines.push(bullet[1]!);
    } else if (open?.kind === 'list') open.lines[open.lines.length - 1] += ' ' + line.trim();
    else {
      if (open?.kind !== 'text') blocks.push((open = { kind: 'text', lines: [] }));
      open.lines.push(line.replace(/^#+ /, ''));
    }
  }
  return blocks;
}

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.length > 2 && part.startsWith('`') && part.endsWith('`')) return <code>{part.slice(1, -1)}</code>;
    if (part.length > 4 && part.startsWith('**') && part.endsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
    return part.replace(/\\([\\`*_{}[\]()#+\-.!|<>])/g, '$1');
  });
}

export function Markdown({ text }: { text: string }) {
  return (
    <>
      {blocksOf(text).map((block) => {
        if (block.kind === 'code') return <pre>{block.lines.join('\n')}</pre>;
        if (block.kind === 'list')
          return (
            <ul>
              {block.lines.map((line) => (
                <li>{inline(line)}</li>
              ))}
            </ul>
          );
        return <p>{inline(block.lines.join(' '))}</p>;
      })}
    </>
  );
}
