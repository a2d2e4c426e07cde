// What a model says of one of its layouts, for those who do not know what "method3" is.

/** `Department.staff via edges pk one`, of `layout method3 { rel Department.staff via edges pk one }`; '' if it says nothing. */
export function layoutWords(text: string, layout: string): string {
  const code = text.replace(/\/\/.*$/gm, '');
  const start = new RegExp(`\\blayout\\s+${layout.replace(/\W/g, '\\$&')}\\b[^{]*\\{`).exec(code);
  if (!start) return '';
  let depth = 1;
  let at = start.index + start[0].length;
  const from = at;
  for (; at < code.length && depth > 0; at++) depth += code[at] === '{' ? 1 : code[at] === '}' ? -1 : 0;
  const relations = [...code.slice(from, at - 1).matchAll(/\brel\s+([\w.]+)\s+via\s+(\w+)([^;{}\n]*)/g)].map(([, name, word, rest]) => `${name} via ${word}${rest!.replace(/\s+(?:on|tag|key|index|in|store)\s+(?:"[^"]*"|\S+)(?:\s*\/\s*"[^"]*")?/g, '').trimEnd()}`);
  return relations.length > 2 ? `${relations.slice(0, 2).join('; ')}; …` : relations.join('; ');
}
