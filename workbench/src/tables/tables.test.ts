import assert from 'node:assert/strict';
import test from 'node:test';
import type { Item } from '../item/value';
import type { Table } from '../server/dynamo';
import { parametersOf } from './console/parameters';
import { withEntry } from './console/kept_history';
import { csvLine, parseCsv } from './move/csv';
import { CsvWriter, itemsOfCsv, jsonLine, keyProblem } from './move/item_lines';
import { itemsOfJson, jsonForm } from './move/json_items';
import { parsePath, splitPaths } from './query/attribute_path';
import { type Filter, newFilter, noQuestion, noSort, type Question, questionFrom, questionText } from './query/question';
import { buildRequest } from './query/question_request';
import { asCli, asJavaScript, asPython, shellQuoted } from './query/request_code';
import { addIndexRequest, createTableRequest, newIndex, newTable } from './settings/table_request';

const TABLE = {
  TableName: 'app',
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'N' },
    { AttributeName: 'x', AttributeType: 'S' },
    { AttributeName: 'y', AttributeType: 'S' },
    { AttributeName: 'z', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'multi',
      KeySchema: [
        { AttributeName: 'x', KeyType: 'HASH' },
        { AttributeName: 'y', KeyType: 'RANGE' },
        { AttributeName: 'z', KeyType: 'RANGE' },
      ],
    },
  ],
} as unknown as Table;
const question = (change: Partial<Question>): Question => ({ ...noQuestion, ...change });
const filter = (change: Partial<Filter>): Filter => ({ ...newFilter, attribute: 'a', ...change });

test('a Query with every part', () => {
  const built = buildRequest(
    TABLE,
    question({
      partition: ['p'],
      sort: [{ operator: 'between', value: '1', to: '2' }],
      filters: [filter({ attribute: 'address.city', value: 'Rome' }), filter({ attribute: 'tags', operator: 'contains', value: 'Rome' })],
      isDescending: true,
      isConsistent: true,
      limit: '10',
      projection: 'PK, address.city, list[0]',
    }),
  );
  assert.deepEqual(built, {
    operation: 'Query',
    request: {
      TableName: 'app',
      KeyConditionExpression: '#PK = :v1 AND #SK BETWEEN :v2 AND :v3',
      FilterExpression: '#address.#city = :v4 AND contains(#tags, :v4)',
      ProjectionExpression: '#PK, #address.#city, #list[0]',
      ExpressionAttributeNames: { '#PK': 'PK', '#SK': 'SK', '#address': 'address', '#city': 'city', '#tags': 'tags', '#list': 'list' },
      ExpressionAttributeValues: { ':v1': { S: 'p' }, ':v2': { N: '1' }, ':v3': { N: '2' }, ':v4': { S: 'Rome' } },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: 10,
    },
  });
});
test('without a partition value it is a Scan', () => {
  assert.deepEqual(buildRequest(TABLE, question({ isDescending: true })), { operation: 'Scan', request: { TableName: 'app' } });
  assert.throws(() => buildRequest(TABLE, question({ sort: [{ ...noSort, value: '1' }] })), /needs a value of PK/);
});
test('each operator of a filter', () => {
  const of = (change: Partial<Filter>) => buildRequest(TABLE, question({ filters: [filter(change)] })).request;
  assert.equal(of({ operator: 'in', type: 'N', value: '1, 2' }).FilterExpression, '#a IN (:v1, :v2)');
  assert.deepEqual(of({ operator: 'in', value: 'x, "y, z"' }).ExpressionAttributeValues, { ':v1': { S: 'x' }, ':v2': { S: 'y, z' } });
  assert.equal(of({ operator: 'attribute_not_exists' }).FilterExpression, 'attribute_not_exists(#a)');
  assert.equal(of({ operator: 'attribute_not_exists' }).ExpressionAttributeValues, undefined);
  assert.deepEqual(of({ operator: 'attribute_type', value: 'SS' }).ExpressionAttributeValues, { ':v1': { S: 'SS' } });
  assert.equal(of({ operator: 'size >=', value: '3' }).FilterExpression, 'size(#a) >= :v1');
  assert.deepEqual(of({ operator: 'size between', value: '3', to: '4' }).ExpressionAttributeValues, { ':v1': { N: '3' }, ':v2': { N: '4' } });
  assert.deepEqual(of({ operator: '=', type: 'BOOL', value: '' }).ExpressionAttributeValues, { ':v1': { BOOL: true } });
  assert.deepEqual(of({ operator: '<>', type: 'NULL' }).ExpressionAttributeValues, { ':v1': { NULL: true } });
  assert.equal(of({ operator: 'not_contains', value: 'x' }).FilterExpression, 'NOT contains(#a, :v1)');
  assert.throws(() => of({ operator: '<', type: 'N', value: 'x' }), /not a number/);
});
test('keys of several attributes are given from left to right', () => {
  const sort = (...values: string[]) => values.map((value) => ({ ...noSort, value }));
  const built = buildRequest(TABLE, question({ index: 'multi', partition: ['p'], sort: sort('a', 'b') }));
  assert.equal(built.request.KeyConditionExpression, '#x = :v1 AND #y = :v2 AND #z = :v3');
  assert.throws(() => buildRequest(TABLE, question({ index: 'multi', partition: ['p'], sort: sort('', 'b') })), /needs y = /);
});
test('names that cannot be placeholders get others', () => {
  const built = buildRequest(TABLE, question({ projection: 'a-b, a_b, "a.b", ä' }));
  assert.equal(new Set(Object.keys(built.request.ExpressionAttributeNames!)).size, 4);
  assert.deepEqual(Object.values(built.request.ExpressionAttributeNames!), ['a-b', 'a_b', 'a.b', 'ä']);
});
test('paths', () => {
  assert.deepEqual(parsePath('a.b[2].c'), [{ name: 'a' }, { name: 'b' }, { at: 2 }, { name: 'c' }]);
  assert.deepEqual(parsePath('"a.b".c d'), [{ name: 'a.b' }, { name: 'c d' }]);
  assert.throws(() => parsePath('a..b'));
  assert.throws(() => parsePath('[0]'));
  assert.deepEqual(splitPaths('a, "b, c".d ,'), ['a', '"b, c".d']);
});
test('a question is the same after it was in an address', () => {
  const asked = question({ index: 'multi', partition: ['p & q=#?'], sort: [{ operator: 'begins_with', value: 'x', to: '' }], filters: [filter({ value: '"' })], limit: '5' });
  assert.deepEqual(questionFrom(questionText(asked)), asked);
  assert.equal(questionText(noQuestion), '{}');
  assert.deepEqual(questionFrom('{{'), noQuestion);
  assert.deepEqual(questionFrom('{"filters":[{"operator":"drop"}],"sort":7}').filters[0]!.operator, '=');
});

