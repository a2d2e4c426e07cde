// Heat, live; and what there is to learn.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

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
