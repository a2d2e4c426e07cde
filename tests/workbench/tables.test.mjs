// Tables: item collections, an index beside them, a million items.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, startServer } from './server.mjs';

const MANY = 1_000_000;

describe('the page of tables', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ many: MANY });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('is what a browser is shown that asks for the server', async () => {
    const page = await browser.open(server.url);
    await page.goto(server.url + '/');
    await page.getByRole('navigation', { name: 'Workbench' }).waitFor();
    assert.match(page.url(), /\/workbench\//);
    await assertWell(page);
  });

  it('shows the collections of a table, and an index beside them', async () => {
    const page = await browser.open(server.url, 'tables/hr-data');
    const grid = page.getByRole('grid', { name: 'Items of hr-data' });
    await grid.getByRole('gridcell', { name: 'EMPLOYEE#e-1', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'An index beside it' }).click();
    const index = page.getByRole('grid', { name: 'Items of the index GSI1' });
    await index.getByRole('gridcell', { name: 'DEPARTMENT#d-1' }).first().waitFor();
    // What is chosen here is chosen there.
    await grid.getByRole('row').filter({ hasText: 'EMPLOYEE#e-2' }).first().click();
    await index.locator('[aria-selected="true"]').filter({ hasText: 'EMPLOYEE#e-2' }).waitFor();
    await assertWell(page);
  });

  it('has what Sheaf keeps for itself behind what people have written', async () => {
    await call(server.url, 'CreateTable', { TableName: 'inner', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }] });
    await call(server.url, 'PutItem', { TableName: 'inner', Item: { _department_v: { N: '1' }, PK: { S: 'e-1' }, name: { S: 'Ann' }, title: { S: 'Dr' } } });
    const page = await browser.open(server.url, 'tables/inner');
    await page.locator('.grid-row .attribute').first().waitFor();
    assert.deepEqual(await page.locator('.grid-row .attribute small').allInnerTexts(), ['name', 'title', '_department_v']);
  });

  it('scrolls through many items without having them all', async () => {
    const page = await browser.open(server.url, 'tables/many');
    const grid = page.getByRole('grid', { name: 'Items of many' });
    await grid.getByRole('gridcell').first().waitFor();
    for (const share of [0.5, 0.99, 0.1]) {
      await grid.evaluate((element, to) => (element.scrollTop = to * element.scrollHeight), share);
      await page.waitForFunction(() => document.querySelectorAll('.grid-row:not(.waiting)').length > 8 && !document.querySelector('.grid-row.waiting'));
    }
    assert.ok((await grid.locator('.grid-row').count()) < 60);
    await assertWell(page);
  });

  it('lets the row stay where it is when it is chosen, and opens it with a double click', async () => {
    const page = await browser.open(server.url, 'tables/many');
    const grid = page.getByRole('grid', { name: 'Items of many' });
    await grid.getByRole('gridcell').first().waitFor();
    const box = await grid.boundingBox();
    const place = { x: box.x + 300, y: box.y + box.height - 12 };
    const rowAt = () => page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('[role=row]')?.id ?? null, place);
    const before = await rowAt();
    await page.mouse.click(place.x, place.y);
    await page.getByRole('button', { name: 'Open' }).waitFor();
    assert.equal(await rowAt(), before);
    await page.mouse.dblclick(place.x, place.y);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    // There is nothing behind the last attribute, and the ring of the focus is seen.
    await grid.evaluate((element) => (element.scrollLeft = element.scrollWidth));
    assert.ok(await grid.evaluate((element) => element.scrollWidth <= element.clientWidth + 4 || Math.max(...[...element.querySelectorAll('.attribute')].map((each) => each.getBoundingClientRect().right)) > element.getBoundingClientRect().right - 180));
    await assertWell(page);
  });

  it('shows a page whatever the address is', async () => {
    const page = await browser.open(server.url, 'tables/%E0%A4%A');
    await page.getByRole('alert').getByText('%E0%A4%A').waitFor();
    await assertWell(page, /400/);
  });

  it('leads past the navigation, and to the heading of another page', async () => {
    const page = await browser.open(server.url, 'tables');
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
    await page.goto(`${server.url}/workbench/#/tables/hr-data`);
    await page.getByRole('grid').getByRole('gridcell').first().waitFor();
    await page.getByRole('link', { name: 'Skip the navigation' }).press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.innerText), 'hr-data');
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.waitForFunction(() => document.activeElement.tagName === 'H1' && document.activeElement.innerText === 'Compare');
  });

  it('says to which model a table belongs, before somebody changes it by hand', async () => {
    const page = await browser.open(server.url, 'tables/hr-data');
    await page.getByRole('button', { name: 'New item' }).click();
    await page.getByRole('dialog').getByText(/This table belongs to the model hr/).waitFor();
    await assertWell(page);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Delete this table' }).click();
    await page.getByRole('dialog').getByText(/belongs to the model hr, which is served/).waitFor();
    await assertWell(page);
  });

  it('lets a table that is protected be deleted after all', async () => {
    await call(server.url, 'CreateTable', { TableName: 'guarded', BillingMode: 'PAY_PER_REQUEST', DeletionProtectionEnabled: true, AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }] });
    const page = await browser.open(server.url, 'tables/guarded?view=details');
    await page.getByText('It is protected against deletion.').waitFor();
    await page.locator('section.sheet', { hasText: 'protected against deletion' }).getByRole('button', { name: 'Turn it off' }).click();
    await page.getByRole('button', { name: 'Delete this table' }).waitFor();
    await assertWell(page);
  });

  it('tells once that the server is away, and goes on when it is back', async () => {
    const page = await browser.open(server.url, 'tables');
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await page.route(`${server.url}/`, (route) => route.abort());
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.goto(`${server.url}/workbench/#/tables/hr-data`);
    await page.getByRole('alert').filter({ hasText: 'The server does not answer' }).waitFor();
    await page.getByText('It comes when the server is back.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    await page.unroute(`${server.url}/`);
    await page.getByRole('grid').getByRole('gridcell').first().waitFor();
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await assertWell(page, /ERR_FAILED/);
  });

  it('says what is wrong', async () => {
    const page = await browser.open(server.url, 'tables/none');
    await page.getByRole('alert').filter({ hasText: 'There is no table none' }).waitFor();
    await assertWell(page, /400/);
  });
});
