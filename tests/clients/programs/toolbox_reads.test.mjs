// DynamoDB-Toolbox: queries of the table and its indexes, and scans, over several entities of one table.
import assert from 'node:assert/strict';
import {
  BatchPutRequest,
  BatchWriteCommand,
  DeletePartitionCommand,
  EntityAccessPattern,
  executeBatchWrite,
  map,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  string,
  TableAccessPattern,
} from 'dynamodb-toolbox';
import { eventually, test } from '../javascript/server.mjs';
import { school } from './toolbox_school.mjs';

const two = (n) => String(n).padStart(2, '0');

// Two schools: the north with 12 courses of two teachers and 5 students, the south with one of each.
async function filledSchool(makeTable) {
  const all = await school(makeTable);
  const { Course, School, Student } = all;
  const courses = Array.from({ length: 12 }, (_, n) => ({
    school: 'north',
    code: `c${two(n)}`,
    title: `Course ${n}`,
    level: n % 3 ? 'basic' : 'advanced',
    teacher: n % 2 ? 'gauss' : 'noether',
    seats: (n * 7) % 12,
    left: n < 6 ? 12 - n : undefined,
    topics: new Set(n % 4 ? ['algebra'] : ['algebra', 'geometry']),
    place: { city: n < 4 ? 'Bonn' : 'Ulm', geo: [n, -n - 1] },
  }));
  const students = Array.from({ length: 5 }, (_, n) => ({ school: 'north', id: `s${n}`, name: `Student ${n}`, credits: n * 10 }));
  const requests = [
    School.build(BatchPutRequest).item({ id: 'north', title: 'North' }),
    School.build(BatchPutRequest).item({ id: 'south', title: 'South' }),
    ...courses.map((each) => Course.build(BatchPutRequest).item(each)),
    ...students.map((each) => Student.build(BatchPutRequest).item(each)),
    Course.build(BatchPutRequest).item({ school: 'south', code: 'c00', title: 'Other', teacher: 'gauss', seats: 2 }),
    Student.build(BatchPutRequest).item({ school: 'south', id: 's0', name: 'Other' }),
  ];
  const { UnprocessedItems } = await executeBatchWrite(all.table.build(BatchWriteCommand).requests(...requests));
  assert.deepEqual(UnprocessedItems, {});
  assert.equal((await all.allStored()).length, requests.length);
  const byTeacher = { index: 'gsi1', partition: 'TEACHER#gauss' };
  await eventually(async () => (await all.table.build(QueryCommand).query(byTeacher).send()).Count === 7);
  const query = (asked, options = {}, ...entities) =>
    all.table
      .build(QueryCommand)
      .entities(...entities)
      .query(asked)
      .options(options)
      .send();
  return { ...all, query };
}

const codes = ({ Items }) => Items.map(({ code }) => code);

test('toolbox: one query brings a school with all that belongs to it', async ({ makeTable }) => {
  const { query, School, Course, Student } = await filledSchool(makeTable);
  const answer = await query({ partition: 'SCHOOL#north' }, { showEntityAttr: true, consistent: true }, School, Course, Student);
  assert.deepEqual(
    answer.Items.map(({ entity }) => entity),
    [...Array(12).fill('Course'), 'School', ...Array(5).fill('Student')],
  );
  assert.deepEqual([answer.Count, answer.ScannedCount, answer.LastEvaluatedKey], [18, 18, undefined]);
  const { topics, place, level } = answer.Items[4];
  assert.deepEqual([topics, place, level], [new Set(['algebra', 'geometry']), { city: 'Ulm', geo: [4, -5] }, 'basic']);
  // A query for some entities filters the others.
  const some = await query({ partition: 'SCHOOL#north' }, {}, School, Student);
  assert.deepEqual(
    some.Items.map(({ id }) => id),
    ['north', 's0', 's1', 's2', 's3', 's4'],
  );
  assert.deepEqual([some.Count, some.ScannedCount], [6, 18]);
  // Without entities, items come as they are stored.
  const raw = await query({ partition: 'SCHOOL#south' });
  assert.deepEqual(
    raw.Items.map(({ sk, _et }) => [sk, _et]),
    [
      ['COURSE#c00', 'Course'],
      ['SCHOOL', 'School'],
      ['STUDENT#s0', 'Student'],
    ],
  );
});

