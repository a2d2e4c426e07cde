import assert from 'node:assert/strict';
import test from 'node:test';
import { differences, isSameItem, rebased } from './difference';
import { draftOf, emptyDraft, itemOfDraft, withType } from './draft';
import { dynamoText, itemFromDynamoText, itemFromPlainText, plainText } from './item_json';
import { deleteRequest, putNewRequest, updateRequest } from './item_requests';
import { formatJson, parseJson, prettyJson } from './json_text';
import { binaryProblem, numberProblem } from './number_text';
import { type Item, itemBytes, shown } from './value';

const DIGITS = '12345678901234567890123456789012345678';
const ITEM: Item = {
  PK: { S: 'a' },
  n: { N: DIGITS },
  b: { B: 'AAEC' },
  yes: { BOOL: true },
  none: { NULL: true },
  ss: { SS: ['x', 'y'] },
  ns: { NS: ['1', '2.50'] },
  bs: { BS: ['AA=='] },
  deep: { M: { list: { L: [{ N: '1' }, { M: { s: { S: '"ä"\n' } } }] } } },
};

test('numbers: what DynamoDB keeps, and nothing else', () => {
  for (const text of ['0', '-1', '+3', '1.', '.5', '1e125', '-1E-130', DIGITS, `${DIGITS}000`, '0.0', '9.99e125', '0e999']) assert.equal(numberProblem(text), null, text);
  for (const text of ['', 'a', '1 2', '--1', '1e126', '1e-131', `${DIGITS}9`, 'Infinity', '0x1']) assert(numberProblem(text) !== null, text);
});
test('binary is base64', () => {
  for (const text of ['', 'AA==', 'AAA=', 'AAAA']) assert.equal(binaryProblem(text), null);
  for (const text of ['A', 'AA', 'A-_=', 'AA==AA']) assert(binaryProblem(text) !== null, text);
});

test('JSON keeps the text of numbers and says where it is wrong', () => {
  assert.equal(formatJson(parseJson(`{"a":[1.10,${DIGITS},1e400],"b":{}}`), 0), `{ "a": [1.10, ${DIGITS}, 1e400], "b": {} }`);
  assert.throws(() => parseJson('{\n "a": ,\n}'), /line 2, column 7: a value was expected/);
  assert.throws(() => parseJson('{"a": 1, "a": 2}'), /twice/);
  assert.throws(() => parseJson('[1] 2'), /nothing more/);
  assert.throws(() => parseJson('"a\nb"'), /does not end/);
  assert.equal(prettyJson('{no'), '{no');
  assert.equal((parseJson('"\\u00e4\\n\\ud83d\\ude00"') as string).length, 4);
});

test('an item is the same after each way of writing it', () => {
  assert(isSameItem(itemFromDynamoText(dynamoText(ITEM)), ITEM));
  assert(isSameItem(itemFromPlainText(plainText(ITEM), ITEM), ITEM));
  const { item, problems } = itemOfDraft(draftOf({ M: ITEM }));
  assert.equal(problems.size, 0);
  assert(isSameItem(item, ITEM));
});
test('plain JSON without a hint has lists and strings', () => {
  assert.deepEqual(itemFromPlainText('{"a": ["x"], "n": 1.50, "z": null}'), { a: { L: [{ S: 'x' }] }, n: { N: '1.50' }, z: { NULL: true } });
  assert.deepEqual(itemFromPlainText('{"ss": []}', ITEM), { ss: { L: [] } });
});
test('what is wrong in DynamoDB JSON is said with its path', () => {
  assert.throws(() => itemFromDynamoText('{"a": {"M": {"b": {"N": "x"}}}}'), /^ValueError: a\.b: “x” is not a number|a\.b: “x” is not a number/);
  assert.throws(() => itemFromDynamoText('{"a": {"SS": ["x", "x"]}}'), /twice/);
  assert.throws(() => itemFromDynamoText('{"a": {"X": 1}}'), /no type/);
  assert.throws(() => itemFromDynamoText('{"a": "x"}'), /one type/);
  assert.throws(() => itemFromDynamoText('[]'), /object/);
});

