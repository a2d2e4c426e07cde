// Whether a SELECT reads all of its table or index: it does unless it says what the partition key is.
import { keysOf, type Table } from '../../server/dynamo';

export interface SelectFrom {
  table: string;
  index: string | null;
  where: string;
}
const NAME = '(?:"((?:[^"]|"")+)"|([\\w.-]+?))';
const FROM = new RegExp(`^\\s*select\\b[\\s\\S]*?\\bfrom\\s+${NAME}(?:\\.${NAME})?(?=\\s|$)(?:\\s+where\\b([\\s\\S]*))?`, 'i');

/** null: it is no SELECT, or not yet one. */
export function selectFrom(statement: string): SelectFrom | null {
  const found = FROM.exec(statement.trim().replace(/;$/, ''));
  if (!found) return null;
  const table = found[1] ?? found[2]!;
  return { table, index: found[3] ?? found[4] ?? null, where: found[5] ?? '' };
}

/** A name with a dash that is not in quotes is no name in PartiQL; null: there is none. */
export function dashHint(statement: string): string | null {
  const plain = statement.replace(/'(?:[^']|'')*'/g, "''");
  const name = /\b(?:from|into|update)\s+([A-Za-z_][\w.]*-[\w.-]*\w)/i.exec(plain)?.[1];
  return name === undefined ? null : `A name with a dash stands in double quotes: "${name}".`;
}

/** What to say of it; null: it reads no more than a part. */
export function scanNote({ index, where }: SelectFrom, table: Table): string | null {
  const { partition } = keysOf(table, index);
  const plain = where.replace(/'(?:[^']|'')*'/g, "''");
  const isSaid = (name: string) => new RegExp(`(^|[\\s(])"?${name.replace(/[^\w]/g, '\\$&')}"?\\s*(=|\\bin\\b)`, 'i').test(plain);
  const missing = partition.filter((name) => !isSaid(name));
  if (missing.length === 0 && !/\bor\b/i.test(plain)) return null;
  const all = index ? `the whole index ${index}` : `the whole table ${table.TableName}`;
  return missing.length === 0 ? `With OR this may read ${all}.` : `This is a scan: it reads ${all}, since it does not say what ${missing.join(' and ')} is (= or IN).`;
}
