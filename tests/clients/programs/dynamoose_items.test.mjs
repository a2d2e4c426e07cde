// Dynamoose: one item at a time, with every type, conditions and updates.
import assert from 'node:assert/strict';
import dynamoose from 'dynamoose';
import { refused, test } from '../javascript/server.mjs';
import { fields, shelter } from './dynamoose_shelter.mjs';

const TOM = { shelter: 'ulm', id: 'tom' };
const EVERY_TYPE = {
  ...TOM,
  name: 'Tom',
  species: 'cat',
  weight: 4.25,
  arrived: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
  born: new Date(Date.UTC(2020, 1, 29)),
  checked: new Date(Date.UTC(2026, 4, 1)),
  chipped: true,
  photo: Buffer.from([0, 1, 254, 255]),
  tags: new Set(['shy', 'old']),
  scores: new Set([1, -2.5]),
  prints: new Set([Buffer.from([1]), Buffer.from([2, 3])]),
  meals: [{ at: '08:00', grams: 40 }, { at: '18:00' }],
  home: { room: 'A', size: { w: 1.5, h: 2 } },
  note: null,
  secret: 'fish',
  misc: { any: ['thing', { deep: true }], none: {} },
};
const { Condition } = dynamoose;
const unmet = (promise) => refused('ConditionalCheckFailedException', 'The conditional request failed', promise);

test('dynamoose: every type comes back as it was saved', async ({ uniqueName }) => {
  const { Animal, stored } = await shelter(uniqueName);
  await new Animal(EVERY_TYPE).save();
  const { tags, scores, prints, ...rest } = await stored('ulm', 'tom');
  assert.deepEqual(rest, {
    shelter: { S: 'ulm' },
    id: { S: 'tom' },
    name: { S: 'Tom' },
    species: { S: 'cat' },
    weight: { N: '4.25' },
    arrived: { N: '1767323045678' },
    born: { S: '2020-02-29T00:00:00.000Z' },
    checked: { N: '1777593600' },
    chipped: { BOOL: true },
    photo: { B: Uint8Array.of(0, 1, 254, 255) },
    meals: { L: [{ M: { at: { S: '08:00' }, grams: { N: '40' } } }, { M: { at: { S: '18:00' } } }] },
    home: { M: { room: { S: 'A' }, size: { M: { w: { N: '1.5' }, h: { N: '2' } } } } },
    note: { NULL: true },
    secret: { S: 'FISH' },
    misc: { M: { any: { L: [{ S: 'thing' }, { M: { deep: { BOOL: true } } }] }, none: { M: {} } } },
  });
  assert.deepEqual(tags.SS.sort(), ['old', 'shy']);
  assert.deepEqual(scores.NS.sort(), ['-2.5', '1']);
  assert.deepEqual(prints.BS.map((bytes) => [...bytes]).sort(), [[1], [2, 3]]);

  const read = await Animal.get(TOM, { consistent: true });
  const { made, changed, photo, prints: seen, ...others } = fields(read);
  assert.deepEqual({ ...others, photo: EVERY_TYPE.photo, prints: EVERY_TYPE.prints }, { ...EVERY_TYPE, secret: '*FISH' });
  assert.deepEqual([...photo], [0, 1, 254, 255]);
  assert.deepEqual([...seen].map((bytes) => [...bytes]).sort(), [[1], [2, 3]]);
  assert.ok(made instanceof Date && made.getTime() === changed.getTime());
  const parts = await Animal.get(TOM, { attributes: ['name', 'home', 'arrived'] });
  assert.deepEqual(fields(parts), { name: 'Tom', home: EVERY_TYPE.home, arrived: EVERY_TYPE.arrived });
  assert.equal(await Animal.get({ shelter: 'ulm', id: 'nobody' }), undefined);
});

test('dynamoose: what a schema forbids is not sent, and what a table forbids is not stored', async ({ uniqueName }) => {
  const { Animal, allStored } = await shelter(uniqueName);
  await assert.rejects(Animal.create({ ...TOM }), { name: 'ValidationError', message: /name is a required property/ });
  await assert.rejects(Animal.create({ ...TOM, name: 7 }), { name: 'TypeMismatch' });
  await assert.rejects(Animal.create({ ...TOM, name: 'Tom', species: 'cow' }), /species must equal \["cat","dog","owl"\]/);
  await assert.rejects(Animal.create({ ...TOM, name: 'T'.repeat(100) }), { name: 'ValidationError' });
  await refused('ValidationException', /empty string value.*Key: id/, Animal.create({ shelter: 'ulm', id: '', name: 'Tom' }));
  await refused(
    'ValidationException',
    'Item size has exceeded the maximum allowed size',
    Animal.create({ ...TOM, name: 'Tom', photo: Buffer.alloc(400 * 1024) }),
  );
  assert.deepEqual(await allStored(), []);
});

