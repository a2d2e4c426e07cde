// The requests that make tables and indexes.
import type { Index, KeyElement, Table } from '../../server/dynamo';

export type KeyAttributeType = 'S' | 'N' | 'B';
export interface KeyAttribute {
  name: string;
  type: KeyAttributeType;
}
export interface IndexDraft {
  id: number;
  kind: 'global' | 'local';
  name: string;
  partition: KeyAttribute[]; // of a global index
  sort: KeyAttribute[];
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  attributes: string; // of INCLUDE: a, b
}
export interface TableDraft {
  name: string;
  partition: KeyAttribute;
  sort: KeyAttribute; // its name is empty: none
  billing: 'PAY_PER_REQUEST' | 'PROVISIONED';
  readUnits: string;
  writeUnits: string;
  indexes: IndexDraft[];
  stream: '' | 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'KEYS_ONLY';
  tags: string; // team=blue, a line each
  isProtected: boolean;
}

let last = 0;
export const newIndex = (kind: 'global' | 'local', name: string): IndexDraft => ({
  id: ++last,
  kind,
  name,
  partition: kind === 'global' ? [{ name: `${name}PK`, type: 'S' }] : [],
  sort: [{ name: `${name}SK`, type: 'S' }],
  projection: 'ALL',
  attributes: '',
});
export const newTable = (): TableDraft => ({
  name: '',
  partition: { name: 'PK', type: 'S' },
  sort: { name: 'SK', type: 'S' },
  billing: 'PAY_PER_REQUEST',
  readUnits: '5',
  writeUnits: '5',
  indexes: [],
  stream: '',
  tags: '',
  isProtected: false,
});

interface Definition {
  AttributeName: string;
  AttributeType: KeyAttributeType;
}
const isGiven = (attribute: KeyAttribute) => attribute.name.trim() !== '';
const schema = (partition: KeyAttribute[], sort: KeyAttribute[]): KeyElement[] => [
  ...partition.filter(isGiven).map(({ name }) => ({ AttributeName: name.trim(), KeyType: 'HASH' as const })),
  ...sort.filter(isGiven).map(({ name }) => ({ AttributeName: name.trim(), KeyType: 'RANGE' as const })),
];

/** Each once. Throws if one has two types. */
function definitions(attributes: KeyAttribute[]): Definition[] {
  const types = new Map<string, KeyAttributeType>();
  for (const { name, type } of attributes.filter(isGiven)) {
    const before = types.get(name.trim());
    if (before !== undefined && before !== type) throw new Error(`${name} has two types: an attribute has the same in all keys.`);
    types.set(name.trim(), type);
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

function units(text: string, what: string): number {
  if (!/^[1-9]\d*$/.test(text.trim())) throw new Error(`${what} are a whole number from 1 on.`);
  return Number(text);
}
type Throughput = { ProvisionedThroughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number } };

function indexMembers(index: IndexDraft): Index {
  if (index.name.trim() === '') throw new Error('An index needs a name.');
  const others = index.attributes
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (index.projection === 'INCLUDE' && others.length === 0) throw new Error(`${index.name}: say which attributes it includes.`);
  return {
    IndexName: index.name.trim(),
    KeySchema: schema(index.partition, index.sort),
    Projection: { ProjectionType: index.projection, ...(index.projection === 'INCLUDE' ? { NonKeyAttributes: others } : {}) },
  };
}

/** Throws an error for people. */
export function createTableRequest(draft: TableDraft): object {
  if (!/^[a-zA-Z0-9_.-]{3,255}$/.test(draft.name.trim())) throw new Error('A table’s name has 3 to 255 letters, digits, and _ . -');
  if (!isGiven(draft.partition)) throw new Error('The partition key needs a name.');
  const isProvisioned = draft.billing === 'PROVISIONED';
  const throughput: Throughput = isProvisioned ? { ProvisionedThroughput: { ReadCapacityUnits: units(draft.readUnits, 'Read units'), WriteCapacityUnits: units(draft.writeUnits, 'Write units') } } : {};
  const globals = draft.indexes.filter((each) => each.kind === 'global').map((each) => ({ ...indexMembers(each), ...throughput }));
  const locals = draft.indexes.filter((each) => each.kind === 'local').map((each) => indexMembers({ ...each, partition: [draft.partition] }));
  const tags = draft.tags
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? { Key: line, Value: '' } : { Key: line.slice(0, at).trim(), Value: line.slice(at + 1).trim() };
    });
  return {
    TableName: draft.name.trim(),
    AttributeDefinitions: definitions([draft.partition, draft.sort, ...draft.indexes.flatMap((each) => [...each.partition, ...each.sort])]),
    KeySchema: schema([draft.partition], [draft.sort]),
    BillingMode: draft.billing,
    ...throughput,
    ...(globals.length > 0 ? { GlobalSecondaryIndexes: globals } : {}),
    ...(locals.length > 0 ? { LocalSecondaryIndexes: locals } : {}),
    ...(draft.stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: draft.stream } } : {}),
    ...(draft.isProtected ? { DeletionProtectionEnabled: true } : {}),
    ...(tags.length > 0 ? { Tags: tags } : {}),
  };
}

/** UpdateTable with one more global index. Throws an error for people. */
export function addIndexRequest(table: Table, draft: IndexDraft): object {
  const isProvisioned = (table.BillingModeSummary?.BillingMode ?? 'PROVISIONED') === 'PROVISIONED';
  const { ReadCapacityUnits = 5, WriteCapacityUnits = 5 } = table.ProvisionedThroughput ?? {};
  const known = table.AttributeDefinitions.map(({ AttributeName, AttributeType }): KeyAttribute => ({ name: AttributeName, type: AttributeType }));
  if (!draft.partition.some(isGiven)) throw new Error('The partition key needs a name.');
  return {
    TableName: table.TableName,
    AttributeDefinitions: definitions([...known, ...draft.partition, ...draft.sort]),
    GlobalSecondaryIndexUpdates: [{ Create: { ...indexMembers(draft), ...(isProvisioned ? { ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } } : {}) } }],
  };
}
