// DynamoDB-Toolbox: several items at once, in batches and in transactions, over two tables.
import assert from 'node:assert/strict';
import {
  $add,
  $get,
  $subtract,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteTransaction,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  GetTransaction,
  isTransactionCancelled,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  UpdateTransaction,
} from 'dynamodb-toolbox';
import { refused, test } from '../javascript/server.mjs';
import { school } from './toolbox_school.mjs';

const students = (count) =>
  Array.from({ length: count }, (_, n) => ({ school: 'north', id: `s${n}`, name: `Student ${n}`, credits: n }));

test('toolbox: batches write and read several entities in several tables', async ({ makeTable }) => {
  const one = await school(makeTable);
  const other = await school(makeTable);
  const many = students(24);
  const answer = await executeBatchWrite(
    { capacity: 'TOTAL', maxAttempts: 3 },
    one.table.build(BatchWriteCommand).requests(...many.map((each) => one.Student.build(BatchPutRequest).item(each))),
    other.table.build(BatchWriteCommand).requests(other.School.build(BatchPutRequest).item({ id: 'north', title: 'North' })),
  );
  assert.deepEqual(answer.UnprocessedItems, {});
  assert.deepEqual(
    Object.fromEntries(answer.ConsumedCapacity.map(({ TableName, CapacityUnits }) => [TableName, CapacityUnits])),
    { [one.name]: 24, [other.name]: 1 },
  );
  assert.deepEqual(
    (await one.allStored()).map(({ id, credits }) => [id.S, credits.N]).sort(),
    many.map(({ id, credits }) => [id, `${credits}`]).sort(),
  );
  assert.deepEqual(
    (await other.allStored()).map(({ title }) => title.S),
    ['North'],
  );

  const { Responses, UnprocessedKeys } = await executeBatchGet(
    one.table
      .build(BatchGetCommand)
      .requests(...['s3', 'none', 's1'].map((id) => one.Student.build(BatchGetRequest).key({ school: 'north', id })))
      .options({ consistent: true, attributes: ['id', 'credits'] }),
    other.table.build(BatchGetCommand).requests(other.School.build(BatchGetRequest).key({ id: 'north' })),
  );
  assert.deepEqual(UnprocessedKeys, {});
  assert.deepEqual(Responses[0], [{ id: 's3', credits: 3 }, undefined, { id: 's1', credits: 1 }]);
  assert.equal(Responses[1][0].title, 'North');
});

test('toolbox: batches have their limits', async ({ makeTable }) => {
  const { table, Student, allStored } = await school(makeTable);
  const write = (...requests) => executeBatchWrite(table.build(BatchWriteCommand).requests(...requests));
  const puts = students(26).map((each) => Student.build(BatchPutRequest).item(each));
  await refused('ValidationException', /Member must have length less than or equal to 25/, write(...puts));
  assert.deepEqual(await allStored(), []);
  await write(...puts.slice(0, 25));
  await write(puts[25]);
  assert.equal((await allStored()).length, 26);
  const s0 = Student.build(BatchDeleteRequest).key({ school: 'north', id: 's0' });
  await refused('ValidationException', 'Provided list of item keys contains duplicates', write(puts[0], s0));
  await write(s0, Student.build(BatchPutRequest).item({ school: 'north', id: 's26', name: 'New' }));
  const ids = (await allStored()).map(({ id }) => id.S);
  assert.deepEqual([ids.length, ids.includes('s0'), ids.includes('s26')], [26, false, true]);

  const read = (count) =>
    executeBatchGet(
      table
        .build(BatchGetCommand)
        .requests(
          ...students(count).map(({ school: id, id: student }) =>
            Student.build(BatchGetRequest).key({ school: id, id: student }),
          ),
        ),
    );
  const { Responses } = await read(100);
  assert.deepEqual(
    Responses[0].filter(Boolean).map(({ id }) => id),
    Array.from({ length: 26 }, (_, n) => `s${n + 1}`),
  );
  await refused('ValidationException', /Member must have length less than or equal to 100/, read(101));
});

