// The tables that `sheaf model draw --as markdown` prints, read back.

export interface Section {
  title: string;
  notes: string[];
  head: string[];
  rows: string[][];
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** One line of a cell without its marks. */
function plain(cell: string): string {
  const text = cell.trim();
  const code = /^(`+)( ?)([\s\S]*?)\2\1$/.exec(text);
  if (code) return code[3]!.replace(/\\\|/g, '|');
  return text
    .replace(/^(\*\*|\*)([\s\S]*)\1$/, '$2')
    .replace(/\\([\\`*_[\]|~#])/g, '$1')
    .replace(/&(lt|gt|amp);/g, (all) => ENTITIES[all]!);
}

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  for (let i = 1; i < line.length; i++) {
    const letter = line[i]!;
    if (letter === '|') {
      cells.push(cell.trim());
      cell = '';
    } else {
      cell += letter;
      if (letter === '\\' && i + 1 < line.length) cell += line[++i];
    }
  }
  return cells;
}

export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) sections.push({ title: plain(line.slice(3)), notes: [], head: [], rows: [] });
    const section = sections.at(-1);
    if (!section || line.startsWith('#') || line.trim() === '') continue;
    if (!line.startsWith('|')) section.notes.push(plain(line));
    else if (section.head.length === 0) section.head = cellsOf(line).map(plain);
    else if (!/^\|[\s|:-]+\|$/.test(line)) section.rows.push(cellsOf(line));
  }
  return sections;
}

/** "table hr-data", "index hr-data.GSI1": of what a section is. */
function subjectOf(title: string): { table: string; index: string | null } | null {
  const found = /\b(table|index) (\S+)$/.exec(title);
  if (!found) return null;
  if (found[1] === 'table') return { table: found[2]!, index: null };
  const dot = found[2]!.lastIndexOf('.');
  return { table: found[2]!.slice(0, dot), index: found[2]!.slice(dot + 1) };
}

// --- Entity charts

export interface ChartRow {
  entity: string;
  keys: string[]; // templates, one for each key attribute
  attributes: string;
}
export interface Chart {
  table: string;
  index: string | null;
  keys: string[]; // names of the key attributes
  notes: string[];
  rows: ChartRow[];
}
export function chartsOf(markdown: string): Chart[] {
  return sectionsOf(markdown).flatMap(({ title, notes, head, rows }) => {
    const subject = subjectOf(title);
    if (!subject) return [];
    const places = head.map((_, place) => place).filter((place) => place > 0 && head[place] !== 'Attributes' && head[place] !== 'When');
    const attributes = head.indexOf('Attributes');
    return [
      {
        ...subject,
        notes,
        keys: places.map((place) => head[place]!),
        rows: rows.map((cells) => ({
          entity: plain(cells[0] ?? ''),
          keys: places.map((place) => (cells[place] ?? '').split('<br>').map(plain).join('\n')),
          attributes: attributes < 0 ? '' : (cells[attributes] ?? '').split('<br>').map(plain).join(', '),
        })),
      },
    ];
  });
}

// --- Item collections

export interface DrawnItem {
  sort: string;
  attributes: { name: string; value: string }[];
}
export interface Partition {
  key: string;
  items: DrawnItem[];
}
export interface Collections {
  table: string;
  index: string | null;
  partitionKey: string;
  sortKey: string | null;
  notes: string[];
  partitions: Partition[];
}
export function collectionsOf(markdown: string): Collections[] {
  return sectionsOf(markdown).flatMap(({ title, notes, head, rows }) => {
    const subject = subjectOf(title);
    if (!subject || head.length === 0) return [];
    const first = head.indexOf('Attributes');
    const keys = head.slice(0, first < 0 ? head.length : first);
    const partitions: Partition[] = [];
    for (const cells of rows) {
      if (cells[0] !== '' || partitions.length === 0) partitions.push({ key: plain(cells[0] ?? ''), items: [] });
      const attributes = cells.slice(keys.length).flatMap((cell) => {
        if (cell === '') return [];
        const [name = '', ...value] = cell.split('<br>');
        return [{ name: plain(name), value: value.map(plain).join('\n') }];
      });
      partitions.at(-1)!.items.push({ sort: keys.length > 1 ? plain(cells[1] ?? '') : '', attributes });
    }
    return [{ ...subject, notes, partitionKey: keys[0]!, sortKey: keys[1] ?? null, partitions }];
  });
}

// --- How relations are stored

export interface StoredRelation {
  ends: string; // "staff / department"; one name if it is symmetric
  relation: string; // "Department 1--* Employee"
  strategy: string; // "edges pk staff", as drawings have it
  copies: { end: string; fields: string }[];
}
export function storedRelationsOf(markdown: string): StoredRelation[] {
  const section = sectionsOf(markdown).find(({ head }) => head[2] === 'Stored');
  return (section?.rows ?? []).map((cells) => ({
    relation: plain(cells[0] ?? ''),
    ends: plain(cells[1] ?? ''),
    strategy: plain(cells[2] ?? ''),
    copies: (cells[3] ?? '').split('<br>').flatMap((line) => {
      const found = /^copies (.+) of (\S+)$/.exec(plain(line));
      return found ? [{ fields: found[1]!, end: found[2]! }] : [];
    }),
  }));
}
