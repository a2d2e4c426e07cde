// Programs as people write them, over the types of their models. What is marked as an error must be one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressesClient } from './addresses.js';
import { BillingClient, type InvoiceDocument } from './billing.js';
import { ConflictError, ForbiddenError, HrClient, InvalidError, ModelError, NotFoundError, type Employee } from './hr.js';
import { ShopClient, type OrderId } from './shop.js';
import { SupportClient } from './support.js';
import { credentials, readerCredentials, serve, temporaryCredentials } from './server.js';

const url = await serve();
const guarded = await serve({ withCredentials: true });

test('hr: a team, who joins it, and errors as classes', async () => {
  const hr = new HrClient({ url });
  const team: Employee[] = await hr.team({ d: 'd-2' }).all();
  assert.deepEqual(team.map(({ name }) => name).sort(), ['Cathy', 'David', 'Edward']);
  const outcome = await hr.hire({ e: { id: 'e-9', name: 'Zoe' }, d: 'd-2' }, { cost: true, plan: true });
  assert.deepEqual(outcome.put, ['e-9']);
  assert.ok(outcome.cost!.requests > 0 && outcome.plan!.startsWith('hire(e, d)'));
  await hr.linkEmployeeManager('e-9', 'e-3');
  await hr.setEmployee('e-9', { name: 'Zoey', mentor: 'e-4' });
  const home = await hr.home({ e: 'e-9' });
  assert.equal(home?.name, 'IT');
  assert.equal(await hr.home({ e: 'e-99' }), undefined);

  await assert.rejects(hr.hire({ e: { id: 'e-9', name: 'Zoe' }, d: 'd-2' }), (error) => {
    assert.ok(error instanceof ConflictError && error instanceof ModelError && error instanceof Error);
    assert.deepEqual([error.name, error.status, error.code], ['ConflictError', 409, 'in_use']);
    assert.equal(error.message, 'there is already an Employee e-9');
    return true;
  });
  await assert.rejects(hr.move({ e: 'e-9', d: 'd-9' }), NotFoundError);
  await assert.rejects(hr.ask('tema', { d: 'd-1' }), (error: NotFoundError) => error.fix === 'write team');
  await assert.rejects(hr.rename({ d: 'd-1', n: 7 as unknown as string }), InvalidError);

  // @ts-expect-error: a department has no such field
  await assert.rejects(hr.putDepartment({ id: 'd-8', name: 'x', color: 'red' }), InvalidError);
  // @ts-expect-error: its name is missing
  await assert.rejects(hr.putDepartment({ id: 'd-8' }), InvalidError);
  // @ts-expect-error: it has another parameter
  await assert.rejects(hr.team({ e: 'd-8' }).page(), InvalidError);
});

test('shop: ids of several parts, and pages one after the other', async () => {
  const shop = new ShopClient({ url: `${url}/` });
  const id: OrderId = ['ann', 7];
  const order = await shop.order({ o: id });
  assert.deepEqual(order?.items.map(({ sku }) => sku), ['lamp', 'nail', 'rope']);
  assert.equal(order?.customer, 'ann');
  for (let number = 100; number < 145; ++number) {
    await shop.putOrder({ customer: 'ann', number, placed_on: '2026-02-03' });
  }
  const numbers: number[] = [];
  for await (const { number } of shop.orders({ c: 'ann' })) numbers.push(number);
  assert.equal(numbers.length, 47);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  const sizes: number[] = [];
  for await (const page of shop.orders({ c: 'ann' }).pages()) sizes.push(page.documents.length);
  assert.deepEqual(sizes, [20, 20, 7]);
  const first = await shop.orders({ c: 'ann' }).page({ cost: true });
  const second = await shop.orders({ c: 'ann' }).page({ cursor: first.cursor! });
  assert.equal(second.documents[0]!.number, numbers[20]);
  assert.equal(first.cost!.requests, 1);
  await assert.rejects(shop.orders({ c: 'bob' }).page({ cursor: first.cursor! }), { name: 'InvalidError' });
  // @ts-expect-error: an order is not known by its number alone
  await assert.rejects(shop.order({ o: 7 }), { name: 'InvalidError' });
});

