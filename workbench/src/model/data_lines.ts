// What `sheaf model generate` prints: lines of {"Employee": [...]} and {"links": {"User.friends": [...]}}.

interface Lists {
  [name: string]: unknown[] | Lists;
}
function add(all: Lists, more: Lists): void {
  for (const [name, values] of Object.entries(more)) {
    const before = all[name];
    if (!Array.isArray(values)) add((all[name] = before && !Array.isArray(before) ? before : {}), values);
    else if (Array.isArray(before)) for (const each of values) before.push(each);
    else all[name] = [...values];
  }
}

/** The lines as one data file. */
export function dataOf(lines: string): string {
  const all: Lists = {};
  for (const line of lines.split('\n')) if (line.trim() !== '') add(all, JSON.parse(line) as Lists);
  return JSON.stringify(all);
}
