// A person browses the tables with dynamodb-admin, in a real browser.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { chromium } from 'playwright-core';
import { startAdmin } from './dynamodb_admin.mjs';

const endpoint = process.env.SHEAF_TESTS_ENDPOINT;
const client = new DynamoDBClient({ endpoint, region: process.env.AWS_REGION ?? 'us-east-1' });
const documents = DynamoDBDocumentClient.from(client);
const made = [];
let admin;
let browser;

before(async () => {
  admin = await startAdmin(endpoint);
  browser = await chromium.launch({ executablePath: process.env.SHEAF_TESTS_BROWSER ?? '/usr/bin/chromium' });
});

after(async () => {
  await browser?.close();
  await admin?.stop();
  for (const TableName of made) await client.send(new DeleteTableCommand({ TableName })).catch(() => undefined);
});

async function eventually(check) {
  for (const end = Date.now() + 10_000; !(await check());) {
    assert.ok(Date.now() < end, `not within 10 s: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function uniqueName(label) {
  made.push(`browser.${label}.${randomUUID().slice(0, 8)}`);
  return made.at(-1);
}

async function tableWithItems(count) {
  const TableName = uniqueName('orders');
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'number', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'number', AttributeType: 'N' },
        { AttributeName: 'state', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        { IndexName: 'byState', KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await eventually(async () => (await client.send(new DescribeTableCommand({ TableName }))).Table.TableStatus === 'ACTIVE');
  const items = Array.from({ length: count }, (_, number) => ({
    customer: 'acme',
    number,
    state: number % 10 ? 'open' : 'shipped',
  }));
  for (let start = 0; start < count; start += 25) {
    const writes = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: writes } }));
  }
  return TableName;
}

// A page on which every problem of the page itself, or of a request it made, is a failure.
async function withPage(body) {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('response', (response) => response.status() >= 500 && problems.push(`${response.status()} ${response.url()}`));
  try {
    await body(page);
    // The list describes every table it names, and fails if one of them vanishes in between: openList tries again.
    const unexpected = problems.filter((problem) => problem !== `500 ${admin.address}/`);
    assert.deepEqual(unexpected, []);
  } finally {
    await page.close();
  }
}

const openList = (page) => eventually(async () => (await page.goto(admin.address)).ok());

const rows = (page) => page.locator('#items-container tr');

// Types an item into the editor and saves it.
async function write(page, item) {
  await page.locator('.ace_content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify(item));
  await page.getByRole('button', { name: 'Save' }).click();
}

test('the list shows the tables, and a table shows its items page by page', async () => {
  const TableName = await tableWithItems(30);
  await withPage(async (page) => {
    await openList(page);
    await page.getByPlaceholder('Filter tables').fill(TableName);
    await page.getByRole('link', { name: TableName, exact: true }).click();
    await rows(page).first().waitFor();
    assert.equal(await rows(page).count(), 25);
    assert.match(await rows(page).first().innerText(), /acme/);
    await page.getByRole('link', { name: 'Next Page' }).click();
    await page.getByText('Page 2').waitFor();
    await rows(page).first().waitFor();
    assert.equal(await rows(page).count(), 5);
  });
});

test('a search by index finds its items', async () => {
  const TableName = await tableWithItems(30);
  await withPage(async (page) => {
    await page.goto(`${admin.address}/tables/${TableName}`);
    await rows(page).first().waitFor();
    await page.locator('select[name=queryableSelection]').selectOption('byState');
    await page.locator('select[name=operationType]').selectOption('query');
    const filter = page.locator('#filters-table tr').last();
    assert.equal(await filter.locator('.filter-row-key').inputValue(), 'state');
    await filter.locator('.filter-row-value').fill('shipped');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('showing 1 - 3').waitFor();
    assert.equal(await rows(page).count(), 3);
  });
});

test('an item is created, changed and deleted', async () => {
  const TableName = await tableWithItems(1);
  const stored = async () =>
    (await documents.send(new GetCommand({ TableName, Key: { customer: 'new', number: 7 }, ConsistentRead: true }))).Item;
  await withPage(async (page) => {
    await page.goto(`${admin.address}/tables/${TableName}`);
    await page.getByRole('link', { name: 'Create item' }).click();
    const created = { customer: 'new', number: 7, parts: [{ name: 'bolt', weight: 1.5 }], urgent: true };
    await write(page, created);
    await page.waitForURL(/\/items\//);
    assert.deepEqual(await stored(), created);
    const changed = { ...created, urgent: false };
    await write(page, changed);
    await page.locator('#saveButton.btn-success').waitFor();
    assert.deepEqual(await stored(), changed);
    await page.goto(`${admin.address}/tables/${TableName}`);
    await rows(page).nth(1).waitFor();
    await page.goto(`${admin.address}/tables/${TableName}/items/${encodeURIComponent('new,7')}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/tables\/[^/]+$/);
    await rows(page).first().waitFor();
    assert.equal(await rows(page).count(), 1);
    assert.equal(await stored(), undefined);
  });
});

test('what the server refuses is told to the person', async () => {
  const TableName = await tableWithItems(1);
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${admin.address}/tables/${TableName}/add-item`);
  await write(page, { customer: 'new', number: 'seven' });
  await page.getByRole('alert').getByText('Type mismatch for key number expected: N actual: S').waitFor();
  // This form sends its numbers as text, which DynamoDB does not take.
  await page.goto(`${admin.address}/create-table`);
  await page.locator('#TableName').fill(uniqueName('form'));
  await page.locator('#HashAttributeName').fill('pk');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('alert').getByText('cannot be converted to Long').waitFor();
  await page.close();
});

test('a table is described and deleted', async () => {
  const TableName = await tableWithItems(3);
  await withPage(async (page) => {
    await page.goto(`${admin.address}/tables/${TableName}/meta`);
    await page.getByText('KeySchema').first().waitFor();
    await openList(page);
    page.on('dialog', (dialog) => dialog.accept());
    const row = page.locator(`li[data-table-name="${TableName}"]`);
    await Promise.all([page.waitForEvent('load'), row.getByText('Delete').click()]);
    await eventually(async () => {
      await openList(page);
      return (await row.count()) === 0;
    });
  });
  await assert.rejects(client.send(new DescribeTableCommand({ TableName })), { name: 'ResourceNotFoundException' });
});
