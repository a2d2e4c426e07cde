import assert from 'node:assert/strict';
import test from 'node:test';
import type { Item } from '../item/value';
import { entityOf } from './entities';
import { HUES, Hues, isTableOf, orderIn } from './hues';

test('entities of a table have different colours, and keep them', () => {
  const hues = new Hues();
  const names = ['ORDER', 'CUSTOMER', 'Department', 'Department.staff', 'EMPLOYEE', 'A', 'B', 'C'];
  const first = names.map((name) => hues.of(name));
  assert.equal(new Set(first).size, names.length);
  assert.deepEqual(
    [...names].reverse().map((name) => hues.of(name)),
    [...first].reverse(),
  );
});

test('the order of a model comes first, however an entity is spelt', () => {
  const text = 'model hr {\n  // entity Ghost { id id }\n  entity Department { id id matches "d-.+"; tag "dep" }\n  entity Employee { id id }\n  rel Department 1--* Employee as staff / department { required }\n  layout x { entity Employee { in employee } }\n}';
  const order = orderIn(text);
  assert.deepEqual(order, [['Department', 'dep'], ['Employee'], ['Department.staff']]);
  const hues = new Hues(order);
  assert.deepEqual(
    ['other', 'EMPLOYEE', 'dep', 'Department', 'Department.staff', 'other'].map((name) => hues.of(name)),
    [HUES[3], HUES[1], HUES[0], HUES[0], HUES[2], HUES[3]],
  );
});

test('a table belongs to the model that names it, also after a move', () => {
  const model = { name: 'hr', text: 'model hr { table data { pk id } }' };
  assert.deepEqual(
    ['hr-data', 'data', 'hr-data-2', 'data-3', 'hr-sheaf', 'other'].map((table) => isTableOf(table, model)),
    [true, true, true, true, false, false],
  );
});

test('a time in a sort key is no entity', () => {
  const keys = { partition: ['PK'], sort: ['SK'] };
  const of = (PK: string, SK: string) => entityOf({ PK: { S: PK }, SK: { S: SK } } as Item, keys, null);
  assert.equal(of('SENSOR#1', '2026-11-18T06:52:53Z'), 'SENSOR');
  assert.equal(of('u1', '2026-11-18T06:52:53Z'), '');
  assert.equal(of('u1', '17:30'), '');
  assert.equal(of('u1', 'ORDER#7'), 'ORDER');
  assert.equal(of('u1', 'PROFILE'), 'PROFILE');
});
