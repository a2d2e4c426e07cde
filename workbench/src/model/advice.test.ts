import assert from 'node:assert/strict';
import test from 'node:test';
import { type Advice, alternativesOf, reasonOf, type Relation, storedVia, withoutCodes } from './advice';
import { storedRelationsOf } from './drawn_tables';

const DRAWN = `# Model m, layout default

## Entities and relations

\`\`\`mermaid
erDiagram
\`\`\`

## Relations and how they are stored

| Relation                      | Ends               | Stored            | Details |
| ----------------------------- | ------------------ | ----------------- | ------- |
| **Department 1--\\* Employee** | staff / department | \`index on GSI1\`   | size of staff avg 20 max 90<br>department is required<br>*chosen: it is so* |
| **Customer 1--\\* Invoice**    | invoices / payer   | \`edges pk payer\`  | copies name, date\\_paid of payer |
| **User \\*--\\* User**          | friends            | \`edges pk both\`   | |
| **User \\*--\\* Repo**          | repos / users      | \`edges pk users\`  | |
`;
const relation = (from: string, cardinality: Relation['cardinality'], to: string, forward: string, backward?: string): Relation => ({ from, cardinality, to, forward, ...(backward ? { backward } : {}) });
const staff = relation('Department', '1--*', 'Employee', 'staff', 'department');

test('what is stored is what the layout has come to, and not what is advised', () => {
  const drawn = storedRelationsOf(DRAWN);
  assert.equal(storedVia(staff, { via: 'index copy department(name)' }, drawn), 'index');
  assert.equal(storedVia(relation('Customer', '1--*', 'Invoice', 'invoices', 'payer'), { via: 'index' }, drawn), 'edges pk one copy payer(name, date_paid)');
  assert.equal(storedVia(relation('User', '*--*', 'User', 'friends'), { via: 'edges' }, drawn), 'edges');
  assert.equal(storedVia(relation('User', '*--*', 'Repo', 'repos', 'users'), { via: 'edges pk repos' }, drawn), 'edges pk users');
  const written = { via: 'embed', by_keys: false, verdict: 'differs', objections: [] };
  assert.equal(storedVia(staff, { via: 'index', written }, drawn), 'embed');
  assert.equal(storedVia(staff, { via: 'index copy department(name)', written: { ...written, via: 'auto' } }, drawn), 'index');
  assert.equal(storedVia(staff, { via: 'index copy department(name)' }, []), 'index');
});

test('alternatives are told in words', () => {
  const advice = {
    relation: 'Department.staff',
    via: 'index copy department(name)',
    reason: 'it is looked up by its own id',
    answers: [{ question: 'D4', text: 'In how many?', answer: 1, source: 'inferred', because: 'so' }],
    rejected: [{ via: 'graph', possible: true, reason: 'it could be; what decided is D4, which is 1: an index for each' }],
    changes: [{ question: 'D4', answer: 16, via: 'edges pk many' }],
    copies: { advised: true, reason: 'it changes rarely', fields: ['department.name'] },
  } as unknown as Advice;
  const of = { relation: staff, advice, stored: 'index', name: { entity: 'Department', end: 'staff', other: null } };
  assert.equal(reasonOf(of), 'it changes rarely');
  assert.deepEqual(alternativesOf(of), [
    { via: 'index copy department(name)', isPossible: true, reason: 'it changes rarely' },
    { via: 'graph', isPossible: true, reason: 'it could be; what decided is “In how many?”, which is 1: an index for each' },
    { via: 'edges pk many', isPossible: true, reason: 'if “In how many?” were 16' },
  ]);
  // What is advised without its copies can be chosen from anywhere.
  const whys = alternativesOf({ ...of, stored: 'edges pk many' }).map((each) => each.via);
  assert(whys.includes('index') && whys.includes('index copy department(name)'), whys.join());
});

test('the numbers of the rules are left out of what is told', () => {
  assert.equal(withoutCodes('a collection needs a clear parent (F23)'), 'a collection needs a clear parent');
  assert.equal(withoutCodes('what a partition bears (J10: 10 GB are a limit)'), 'what a partition bears (10 GB are a limit)');
  assert.equal(withoutCodes('in the partition of the one: J15, the many are read strongly'), 'in the partition of the one: the many are read strongly');
  assert.equal(withoutCodes('an index on GSI1: it is there'), 'an index on GSI1: it is there');
});
