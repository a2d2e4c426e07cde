// Where credentials are configured the page asks for them, and can do no more than they may.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

const SECRET = 'a-secret-of-many-characters';

describe('a server with credentials', () => {
  let server, browser, directory;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sheaf-credentials-'));
    const file = join(directory, 'credentials');
    const entry = (name, role) => `[${name}]\naws_access_key_id = ${name.toUpperCase()}\naws_secret_access_key = ${SECRET}\nsheaf_role = ${role}\n`;
    writeFileSync(file, entry('boss', 'admin') + entry('reader', 'readonly'), { mode: 0o600 });
    server = await startServer({ models: ['hr'], options: ['--credentials', file] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const give = async (page, id, secret) => {
    const dialog = page.getByRole('dialog', { name: 'Access key' });
    await dialog.getByLabel('Access key id').fill(id);
    await dialog.getByLabel('Secret access key').fill(secret);
    await dialog.getByRole('button', { name: 'Use it' }).click();
  };

  it('asks who one is, and says if it does not know', async () => {
    const page = await browser.open(server.url, 'tables');
    await page.getByRole('dialog', { name: 'Access key' }).getByText('wants to know who you are').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, 'nothing is wrong before a key was tried');
    await give(page, 'BOSS', 'another secret');
    await page.getByText('The server does not know this key').waitFor();
    await give(page, 'BOSS', SECRET);
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await assertWell(page, /40[03]/);
  });

  it('lets those read who may read, and tells them what they may not', async () => {
    const page = await browser.open(server.url, 'tables/hr-data');
    await page.getByRole('dialog', { name: 'Access key' }).waitFor();
    await give(page, 'READER', SECRET);
    const grid = page.getByRole('grid', { name: 'Items of hr-data' });
    await grid.getByRole('row').filter({ hasText: 'DEPARTMENT#d-1' }).first().waitFor();
    // Who one is, and what that allows.
    await page.getByRole('button', { name: 'READER · readonly' }).waitFor();
    for (const name of ['New item', 'Import', 'Create a table']) assert.equal(await page.getByRole('button', { name }).getAttribute('aria-disabled'), 'true', name);
    await page.getByRole('button', { name: 'New item' }).click({ force: true });
    await page.getByRole('status').getByText('Your access key may only read.').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await grid.getByRole('row').filter({ hasText: 'DEPARTMENT#d-1' }).first().dblclick();
    await page.getByRole('dialog').getByRole('tab', { name: 'History' }).waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Escape');
    await page.goto(`${server.url}/workbench/#/model/hr`);
    await page.getByRole('button', { name: 'Load data…' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Load data…' }).getAttribute('aria-disabled'), 'true');
    await assertWell(page, /40[03]/);
  });

  it('lets those who read see models and patterns, and does not measure for them', async () => {
    const page = await browser.open(server.url, 'patterns/hr');
    await give(page, 'READER', SECRET);
    await page.getByRole('link', { name: /teamIds/ }).first().waitFor();
    await page.goto(`${server.url}/workbench/#/compare/hr/Department.staff`);
    await page.getByText('Your access key may only read.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Measure' }).getAttribute('aria-disabled'), 'true');
    await assertWell(page, /403/);
  });

  it('can be given a key after all when the question was closed', async () => {
    const page = await browser.open(server.url, 'tables');
    await page.getByRole('dialog', { name: 'Access key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Give an access key' }).first().click();
    await give(page, 'BOSS', SECRET);
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await page.getByRole('button', { name: 'BOSS · admin' }).waitFor();
  });

  it('forgets the key when it is told to', async () => {
    const page = await browser.open(server.url, 'tables');
    await give(page, 'BOSS', SECRET);
    await page.getByRole('button', { name: 'BOSS' }).click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('wants to know who you are').waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.getItem('sheaf.access-key')), null);
  });
});