test('words are quoted for a shell', () => {
  assert.equal(shellQuoted('app-1'), 'app-1');
  assert.equal(shellQuoted("it's $HOME"), `'it'\\''s $HOME'`);
  assert.equal(shellQuoted(''), `''`);
});
test('the same request in four languages', () => {
  const built = buildRequest(TABLE, question({ partition: ["o'p"], filters: [filter({ type: 'B', value: 'AAEC' }), filter({ attribute: 'b', type: 'BOOL', value: 'false' })], isDescending: true }));
  const cli = asCli(built, 'http://localhost:8000');
  assert(cli.includes(`--expression-attribute-values '{":v1":{"S":"o'\\''p"},":v2":{"B":"AAEC"},":v3":{"BOOL":false}}'`), cli);
  assert(cli.includes('--no-scan-index-forward'));
  const python = asPython(built, 'http://localhost:8000');
  assert(python.includes('ScanIndexForward=False') && python.includes('base64.b64decode("AAEC")') && python.includes('get_paginator("query")'), python);
  const script = asJavaScript(built, 'http://localhost:8000');
  assert(script.includes('paginateQuery') && script.includes("Buffer.from(\"AAEC\", 'base64')") && script.includes('BOOL: false'), script);
});

test('CSV as RFC 4180 has it', () => {
  assert.deepEqual(parseCsv('a,b\r\n"x, y","say ""hi""\nthere"\n\n,\n'), [
    ['a', 'b'],
    ['x, y', 'say "hi"\nthere'],
    ['', ''],
  ]);
  assert.equal(csvLine(['a', 'b"c', 'd,e', 'f\ng']), 'a,"b""c","d,e","f\ng"\r\n');
  assert.throws(() => parseCsv('a,"b'), /does not end/);
});
const ITEMS: Item[] = [
  { PK: { S: 'a' }, SK: { N: '1' }, name: { S: 'x, "y"' } },
  { PK: { S: 'b' }, SK: { N: '2' }, tags: { SS: ['p', 'q'] }, name: { N: '12345678901234567890.10' }, empty: { S: '' } },
  { PK: { S: 'd' }, SK: { N: '4' }, set: { NS: ['1', '2'] }, deep: { M: { $B: { S: 'no binary' } } }, list: { L: [{ SS: ['a'] }, { B: 'AA==' }, { N: '5' }] }, blank: { S: ' x ' }, bits: { B: '' } },
  { PK: { S: 'c' }, SK: { N: '3' }, deep: { M: { l: { L: [{ BOOL: true }, { NULL: true }] } } }, 'odd:N': { S: 'z' }, bin: { B: 'AA==' }, zip: { S: '8001' }, said: { S: 'true' }, yes: { BOOL: false }, no: { NULL: true } },
];
const KEYS = { PK: 'S', SK: 'N' } as const;
test('items are the same after CSV, and after JSON lines', () => {
  const writer = new CsvWriter([
    { name: 'PK', type: 'S' },
    { name: 'SK', type: 'N' },
  ]);
  for (const item of ITEMS) writer.add(item);
  const lines = writer.parts();
  assert.equal(new Set(lines.map((line) => parseCsv(line)[0]!.length)).size, 1, 'each line has all fields');
  assert.deepEqual(
    [...itemsOfCsv(lines.join(''), { keyTypes: KEYS, guesses: true })].map(({ item }) => item),
    ITEMS,
  );
  assert.deepEqual(
    [...itemsOfJson(ITEMS.map(jsonLine).join(''))].map(({ item }) => item),
    ITEMS,
  );
});
test('lines that are wrong are told with their numbers', () => {
  const read = [...itemsOfCsv('PK,SK,age:N\na,1,x\nb,2,3,4\nc,3,\n', { keyTypes: KEYS, guesses: false })];
  assert.deepEqual(
    read.map(({ line, problem }) => [line, problem !== undefined]),
    [
      [2, true],
      [3, true],
      [4, false],
    ],
  );
  assert.deepEqual(read[2]!.item, { PK: { S: 'c' }, SK: { N: '3' } });
  const lines = [...itemsOfJson('{"PK":{"S":"a"}}\n\nnope\n')];
  assert.deepEqual(
    lines.map(({ line, problem }) => [line, problem !== undefined]),
    [
      [1, false],
      [3, true],
    ],
  );
  assert.equal(keyProblem(lines[0]!.item!, KEYS), 'the key SK is missing');
  assert.equal(keyProblem({ PK: { N: '1' }, SK: { N: '1' } }, KEYS), 'the key PK is a number, not a string');
});