test('toolbox: what is too large for one answer is asked for again', async ({ makeTable }) => {
  const { table, Student, allStored } = await school(makeTable);
  const many = students(45).map((each) => ({ ...each, name: each.id.padEnd(390_000, 'x') }));
  for (const some of [many.slice(0, 25), many.slice(25)])
    await executeBatchWrite(
      table.build(BatchWriteCommand).requests(...some.map((each) => Student.build(BatchPutRequest).item(each))),
    );
  assert.equal((await allStored()).length, 45);
  const keys = many.map(({ school: id, id: student }) => Student.build(BatchGetRequest).key({ school: id, id: student }));
  const read = async (maxAttempts) => {
    const { Responses, UnprocessedKeys } = await executeBatchGet({ maxAttempts }, table.build(BatchGetCommand).requests(...keys));
    return [Responses[0].filter(Boolean), UnprocessedKeys[table.getName()]?.Keys ?? []];
  };
  const [some, left] = await read(1);
  assert.ok(left.length > 0 && some.length + left.length === 45, `${some.length} and ${left.length}`);
  const [all, none] = await read(5);
  assert.deepEqual([all.map(({ name }) => name), none], [many.map(({ name }) => name), []]);
  // A query ends its pages at a megabyte.
  const query = table.build(QueryCommand).entities(Student).query({ partition: 'SCHOOL#north' });
  const pages = [];
  for await (const { Items } of query.paginate()) pages.push(Items.map(({ id }) => id));
  assert.deepEqual(pages.flat(), many.map(({ id }) => id).sort());
  assert.ok(
    pages.slice(0, -1).every((page) => page.length === 3 || page.length === 2),
    String(pages.map((page) => page.length)),
  );
});

// Enrolls somebody: a seat is taken, the enrollment is new, the student exists, an old request is gone.
function enroll({ Course, Enrollment, Student, School }, student, more = {}) {
  const key = { school: 'north', code: 'algebra' };
  const onFailure = { returnValuesOnConditionFalse: 'ALL_OLD' };
  return [
    Course.build(UpdateTransaction)
      .item({ ...key, left: $subtract($get('left'), 1), visits: $add(1) })
      .options({ condition: { attr: 'left', gt: 0 }, ...onFailure, ...more }),
    Enrollment.build(PutTransaction)
      .item({ code: 'algebra', student, since: 7 })
      .options({ condition: { attr: 'student', exists: false }, ...onFailure }),
    Student.build(ConditionCheck)
      .key({ school: 'north', id: student })
      .condition({ attr: 'id', exists: true })
      .options(onFailure),
    School.build(DeleteTransaction).key({ id: `request-${student}` }),
  ];
}

async function courseWithTwoSeats(makeTable) {
  const all = await school(makeTable);
  await all.Course.build(PutItemCommand).item({ school: 'north', code: 'algebra', title: 'Algebra', seats: 2, left: 2 }).send();
  for (const each of students(4)) await all.Student.build(PutItemCommand).item(each).send();
  await all.School.build(PutItemCommand).item({ id: 'request-s0', title: 'Please' }).send();
  return all;
}

test('toolbox: a transaction does all of it', async ({ makeTable }) => {
  const all = await courseWithTwoSeats(makeTable);
  const answer = await executeTransactWrite(...enroll(all, 's0'));
  assert.equal(answer.ToolboxItems[1].student, 's0');
  const course = await all.stored('SCHOOL#north', 'COURSE#algebra');
  assert.deepEqual([course.left, course.visits], [{ N: '1' }, { N: '1' }]);
  assert.deepEqual(await all.stored('COURSE#algebra', 'STUDENT#s0'), {
    pk: { S: 'COURSE#algebra' },
    sk: { S: 'STUDENT#s0' },
    _et: { S: 'Enrollment' },
    code: { S: 'algebra' },
    student: { S: 's0' },
    since: { N: '7' },
    gsi1pk: { S: 'STUDENT#s0' },
    gsi1sk: { N: '7' },
  });
  assert.equal(await all.stored('SCHOOL#request-s0', 'SCHOOL'), undefined);
});