test('dynamoose: creates once, saves over, and removes with conditions', async ({ uniqueName }) => {
  const { Animal, stored } = await shelter(uniqueName);
  const tom = await Animal.create({ ...TOM, name: 'Tom', weight: 4 });
  assert.equal(tom.chipped, false);
  await unmet(Animal.create({ ...TOM, name: 'Again' }));
  assert.deepEqual((await stored('ulm', 'tom')).name, { S: 'Tom' });
  await Animal.create({ ...TOM, name: 'Over' }, { overwrite: true });
  assert.deepEqual(await stored('ulm', 'tom'), {
    shelter: { S: 'ulm' },
    id: { S: 'tom' },
    name: { S: 'Over' },
    chipped: { BOOL: false },
  });

  const read = await Animal.get(TOM);
  assert.equal(read.original().name, 'Over');
  read.name = 'Tommy';
  read.weight = 5;
  await unmet(read.save({ condition: new Condition('weight').exists() }));
  await read.save({ condition: new Condition().where('weight').not().exists().and().filter('name').eq('Over') });
  assert.deepEqual([(await stored('ulm', 'tom')).weight, (await stored('ulm', 'tom')).name], [{ N: '5' }, { S: 'Tommy' }]);

  await unmet(Animal.delete(TOM, { condition: new Condition('weight').gt(5) }));
  assert.ok(await stored('ulm', 'tom'));
  await Animal.delete(TOM, { condition: new Condition('weight').ge(5) });
  assert.equal(await stored('ulm', 'tom'), undefined);
  await Animal.delete(TOM);
  const other = await Animal.create({ shelter: 'ulm', id: 'kim', name: 'Kim' });
  await other.delete();
  assert.equal(await stored('ulm', 'kim'), undefined);
});

// Each holds of EVERY_TYPE; its opposite does not.
const HOLD = {
  eq: () => new Condition('name').eq('Tom'),
  'not eq': () => new Condition('name').not().eq('Kim'),
  lt: () => new Condition('weight').lt(4.26),
  le: () => new Condition('weight').le(4.25),
  // A condition takes a date as it is stored.
  gt: () => new Condition('arrived').gt(Date.UTC(2026, 0, 1)),
  ge: () => new Condition('born').ge(new Date(Date.UTC(2020, 1, 29)).toISOString()),
  between: () => new Condition('checked').between(Date.UTC(2026, 3, 30) / 1000, Date.UTC(2026, 4, 1) / 1000),
  in: () => new Condition('species').in(['dog', 'cat']),
  beginsWith: () => new Condition('name').beginsWith('To'),
  'contains, text': () => new Condition('name').contains('om'),
  'contains, set': () => new Condition('tags').contains('shy'),
  'not contains': () => new Condition('tags').not().contains('loud'),
  exists: () => new Condition('photo').exists(),
  'not exists': () => new Condition('home.floor').not().exists(),
  nested: () => new Condition('home.size.w').eq(1.5),
  or: () => new Condition('name').eq('Kim').or().where('weight').gt(4),
  parenthesis: () => new Condition('name').eq('Tom').parenthesis(new Condition('weight').gt(100).or().where('chipped').eq(true)),
  raw: () =>
    new Condition({
      ConditionExpression: 'size(#t) = :two AND attribute_type(#n, :null)',
      ExpressionAttributeNames: { '#t': 'tags', '#n': 'note' },
      ExpressionAttributeValues: { ':two': 2, ':null': 'NULL' },
    }),
  object: () => new Condition({ name: { beginsWith: 'T' }, weight: { between: [4, 5] } }),
};
const FAIL = {
  eq: () => new Condition('name').eq('Kim'),
  'another type': () => new Condition('misc').eq('Tom'),
  lt: () => new Condition('weight').lt(4.25),
  gt: () => new Condition('weight').gt(4.25),
  between: () => new Condition('weight').between(5, 6),
  in: () => new Condition('species').in(['dog', 'owl']),
  beginsWith: () => new Condition('name').beginsWith('om'),
  contains: () => new Condition('tags').contains('sh'),
  exists: () => new Condition('home.floor').exists(),
  'not exists': () => new Condition('photo').not().exists(),
  nested: () => new Condition('home.size.h').eq(1.5),
  and: () => new Condition('name').eq('Tom').and().where('weight').gt(5),
};

test('dynamoose: conditions of every kind', async ({ uniqueName }) => {
  const { Animal, stored } = await shelter(uniqueName);
  await new Animal(EVERY_TYPE).save();
  const before = await stored('ulm', 'tom');
  for (const [what, condition] of Object.entries(HOLD))
    await assert.doesNotReject(Animal.update(TOM, { $ADD: { visits: 1 } }, { condition: condition() }), what);
  for (const [what, condition] of Object.entries(FAIL)) {
    const error = await Animal.update(TOM, { $ADD: { visits: 100 } }, { condition: condition() }).catch((caught) => caught);
    assert.equal(error?.name, 'ConditionalCheckFailedException', `${what}: ${error}`);
  }
  const visits = { N: `${Object.keys(HOLD).length}` };
  assert.deepEqual(await stored('ulm', 'tom'), { ...before, visits });
});