test('JSON is read in the form that it has', () => {
  const plain = '{"PK": "a", "age": 12, "tags": ["x"], "ok": true}';
  const expected: Item = { PK: { S: 'a' }, age: { N: '12' }, tags: { L: [{ S: 'x' }] }, ok: { BOOL: true } };
  for (const [text, shape, isPlain] of [
    [`${plain}\n${plain}\n`, 'lines', true],
    [`\ufeff${plain}\n${plain}\n`, 'lines', true],
    [`[${plain},\n ${plain}]`, 'documents', true],
    [`${JSON.stringify(expected)}\n${jsonLine(expected)}`, 'lines', false],
    [JSON.stringify([expected, { Item: expected }], null, 2), 'documents', false],
    [JSON.stringify({ Items: [expected, expected], Count: 2, ScannedCount: 2, ConsumedCapacity: null }, null, 4), 'documents', false],
    [JSON.stringify({ Count: 2, Items: [expected, expected] }), 'documents', false],
    [`${JSON.stringify({ Item: expected, ConsumedCapacity: { Units: 1 } }, null, 2)}\n${JSON.stringify(expected, null, 2)}`, 'documents', false],
    [`{"PK": "a",\n "age": 12, "tags": ["x"], "ok": true}\n${plain}`, 'documents', true],
  ] as const) {
    assert.deepEqual(jsonForm(text), { shape, isPlain });
    assert.deepEqual(
      [...itemsOfJson(text)].map(({ item }) => item),
      [expected, expected],
    );
  }
  // Once it has types, a line without them is wrong.
  assert.deepEqual(
    [...itemsOfJson(`{"PK": {"S": "a"}}\n{"PK": "a"}\n`)].map(({ problem }) => problem !== undefined),
    [false, true],
  );
});

