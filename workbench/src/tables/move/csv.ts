// Comma-separated values as RFC 4180 has them.

/** All records; a field in "quotes" may have commas, line ends and "" for a quote in it. Empty lines are left out. */
export function parseCsv(text: string): string[][] {
  return [...csvRecords(text)].map(({ fields }) => fields);
}

export interface CsvRecord {
  line: number; // where it begins, from 1
  fields: string[];
  quoted: boolean[]; // "" is a text with nothing in it
}

export function* csvRecords(text: string): Generator<CsvRecord> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const fields: string[] = [];
    const quoted: boolean[] = [];
    for (;;) {
      while (text[at] === ' ' && /^ *"/.test(text.slice(at, at + 40))) at++; // a, "b"
      let field = '';
      quoted.push(text[at] === '"');
      if (text[at] === '"') {
        at++;
        for (;;) {
          const end = text.indexOf('"', at);
          if (end < 0) throw new Error(`line ${start}: a field in quotes does not end`);
          field += text.slice(at, end);
          at = end + 1;
          if (text[at] !== '"') break;
          field += '"';
          at++;
        }
        for (const letter of field) if (letter === '\n') line++;
      }
      while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') field += text[at++];
      fields.push(field);
      if (text[at] !== ',') break;
      at++;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    line++;
    if (fields.length > 1 || fields[0] !== '' || quoted[0]) yield { line: start, fields, quoted };
  }
}

export const csvField = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
export const csvLine = (fields: string[]): string => fields.map(csvField).join(',') + '\r\n';
