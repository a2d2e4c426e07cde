import assert from 'node:assert/strict';
import test from 'node:test';
import { explainedIn, keysIn, requestIn, tableNames, viewIn } from './real_tables';

const names = tableNames(['company', 'log'], ['company-2', 'log', 'company-sheaf']);

test('a moved model is asked where it is', () => {
  assert.deepEqual([...names], [['company', 'company-2']]);
  assert.equal(viewIn('company', names), 'company-2');
  assert.equal(viewIn('company.GSI1', names), 'company-2.GSI1');
  assert.equal(viewIn('log.GSI1', names), 'log.GSI1');
  assert.deepEqual(keysIn({ tables: [{ table: 'company', kinds: [] }], relations: [] }, names).tables[0]!.table, 'company-2');
  const request = { operation: 'Query', view: 'company.GSI1', key_condition: 'PK = "company"', text: 'Query company.GSI1: PK = "company": staff', round: 1, calls: 1, items_read: 1, units: 1 };
  const { patterns, operations } = explainedIn(
    { layout: 'x', patterns: [{ name: 'team', parameters: [], requests: [request] }], operations: [{ name: 'end', parameters: [], requests: ['1. Query company: PK = 1', '2. PutItem: put company'] }] },
    names,
  );
  assert.equal(patterns[0]!.requests![0]!.view, 'company-2.GSI1');
  assert.equal(patterns[0]!.requests![0]!.text, 'Query company-2.GSI1: PK = "company": staff');
  assert.deepEqual(operations[0]!.requests, ['1. Query company-2: PK = 1', '2. PutItem: put company']);
  assert.deepEqual(requestIn({ TableName: 'company', Key: {} }, names), { TableName: 'company-2', Key: {} });
  assert.deepEqual(requestIn({ RequestItems: { company: { Keys: [] } } }, names), { RequestItems: { 'company-2': { Keys: [] } } });
  assert.deepEqual(requestIn({ TransactItems: [{ Get: { TableName: 'company', Key: {} } }] }, names), { TransactItems: [{ Get: { TableName: 'company-2', Key: {} } }] });
});

test('where nothing is known of the tables, they are as declared', () => {
  assert.equal(tableNames(['a', 'b'], []).size, 0);
});
