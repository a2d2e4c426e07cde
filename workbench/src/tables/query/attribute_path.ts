// Paths to attributes as people write them: address.city, tags[0], "a name with . in it".size

export class PathError extends Error {}
export type Step = { name: string } | { at: number };

const STEP = /\s*(?:"((?:[^"\\]|\\.)*)"|([^.[\]",\s][^.[\],]*?))\s*(?=[.[,]|$)|\[(\d+)\]\s*/y;

/** Throws PathError. */
export function parsePath(text: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    if (steps.length > 0 && text[at] === '.') at++;
    else if (steps.length > 0 && text[at] !== '[') throw new PathError(`“${text}” is no path to an attribute`);
    STEP.lastIndex = at;
    const found = STEP.exec(text);
    if (!found || found[0].length === 0) throw new PathError(`“${text}” is no path to an attribute: write a.b[0], and names with dots in "quotes"`);
    at += found[0].length;
    if (found[3] !== undefined) {
      if (steps.length === 0) throw new PathError(`“${text}” begins with a place in a list`);
      steps.push({ at: Number(found[3]) });
    } else steps.push({ name: found[1] !== undefined ? found[1].replace(/\\(.)/g, '$1') : found[2]! });
  }
  if (steps.length === 0) throw new PathError('an attribute is missing');
  return steps;
}

/** a, b.c, "d, e": the paths of a list. */
export function splitPaths(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (letter === ',' && !isQuoted) {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '');
}
