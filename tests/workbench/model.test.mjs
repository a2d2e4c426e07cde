// Model: a text that is typed, what follows from it, a strategy that is changed, a model that is served, filled and moved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, startServer } from './server.mjs';

describe('the page of models', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['hr', 'equipment'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const textOf = (page) => page.locator('.cm-content').evaluate((content) => content.cmView?.view?.state.doc.toString() ?? content.innerText);
  const startGuided = async () => {
    const page = await browser.open(server.url, 'model');
    await page.getByRole('button', { name: /Departments and employees/ }).click();
    await page.getByRole('img', { name: /Relationship diagram of company/ }).waitFor();
    await page.getByRole('textbox', { name: /Text of the model/ }).waitFor();
    return page;
  };

  it('tells mistakes while one types, and mends them', async () => {
    const page = await startGuided();
    const line = page.locator('.cm-line', { hasText: 'rel Department' }).first();
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('End'); // of the line, not of what is seen of it
    await page.keyboard.press('Enter');
    await page.keyboard.type('rel Employee 1--* Employe as reports / manager', { delay: 15 });
    await page.getByRole('button', { name: '1 mistake' }).waitFor();
    assert.match(await textOf(page), /rel Employee 1--\* Employe as reports \/ manager/);
    await page.locator('.cm-lintRange-error').first().hover();
    await page.locator('.cm-diagnosticAction', { hasText: 'Write Employee' }).first().click();
    await page.getByRole('button', { name: '1 mistake' }).waitFor({ state: 'detached' });
    await assertWell(page);
  });

  it('shows what follows from the text', async () => {
    const page = await startGuided();
    for (const [tab, place] of [
      ['Entities', 'table.chart'],
      ['Tables', 'table.collections'],
      ['Relations', 'article'],
      ['Lint', '.findings, .empty'],
      ['Layouts', 'table.figures'],
    ]) {
      await page.getByRole('tab', { name: tab }).click();
      await page.locator(place).first().waitFor();
      await assertWell(page);
    }
  });

  it('changes a strategy, after telling what that changes', async () => {
    const page = await startGuided();
    await page.getByRole('tab', { name: 'Relations' }).click();
    await page.getByRole('button', { name: /Use it….*edges pk one for Department.staff/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Department.staff via edges pk one' });
    for (const heading of ['Keys and indexes', 'Requests', 'Cost']) await dialog.getByRole('heading', { name: heading }).waitFor();
    await dialog.getByRole('button', { name: 'Use it', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.match(await textOf(page), /via edges pk one/);
    await assertWell(page);
  });

  it('serves a model, fills it, and moves it to another layout', async () => {
    const page = await startGuided();
    await page.getByRole('button', { name: 'Serve it', exact: true }).click();
    let dialog = page.getByRole('dialog');
    await dialog.getByLabel('Layout').selectOption('method1');
    await dialog.getByRole('button', { name: 'Serve it' }).click();
    await page.getByText(/is served\./).first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.bar').getByRole('button', { name: 'Load data…' }).click();
    dialog = page.getByRole('dialog');
    await dialog.getByLabel('How many').selectOption({ label: /few/i }).catch(() => {});
    await dialog.getByRole('button', { name: 'Load it' }).click();
    await page.getByText(/items loaded/).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move…' }).click();
    dialog = page.getByRole('dialog');
    await dialog.getByLabel('Layout').selectOption('method3');
    await dialog.getByRole('button', { name: 'Serve it' }).click();
    await dialog.getByRole('button', { name: 'Move it' }).click();
    await dialog.getByRole('button', { name: /Finish/ }).click({ timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Done' }).click({ timeout: 60_000 });
    await page.getByText('Served in the layout method3').waitFor();
    const { TableNames } = await call(server.url, 'ListTables', {});
    assert.ok(TableNames.includes('sheaf-workbench'));
    await assertWell(page);
  });

  it('says what to do where there is no such model', async () => {
    const page = await browser.open(server.url, 'model/nosuch');
    await page.getByText(/nosuch/).first().waitFor();
    await assertWell(page);
  });
});