test('a draft keeps what was typed, and says what is wrong with it', () => {
  const draft = draftOf({ M: { a: { N: '1' }, b: { S: 'x' } } });
  draft.parts[0]!.value = { ...draft.parts[0]!.value, text: '1x' };
  draft.parts[1]!.name = 'a';
  const { problems } = itemOfDraft(draft);
  assert.equal(problems.size, 2);
  const set = withType({ ...emptyDraft('S'), text: 'x' }, 'SS');
  assert.deepEqual(itemOfDraft({ ...emptyDraft('M'), parts: [{ id: 1, name: 's', value: set }] }).item, { s: { SS: ['x'] } });
  assert.equal(withType(withType({ ...emptyDraft('S'), text: 'x' }, 'N'), 'S').text, 'x');
});

test('differences go into maps and lists; the order of a set is none', () => {
  const before: Item = { a: { S: '1' }, m: { M: { x: { N: '1' }, y: { N: '2' } } }, s: { SS: ['p', 'q'] }, l: { L: [{ S: 'a' }, { S: 'b' }] } };
  const after: Item = { m: { M: { x: { N: '1' }, y: { N: '3' } } }, s: { SS: ['q', 'p'] }, l: { L: [{ S: 'a' }, { S: 'c' }] }, new: { BOOL: true } };
  assert.deepEqual(
    differences(before, after).map(({ path }) => path),
    ['a', 'm.y', 'l[1]', 'new'],
  );
});

test('changes can be put on what others have made of the item', () => {
  const read: Item = { a: { S: '1' }, b: { S: '1' }, c: { S: '1' } };
  assert.deepEqual(rebased(read, { a: { S: '2' }, c: { S: '1' }, e: { S: '2' } }, { a: { S: '1' }, b: { S: '1' }, c: { S: '3' }, d: { S: '3' } }), { a: { S: '2' }, c: { S: '3' }, d: { S: '3' }, e: { S: '2' } });
});

test('a save writes what was changed, on condition that all is as it was read', () => {
  const read: Item = { PK: { S: 'p' }, a: { N: '1' }, b: { S: 'x' } };
  assert.equal(updateRequest('t', ['PK'], read, { ...read }), null);
  assert.deepEqual(updateRequest('t', ['PK'], read, { PK: { S: 'p' }, a: { N: '2' }, c: { S: 'new' } }), {
    TableName: 't',
    Key: { PK: { S: 'p' } },
    UpdateExpression: 'SET #0 = :0, #1 = :1 REMOVE #2',
    ConditionExpression: 'attribute_exists(#3) AND #0 = :2 AND #2 = :3 AND attribute_not_exists(#1)',
    ExpressionAttributeNames: { '#0': 'a', '#1': 'c', '#2': 'b', '#3': 'PK' },
    ExpressionAttributeValues: { ':0': { N: '2' }, ':1': { S: 'new' }, ':2': { N: '1' }, ':3': { S: 'x' } },
  });
  assert.deepEqual(deleteRequest('t', ['PK'], { PK: { S: 'p' } }), {
    TableName: 't',
    Key: { PK: { S: 'p' } },
    ConditionExpression: 'attribute_exists(#0)',
    ExpressionAttributeNames: { '#0': 'PK' },
  });
  assert.equal(putNewRequest('t', ['PK'], read).ConditionExpression, 'attribute_not_exists(#0)');
});

test('sizes are as DynamoDB counts them', () => {
  assert.equal(itemBytes({ a: { S: 'ä' }, bb: { B: 'AAEC' }, c: { BOOL: true }, d: { NULL: true } }), 1 + 2 + 2 + 3 + 1 + 1 + 1 + 1);
  assert.equal(itemBytes({ m: { M: { x: { S: 'y' } } }, l: { L: [{ S: 'z' }] } }), 1 + 3 + 1 + 1 + 1 + 1 + 3 + 1 + 1);
});
test('values as people read them', () => {
  assert.equal(shown({ M: { a: { S: 'x' }, b: { L: [{ N: '1' }, { SS: ['p'] }] } } }), '{a: "x", b: [1, {"p"}]}');
  assert.equal(shown({ S: 'abc' }, 2), 'ab…');
});
