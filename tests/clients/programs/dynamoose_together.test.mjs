// Dynamoose: several items at once, in batches and in transactions over two tables.
import assert from 'node:assert/strict';
import dynamoose from 'dynamoose';
import { refused, test } from '../javascript/server.mjs';
import { fields, makeTable, shelter } from './dynamoose_shelter.mjs';
import { storedItem } from './stored.mjs';

const animals = (count) =>
  Array.from({ length: count }, (_, n) => ({ shelter: 'ulm', id: `a${n}`, name: `Animal ${n}`, photo: Buffer.from([n]) }));
const keys = (count) => animals(count).map(({ shelter: of, id }) => ({ shelter: of, id }));
const ids = (items) => items.map(({ id }) => id);

test('dynamoose: batches put, get and delete', async ({ uniqueName }) => {
  const { Animal, allStored, stored } = await shelter(uniqueName);
  assert.deepEqual(await Animal.batchPut(animals(25)), { unprocessedItems: [] });
  assert.equal((await allStored()).length, 25);
  assert.deepEqual(await stored('ulm', 'a7'), {
    shelter: { S: 'ulm' },
    id: { S: 'a7' },
    name: { S: 'Animal 7' },
    photo: { B: Uint8Array.of(7) },
    chipped: { BOOL: false },
  });
  await refused('ValidationException', /Member must have length less than or equal to 25/, Animal.batchPut(animals(26)));
  const [one, other] = animals(1).concat(animals(1));
  await refused('ValidationException', 'Provided list of item keys contains duplicates', Animal.batchPut([one, other]));
  assert.equal((await allStored()).length, 25);

  const found = await Animal.batchGet([...keys(3), { shelter: 'ulm', id: 'none' }].reverse(), { consistent: true });
  assert.deepEqual([ids(found), found.unprocessedKeys], [['a2', 'a1', 'a0'], []]);
  assert.deepEqual([...found[0].photo], [2]);
  const parts = await Animal.batchGet(keys(2), { attributes: ['shelter', 'id', 'name'] });
  assert.deepEqual(parts.map(fields), [
    { shelter: 'ulm', id: 'a0', name: 'Animal 0' },
    { shelter: 'ulm', id: 'a1', name: 'Animal 1' },
  ]);
  assert.deepEqual([...(await Animal.batchGet([{ shelter: 'ulm', id: 'none' }]))], []);
  assert.equal((await Animal.batchGet(keys(100))).length, 25);
  await refused('ValidationException', /Member must have length less than or equal to 100/, Animal.batchGet(keys(101)));
  await refused(
    'ValidationException',
    'Provided list of item keys contains duplicates',
    Animal.batchGet([...keys(1), ...keys(1)]),
  );

  assert.deepEqual(await Animal.batchDelete([...keys(24), { shelter: 'ulm', id: 'none' }]), { unprocessedItems: [] });
  assert.deepEqual(
    (await allStored()).map(({ id }) => id.S),
    ['a24'],
  );
});

test('dynamoose: what is too large for one answer is left', async ({ uniqueName }) => {
  const { Animal, allStored } = await shelter(uniqueName);
  const many = animals(45).map((animal) => ({ ...animal, note: animal.id.padEnd(390_000, 'x') }));
  await Animal.batchPut(many.slice(0, 25));
  await Animal.batchPut(many.slice(25));
  assert.equal((await allStored()).length, 45);
  const first = await Animal.batchGet(keys(45));
  assert.ok(first.unprocessedKeys.length > 0);
  const second = await Animal.batchGet(first.unprocessedKeys);
  assert.deepEqual([ids([...first, ...second]).sort(), second.unprocessedKeys], [ids(many).sort(), []]);
  assert.equal(second[0].note, second[0].id.padEnd(390_000, 'x'));
});

// Animals and the credit of their keepers, in two tables.
async function shelterWithKeepers(uniqueName) {
  const all = await shelter(uniqueName);
  const name = uniqueName();
  const Keeper = dynamoose.model(
    `Keeper ${name}`,
    new dynamoose.Schema({ id: { type: String, hashKey: true }, credit: Number, tags: { type: Set, schema: [String] } }),
  );
  await makeTable(name, [Keeper]);
  await Keeper.create({ id: 'ann', credit: 10 });
  await all.Animal.batchPut(animals(3));
  const keeper = (id) => storedItem(name, { id: { S: id } });
  const everything = async () => [await all.allStored(), await keeper('ann'), await keeper('bob')];
  return { ...all, Keeper, keeper, everything };
}

