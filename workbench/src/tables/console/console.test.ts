import assert from 'node:assert/strict';
import test from 'node:test';
import type { Table } from '../../server/dynamo';
import { exampleStatement, startOf } from './operations';
import { dashHint, scanNote, selectFrom } from './scan_note';

const TABLE = {
  TableName: 'readings',
  KeySchema: [
    { AttributeName: 'sensor', KeyType: 'HASH' },
    { AttributeName: 'at', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'sensor', AttributeType: 'S' },
    { AttributeName: 'at', AttributeType: 'N' },
    { AttributeName: 'place', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [{ IndexName: 'by-place', KeySchema: [{ AttributeName: 'place', KeyType: 'HASH' }] }],
} as unknown as Table;

test('requests start with the keys that the table has', () => {
  assert.deepEqual(JSON.parse(startOf('GetItem', TABLE)).Key, { sensor: { S: '' }, at: { N: '0' } });
  const query = JSON.parse(startOf('Query', TABLE));
  assert.deepEqual([query.KeyConditionExpression, query.ExpressionAttributeNames, query.ExpressionAttributeValues], ['#pk = :pk', { '#pk': 'sensor' }, { ':pk': { S: '' } }]);
  assert.equal(exampleStatement(TABLE), 'SELECT * FROM "readings" WHERE "sensor" = ?');
  assert.equal(JSON.parse(startOf('DescribeTable', null)).TableName, 'table');
});

test('a SELECT without its partition key is a scan', () => {
  const note = (statement: string) => scanNote(selectFrom(statement)!, TABLE);
  assert.equal(note(`SELECT * FROM "readings" WHERE sensor = 'a'`), null);
  assert.equal(note(`select at from readings where "sensor" IN ['a', 'b'] and at > 3;`), null);
  assert.equal(note(`SELECT * FROM "readings"."by-place" WHERE place = ?`), null);
  for (const scan of ['SELECT * FROM readings', 'SELECT * FROM readings WHERE at > 3', `SELECT * FROM readings WHERE at = 1 AND place = 'sensor = 1'`, 'SELECT * FROM "readings"."by-place" WHERE sensor = ?', `SELECT * FROM readings WHERE sensor = 'a' OR at = 1`])
    assert(note(scan) !== null, scan);
  for (const other of ['INSERT INTO readings VALUE {}', 'SELECT * FROM', 'SELECT']) assert.equal(selectFrom(other), null, other);
});

test('tells that a name with a dash needs quotes', () => {
  assert.equal(dashHint('select * from hr-data where x = 1'), 'A name with a dash stands in double quotes: "hr-data".');
  assert.equal(dashHint("UPDATE company-2 SET a = 'from b-c'"), 'A name with a dash stands in double quotes: "company-2".');
  assert.equal(dashHint(`SELECT * FROM "hr-data"`), null);
  assert.equal(dashHint("SELECT a - b FROM staff WHERE c = 'from a-b'"), null);
});
