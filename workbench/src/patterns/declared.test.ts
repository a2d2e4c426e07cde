import assert from 'node:assert/strict';
import test from 'node:test';
import { copiesOf, type Declared, formOf, linkedBy } from './declared';
import { copiesText } from './explained';

const MODEL: Declared = {
  model: 'm',
  entities: [
    { name: 'Department', fields: [{ name: 'id', id: true, matches: 'd-.+' }, { name: 'name' }] },
    { name: 'Employee', fields: [{ name: 'id', id: true, matches: 'e-.+' }] },
  ],
  relations: [{ from: 'Department', to: 'Employee', cardinality: '1--*', forward: 'staff', backward: 'department', sizes: [{ average: 20, max: 90 }] }],
  layouts: [{ name: 'plain' }, { name: 'copies', relations: [{ entity: 'Department', end: 'staff', via: { copies: [{ end: 'department' }] } }] }, { name: 'more', extends: 'copies' }],
  operations: [
    { name: 'hire', parameters: [{ name: 'e', entity: 'Employee' }, { name: 'd', entity: 'Department' }], writes: [{ kind: 'put', path: '$e' }, { kind: 'link', path: '$e.department', to: '$d' }] },
    { name: 'take', parameters: [{ name: 'd', entity: 'Department' }, { name: 'e', entity: 'Employee' }], writes: [{ kind: 'put', path: '$e' }, { kind: 'link', path: '$d.staff', to: '$e' }] },
  ],
};

test('there are as many copies of an entity as lead to it', () => {
  assert.deepEqual(copiesOf(MODEL, 'copies', 'Department'), { average: 20, max: 90 });
  assert.deepEqual(copiesOf(MODEL, 'more', 'Department'), { average: 20, max: 90 });
  assert.deepEqual(copiesOf(MODEL, 'plain', 'Department'), {});
  assert.deepEqual(copiesOf(MODEL, 'copies', 'Employee'), {});
  const copies = (entity: string) => copiesOf(MODEL, 'copies', entity);
  assert.equal(copiesText('bring copies of Department $d in step', copies), 'about 20, at most 90, a write each');
  assert.equal(copiesText('delete Department $d when its staff are gone or unlinked', copies), '');
});

test('an end that the operation links is not asked for, from whichever side it is written', () => {
  assert.deepEqual([...linkedBy(MODEL, 'hire', 'e')], ['department']);
  assert.deepEqual([...linkedBy(MODEL, 'take', 'e')], ['department']);
  assert.deepEqual([...linkedBy(MODEL, 'hire', 'd')], ['staff']);
  assert.deepEqual([...linkedBy(MODEL, 'put.Employee', 'e')], []);
});

test('the form of an id is known', () => {
  assert.equal(formOf(MODEL, 'Employee'), 'e-.+');
  assert.equal(formOf(MODEL, 'Department', 'name'), null);
});