test('dynamoose: a transaction does all of it', async ({ uniqueName }) => {
  const { Animal, Keeper, stored, keeper } = await shelterWithKeepers(uniqueName);
  const { Condition } = dynamoose;
  await dynamoose.transaction([
    Animal.transaction.create({ shelter: 'ulm', id: 'new', name: 'New' }),
    Animal.transaction.update({ shelter: 'ulm', id: 'a0' }, { $SET: { name: 'Zero' }, $ADD: { visits: 2 } }),
    Animal.transaction.delete({ shelter: 'ulm', id: 'a1' }),
    Animal.transaction.condition({ shelter: 'ulm', id: 'a2' }, new Condition('name').eq('Animal 2')),
    Keeper.transaction.update({ id: 'ann' }, { $ADD: { credit: -4, tags: ['x'] } }, { condition: new Condition('credit').ge(4) }),
  ]);
  assert.deepEqual((await stored('ulm', 'new')).name, { S: 'New' });
  const zero = await stored('ulm', 'a0');
  assert.deepEqual([zero.name, zero.visits], [{ S: 'Zero' }, { N: '2' }]);
  assert.equal(await stored('ulm', 'a1'), undefined);
  assert.deepEqual(await keeper('ann'), { id: { S: 'ann' }, credit: { N: '6' }, tags: { SS: ['x'] } });

  const read = await dynamoose.transaction([
    Animal.transaction.get({ shelter: 'ulm', id: 'a2' }),
    Keeper.transaction.get('ann', { attributes: ['credit'] }),
  ]);
  assert.deepEqual([read[0].name, read[1].credit, read[1].id], ['Animal 2', 6, undefined]);
});

test('dynamoose: a cancelled transaction tells why, item by item, and does nothing', async ({ uniqueName }) => {
  const { Animal, Keeper, everything } = await shelterWithKeepers(uniqueName);
  const { Condition } = dynamoose;
  const before = await everything();
  const cancelled = async (transactions, codes) => {
    const error = await refused(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
      dynamoose.transaction(transactions),
    );
    assert.deepEqual(
      error.CancellationReasons.map(({ Code }) => Code),
      codes,
    );
    assert.deepEqual(await everything(), before);
    return error.CancellationReasons;
  };
  const pay = (amount) =>
    Keeper.transaction.update({ id: 'ann' }, { $ADD: { credit: -amount } }, { condition: new Condition('credit').ge(amount) });
  const reasons = await cancelled(
    [
      Animal.transaction.create({ shelter: 'ulm', id: 'a0', name: 'Again' }),
      pay(11),
      Animal.transaction.delete({ shelter: 'ulm', id: 'a1' }),
      Animal.transaction.condition({ shelter: 'ulm', id: 'a2' }, new Condition('visits').exists()),
    ],
    ['ConditionalCheckFailed', 'ConditionalCheckFailed', 'None', 'ConditionalCheckFailed'],
  );
  assert.deepEqual(
    reasons.map(({ Message }) => Message),
    ['The conditional request failed', 'The conditional request failed', undefined, 'The conditional request failed'],
  );
  const [, , wrong] = await cancelled(
    [
      pay(1),
      Keeper.transaction.create({ id: 'bob', credit: 1 }),
      Animal.transaction.update({ shelter: 'ulm', id: 'a2' }, { $ADD: { meals: [{ at: '12:00' }] } }),
    ],
    ['None', 'None', 'ValidationError'],
  );
  assert.equal(wrong.Message, 'The provided expression refers to an attribute that does not exist in the item');
  await refused(
    'ValidationException',
    'Transaction request cannot include multiple operations on one item',
    dynamoose.transaction([pay(1), pay(2)]),
  );
  await refused(
    'ValidationException',
    /Member must have length less than or equal to 100/,
    dynamoose.transaction(Array.from({ length: 101 }, (_, n) => Keeper.transaction.create({ id: `k${n}`, credit: n }))),
  );
  assert.deepEqual(await everything(), before);
});

test('dynamoose: a hundred writes are one transaction', async ({ uniqueName }) => {
  const { Animal, allStored } = await shelter(uniqueName);
  await dynamoose.transaction(animals(100).map((animal) => Animal.transaction.create(animal)));
  assert.equal((await allStored()).length, 100);
  const read = await dynamoose.transaction(keys(100).map((key) => Animal.transaction.get(key)));
  assert.deepEqual(ids(read), ids(keys(100)));
});

test('dynamoose: of many who spend at once as many succeed as there is credit', async ({ uniqueName }) => {
  const { Animal, Keeper, keeper, allStored } = await shelterWithKeepers(uniqueName);
  const adopt = (id) =>
    dynamoose.transaction([
      Keeper.transaction.update({ id: 'ann' }, { $ADD: { credit: -4 } }, { condition: new dynamoose.Condition('credit').ge(4) }),
      Animal.transaction.delete({ shelter: 'ulm', id }),
    ]);
  const outcomes = await Promise.all(
    ids(keys(3)).map((id) =>
      adopt(id).then(
        () => 'adopted',
        (error) => error.name,
      ),
    ),
  );
  const adopted = outcomes.filter((each) => each === 'adopted').length;
  assert.deepEqual(
    outcomes.filter((each) => each !== 'adopted'),
    Array(3 - adopted).fill('TransactionCanceledException'),
  );
  assert.ok(adopted === 1 || adopted === 2, 'transactions may conflict, but one gets through');
  assert.deepEqual([(await keeper('ann')).credit, (await allStored()).length], [{ N: `${10 - 4 * adopted}` }, 3 - adopted]);
});
