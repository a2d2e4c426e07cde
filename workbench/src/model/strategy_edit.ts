// Writes into a text how a relation is stored in a layout: in place of what is said there, or as a clause of its own.

interface Token {
  text: string;
  from: number;
  to: number;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"?|`[^`]*`|1--1|1--\*|\*--\*|[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g;
  for (const found of text.matchAll(pattern)) if (!found[0].startsWith('//')) tokens.push({ text: found[0], from: found.index, to: found.index + found[0].length });
  return tokens;
}
const nameOf = (token: Token | undefined) => token?.text.replaceAll('`', '') ?? '';

/** Behind the brace that closes the one at `open`. */
function behindBlock(tokens: Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]!.text === '{') depth++;
    if (tokens[at]!.text === '}' && --depth === 0) return at + 1;
  }
  return tokens.length;
}

/** Where a `via` that begins at `at` ends. A word behind one of these is a name, whatever it looks like. */
const BEFORE_NAMES = new Set(['in', 'index', 'on', 'ids', 'pk', 'copy', '.', '(', ',', 'tag']);
function behindVia(tokens: Token[], at: number): number {
  for (let place = at; place < tokens.length; place++) {
    const { text } = tokens[place]!;
    if (text === ';' || text === '}') return place;
    if (['rel', 'entity', 'table'].includes(text) && !BEFORE_NAMES.has(tokens[place - 1]!.text)) return place;
  }
  return tokens.length;
}

const indentOf = (text: string, at: number) => /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];
const splice = (text: string, from: number, to: number, insert: string) => text.slice(0, from) + insert + text.slice(to);

export interface RelationName {
  entity: string;
  end: string;
  /** What the other side calls it; null: the relation is symmetric. */
  other: { entity: string; end: string } | null;
}

/** null: the place cannot be found, as in a text with mistakes. */
export function withStrategy(text: string, layout: string, relation: RelationName, via: string): string | null {
  const tokens = tokensOf(text);
  return layout === 'default' ? inRelation(text, tokens, relation, via) : inLayout(text, tokens, layout, relation, via);
}

function inRelation(text: string, tokens: Token[], { entity, end }: RelationName, via: string): string | null {
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.text === '{') depth++;
    if (tokens[at]!.text === '}') depth--;
    // rel A 1--* B as x / y { ... }
    if (depth !== 1 || tokens[at]!.text !== 'rel' || tokens[at + 4]?.text !== 'as') continue;
    if (nameOf(tokens[at + 1]) !== entity || nameOf(tokens[at + 5]) !== end) continue;
    let behind = at + 6;
    if (tokens[behind]?.text === '/') behind += 2;
    if (tokens[behind]?.text !== '{') return splice(text, tokens[behind - 1]!.to, tokens[behind - 1]!.to, ` { via ${via} }`);
    const close = behindBlock(tokens, behind) - 1;
    for (let place = behind + 1; place < close; place++) {
      if (tokens[place]!.text === '{') place = behindBlock(tokens, place) - 1;
      else if (tokens[place]!.text === 'via' && ['{', ';'].includes(tokens[place - 1]!.text)) return splice(text, tokens[place + 1]!.from, tokens[behindVia(tokens, place + 1) - 1]!.to, via);
    }
    return splice(text, tokens[behind]!.to, tokens[behind]!.to, close === behind + 1 ? ` via ${via} ` : ` via ${via};`);
  }
  return null;
}

function inLayout(text: string, tokens: Token[], layout: string, relation: RelationName, via: string): string | null {
  const start = tokens.findIndex((token, at) => token.text === 'layout' && nameOf(tokens[at + 1]) === layout);
  if (start < 0) return null;
  const open = tokens.findIndex((token, at) => at > start && token.text === '{');
  if (open < 0) return null;
  const close = behindBlock(tokens, open) - 1;
  const isIt = (at: number) => {
    const entity = nameOf(tokens[at + 1]);
    const end = nameOf(tokens[at + 3]);
    return (entity === relation.entity && end === relation.end) || (entity === relation.other?.entity && end === relation.other.end);
  };
  for (let at = open + 1; at < close; at++)
    if (tokens[at]!.text === 'rel' && tokens[at + 2]?.text === '.' && tokens[at + 4]?.text === 'via' && isIt(at))
      return splice(text, tokens[at + 5]!.from, tokens[behindVia(tokens, at + 5) - 1]!.to, via);
  const indent = indentOf(text, tokens[start]!.from);
  const line = `rel ${relation.entity}.${relation.end} via ${via}`;
  const before = tokens[close - 1]!.to;
  return splice(text, before, tokens[close]!.from, `\n${indent}  ${line}\n${indent}`);
}
