// Heat, live; and what there is to learn.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, startServer } from './server.mjs';

describe('the pages of heat and learning', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['school', 'hr', 'projects'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('shows which keys are hot, by name, while somebody reads', async () => {
    const page = await browser.open(server.url, 'heat');
    await page.getByRole('heading', { name: 'Nothing is asked at the moment' }).waitFor();
    await assertWell(page);
    await page.getByRole('button', { name: 'Make some load' }).last().click();
    await page.getByRole('combobox', { name: 'Table' }).selectOption('school');
    await page.getByRole('button', { name: 'Read for 30 seconds' }).click();
    await page.getByRole('link', { name: 'school', exact: true }).first().click();
    const reads = page.getByRole('region', { name: 'Reads' });
    await reads.getByRole('table', { name: 'Hottest partition keys' }).getByRole('link', { name: /Student TOM/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    await assertWell(page);
    // Whatever the shares are: names can be read on every step of the colours, in light and in dark.
    await page.locator('.key-strip [role=img]').first().evaluate((strip) => {
      for (const step of ['none', 0, 1, 2, 3, 4, 5])
        strip.insertAdjacentHTML('beforeend', `<span class="cell step-${step}" style="flex: 0 0 60px">A name</span>`);
    });
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await assertWell(page);
    }
  });

  it('makes load all over a table, and writes that change nothing', async () => {
    const { Items: before } = await call(server.url, 'Scan', { TableName: 'hr-data' });
    const page = await browser.open(server.url, 'heat');
    const sent = [];
    page.on('request', (request) => {
      const operation = request.headers()['x-amz-target']?.split('.')[1];
      if (operation === 'Scan' || operation === 'UpdateItem') sent.push({ operation, ...JSON.parse(request.postData()) });
    });
    await page.getByRole('button', { name: 'Make some load' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Make some load' });
    await dialog.getByRole('combobox', { name: 'Table' }).selectOption('hr-data');
    await dialog.getByRole('combobox', { name: 'What' }).selectOption('writes');
    await dialog.getByRole('button', { name: 'Write for 30 seconds' }).click();
    await page.getByText(/Writing hr-data: [1-9]\d* writes/).waitFor();
    await page.getByRole('button', { name: 'Stop the load' }).click();
    await page.getByText(/writes of hr-data were sent\./).waitFor();
    const segments = sent.filter(({ operation }) => operation === 'Scan').map(({ Segment, TotalSegments }) => `${Segment} of ${TotalSegments}`);
    assert.deepEqual(segments.sort(), [0, 1, 2, 3, 4, 5, 6, 7].map((segment) => `${segment} of 8`));
    const writes = sent.filter(({ operation }) => operation === 'UpdateItem');
    assert.ok(writes.length > 0 && writes.every(({ ConditionExpression }) => ConditionExpression.startsWith('attribute_exists')));
    const { Items: after } = await call(server.url, 'Scan', { TableName: 'hr-data' });
    assert.deepEqual(after, before);
    await assertWell(page);
  });

  it('watches limits long enough to forecast, unless somebody says otherwise', async () => {
    const page = await browser.open(server.url, 'heat?view=limits');
    await page.getByRole('button', { name: 'Watch' }).waitFor();
    const times = await page.locator('.watch-form select').last().getByRole('option').allInnerTexts();
    assert.deepEqual(times, ['75 seconds', '5 minutes']);
    const sent = page.waitForRequest((request) => /\/workbench\/api\/commands$/.test(request.url()) && request.postData()?.includes('"watch"'));
    await page.getByRole('button', { name: 'Watch' }).click();
    const { arguments: args } = JSON.parse((await sent).postData());
    const seconds = (option) => parseInt(args[args.indexOf(option) + 1], 10);
    // What is found only while tables are read through is watched for a shorter time.
    assert.ok(seconds('--for') >= 3 * seconds('--forecast-after'), args.join(' '));
    await page.getByRole('button', { name: 'Stop' }).click();
    await assertWell(page);
  });

  it('begins with what is busy: traffic of an index is its table’s, and its model’s', async () => {
    const busy = await startServer({ models: ['school', 'hr'] });
    try {
      for (let asked = 0; asked < 20; asked++)
        await call(busy.url, 'Query', { TableName: 'hr-data', IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk', ExpressionAttributeValues: { ':pk': { S: 'DEPARTMENT#d-1' } } });
      const page = await browser.open(busy.url, 'heat');
      await page.getByText('since this page is open').first().waitFor();
      await page.getByRole('button', { name: 'Make some load' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Make some load' });
      await dialog.getByRole('combobox', { name: 'Table' }).waitFor();
      assert.equal(await dialog.getByRole('combobox', { name: 'Table' }).inputValue(), 'hr-data');
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Limits' }).click();
      await page.waitForFunction(() => document.querySelector('.watch-form select')?.value === 'hr');
      // To have watched is a first step, also after the page was loaded again.
      await page.reload();
      await page.goto(`${busy.url}/workbench/#/learn/first-steps`);
      await page.getByRole('checkbox', { name: /Watch heat/, checked: true }).waitFor();
      await assertWell(page);
    } finally {
      await busy.stop();
    }
  });

  it('says so where there is nothing to see', async () => {
    const page = await browser.open(server.url, 'heat/nothing');
    await page.getByText('There is no table nothing').waitFor();
    const cold = await startServer({ models: ['hr'], options: ['--no-heat'] });
    try {
      const other = await browser.open(cold.url, 'heat');
      await other.getByRole('heading', { name: 'This server does not count heat' }).waitFor();
      await assertWell(other, /400/);
    } finally {
      await cold.stop();
    }
  });

  it('leads through the examples, which run', async () => {
    const page = await browser.open(server.url, 'learn');
    await page.getByRole('searchbox', { name: 'Find an example' }).fill('department');
    await page.getByRole('link', { name: /Departments and employees in four methods/ }).click();
    const form = page.getByRole('form', { name: 'Run team' });
    await form.getByRole('button', { name: 'Run' }).click();
    await page.getByText('1 request').first().waitFor();
    await page.getByRole('combobox', { name: 'Layout' }).selectOption('method3');
    await assertWell(page);
  });

  it('explains what the linter finds', async () => {
    const page = await browser.open(server.url, 'learn/lint');
    await page.getByRole('link', { name: 'mixed-levels' }).first().click();
    for (const name of ['Wrong', 'Right']) await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('link', { name: /projects, line/ }).first().waitFor();
    await assertWell(page);
  });

  it('remembers the first steps that were taken', async () => {
    const page = await browser.open(server.url, 'learn/first-steps');
    const first = page.getByRole('checkbox').first();
    await first.check();
    await page.reload();
    assert.ok(await page.getByRole('checkbox').first().isChecked());
    await assertWell(page);
  });
});
