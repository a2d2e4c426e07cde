// Tables: item collections, an index beside them, a million items.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

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

  it('is readable on a phone, and in the dark', async () => {
    for (const look of [{ width: 390, height: 800 }, { colorScheme: 'dark' }]) {
      const page = await browser.open(server.url, 'tables/hr-data', look);
      await page.getByRole('grid').getByRole('gridcell').first().waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
      await assertWell(page);
    }
  });

  it('says what is wrong', async () => {
    const page = await browser.open(server.url, 'tables/none');
    await page.getByRole('alert').filter({ hasText: 'There is no table none' }).waitFor();
    await assertWell(page, /400/);
  });
});