test('plain JSON keeps what the command line has marked', () => {
  const line = '{"id":7,"tags":{"$SS":["a","b"]},"bits":{"$B":"AAE="},"ns":{"$NS":[1,2.50]},"bs":{"$BS":["AA=="]},"m":{"$M":{"$B":"x"}},"deep":[{"k":{"$SS":["c"]}}]}';
  assert.deepEqual([...itemsOfJson(line)][0]!.item, {
    id: { N: '7' },
    tags: { SS: ['a', 'b'] },
    bits: { B: 'AAE=' },
    ns: { NS: ['1', '2.50'] },
    bs: { BS: ['AA=='] },
    m: { M: { $B: { S: 'x' } } },
    deep: { L: [{ M: { k: { SS: ['c'] } } }] },
  });
  for (const wrong of ['{"a":{"$SS":"x"}}', '{"a":{"$NS":["1"]}}', '{"a":{"$B":"?"}}', '{"a":{"$M":[]}}', '{"a":{"$SS":[]}}']) assert([...itemsOfJson(wrong)][0]!.problem !== undefined, wrong);
  // A map that only looks like it.
  assert.deepEqual([...itemsOfJson('{"a":{"$SS":["x"],"b":1}}')][0]!.item, { a: { M: { $SS: { L: [{ S: 'x' }] }, b: { N: '1' } } } });
});
test('CSV of the command line is read: quotes with nothing in them are a text, and no attribute is said twice', () => {
  const [first, second] = [...itemsOfCsv('PK,SK,name,x,x:N\na,1,"",,\nb,2,,y,3\n', { keyTypes: KEYS, guesses: false })];
  assert.deepEqual(first!.item, { PK: { S: 'a' }, SK: { N: '1' }, name: { S: '' } });
  assert.equal(second!.problem, 'two fields say what x is');
});
test('keys of indexes have their types, whatever they look like', () => {
  const [read] = [...itemsOfCsv('PK,SK,code\na,1,12345\n', { keyTypes: { ...KEYS, code: 'S' }, guesses: true })];
  assert.deepEqual(read!.item!['code'], { S: '12345' });
});

test('parameters of a statement, with types or without', () => {
  assert.deepEqual(parametersOf('["a", 12345678901234567890, {"SS": ["x"]}, {"k": 1}, null]'), [{ S: 'a' }, { N: '12345678901234567890' }, { SS: ['x'] }, { M: { k: { N: '1' } } }, { NULL: true }]);
  assert.deepEqual(parametersOf(' '), []);
  assert.throws(() => parametersOf('"a"'), /list/);
});
test('the history has nothing twice', () => {
  const history = withEntry(withEntry(withEntry([], 'a', 1), 'b', 2), 'a', 3);
  assert.deepEqual(history, [
    { what: 'a', time: 3 },
    { what: 'b', time: 2 },
  ]);
});

test('a table is made with its indexes', () => {
  const local = { ...newIndex('local', 'L'), sort: [{ name: 'when', type: 'N' as const }] };
  const request = createTableRequest({ ...newTable(), name: 'shop', indexes: [newIndex('global', 'G'), local], stream: 'KEYS_ONLY', tags: 'team = blue\n' }) as Table & { Tags: unknown };
  assert.deepEqual(
    request.AttributeDefinitions.map((each) => each.AttributeName),
    ['PK', 'SK', 'GPK', 'GSK', 'when'],
  );
  assert.deepEqual(request.LocalSecondaryIndexes![0]!.KeySchema, [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'when', KeyType: 'RANGE' },
  ]);
  assert.deepEqual(request.Tags, [{ Key: 'team', Value: 'blue' }]);
  assert.throws(() => createTableRequest({ ...newTable(), name: 'a' }), /3 to 255/);
  assert.throws(() => createTableRequest({ ...newTable(), name: 'abc', indexes: [{ ...local, sort: [{ name: 'PK', type: 'N' }] }] }), /two types/);
});
test('an index is added with the units of its table', () => {
  const request = addIndexRequest({ ...TABLE, ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 8 } }, newIndex('global', 'G')) as { GlobalSecondaryIndexUpdates: { Create: object }[] };
  assert.deepEqual((request.GlobalSecondaryIndexUpdates[0]!.Create as Table).ProvisionedThroughput, { ReadCapacityUnits: 7, WriteCapacityUnits: 8 });
});
