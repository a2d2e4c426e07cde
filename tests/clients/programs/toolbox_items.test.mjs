// DynamoDB-Toolbox: one item at a time, with every type, conditions and the whole language of updates.
import assert from 'node:assert/strict';
import {
  $add,
  $append,
  $delete,
  $get,
  $prepend,
  $remove,
  $set,
  $subtract,
  $sum,
  DeleteItemCommand,
  GetItemCommand,
  isConditionCheckFailed,
  PutItemCommand,
  UpdateAttributesCommand,
  UpdateItemCommand,
} from 'dynamodb-toolbox';
import { refused, test } from '../javascript/server.mjs';
import { school } from './toolbox_school.mjs';

const put = (entity, item, options = {}) => entity.build(PutItemCommand).item(item).options(options).send();
const get = async (entity, key, options = {}) =>
  (
    await entity
      .build(GetItemCommand)
      .key(key)
      .options({ consistent: true, ...options })
      .send()
  ).Item;
const update = (entity, item, options = {}) => entity.build(UpdateItemCommand).item(item).options(options).send();
const remove = (entity, key, options = {}) => entity.build(DeleteItemCommand).key(key).options(options).send();

// Expects that the condition is not met, and returns the item as the entity sees it.
async function conditionFails(entity, sent) {
  const error = await refused('ConditionalCheckFailedException', 'The conditional request failed', sent);
  assert.ok(isConditionCheckFailed(error, entity));
  return error.FormattedItem;
}

const ALGEBRA = { school: 'north', code: 'algebra' };
const ALGEBRA_STORED = {
  pk: { S: 'SCHOOL#north' },
  sk: { S: 'COURSE#algebra' },
  _et: { S: 'Course' },
  school: { S: 'north' },
  code: { S: 'algebra' },
};
const EVERY_TYPE = {
  ...ALGEBRA,
  title: 'Algebra',
  level: 'advanced',
  teacher: 'noether',
  seats: 12,
  left: -0.5,
  fee: 12345678901234567890123456789012345678n,
  topics: new Set(['rings', 'fields']),
  rooms: new Set([7, 1.25]),
  badges: new Set([Uint8Array.of(0, 255), Uint8Array.of(1)]),
  syllabus: Uint8Array.of(1, 2, 3, 254),
  outline: [{ chapter: 'Groups', minutes: 90 }, { chapter: 'Rings' }],
  prices: { eur: 10.5, usd: 11 },
  place: { city: 'Göttingen', geo: [51.53, 9.93], notes: [] },
  contact: { by: 'none', why: null },
  label: 'old',
};

test('toolbox: every type comes back as it was put', async ({ makeTable }) => {
  const { Course, School, stored } = await school(makeTable);
  const { ToolboxItem } = await put(Course, { ...EVERY_TYPE, secret: 'hidden' });
  assert.equal(ToolboxItem.gsi1pk, 'TEACHER#noether');
  const { created, modified, ...read } = await get(Course, ALGEBRA);
  assert.deepEqual(read, EVERY_TYPE);
  assert.deepEqual([created, modified], [ToolboxItem.created, ToolboxItem.modified]);

  const { topics, rooms, badges, ...rest } = await stored('SCHOOL#north', 'COURSE#algebra');
  assert.deepEqual(rest, {
    ...ALGEBRA_STORED,
    title: { S: 'Algebra' },
    level: { S: 'advanced' },
    teacher: { S: 'noether' },
    seats: { N: '12' },
    left: { N: '-0.5' },
    fee: { N: '12345678901234567890123456789012345678' },
    syllabus: { B: Uint8Array.of(1, 2, 3, 254) },
    outline: { L: [{ M: { chapter: { S: 'Groups' }, minutes: { N: '90' } } }, { M: { chapter: { S: 'Rings' } } }] },
    prices: { M: { eur: { N: '10.5' }, usd: { N: '11' } } },
    place: { M: { city: { S: 'Göttingen' }, geo: { L: [{ N: '51.53' }, { N: '9.93' }] }, notes: { L: [] } } },
    contact: { M: { by: { S: 'none' }, why: { NULL: true } } },
    lbl: { S: 'L#old' },
    secret: { S: 'hidden' },
    gsi1pk: { S: 'TEACHER#noether' },
    gsi1sk: { N: '12' },
  });
  assert.deepEqual(topics.SS.sort(), ['fields', 'rings']);
  assert.deepEqual(rooms.NS.sort(), ['1.25', '7']);
  assert.deepEqual(badges.BS.map((bytes) => [...bytes]).sort(), [[0, 255], [1]]);

  await put(School, { id: 'north', title: 'North', founded: new Date(Date.UTC(1900, 1, 28)) });
  const found = await get(School, { id: 'north' });
  assert.deepEqual([found.founded, found.open], [new Date(Date.UTC(1900, 1, 28)), true]);
  assert.deepEqual(await stored('SCHOOL#north', 'SCHOOL'), {
    pk: { S: 'SCHOOL#north' },
    sk: { S: 'SCHOOL' },
    _et: { S: 'School' },
    id: { S: 'north' },
    title: { S: 'North' },
    founded: { S: '1900-02-28T00:00:00.000Z' },
    open: { BOOL: true },
  });
});

