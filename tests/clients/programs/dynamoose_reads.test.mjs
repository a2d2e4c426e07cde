// Dynamoose: queries of the table and its indexes, and scans.
import assert from 'node:assert/strict';
import dynamoose from 'dynamoose';
import { eventually, refused, test } from '../javascript/server.mjs';
import { fields, shelter } from './dynamoose_shelter.mjs';

const two = (n) => String(n).padStart(2, '0');
const SPECIES = ['cat', 'dog', 'owl'];

// 40 animals in Ulm and one in Bonn.
async function filledShelter(uniqueName) {
  const all = await shelter(uniqueName);
  const animals = Array.from({ length: 40 }, (_, n) => ({
    shelter: 'ulm',
    id: `a${two(n)}`,
    name: `Animal ${n}`,
    species: SPECIES[n % 3],
    weight: ((n * 7) % 40) - 5,
    arrived: new Date(Date.UTC(2026, 0, 40 - n)),
    tags: n % 4 ? ['calm'] : ['calm', 'old'],
    home: { room: n < 10 ? 'A' : 'B' },
  }));
  animals.push({ shelter: 'bonn', id: 'b', name: 'Other', species: 'cat', weight: 100 });
  for (let n = 0; n < animals.length; n += 25) {
    const { unprocessedItems } = await all.Animal.batchPut(animals.slice(n, n + 25));
    assert.deepEqual(unprocessedItems, []);
  }
  assert.equal((await all.allStored()).length, 41);
  await eventually(async () => (await all.Animal.query('species').eq('owl').exec()).length === 13);
  return all;
}

const ids = (items) => items.map(({ id }) => id);
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => `a${two(from + n)}`);

