// A shop, built with OneTable: accounts, users, products and orders in one table with two indexes.
import assert from 'node:assert/strict';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { Table } from 'dynamodb-onetable';
import { client, eventually, test } from '../javascript/server.mjs';

const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' },
    gs2: { hash: 'gs2pk', sort: 'gs2sk', project: ['pk', 'sk', 'name', 'price', '_type'] },
  },
  models: {
    Account: {
      pk: { type: String, value: 'account#${id}' },
      sk: { type: String, value: 'account#' },
      id: { type: String, required: true },
      name: { type: String, required: true },
      balance: { type: Number, default: 0 },
      address: { type: Object, schema: { street: { type: String }, zip: { type: String } } },
    },
    User: {
      pk: { type: String, value: 'account#${accountId}' },
      sk: { type: String, value: 'user#${id}' },
      gs1pk: { type: String, value: 'user#${email}' },
      gs1sk: { type: String, value: 'user#' },
      id: { type: String, generate: 'ulid' },
      accountId: { type: String, required: true },
      email: { type: String, required: true, unique: true },
      name: { type: String },
      role: { type: String, enum: ['user', 'admin'], default: 'user' },
      tags: { type: Array, default: [] },
      joined: { type: Date },
    },
    Product: {
      pk: { type: String, value: 'product#${id}' },
      sk: { type: String, value: 'product#' },
      gs2pk: { type: String, value: 'category#${category}' },
      gs2sk: { type: String, value: 'product#${name}' },
      id: { type: String, required: true },
      category: { type: String, required: true },
      name: { type: String, required: true },
      price: { type: Number },
      stock: { type: Number, default: 0 },
    },
    Order: {
      pk: { type: String, value: 'account#${accountId}' },
      sk: { type: String, value: 'order#${id}' },
      gs1pk: { type: String, value: 'order#${status}' },
      gs1sk: { type: String, value: '${placed}#${id}' },
      id: { type: String, generate: 'ulid' },
      accountId: { type: String, required: true },
      status: { type: String, required: true, default: 'open' },
      placed: { type: String, required: true },
      lines: { type: Array, default: [] },
    },
    // Many to many: which products an order holds, and in which orders a product is.
    OrderLine: {
      pk: { type: String, value: 'order#${orderId}' },
      sk: { type: String, value: 'product#${productId}' },
      gs1pk: { type: String, value: 'product#${productId}' },
      gs1sk: { type: String, value: 'order#${orderId}' },
      orderId: { type: String, required: true },
      productId: { type: String, required: true },
      quantity: { type: Number, required: true },
    },
  },
  params: { isoDates: true, timestamps: true },
};