test('toolbox: what an entity cannot be is noticed before it is sent, and what a table cannot hold after', async ({
  makeTable,
}) => {
  const { Course, allStored } = await school(makeTable);
  await assert.rejects(put(Course, { ...ALGEBRA, title: 7 }), { code: 'parsing.invalidAttributeInput', path: 'title' });
  await assert.rejects(put(Course, { ...ALGEBRA }), { code: 'parsing.attributeRequired' });
  await refused(
    'ValidationException',
    /Attempting to store more than 38 significant digits in a Number/,
    put(Course, { ...ALGEBRA, title: 'Algebra', fee: 10n ** 38n + 1n }),
  );
  await refused(
    'ValidationException',
    'Item size has exceeded the maximum allowed size',
    put(Course, { ...ALGEBRA, title: 'x'.repeat(400 * 1024) }),
  );
  await refused(
    'ValidationException',
    'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    put(Course, { school: 'x'.repeat(2042), code: 'c', title: 'Algebra' }),
  );
  assert.deepEqual(await allStored(), []);
});

test('toolbox: puts and removals are conditional and return what was there', async ({ makeTable }) => {
  const { Course, Student, stored } = await school(makeTable);
  const fresh = { condition: { attr: 'code', exists: false } };
  const first = await put(
    Course,
    { ...ALGEBRA, title: 'Algebra', secret: 's' },
    { ...fresh, capacity: 'INDEXES', metrics: 'SIZE' },
  );
  assert.equal(first.ConsumedCapacity.CapacityUnits, 1);
  assert.deepEqual(first.ItemCollectionMetrics.ItemCollectionKey, { pk: 'SCHOOL#north' });
  const there = await conditionFails(
    Course,
    put(Course, { ...ALGEBRA, title: 'Again' }, { ...fresh, returnValuesOnConditionFalse: 'ALL_OLD' }),
  );
  assert.deepEqual([there.title, there.seats, there.secret], ['Algebra', 20, undefined]);
  assert.equal(await conditionFails(Course, put(Course, { ...ALGEBRA, title: 'Again' }, fresh)), undefined);
  assert.deepEqual((await stored('SCHOOL#north', 'COURSE#algebra')).title, { S: 'Algebra' });

  const second = await put(Course, { ...ALGEBRA, title: 'Algebra II' }, { returnValues: 'ALL_OLD' });
  assert.equal(second.Attributes.title, 'Algebra');
  assert.deepEqual(await stored('SCHOOL#north', 'COURSE#algebra'), {
    ...ALGEBRA_STORED,
    title: { S: 'Algebra II' },
    level: { S: 'basic' },
    seats: { N: '20' },
  });

  const small = { condition: { attr: 'seats', lt: 20 }, returnValuesOnConditionFalse: 'ALL_OLD' };
  assert.equal((await conditionFails(Course, remove(Course, ALGEBRA, small))).title, 'Algebra II');
  assert.ok(await stored('SCHOOL#north', 'COURSE#algebra'));
  const gone = await remove(Course, ALGEBRA, { condition: { attr: 'seats', lte: 20 }, returnValues: 'ALL_OLD' });
  assert.equal(gone.Attributes.title, 'Algebra II');
  assert.equal(await stored('SCHOOL#north', 'COURSE#algebra'), undefined);
  assert.equal((await remove(Course, ALGEBRA, { returnValues: 'ALL_OLD' })).Attributes, undefined);
  assert.equal(await get(Student, { school: 'north', id: 'nobody' }), undefined);
});