test('dynamoose: conditions on sort keys pick a range, in both directions', async ({ uniqueName }) => {
  const { Animal } = await filledShelter(uniqueName);
  const ulm = () => Animal.query('shelter').eq('ulm').where('id');
  for (const [query, expected] of [
    [() => ulm().eq('a07'), ['a07']],
    [() => ulm().lt('a03'), range(0, 2)],
    [() => ulm().le('a03'), range(0, 3)],
    [() => ulm().gt('a37'), range(38, 39)],
    [() => ulm().ge('a37'), range(37, 39)],
    [() => ulm().between('a10', 'a12'), range(10, 12)],
    [() => ulm().beginsWith('a2'), range(20, 29)],
    [() => ulm().beginsWith('z'), []],
    [() => Animal.query({ shelter: 'ulm', id: { between: ['a00', 'a01'] } }), range(0, 1)],
  ]) {
    assert.deepEqual(ids(await query().exec()), expected, String(query));
    assert.deepEqual(ids(await query().sort('descending').exec()), [...expected].reverse(), String(query));
    assert.equal((await query().consistent().count().exec()).count, expected.length);
  }
  await assert.rejects(Animal.query('name').eq('Animal 1').exec(), /Index can't be found for query/);
});

test('dynamoose: indexes order by their own keys', async ({ uniqueName }) => {
  const { Animal, allStored } = await filledShelter(uniqueName);
  const owls = (await allStored())
    .filter(({ species }) => species.S === 'owl')
    .sort((one, other) => one.weight.N - other.weight.N);
  const byWeight = await Animal.query('species').eq('owl').exec();
  assert.deepEqual(
    byWeight.map(({ id, weight }) => [id, weight]),
    owls.map(({ id, weight }) => [id.S, Number(weight.N)]),
  );
  assert.ok(byWeight[0].weight < 0);
  const heavy = await Animal.query('species').eq('cat').where('weight').gt(25).using('bySpecies').sort('descending').exec();
  assert.deepEqual(
    heavy.map(({ shelter: of, weight }) => [of, weight]),
    [
      ['bonn', 100],
      ['ulm', 28],
      ['ulm', 26],
    ],
  );
  // The local index has names only; dates are its sort key.
  const since = Date.UTC(2026, 1, 6);
  const late = await Animal.query('shelter').eq('ulm').where('arrived').ge(since).using('byArrival').exec();
  assert.deepEqual(late.map(fields), [
    { shelter: 'ulm', id: 'a03', arrived: new Date(since), name: 'Animal 3' },
    { shelter: 'ulm', id: 'a02', arrived: new Date(Date.UTC(2026, 1, 7)), name: 'Animal 2' },
    { shelter: 'ulm', id: 'a01', arrived: new Date(Date.UTC(2026, 1, 8)), name: 'Animal 1' },
    { shelter: 'ulm', id: 'a00', arrived: new Date(Date.UTC(2026, 1, 9)), name: 'Animal 0' },
  ]);
  await refused(
    'ValidationException',
    'Consistent reads are not supported on global secondary indexes',
    Animal.query('species').eq('cat').consistent().exec(),
  );
});

test('dynamoose: filters and projections', async ({ uniqueName }) => {
  const { Animal } = await filledShelter(uniqueName);
  const filtered = await Animal.query('shelter').eq('ulm').where('tags').contains('old').where('home.room').eq('A').exec();
  assert.deepEqual(ids(filtered), ['a00', 'a04', 'a08']);
  assert.equal(filtered.count, 3);
  const either = await Animal.query('shelter')
    .eq('ulm')
    .parenthesis((condition) => condition.where('name').eq('Animal 5').or().where('weight').lt(-3))
    .exec();
  assert.deepEqual(ids(either), ['a00', 'a05', 'a23']);
  const inside = await Animal.query('shelter').eq('ulm').where('species').in(['owl', 'dog']).where('id').lt('a05').exec();
  assert.deepEqual(ids(inside), ['a01', 'a02', 'a04']);
  const without = await Animal.query('shelter').eq('ulm').where('name').not().contains('Animal').exec();
  assert.deepEqual(ids(without), []);
  const parts = await Animal.query('shelter').eq('ulm').where('id').le('a01').attributes(['id', 'weight']).exec();
  assert.deepEqual(parts.map(fields), [
    { id: 'a00', weight: -5 },
    { id: 'a01', weight: 2 },
  ]);
});

test('dynamoose: pages of a query fit together', async ({ uniqueName }) => {
  const { Animal } = await filledShelter(uniqueName);
  for (const query of [
    () => Animal.query('shelter').eq('ulm'),
    () => Animal.query('shelter').eq('ulm').sort('descending'),
    () => Animal.query('species').eq('cat'),
    () => Animal.query('shelter').eq('ulm').using('byArrival').where('arrived').gt(0),
  ]) {
    const whole = ids(await query().exec());
    assert.ok(whole.length >= 14);
    const seen = [];
    let lastKey;
    do {
      const page = await (lastKey ? query().startAt(lastKey) : query()).limit(6).exec();
      assert.ok(page.length <= 6);
      seen.push(...ids(page));
      lastKey = page.lastKey;
    } while (lastKey);
    assert.deepEqual(seen, whole);
    const all = await query().limit(5).all().exec();
    assert.deepEqual([ids(all), all.lastKey], [whole, undefined]);
    assert.equal(all.timesQueried, Math.floor(whole.length / 5) + 1);
    const some = await query().limit(4).all(0, 2).exec();
    assert.deepEqual(ids(some), whole.slice(0, 8));
  }
});

test('dynamoose: scans filter, page and go in parallel', async ({ uniqueName }) => {
  const { Animal, allStored } = await filledShelter(uniqueName);
  const everything = (await allStored()).map(({ id }) => id.S).sort();
  assert.deepEqual(ids(await Animal.scan().exec()).sort(), everything);
  const old = await Animal.scan('tags').contains('old').and().where('weight').ge(20).exec();
  assert.deepEqual(ids(old).sort(), ['a04', 'a16', 'a28']);
  assert.deepEqual([old.count, old.scannedCount], [3, 41]);
  const raw = new dynamoose.Condition({
    FilterExpression: 'begins_with(#name, :begin) AND size(#tags) > :one',
    ExpressionAttributeNames: { '#name': 'name', '#tags': 'tags' },
    ExpressionAttributeValues: { ':begin': 'Animal 3', ':one': 1 },
  });
  assert.deepEqual(ids(await Animal.scan(raw).exec()).sort(), ['a32', 'a36']);
  const counted = await Animal.scan({ species: 'cat' }).consistent().count().exec();
  assert.deepEqual(counted, { count: 15, scannedCount: 41 });
  const paged = await Animal.scan().limit(10).all().exec();
  assert.deepEqual([ids(paged).sort(), paged.timesScanned], [everything, 5]);
  const parallel = await Animal.scan().parallel(4).limit(3).all().exec();
  assert.deepEqual(ids(parallel).sort(), everything);
  const index = await Animal.scan().using('byArrival').attributes(['name']).exec();
  assert.equal(index.length, 40, 'an index has what has its key');
  assert.deepEqual([...new Set(index.map((item) => Object.keys(fields(item)).join()))], ['name']);
});