const KEYS = {
  indexes: [
    ['gs1', 'gs1pk:S,gs1sk:S'],
    ['gs2', 'gs2pk:S,gs2sk:S', 1, { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name', 'price', '_type'] }],
  ],
};

async function shop(makeTable) {
  const table = new Table({ name: await makeTable('pk:S,sk:S', KEYS), client, schema, partial: true });
  const models = Object.fromEntries(Object.keys(schema.models).map((name) => [name, table.getModel(name)]));
  return { table, ...models };
}

test('onetable: makes and removes its own table', async ({ uniqueName }) => {
  const name = uniqueName();
  const table = new Table({ name, client, schema, partial: true });
  assert.equal(await table.exists(), false);
  await table.createTable();
  await eventually(() => table.exists());
  const described = await table.describeTable();
  assert.deepEqual(described.Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).sort(), ['gs1', 'gs2']);
  assert.ok((await table.listTables()).includes(name));
  await table.deleteTable('DeleteTableForever');
  await eventually(async () => !(await client.send(new ListTablesCommand({}))).TableNames.includes(name));
});

test('onetable: creates once, reads, updates with conditions and removes', async ({ makeTable }) => {
  const { Account } = await shop(makeTable);
  const account = await Account.create({ id: 'acme', name: 'Acme', address: { street: '1 Main', zip: '10001' } });
  assert.ok(account.created instanceof Date);
  await assert.rejects(Account.create({ id: 'acme', name: 'again' }), /Conditional create failed for "Account"/);
  const updated = await Account.update({ id: 'acme', balance: 10 }, { set: { 'address.zip': '20002' }, return: 'ALL_NEW' });
  assert.deepEqual([updated.balance, updated.address], [10, { street: '1 Main', zip: '20002' }]);
  const paid = await Account.update({ id: 'acme' }, { add: { balance: -4 }, where: '${balance} >= {4}' });
  assert.equal(paid.balance, 6);
  await assert.rejects(Account.update({ id: 'acme' }, { add: { balance: -40 }, where: '${balance} >= {40}' }), /conditional/i);
  await Account.upsert({ id: 'bolt', name: 'Bolt' });
  assert.equal((await Account.get({ id: 'bolt' })).name, 'Bolt');
  await Account.update({ id: 'acme' }, { remove: ['address'] });
  assert.equal((await Account.get({ id: 'acme' }, { consistent: true })).address, undefined);
  await Account.remove({ id: 'acme' });
  assert.equal(await Account.get({ id: 'acme' }), undefined);
});

// A14: OneTable keeps a unique attribute with a second item, in one transaction.
test('onetable: an email is unique', async ({ makeTable }) => {
  const { User } = await shop(makeTable);
  const ann = await User.create({ accountId: 'acme', email: 'ann@acme', name: 'Ann', joined: new Date(0) });
  await assert.rejects(User.create({ accountId: 'bolt', email: 'ann@acme' }), /Cannot create unique attributes/);
  const racing = await Promise.allSettled(
    Array.from({ length: 6 }, () => User.create({ accountId: 'acme', email: 'same@acme' })),
  );
  assert.equal(racing.filter(({ status }) => status === 'fulfilled').length, 1);
  const key = { accountId: 'acme', id: ann.id };
  await User.update({ ...key, email: 'anna@acme' });
  await User.create({ accountId: 'bolt', email: 'ann@acme' });
  await assert.rejects(User.update({ ...key, email: 'ann@acme' }), /unique/i);
  const found = await eventually(async () => User.get({ email: 'anna@acme' }, { index: 'gs1', follow: true }));
  assert.equal(found.id, ann.id);
  assert.equal(found.joined.getTime(), 0);
  await User.remove(key);
  await User.create({ accountId: 'acme', email: 'anna@acme' });
});

// A4, A5: the account, its users and its orders are one collection.
test('onetable: one query brings an account with all that belongs to it', async ({ makeTable }) => {
  const { table, Account, User, Order } = await shop(makeTable);
  await Account.create({ id: 'acme', name: 'Acme' });
  await User.create({ accountId: 'acme', email: 'a@acme' });
  for (const id of ['o2', 'o1']) await Order.create({ accountId: 'acme', id, placed: `2026-04-0${id[1]}` });
  const items = await table.queryItems({ pk: 'account#acme' }, { parse: true, hidden: true });
  const byType = table.groupByType(items);
  assert.deepEqual(Object.keys(byType).sort(), ['Account', 'Order', 'User']);
  assert.deepEqual(
    (await Order.find({ accountId: 'acme' })).map(({ id }) => id),
    ['o1', 'o2'],
  );
  assert.deepEqual(
    (await Order.find({ accountId: 'acme' }, { reverse: true, limit: 1 })).map(({ id }) => id),
    ['o2'],
  );
});

// A7, A8: both ends of a many-to-many relation.
test('onetable: orders hold products, and products know their orders', async ({ makeTable }) => {
  const { table, OrderLine, Product } = await shop(makeTable);
  const pairs = [
    ['o1', 'p1'],
    ['o1', 'p2'],
    ['o2', 'p1'],
    ['o3', 'p1'],
  ];
  const batch = {};
  for (const [orderId, productId] of pairs) await OrderLine.create({ orderId, productId, quantity: 2 }, { batch, exists: null });
  await table.batchWrite(batch);
  assert.deepEqual(
    (await OrderLine.find({ orderId: 'o1' })).map(({ productId }) => productId),
    ['p1', 'p2'],
  );
  const orders = await eventually(async () => {
    const found = await OrderLine.find({ productId: 'p1' }, { index: 'gs1' });
    return found.length === 3 && found;
  });
  assert.deepEqual(
    orders.map(({ orderId }) => orderId),
    ['o1', 'o2', 'o3'],
  );
  // A18: the details of found ids in one batch.
  for (const id of ['p1', 'p2']) await Product.create({ id, category: 'books', name: `Book ${id}`, price: 5 });
  const wanted = {};
  for (const id of ['p1', 'p2', 'none']) await Product.get({ id }, { batch: wanted });
  const details = await table.batchGet(wanted, { parse: true, hidden: false });
  assert.deepEqual(details.map(({ name }) => name).sort(), ['Book p1', 'Book p2']);
});

// A14: stock and order change together or not at all.
test('onetable: an order takes from the stock in one transaction', async ({ makeTable }) => {
  const { table, Order, OrderLine, Product } = await shop(makeTable);
  await Product.create({ id: 'p1', category: 'books', name: 'Book', price: 5, stock: 3 });
  const order = async (id, quantity) => {
    const transaction = {};
    await Order.create({ accountId: 'acme', id, placed: '2026-05-01' }, { transaction });
    await OrderLine.create({ orderId: id, productId: 'p1', quantity }, { transaction });
    await Product.update({ id: 'p1' }, { add: { stock: -quantity }, where: `\${stock} >= {${quantity}}`, transaction });
    await table.transact('write', transaction, { parse: true, hidden: false });
  };
  await order('o1', 2);
  await assert.rejects(order('o2', 2));
  assert.equal((await Product.get({ id: 'p1' })).stock, 1);
  assert.deepEqual(
    (await Order.find({ accountId: 'acme' })).map(({ id }) => id),
    ['o1'],
  );
  assert.equal((await OrderLine.find({ orderId: 'o2' })).length, 0);
});

// A6, A17: prefixes, ranges, filters and pages.
test('onetable: ranges, filters and pages', async ({ makeTable }) => {
  const { table, Order, Product } = await shop(makeTable);
  const batches = [{}, {}];
  for (let n = 0; n < 40; n += 1) {
    const order = {
      accountId: 'acme',
      id: `o${String(n).padStart(2, '0')}`,
      placed: `2026-06-${String((n % 20) + 1).padStart(2, '0')}`,
      status: n % 4 ? 'open' : 'shipped',
    };
    await Order.create(order, { batch: batches[n % 2], exists: null });
  }
  for (const batch of batches) await table.batchWrite(batch);
  const seen = [];
  let next;
  do {
    const page = await Order.find({ accountId: 'acme' }, { limit: 7, next });
    seen.push(...page.map(({ id }) => id));
    next = page.next;
  } while (next);
  assert.deepEqual(
    seen,
    Array.from({ length: 40 }, (_, n) => `o${String(n).padStart(2, '0')}`),
  );
  await eventually(async () => (await Order.find({ status: 'shipped' }, { index: 'gs1' })).length === 10);
  const some = await Order.find(
    { gs1pk: 'order#open', gs1sk: { between: ['2026-06-02', '2026-06-03~'] } },
    { index: 'gs1', parse: true },
  );
  assert.deepEqual(
    some.map(({ id }) => id),
    ['o01', 'o21', 'o02', 'o22'],
  );
  const filtered = await Order.find({ accountId: 'acme', status: 'shipped' }, { where: '${placed} < {2026-06-06}' });
  assert.deepEqual(
    filtered.map(({ id }) => id),
    ['o00', 'o04', 'o20', 'o24'],
  );
  assert.equal((await Order.scan({}, { where: '${status} = {open}' })).length, 30);
  const counted = await Order.find({ accountId: 'acme' }, { count: true });
  assert.equal(counted.count, 40);
  // An index that holds some attributes.
  for (const [id, name] of [
    ['p1', 'Zebra'],
    ['p2', 'Ant'],
  ])
    await Product.create({ id, category: 'animals', name, price: 1, stock: 5 });
  const listed = await eventually(async () => {
    const found = await Product.find({ category: 'animals' }, { index: 'gs2' });
    return found.length === 2 && found;
  });
  assert.deepEqual(
    listed.map(({ name, price, category }) => [name, price, category]),
    [
      ['Ant', 1, undefined],
      ['Zebra', 1, undefined],
    ],
  );
});