// Each condition holds of EVERY_TYPE; its opposite does not.
const CONDITIONS = [
  { attr: 'title', eq: 'Algebra' },
  { attr: 'title', ne: 'Geometry' },
  { attr: 'title', beginsWith: 'Alg' },
  { attr: 'title', contains: 'geb' },
  { attr: 'title', between: ['A', 'B'] },
  { attr: 'title', in: ['Geometry', 'Algebra'] },
  { attr: 'title', gt: { attr: 'school' }, transform: false, opposite: true },
  { attr: 'seats', gte: 12 },
  { attr: 'seats', gt: { attr: 'left' } },
  { attr: 'left', lt: 0 },
  { attr: 'fee', eq: 12345678901234567890123456789012345678n },
  { attr: 'label', eq: 'old' },
  { attr: 'syllabus', eq: Uint8Array.of(1, 2, 3, 254) },
  { attr: 'syllabus', lt: Uint8Array.of(1, 2, 4) },
  { attr: 'topics', contains: 'rings' },
  { attr: 'rooms', contains: 7 },
  { attr: 'outline[1].chapter', eq: 'Rings' },
  { attr: 'outline[1].minutes', exists: false },
  { attr: 'outline[0].minutes', exists: true },
  { attr: 'outline[2]', exists: false },
  { attr: 'prices.usd', between: [{ attr: 'prices.eur' }, 11] },
  { attr: 'place.geo[1]', lte: 9.93 },
  { attr: 'place', type: 'M' },
  { attr: 'contact.why', type: 'NULL' },
  { attr: 'badges', type: 'BS' },
  { size: 'title', eq: 7 },
  { size: 'syllabus', between: [4, 4] },
  { size: 'topics', lt: 3 },
  { size: 'outline', in: [1, 2] },
  { size: 'place', gte: 3 },
  { value: 'Algebra', eq: { attr: 'title' } },
  { value: 5, between: [{ attr: 'left' }, { attr: 'seats' }] },
  { value: 'Algebra I', beginsWith: { attr: 'title' } },
  { value: new Set(['advanced', 'expert']), contains: { attr: 'level' } },
  { value: 12, in: [1, { attr: 'seats' }] },
  { and: [{ attr: 'seats', eq: 12 }, { or: [{ attr: 'title', eq: 'x' }, { not: { attr: 'level', eq: 'basic' } }] }] },
];