test('dynamoose: updates set, add, remove and delete', async ({ uniqueName }) => {
  const { Animal, stored } = await shelter(uniqueName);
  await new Animal(EVERY_TYPE).save();
  const updated = await Animal.update(TOM, {
    name: 'Thomas',
    arrived: new Date(0),
    $SET: { home: { room: 'B' }, note: 'calm' },
    $ADD: { weight: 0.5, visits: 3, meals: [{ at: '23:00', grams: 1 }], tags: ['kind', 'shy'] },
    $REMOVE: ['photo', 'born'],
    $DELETE: { scores: [1, 77] },
  });
  assert.deepEqual([updated.name, updated.weight, updated.visits], ['Thomas', 4.75, 3]);
  const { tags, prints, ...rest } = await stored('ulm', 'tom');
  assert.deepEqual(rest, {
    shelter: { S: 'ulm' },
    id: { S: 'tom' },
    name: { S: 'Thomas' },
    species: { S: 'cat' },
    weight: { N: '4.75' },
    visits: { N: '3' },
    arrived: { N: '0' },
    checked: { N: '1777593600' },
    chipped: { BOOL: true },
    meals: {
      L: [
        { M: { at: { S: '08:00' }, grams: { N: '40' } } },
        { M: { at: { S: '18:00' } } },
        { M: { at: { S: '23:00' }, grams: { N: '1' } } },
      ],
    },
    scores: { NS: ['-2.5'] },
    home: { M: { room: { S: 'B' } } },
    note: { S: 'calm' },
    secret: { S: 'FISH' },
    misc: { M: { any: { L: [{ S: 'thing' }, { M: { deep: { BOOL: true } } }] }, none: { M: {} } } },
  });
  assert.deepEqual(tags.SS.sort(), ['kind', 'old', 'shy']);
  assert.equal(prints.BS.length, 2);

  // The key and the change in one object; an item that was not there; what is returned.
  await Animal.update({ ...TOM, weight: 1, note: dynamoose.type.UNDEFINED });
  const later = await stored('ulm', 'tom');
  assert.deepEqual([later.weight, later.note], [{ N: '1' }, undefined]);
  await Animal.update({ shelter: 'ulm', id: 'new' }, { $ADD: { visits: 1 } });
  assert.deepEqual(await stored('ulm', 'new'), { shelter: { S: 'ulm' }, id: { S: 'new' }, visits: { N: '1' } });
  const returned = async (returnValues) =>
    (await Animal.update(TOM, { $ADD: { visits: 1 } }, { returnValues }))?.toJSON() ?? null;
  assert.equal(await returned('NONE'), null);
  assert.equal((await returned('UPDATED_OLD')).visits, 4);
  assert.equal((await returned('UPDATED_NEW')).visits, 6);
  assert.equal((await returned('ALL_OLD')).visits, 6);
  assert.deepEqual(((all) => [all.visits, all.name])(await returned('ALL_NEW')), [8, 'Thomas']);

  await refused(
    'ValidationException',
    'The provided expression refers to an attribute that does not exist in the item',
    Animal.update({ shelter: 'ulm', id: 'new' }, { $ADD: { meals: [{ at: '1' }] } }),
  );
  await refused(
    'ValidationException',
    /Two document paths overlap with each other; .* path one: \[weight\], path two: \[weight\]/,
    Animal.update(TOM, { $SET: { weight: 2 }, $ADD: { weight: 1 } }),
  );
  await assert.rejects(Animal.update(TOM, { $REMOVE: ['name'] }), /name is a required property/);
  await refused(
    'ValidationException',
    /Cannot update attribute id. This attribute is part of the key/,
    Animal.update(TOM, { $SET: { id: 'x' } }),
  );
  const last = await stored('ulm', 'tom');
  assert.deepEqual([last.visits, last.weight, last.name], [{ N: '8' }, { N: '1' }, { S: 'Thomas' }]);
});

test('dynamoose: a counter counts everybody who comes at once', async ({ uniqueName }) => {
  const { Animal, stored } = await shelter(uniqueName);
  await Animal.create({ ...TOM, name: 'Tom' });
  const answers = await Promise.all(Array.from({ length: 30 }, () => Animal.update(TOM, { $ADD: { visits: 2 } })));
  assert.deepEqual(
    answers.map(({ visits }) => visits).sort((one, other) => one - other),
    Array.from({ length: 30 }, (_, n) => 2 * n + 2),
  );
  assert.deepEqual((await stored('ulm', 'tom')).visits, { N: '60' });
});