const RANGES = [
  [{ eq: 'COURSE#c03' }, ['c03']],
  [{ beginsWith: 'COURSE#c1' }, ['c10', 'c11']],
  [{ beginsWith: 'COURSE#x' }, []],
  [{ between: ['COURSE#c04', 'COURSE#c06'] }, ['c04', 'c05', 'c06']],
  [{ lt: 'COURSE#c02' }, ['c00', 'c01']],
  [{ lte: 'COURSE#c02' }, ['c00', 'c01', 'c02']],
  [{ gt: 'COURSE#c10' }, ['c11']],
  [{ gte: 'COURSE#c10' }, ['c10', 'c11']],
];

test('toolbox: conditions on sort keys pick a range, in both directions', async ({ makeTable }) => {
  const { query, Course } = await filledSchool(makeTable);
  for (const [range, expected] of RANGES) {
    const asked = { partition: 'SCHOOL#north', range };
    assert.deepEqual(codes(await query(asked, {}, Course)), expected, JSON.stringify(range));
    assert.deepEqual(codes(await query(asked, { reverse: true }, Course)), [...expected].reverse(), JSON.stringify(range));
  }
  // A numeric sort key, in the local index and in a global one.
  const left = { index: 'byLeft', partition: 'SCHOOL#north', range: { between: [8, 10] } };
  assert.deepEqual(codes(await query(left, { consistent: true, select: 'ALL_ATTRIBUTES' }, Course)), ['c04', 'c03', 'c02']);
  const keys = await query(
    { index: 'byLeft', partition: 'SCHOOL#north', range: { gt: 10 } },
    { select: 'ALL_PROJECTED_ATTRIBUTES' },
  );
  assert.deepEqual(keys.Items, [
    { pk: 'SCHOOL#north', sk: 'COURSE#c01', left: 11 },
    { pk: 'SCHOOL#north', sk: 'COURSE#c00', left: 12 },
  ]);
  const gauss = { index: 'gsi1', partition: 'TEACHER#gauss' };
  const seats = ({ Items }) => Items.map((each) => [each.school, each.code, each.seats]);
  assert.deepEqual(seats(await query({ ...gauss, range: { lte: 5 } }, {}, Course)), [
    ['north', 'c07', 1],
    ['south', 'c00', 2],
    ['north', 'c09', 3],
    ['north', 'c11', 5],
  ]);
  assert.deepEqual(seats(await query({ ...gauss, range: { gt: 7 } }, { reverse: true }, Course)), [
    ['north', 'c05', 11],
    ['north', 'c03', 9],
  ]);
});

test('toolbox: filters, projections, counts and capacity', async ({ makeTable }) => {
  const { query, Course, Student } = await filledSchool(makeTable);
  const north = { partition: 'SCHOOL#north' };
  const filters = {
    Course: {
      and: [
        { attr: 'topics', contains: 'geometry' },
        { attr: 'place.city', eq: 'Ulm' },
        { attr: 'left', exists: true },
      ],
    },
    Student: { attr: 'credits', between: [20, 30] },
  };
  const filtered = await query(north, { filters }, Course, Student);
  assert.deepEqual(
    filtered.Items.map(({ code, id }) => code ?? id),
    ['c04', 's2', 's3'],
  );
  assert.deepEqual([filtered.Count, filtered.ScannedCount], [3, 18]);
  const parts = await query(
    { ...north, range: { beginsWith: 'COURSE#c0' } },
    { attributes: ['code', 'place.geo[1]'], limit: 2 },
    Course,
  );
  assert.deepEqual(parts.Items, [
    { code: 'c00', place: { geo: [-1] } },
    { code: 'c01', place: { geo: [-2] } },
  ]);
  const counted = await query(north, { select: 'COUNT', filters: { Course: { attr: 'level', eq: 'advanced' } } }, Course);
  assert.deepEqual([counted.Items, counted.Count, counted.ScannedCount], [[], 4, 18]);
  const { ConsumedCapacity } = await query({ index: 'gsi1', partition: 'TEACHER#noether' }, { capacity: 'INDEXES' }, Course);
  assert.deepEqual(
    [ConsumedCapacity.CapacityUnits, ConsumedCapacity.Table.CapacityUnits, Object.keys(ConsumedCapacity.GlobalSecondaryIndexes)],
    [0.5, 0, ['gsi1']],
  );
  const free = await query(north, {
    filter: {
      and: [
        { attr: 'credits', gte: 30 },
        { attr: '_et', eq: 'Student' },
      ],
    },
  });
  assert.deepEqual(
    free.Items.map(({ id }) => id),
    ['s3', 's4'],
  );
});