test('toolbox: conditions of every kind hold, and their opposites do not', async ({ makeTable }) => {
  const { Course, stored } = await school(makeTable);
  await put(Course, EVERY_TYPE);
  const before = await stored('SCHOOL#north', 'COURSE#algebra');
  for (const { opposite, ...condition } of CONDITIONS) {
    const what = JSON.stringify(condition, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    const [holds, fails] = opposite ? [{ not: condition }, condition] : [condition, { not: condition }];
    const visited = update(Course, { ...ALGEBRA, visits: $add(1) }, { condition: holds });
    await assert.doesNotReject(visited, what);
    const error = await update(Course, { ...ALGEBRA, visits: $add(100) }, { condition: fails }).catch((caught) => caught);
    assert.ok(isConditionCheckFailed(error, Course), `${what}: ${error}`);
  }
  assert.deepEqual(await stored('SCHOOL#north', 'COURSE#algebra'), { ...before, visits: { N: `${CONDITIONS.length}` } });
});

test('toolbox: conditions that make no sense are refused', async ({ makeTable }) => {
  const { Course, stored } = await school(makeTable);
  await put(Course, EVERY_TYPE);
  const before = await stored('SCHOOL#north', 'COURSE#algebra');
  const texts = (count) => Array.from({ length: count }, (_, n) => `text ${n}`);
  for (const [condition, message] of [
    [{ attr: 'title', in: texts(101) }, 'The IN operator is provided with too many operands; number of operands: 101'],
    [
      { attr: 'title', between: ['b', 'a'] },
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
        'lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}',
    ],
    [
      { attr: 'title', eq: { attr: 'title' } },
      'The first operand must be distinct from the remaining operands for this operator or function; ' +
        'operator: =, first operand: [title]',
    ],
  ]) {
    const sent = update(Course, { ...ALGEBRA, visits: $add(1) }, { condition });
    await refused('ValidationException', `Invalid ConditionExpression: ${message}`, sent);
  }
  assert.deepEqual(await stored('SCHOOL#north', 'COURSE#algebra'), before);
  await update(Course, { ...ALGEBRA, visits: $add(1) }, { condition: { attr: 'title', in: [...texts(99), 'Algebra'] } });
  assert.deepEqual((await stored('SCHOOL#north', 'COURSE#algebra')).visits, { N: '1' });
});

test('toolbox: updates add, remove, append and compute', async ({ makeTable }) => {
  const { Course, stored } = await school(makeTable);
  await put(Course, EVERY_TYPE);
  const answer = await update(
    Course,
    {
      ...ALGEBRA,
      seats: $sum($get('seats'), 3),
      left: $subtract(10, $get('left')),
      visits: $sum($get('visits', 100), 1),
      topics: $add(new Set(['ideals', 'rings'])),
      rooms: $delete(new Set([7, 99])),
      outline: $append([{ chapter: 'Fields' }]),
      prices: { eur: $remove(), gbp: 9 },
      place: { city: 'Erlangen', notes: $prepend(['new']) },
      fee: $add(1n),
      label: 'new',
      syllabus: $remove(),
      contact: $set({ by: 'mail', address: 'n@school' }),
    },
    { returnValues: 'UPDATED_NEW' },
  );
  assert.equal(answer.Attributes.visits, 101);
  const { topics, rooms, badges, ...rest } = await stored('SCHOOL#north', 'COURSE#algebra');
  assert.deepEqual(rest, {
    ...ALGEBRA_STORED,
    title: { S: 'Algebra' },
    level: { S: 'advanced' },
    teacher: { S: 'noether' },
    seats: { N: '15' },
    left: { N: '10.5' },
    visits: { N: '101' },
    fee: { N: '12345678901234567890123456789012345679' },
    outline: {
      L: [
        { M: { chapter: { S: 'Groups' }, minutes: { N: '90' } } },
        { M: { chapter: { S: 'Rings' } } },
        { M: { chapter: { S: 'Fields' } } },
      ],
    },
    prices: { M: { usd: { N: '11' }, gbp: { N: '9' } } },
    place: { M: { city: { S: 'Erlangen' }, geo: { L: [{ N: '51.53' }, { N: '9.93' }] }, notes: { L: [{ S: 'new' }] } } },
    contact: { M: { by: { S: 'mail' }, address: { S: 'n@school' } } },
    lbl: { S: 'L#new' },
    gsi1pk: { S: 'TEACHER#noether' },
    gsi1sk: { N: '12' },
  });
  assert.deepEqual(topics.SS.sort(), ['fields', 'ideals', 'rings']);
  assert.deepEqual(rooms.NS, ['1.25']);
  assert.equal(badges.BS.length, 2);

  await update(Course, { ...ALGEBRA, outline: { 0: { chapter: 'Monoids' }, 1: $remove() }, rooms: $delete(new Set([1.25])) });
  const changed = await stored('SCHOOL#north', 'COURSE#algebra');
  assert.deepEqual(changed.outline, {
    L: [{ M: { chapter: { S: 'Monoids' }, minutes: { N: '90' } } }, { M: { chapter: { S: 'Fields' } } }],
  });
  assert.equal(changed.rooms, undefined, 'a set without elements is none');
});

test('toolbox: updates make items, and tell what they changed', async ({ makeTable }) => {
  const { Course, Student, stored } = await school(makeTable);
  const made = await update(Student, { school: 'north', id: 's1', name: 'Emmy', credits: $add(5) }, { returnValues: 'ALL_NEW' });
  assert.deepEqual([made.Attributes.name, made.Attributes.credits], ['Emmy', 5]);
  assert.deepEqual(await stored('SCHOOL#north', 'STUDENT#s1'), {
    pk: { S: 'SCHOOL#north' },
    sk: { S: 'STUDENT#s1' },
    _et: { S: 'Student' },
    school: { S: 'north' },
    id: { S: 's1' },
    name: { S: 'Emmy' },
    credits: { N: '5' },
  });
  const told = async (returnValues) =>
    (await update(Student, { school: 'north', id: 's1', credits: $add(1) }, { returnValues })).Attributes;
  assert.equal(await told('NONE'), undefined);
  assert.equal((await told('UPDATED_OLD')).credits, 6);
  assert.equal((await told('UPDATED_NEW')).credits, 8);
  assert.deepEqual(((old) => [old.name, old.credits])(await told('ALL_OLD')), ['Emmy', 8]);
  const last = await told('ALL_NEW');
  assert.deepEqual([last.credits, last.created], [10, made.Attributes.created]);

  const mistakes = [
    [{ outline: { 0: { chapter: 'x' } } }, 'The document path provided in the update expression is invalid for update'],
    [{ place: { city: 'x' } }, 'The document path provided in the update expression is invalid for update'],
    [{ seats: $sum($get('left'), 1) }, /The provided expression refers to an attribute that does not exist in the item/],
  ];
  await put(Course, { ...ALGEBRA, title: 'Algebra' });
  const before = await stored('SCHOOL#north', 'COURSE#algebra');
  await assert.rejects(async () => update(Course, { ...ALGEBRA, title: $add(1) }), { code: 'parsing.invalidAttributeInput' });
  for (const [change, message] of mistakes)
    await refused('ValidationException', message, update(Course, { ...ALGEBRA, ...change }));
  assert.deepEqual(await stored('SCHOOL#north', 'COURSE#algebra'), before);
});

test('toolbox: whole attributes are replaced', async ({ makeTable }) => {
  const { Course, stored } = await school(makeTable);
  await put(Course, EVERY_TYPE);
  const answer = await Course.build(UpdateAttributesCommand)
    .item({
      ...ALGEBRA,
      outline: [{ chapter: 'One' }],
      place: { city: 'Bonn', geo: [0, 0] },
      prices: { chf: 1 },
      visits: $add(2),
    })
    .options({ condition: { attr: 'title', exists: true }, returnValues: 'ALL_NEW' })
    .send();
  assert.equal(answer.Attributes.place.city, 'Bonn');
  const { outline, place, prices, visits, title } = await stored('SCHOOL#north', 'COURSE#algebra');
  assert.deepEqual(
    [outline, place, prices, visits, title],
    [
      { L: [{ M: { chapter: { S: 'One' } } }] },
      { M: { city: { S: 'Bonn' }, geo: { L: [{ N: '0' }, { N: '0' }] } } },
      { M: { chf: { N: '1' } } },
      { N: '2' },
      { S: 'Algebra' },
    ],
  );
});

test('toolbox: a projection reads parts of an item', async ({ makeTable }) => {
  const { Course } = await school(makeTable);
  await put(Course, EVERY_TYPE);
  assert.deepEqual(
    await get(Course, ALGEBRA, { attributes: ['title', 'outline[1].chapter', 'place.geo[0]', 'prices.usd', 'label'] }),
    {
      title: 'Algebra',
      label: 'old',
      outline: [{ chapter: 'Rings' }],
      place: { geo: [51.53] },
      prices: { usd: 11 },
    },
  );
});

test('toolbox: a counter counts everybody who comes at once', async ({ makeTable }) => {
  const { Student, stored } = await school(makeTable);
  const key = { school: 'north', id: 's1' };
  await put(Student, { ...key, name: 'Emmy' });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => update(Student, { ...key, credits: $add(1) }, { returnValues: 'UPDATED_NEW' })),
  );
  assert.deepEqual(
    answers.map(({ Attributes }) => Attributes.credits).sort((one, other) => one - other),
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  assert.deepEqual((await stored('SCHOOL#north', 'STUDENT#s1')).credits, { N: '40' });
});
