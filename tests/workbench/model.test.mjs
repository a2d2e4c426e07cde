// Model: a text that is typed, what follows from it, a strategy that is changed, a model that is served, filled and moved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, EXAMPLES, startServer } from './server.mjs';

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
    await page.getByText('No mistakes').waitFor();
    const places = () => page.evaluate(() => ['.text-half .editor', '.view'].map((place) => JSON.stringify(document.querySelector(place).getBoundingClientRect())));
    const before = await places();
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('End'); // of the line, not of what is seen of it
    await page.keyboard.press('Enter');
    await page.keyboard.type('rel Employee 1--* Employe as reports / manager', { delay: 15 });
    await page.getByRole('button', { name: '1 mistake' }).waitFor();
    assert.match(await textOf(page), /rel Employee 1--\* Employe as reports \/ manager/);
    // It is told without hovering, and nothing has moved for it.
    await page.locator('.first-mistake').getByText(/^Line \d+: .*Employe/).waitFor();
    await page.getByText('The text has mistakes.').waitFor();
    assert.deepEqual(await places(), before);
    await page.locator('.cm-lintRange-error').first().hover();
    await page.locator('.cm-diagnosticAction', { hasText: 'Write Employee' }).first().click();
    await page.getByRole('button', { name: '1 mistake' }).waitFor({ state: 'detached' });
    await assertWell(page);
  });

  it('checks the text when the server is back', async () => {
    const page = await startGuided();
    await page.route('**/workbench/api/language', (route) => route.abort());
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('oops');
    await page.waitForTimeout(800);
    await page.unroute('**/workbench/api/language');
    await page.getByRole('button', { name: /mistake/ }).waitFor();
    await assertWell(page, /ERR_FAILED/);
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

  it('draws sample items of every example', async () => {
    const page = await browser.open(server.url, 'model');
    for (const name of EXAMPLES) {
      await page.goto(`${server.url}/workbench/#/model/${name}?view=tables`);
      await page.getByRole('heading', { level: 1, name: new RegExp(`\\b${name}$`) }).waitFor();
      await page.locator('.view table.collections, .view [role=alert], .view .box').first().waitFor();
      assert.deepEqual(await page.locator('.view [role=alert], .view .box').allInnerTexts(), [], name);
      assert.ok((await page.locator('.view table.collections tbody tr').count()) > 0, name);
    }
    await assertWell(page);
  });

  it('gives an entity the same colour everywhere, and each another', async () => {
    const page = await browser.open(server.url, 'model/hr');
    const hueOf = (locator) => locator.evaluate((element) => getComputedStyle(element).getPropertyValue('--hue').trim());
    await page.getByRole('img', { name: /Relationship diagram/ }).waitFor();
    const drawn = [await hueOf(page.locator('.drawing .hue0').first()), await hueOf(page.locator('.drawing .hue1').first())];
    await page.getByRole('tab', { name: 'Entities' }).click();
    const rowsOf = (table) => Promise.all(['Department', 'Employee'].map((name) => hueOf(page.locator(table).getByRole('row').filter({ hasText: new RegExp(`${name}#`, 'i') }).first())));
    await page.locator('table.chart').first().waitFor();
    assert.deepEqual(await rowsOf('table.chart >> nth=0'), drawn);
    await page.getByRole('tab', { name: 'Tables' }).click();
    await page.locator('table.collections').first().waitFor();
    assert.deepEqual(await rowsOf('table.collections >> nth=0'), drawn);
    await page.goto(`${server.url}/workbench/#/tables/hr-data`);
    await page.getByRole('grid').getByRole('gridcell', { name: 'EMPLOYEE#e-1', exact: true }).first().waitFor();
    await page.waitForFunction((expected) => getComputedStyle([...document.querySelectorAll('.grid-row')].find((row) => row.innerText.includes('EMPLOYEE#e-1'))).getPropertyValue('--hue').trim() === expected, drawn[1]);
    assert.notEqual(drawn[0], drawn[1]);
  });

  it('mends one finding of the linter, and says why a text with mistakes is not laid out', async () => {
    const page = await browser.open(server.url, 'model/equipment?view=lint');
    await page.getByRole('button', { name: /^Fix unprefixed-sort-key of line/ }).click();
    await page.getByText(/^Mended\./).waitFor();
    assert.match(await textOf(page), /THING#/);
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('oops');
    await page.getByRole('button', { name: /mistake/ }).waitFor();
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByText(/First mend line \d+/).waitFor();
    await assertWell(page);
  });

  it('tells how a relation is stored, which is not always as advised, and lets the advised be tried', async () => {
    const page = await startGuided();
    await page.getByRole('tab', { name: 'Relations' }).click();
    const card = page.getByRole('article', { name: 'Relation Department.staff' });
    await card.getByText('chosen by Sheaf').waitFor();
    assert.equal(await card.locator('.stored code').innerText(), 'index');
    assert.match(await card.locator('.box.note').innerText(), /Advised is index copy department\(name\): it changes rarely/);
    assert.deepEqual((await card.innerText()).match(/\b[A-Z]\d+, which\b/g), null, 'questions are told by their texts');
    await card.getByRole('button', { name: 'Try it…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Department.staff via index copy department(name)' });
    await dialog.getByRole('heading', { name: 'Cost' }).waitFor();
    await dialog.getByRole('button', { name: 'Use it', exact: true }).click();
    await card.getByText('as advised').waitFor();
    assert.equal(await card.locator('.stored code').innerText(), 'index copy department(name)');
    assert.match(await textOf(page), /via index copy department\(name\)/);
    await assertWell(page);
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
    await dialog.getByLabel('How many').selectOption('A few');
    await dialog.getByRole('button', { name: 'Load it' }).click();
    await page.getByText(/items loaded/).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move…' }).click();
    dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByRole('heading', { level: 2 }).innerText(), 'Move company');
    await dialog.getByLabel('Layout').selectOption('method3');
    await dialog.getByRole('button', { name: 'See what moves' }).click();
    await page.getByRole('dialog', { name: 'Move company to method3' }).waitFor();
    await dialog.getByRole('button', { name: 'Move it' }).click();
    await dialog.getByRole('button', { name: /Finish/ }).click({ timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Done' }).click({ timeout: 60_000 });
    await page.getByText('Served in the layout method3').waitFor();
    const { TableNames } = await call(server.url, 'ListTables', {});
    assert.ok(TableNames.includes('sheaf-workbench'));
    await assertWell(page);

    // It has another table now, and its patterns are asked there.
    assert.ok(TableNames.includes('company-2'), TableNames.join());
    await page.goto(`${server.url}/workbench/#/patterns/company/team`);
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => /^d-/.test(input.value)));
    await page.getByRole('region', { name: 'Plan' }).getByText('company-2').first().waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Raw items' }).getByRole('row').nth(1).waitFor();
    await page.goto(`${server.url}/workbench/#/patterns/company?show=coverage`);
    const matrix = page.getByRole('region', { name: 'Patterns by keys and indexes' });
    await matrix.getByRole('columnheader', { name: /^company-2/ }).first().waitFor();
    await matrix.getByRole('cell', { name: /get|query/ }).first().waitFor();
    await assertWell(page);

    // And it can be let go; what is stored stays.
    await page.goto(`${server.url}/workbench/#/model/company`);
    await page.getByRole('button', { name: 'Stop serving…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop serving it' }).click();
    await page.getByText('Draft, not served').waitFor();
    assert.ok((await call(server.url, 'ListTables', {})).TableNames.includes('company-2'));
    await assertWell(page);
  });

  it('says what to do where there is no such model', async () => {
    const page = await browser.open(server.url, 'model/nosuch');
    await page.getByText(/nosuch/).first().waitFor();
    await assertWell(page);
  });
});