test('support: nested lists, enums and generated ids', async () => {
  const support = new SupportClient({ url });
  const org = await support.orgAndUsers({ o: 'acme' });
  const plan: 'FREE' | 'PRO' | undefined = org?.plan;
  assert.ok(plan === 'PRO' || plan === 'FREE');
  const user = org!.users[0]!;
  const { put } = await support.putTicket({ subject: 'Lamp is broken', owner: ['acme', user.name] });
  const ticket = await support.ticket({ t: put[0] as string });
  assert.equal(ticket?.subject, 'Lamp is broken');
  // @ts-expect-error: there is no such plan
  await assert.rejects(support.putOrg({ name: 'x', plan: 'GOLD' }), { name: 'InvalidError' });
});

test('billing: edges with fields, and ends that may be missing', async () => {
  const billing = new BillingClient({ url });
  await billing.putCustomer({ id: 'c9', name: 'Zoe' });
  await billing.putInvoice({ id: 'i9', date: '2026-01-02', status: 'OPEN', customer: 'c9' });
  await billing.putBill({ id: 'b9', amount: 12.5 });
  await billing.linkInvoiceBills('i9', 'b9', { share: 0.5 });
  const invoice: InvoiceDocument | undefined = await billing.invoice({ i: 'i9' });
  assert.deepEqual(invoice?.bills, [{ id: 'b9', amount: 12.5, edge: { share: 0.5 } }]);
  // @ts-expect-error: the customer may be missing
  const name: string = invoice!.customer.name;
  assert.equal(invoice?.customer?.name, name);
  assert.equal(name, 'Zoe');
});

test('addresses: what is embedded is put with its parent', async () => {
  const addresses = new AddressesClient({ url });
  await addresses.putCustomer({ id: 'zoe', name: 'Zoe', addresses: [{ nickname: 'home', street: 'A 1', city: 'X' }] });
  await addresses.move({ a: ['zoe', 'home'], street: 'B 2', city: 'Y' });
  const customer = await addresses.customer({ c: 'zoe' });
  assert.deepEqual(customer?.addresses, [{ nickname: 'home', street: 'B 2', city: 'Y' }]);
});

test('requests are signed if there are credentials, and roles are kept', async () => {
  const hr = new HrClient({ url: guarded, credentials });
  assert.equal((await hr.team({ d: 'd-2' }).all()).length, 3);
  assert.equal((await new HrClient({ url: guarded, credentials: temporaryCredentials }).team({ d: 'd-2' }).all()).length, 3);
  await hr.rename({ d: 'd-1', n: 'Ärzte & "Co"\n' });
  assert.equal((await hr.home({ e: 'e-1' }))?.name, 'Ärzte & "Co"\n');
  const reader = new HrClient({ url: guarded, credentials: readerCredentials, region: 'eu-west-1' });
  assert.equal((await reader.team({ d: 'd-2' }).all()).length, 3);
  await assert.rejects(reader.move({ e: 'e-1', d: 'd-2' }), (error: ForbiddenError) => error.code === 'forbidden');
  for (const wrong of [undefined, { ...credentials, secretAccessKey: 'wrong' }, { ...credentials, accessKeyId: 'NOBODY' }]) {
    const client = new HrClient({ url: guarded, ...(wrong && { credentials: wrong }) });
    await assert.rejects(client.team({ d: 'd-2' }).all(), (error) => {
      assert.ok(error instanceof ForbiddenError);
      assert.equal(error.code, 'unauthenticated');
      return true;
    });
  }
});

// As in Node 18, which has no global of this name.
test('requests are signed without a global crypto, too', async () => {
  const kept = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  try {
    assert.equal((await new HrClient({ url: guarded, credentials }).team({ d: 'd-2' }).all()).length, 3);
  } finally {
    Object.defineProperty(globalThis, 'crypto', kept);
  }
});

test('what is in front of the server may answer, too, and requests can be given up', async () => {
  const answering = (status: number, text: string) =>
    new HrClient({ url, fetch: () => Promise.resolve(new Response(text, { status })) });
  await assert.rejects(answering(502, '<html>').team({ d: 'd-1' }).all(), (error: ModelError) => {
    assert.deepEqual([error.name, error.status, error.code], ['ServerError', 502, 'http']);
    return true;
  });
  await assert.rejects(answering(429, '{}').team({ d: 'd-1' }).all(), { name: 'ThrottledError' });
  await assert.rejects(new HrClient({ url }).home({ e: 'e-1' }, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});