test('toolbox: pages of a query fit together', async ({ makeTable }) => {
  const { query, table, Course } = await filledSchool(makeTable);
  for (const [asked, reverse] of [
    [{ partition: 'SCHOOL#north', range: { beginsWith: 'COURSE#' } }, false],
    [{ partition: 'SCHOOL#north', range: { beginsWith: 'COURSE#' } }, true],
    [{ index: 'gsi1', partition: 'TEACHER#noether' }, false],
    [{ index: 'gsi1', partition: 'TEACHER#noether' }, true],
  ]) {
    const whole = codes(await query(asked, { reverse }, Course));
    const seen = [];
    const sizes = [];
    let exclusiveStartKey;
    do {
      const page = await query(asked, { reverse, limit: 5, exclusiveStartKey }, Course);
      seen.push(...codes(page));
      sizes.push(page.Count);
      exclusiveStartKey = page.LastEvaluatedKey;
    } while (exclusiveStartKey);
    assert.deepEqual([seen, sizes], [whole, asked.index ? [5, 1] : [5, 5, 2]]);
    const paginated = [];
    const command = table.build(QueryCommand).entities(Course).query(asked).options({ reverse, limit: 4 });
    for await (const page of command.paginate()) paginated.push(...codes(page));
    assert.deepEqual(paginated, whole);
    assert.deepEqual(codes(await query(asked, { reverse, limit: 1, maxPages: 3 }, Course)), whole.slice(0, 3));
  }
});

test('toolbox: an index with several attributes in its keys', async ({ makeTable }) => {
  const { Errand, stored } = await school(makeTable);
  const errands = [
    ['e1', 'eu', 'repair', 2, '2026-03-01'],
    ['e2', 'eu', 'repair', 10, '2026-02-01'],
    ['e3', 'eu', 'repair', 10, '2026-01-15'],
    ['e4', 'eu', 'post', 10, '2026-01-01'],
    ['e5', 'us', 'repair', 10, '2026-01-01'],
  ].map(([id, region, kind, urgency, due]) => ({ id, region, kind, urgency, due }));
  for (const errand of errands) await Errand.build(PutItemCommand).item(errand).send();
  assert.deepEqual((await stored('ERRAND#e3', 'ERRAND')).urgency, { N: '10' });
  const ids = async (range, options) => {
    const asked = { index: 'errands', partition: ['eu', 'repair'], ...(range ? { range } : {}) };
    const command = Errand.table.build(QueryCommand).entities(Errand).query(asked);
    return (await command.options(options ?? {}).send()).Items.map(({ id }) => id);
  };
  await eventually(async () => (await ids()).length === 3);
  assert.deepEqual(await ids(), ['e1', 'e3', 'e2']);
  assert.deepEqual(await ids(undefined, { reverse: true, limit: 2 }), ['e2', 'e3']);
  assert.deepEqual(await ids([{ lt: 10 }]), ['e1']);
  assert.deepEqual(await ids([10]), ['e3', 'e2']);
  assert.deepEqual(await ids([10, { beginsWith: '2026-01' }]), ['e3']);
  assert.deepEqual(await ids([10, { between: ['2026-01-15', '2026-02-01'] }]), ['e3', 'e2']);
  assert.deepEqual(await ids([2, '2026-03-01']), ['e1']);
});