test('toolbox: a cancelled transaction tells why, item by item, and does nothing', async ({ makeTable }) => {
  const all = await courseWithTwoSeats(makeTable);
  await executeTransactWrite(...enroll(all, 's0'));
  const before = await all.allStored();
  const cancelled = async (transactions, codes) => {
    const error = await refused(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
      executeTransactWrite(...transactions),
    );
    assert.ok(isTransactionCancelled(error, ...transactions));
    assert.deepEqual(
      error.CancellationReasons.map(({ Code }) => Code),
      codes,
    );
    assert.deepEqual(await all.allStored(), before);
    return error.CancellationReasons;
  };
  const again = await cancelled(enroll(all, 's0'), ['None', 'ConditionalCheckFailed', 'None', 'None']);
  assert.deepEqual(
    [again[1].Message, again[1].FormattedItem],
    ['The conditional request failed', { code: 'algebra', student: 's0', since: 7 }],
  );
  assert.deepEqual([again[0].Message, again[0].FormattedItem], [undefined, undefined]);
  const nobody = await cancelled(enroll(all, 'nobody'), ['None', 'None', 'ConditionalCheckFailed', 'None']);
  assert.equal(nobody[2].Item, undefined);
  const closed = await cancelled(enroll(all, 's1', { condition: { attr: 'left', gt: 1 } }), [
    'ConditionalCheckFailed',
    'None',
    'None',
    'None',
  ]);
  assert.deepEqual([closed[0].FormattedItem.title, closed[0].FormattedItem.left], ['Algebra', 1]);
  const wrong = [
    all.Course.build(UpdateTransaction).item({ school: 'north', code: 'algebra', left: $subtract($get('seats'), $get('left')) }),
    all.Student.build(UpdateTransaction).item({ school: 'north', id: 's1', credits: $subtract($get('credits'), 1) }),
    all.Course.build(UpdateTransaction).item({ school: 'north', code: 'none', left: $subtract($get('left'), 1) }),
  ];
  const reasons = await cancelled(wrong, ['None', 'None', 'ValidationError']);
  assert.match(reasons[2].Message, /refers to an attribute that does not exist in the item/);
  await refused(
    'ValidationException',
    'Transaction request cannot include multiple operations on one item',
    executeTransactWrite(...enroll(all, 's1'), all.Student.build(DeleteTransaction).key({ school: 'north', id: 's1' })),
  );
  assert.deepEqual(await all.allStored(), before);
});

test('toolbox: of many who enroll at once as many succeed as there are seats', async ({ makeTable }) => {
  const all = await courseWithTwoSeats(makeTable);
  const outcomes = await Promise.all(
    students(4).map(({ id }) =>
      executeTransactWrite(...enroll(all, id)).then(
        () => 'enrolled',
        (error) => (isTransactionCancelled(error) ? 'cancelled' : error),
      ),
    ),
  );
  const enrolled = outcomes.filter((each) => each === 'enrolled').length;
  assert.equal(outcomes.filter((each) => each === 'cancelled').length, 4 - enrolled, String(outcomes));
  assert.ok(enrolled === 1 || enrolled === 2, 'transactions may conflict, but one gets through');
  const course = await all.stored('SCHOOL#north', 'COURSE#algebra');
  assert.deepEqual([course.left, course.visits], [{ N: `${2 - enrolled}` }, { N: `${enrolled}` }]);
  assert.equal((await all.allStored()).filter(({ _et }) => _et.S === 'Enrollment').length, enrolled);
});

test('toolbox: a transaction with a token is done once', async ({ makeTable }) => {
  const all = await courseWithTwoSeats(makeTable);
  const take = (by) => all.Student.build(UpdateTransaction).item({ school: 'north', id: 's1', credits: $add(by) });
  const options = { clientRequestToken: `token-${all.name}`.slice(-36) };
  // The time of the change is part of the request, so the very same one is sent twice.
  const transaction = take(5);
  const params = transaction.params();
  transaction.params = () => structuredClone(params);
  await executeTransactWrite(options, transaction);
  await executeTransactWrite(options, transaction);
  assert.deepEqual((await all.stored('SCHOOL#north', 'STUDENT#s1')).credits, { N: '6' });
  await refused('IdempotentParameterMismatchException', undefined, executeTransactWrite(options, take(6)));
  assert.deepEqual((await all.stored('SCHOOL#north', 'STUDENT#s1')).credits, { N: '6' });
});

test('toolbox: a transaction reads several items at one moment', async ({ makeTable }) => {
  const all = await courseWithTwoSeats(makeTable);
  const { Responses, ConsumedCapacity } = await executeTransactGet(
    { capacity: 'TOTAL' },
    all.Course.build(GetTransaction)
      .key({ school: 'north', code: 'algebra' })
      .options({ attributes: ['title', 'left'] }),
    all.Student.build(GetTransaction).key({ school: 'north', id: 'nobody' }),
    all.Student.build(GetTransaction).key({ school: 'north', id: 's3' }),
  );
  assert.deepEqual(Responses[0].Item, { title: 'Algebra', left: 2 });
  assert.equal(Responses[1].Item, undefined);
  assert.deepEqual([Responses[2].Item.name, Responses[2].Item.credits], ['Student 3', 3]);
  assert.equal(ConsumedCapacity[0].CapacityUnits, 6);
});
