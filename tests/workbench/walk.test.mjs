// What somebody does who knows DynamoDB, but not Sheaf, and has only this page: from the first steps to a model that is measured,
// chosen, served, filled, asked and watched.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, startServer } from './server.mjs';

describe('a first walk through the workbench', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['hr', 'shop'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const seenDone = (page, step) => page.getByRole('checkbox', { name: step, checked: true }).waitFor();
  const backToTheSteps = async (page) => {
    await page.getByRole('link', { name: 'First steps', exact: true }).click();
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
  };
  const runTeam = async (page) => {
    await page.getByRole('link', { name: 'team', exact: true }).first().click();
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => /^d-/.test(input.value)));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText(/documents?\b/).first().waitFor();
    assert.equal(await answer.getByText('nothing was found').count(), 0);
    await answer.getByRole('heading', { name: 'Planned against actual' }).waitFor();
  };

  it('leads from the first steps through all of it', async () => {
    const page = await browser.open(server.url);
    await page.getByRole('link', { name: 'New here? First steps' }).click();
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();

    // A model of one's own.
    await page.getByRole('link', { name: 'Begin a model' }).click();
    await page.getByRole('button', { name: /Departments and employees/ }).click();
    await page.getByRole('img', { name: /Relationship diagram of company/ }).waitFor();
    const guide = page.getByRole('region', { name: 'Guided start' });
    await guide.getByRole('button', { name: 'Next' }).click();
    await guide.getByRole('button', { name: 'Show method 1' }).click();
    await page.locator('table.collections').first().waitFor();
    await assertWell(page);

    // The four methods, before anything is served.
    await guide.getByRole('button', { name: 'Next' }).click();
    await guide.getByRole('link', { name: 'Compare the methods' }).click();
    await page.getByLabel('Runs of each').fill('3');
    assert.match(await page.getByRole('form', { name: 'What to measure' }).getByRole('combobox').first().locator('option:checked').innerText(), /company \(draft\)/);
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('The same answers.').waitFor({ timeout: 120_000 });
    const ranking = page.getByRole('region', { name: 'The ranking' });
    for (const method of ['method1', 'method2', 'method3', 'method4']) await ranking.getByRole('button', { name: method }).waitFor();
    await ranking.getByText('Department.staff via edges pk one').waitFor();
    await page.getByRole('link', { name: 'Back to the guide: step 3 of 7' }).waitFor();
    await assertWell(page);

    // One of them, by one click; what it changes is told before.
    await backToTheSteps(page);
    await seenDone(page, /Compare the four methods/);
    await page.getByRole('link', { name: 'See the relation' }).click();
    await page.getByRole('button', { name: /Use it….*edges pk one for Department.staff/ }).click();
    const trial = page.getByRole('dialog', { name: 'Department.staff via edges pk one' });
    for (const heading of ['Keys and indexes', 'Requests', 'Cost']) await trial.getByRole('heading', { name: heading }).waitFor();
    await trial.getByRole('button', { name: 'Use it', exact: true }).click();
    await trial.waitFor({ state: 'detached' });

    // The guide knows that it is to be served now, then filled, then run.
    await guide.getByRole('button', { name: 'Serve it…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Serve it' }).click();
    await page.getByText(/is served\./).first().waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await guide.getByRole('button', { name: 'Load data…' }).click();
    await page.getByRole('dialog').getByLabel('How many').selectOption('0.1');
    await page.getByRole('dialog').getByRole('button', { name: 'Load it' }).click();
    await page.getByText(/items loaded/).waitFor();
    await page.getByRole('link', { name: 'See the tables' }).click();
    await page.getByRole('row').filter({ hasText: 'DEPARTMENT#' }).first().waitFor();
    const { Count } = await call(server.url, 'Scan', { TableName: 'company', Select: 'COUNT' });
    assert.ok(Count > 100, `${Count} items`);

    await backToTheSteps(page);
    for (const step of [/Design departments/, /Pick one/, /Load data/]) await seenDone(page, step);
    await page.getByRole('link', { name: 'Run a pattern' }).click();
    await runTeam(page);
    await assertWell(page);

    await backToTheSteps(page);
    await page.getByRole('link', { name: 'Watch heat' }).click();
    await page.getByRole('button', { name: 'Make some load' }).first().click();
    const load = page.getByRole('dialog', { name: 'Make some load' });
    await load.getByRole('combobox', { name: 'Table' }).selectOption('company');
    await load.getByRole('button', { name: /Read for/ }).click();
    await page.getByRole('link', { name: 'company', exact: true }).first().click();
    await page.getByText(/(DEPARTMENT|EMPLOYEE)#/).first().waitFor({ timeout: 30_000 });
    await assertWell(page);

    await page.goto(`${server.url}/workbench/#/learn/first-steps`);
    await page.getByText('That was all.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'First steps', exact: true }).count(), 0);
  });

  it('takes a method from the comparison into a model that was typed, and serves that', async () => {
    const page = await browser.open(server.url, 'model');
    await page.getByRole('button', { name: /A new model/ }).click();
    const editor = page.getByRole('textbox', { name: /Text of the model/ });
    await page.locator('.cm-content').waitFor();
    await editor.click();
    await page.keyboard.press('Control+A');
    const text = [
      'model firm {',
      'entity Department { id id; name }',
      'entity Employee { id id; name; title }',
      'rel Department 1--* Employee as staff / department { required; size avg 8 max 40 }',
      'pattern team(d: Department) = $d.staff',
      'pattern home(e: Employee) = $e.department',
      'op hire(e: Employee, d: Department) = { put $e; link $e.department $d }',
      'layout method1 { rel Department.staff via index }',
      'layout method3 { rel Department.staff via edges pk one }',
      'compare [method1, method3]',
      '}',
    ].join('\n');
    await page.keyboard.insertText(text);
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('img', { name: /Relationship diagram/ }).waitFor();
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.getByLabel('Runs of each').fill('2');
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('The same answers.').waitFor({ timeout: 120_000 });
    await page.getByRole('region', { name: 'The ranking' }).getByRole('button', { name: 'method3' }).click();
    await page.getByRole('link', { name: 'Show it in the model' }).click();
    await page.getByText(/This is the layout method3/).waitFor();
    await page.getByRole('button', { name: 'Serve it', exact: true }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Layout').inputValue(), 'method3');
    await dialog.getByRole('button', { name: 'Serve it' }).click();
    await page.getByText(/firm is served\./).waitFor();
    await dialog.getByRole('button', { name: 'Load sample data…' }).click();
    await page.getByRole('dialog').getByLabel('How many').selectOption('0.1');
    await page.getByRole('dialog').getByRole('button', { name: 'Load it' }).click();
    await page.getByText(/items loaded/).waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Run the patterns' }).click();
    await page.getByRole('link', { name: 'team', exact: true }).first().click();
    await page.waitForFunction(() => [...document.querySelectorAll('.run-form input, form input')].some((input) => input.value !== ''));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Answer' }).getByText(/documents?\b/).first().waitFor();
    await assertWell(page);
  });

  it('says that a draft has to be served before its patterns can be run', async () => {
    const page = await browser.open(server.url, 'model');
    await page.getByRole('button', { name: /A new model/ }).click();
    await page.getByRole('textbox', { name: /Text of the model/ }).waitFor();
    const name = /model\/(\w+)/.exec(page.url())[1];
    await page.goto(`${server.url}/workbench/#/patterns/${name}`);
    await page.getByRole('heading', { name: `${name} is not served yet` }).waitFor();
    await page.getByRole('link', { name: 'Serve it' }).click();
    await page.getByRole('dialog', { name: 'Serve the model' }).waitFor();
    await assertWell(page);
  });
});