test('toolbox: scans filter, page and go in parallel', async ({ makeTable }) => {
  const { table, School, Course, Student, allStored } = await filledSchool(makeTable);
  const scan = (options = {}, ...entities) =>
    table
      .build(ScanCommand)
      .entities(...entities)
      .options(options)
      .send();
  const keyOf = ({ pk, sk }) => `${pk} ${sk}`;
  const everything = (await allStored()).map(({ pk, sk }) => `${pk.S} ${sk.S}`);
  assert.deepEqual((await scan()).Items.map(keyOf).sort(), everything);

  const schools = await scan({ consistent: true, attributes: ['title'] }, School);
  assert.deepEqual(schools.Items.map(({ title }) => title).sort(), ['North', 'South']);
  assert.deepEqual([schools.Count, schools.ScannedCount], [2, 21]);
  const rich = await scan(
    { filters: { Student: { attr: 'credits', gt: 20 }, Course: { attr: 'seats', in: [0, 7] } } },
    Student,
    Course,
  );
  assert.deepEqual(rich.Items.map(({ code, id }) => code ?? id).sort(), ['c00', 'c01', 's3', 's4']);

  const pages = [];
  for await (const page of table.build(ScanCommand).options({ limit: 4 }).paginate()) pages.push(page.Items.map(keyOf));
  assert.deepEqual(pages.flat().sort(), everything);
  assert.ok(pages.slice(0, 5).every((page) => page.length === 4));

  const segments = await Promise.all([0, 1, 2].map((segment) => scan({ segment, totalSegments: 3, maxPages: 100, limit: 2 })));
  assert.deepEqual(segments.flatMap(({ Items }) => Items.map(keyOf)).sort(), everything);
  const sparse = await scan({ index: 'byLeft', select: 'COUNT' });
  assert.equal(sparse.Count, 6, 'an index has what has its key');
  const taught = await scan({ index: 'gsi1', attributes: ['code', 'school'] }, Course);
  assert.equal(taught.Items.length, 13);
});

test('toolbox: access patterns, and a partition is removed at once', async ({ makeTable }) => {
  const { table, School, Course, Student, allStored } = await filledSchool(makeTable);
  const taughtBy = Course.build(EntityAccessPattern)
    .schema(map({ teacher: string() }))
    .pattern(({ teacher }) => ({ index: 'gsi1', partition: `TEACHER#${teacher}`, range: { gte: 9 } }))
    .options({ reverse: true });
  assert.deepEqual(codes(await taughtBy.query({ teacher: 'gauss' }).send()), ['c05', 'c03']);
  const people = table
    .build(TableAccessPattern)
    .entities(School, Student)
    .schema(string())
    .pattern((id) => ({ partition: `SCHOOL#${id}` }));
  assert.deepEqual(
    (await people.query('south').send()).Items.map(({ title, name }) => title ?? name),
    ['South', 'Other'],
  );
  // More than one batch of 25.
  for (let n = 5; n < 30; n += 1)
    await Student.build(PutItemCommand)
      .item({ school: 'north', id: `s${n}`, name: 'New' })
      .send();
  const removed = await table.build(DeletePartitionCommand).entities(Course, Student).query({ partition: 'SCHOOL#north' }).send();
  assert.equal(removed.Count, 42);
  assert.deepEqual(
    (await allStored()).map(({ pk, sk }) => [pk.S, sk.S]),
    [
      ['SCHOOL#north', 'SCHOOL'],
      ['SCHOOL#south', 'COURSE#c00'],
      ['SCHOOL#south', 'SCHOOL'],
      ['SCHOOL#south', 'STUDENT#s0'],
    ],
  );
});
