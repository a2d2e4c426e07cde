// Patterns with their plans, run; strategies compared by measuring them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

describe('the pages of patterns and comparison', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['hr', 'posts'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('runs a pattern beside the items that it reads, and holds its cost against the plan', async () => {
    const page = await browser.open(server.url, 'patterns/hr/home');
    const value = page.getByLabel(/^e /);
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => /^e-/.test(input.value)));
    await value.press('Control+Enter');
    await page.getByRole('region', { name: 'Answer' }).getByText('1 document').waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Answer' }).evaluate((heading) => heading.getBoundingClientRect().top < innerHeight - 40), 'it can be seen');
    const raw = page.getByRole('region', { name: 'Raw items' }).getByText('GetItem');
    await raw.nth(1).waitFor();
    assert.equal(await raw.count(), 2);
    await assertWell(page);
  });

  it('scrolls the page and not the application on a phone, where the chosen tab is in sight', async () => {
    const page = await browser.open(server.url, 'patterns/hr/home', { width: 390, height: 844 });
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => /^e-/.test(input.value)));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Raw items' }).getByText('GetItem').nth(1).waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Answer' }).evaluate((heading) => heading.getBoundingClientRect().top < innerHeight - 40), 'the answer can be seen');
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollTop, document.querySelector('.shell > nav').getBoundingClientRect().top]), [0, 0]);
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    await assertWell(page);
    await page.goto(`${server.url}/workbench/#/model/hr?view=layouts`);
    const tab = page.getByRole('tab', { name: 'Layouts' });
    await tab.waitFor();
    assert.ok(await tab.evaluate((element) => element.getBoundingClientRect().right <= innerWidth + 1 && element.getBoundingClientRect().left >= 0), 'the tab can be seen');
  });

  it('shows which key serves which pattern', async () => {
    const page = await browser.open(server.url, 'patterns/hr?show=coverage');
    const matrix = page.getByRole('region', { name: 'Patterns by keys and indexes' });
    await matrix.getByText('nobody').first().waitFor();
    await assertWell(page);
  });

  it('carries out operations, and explains why one is refused', async () => {
    const page = await browser.open(server.url, 'patterns/hr/hire');
    for (const expected of ['Done.', 'Refused:']) {
      await page.getByLabel(/^id/).first().fill('e-90');
      await page.getByLabel(/^name/).first().fill('Zoe');
      await page.getByRole('button', { name: 'Carry it out' }).click();
      await page.getByText(expected).first().waitFor();
    }
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'it would be refused again');
    await assertWell(page, /409/);
  });

  it('asks for no end that the operation links by itself, and says of which form an id is', async () => {
    const page = await browser.open(server.url, 'patterns/hr/hire');
    await page.getByLabel(/^id string, matches e-\.\+/).waitFor();
    const form = page.getByRole('form', { name: 'Parameters' });
    assert.equal(await form.getByLabel(/^manager/).count(), 1);
    assert.equal(await form.getByLabel(/^department/).count(), 0);
  });

  it('says who is missing, and not that the model was changed', async () => {
    const page = await browser.open(server.url, 'patterns/hr/move');
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => /^e-/.test(input.value)));
    await page.getByLabel(/^d /).fill('d-nope');
    await page.getByRole('button', { name: 'Carry it out' }).click();
    await page.getByRole('alert').getByText('there is no Department d-nope').waitFor();
    assert.equal(await page.getByText(/not_found|load the page again|load it again/).count(), 0);
    await assertWell(page, /404/);
  });

  it('goes through pages', async () => {
    const page = await browser.open(server.url, 'patterns/posts/newest');
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => input.value === 'ann'));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('page 2').first().waitFor();
    await assertWell(page);
  });

  it('measures every way to store a relation, and keeps what was found', async () => {
    const page = await browser.open(server.url, 'compare/hr/Department.staff');
    await page.getByLabel('Runs of each').fill('3');
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('The same answers.').waitFor({ timeout: 120_000 });
    for (const name of ['The ranking', 'Methods by operations']) await page.getByRole('region', { name }).waitFor();
    const bytes = () => page.getByRole('region', { name: 'The ranking' }).locator('tbody tr').first().locator('td').nth(3).innerText();
    await page.getByLabel('ranked by').selectOption('fewest bytes');
    assert.match(await bytes(), /best/);
    await assertWell(page);
    await page.reload();
    await page.getByText('The same answers.').waitFor();
    await page.getByLabel('team: how often').fill('100');
    await page.getByRole('button', { name: 'Tell the cost' }).click();
    await page.getByRole('region', { name: 'The bill' }).waitFor({ timeout: 60_000 });
    await assertWell(page);
  });

  it('does not go on measuring for a page that is gone', async () => {
    const page = await browser.open(server.url, 'compare/hr/Department.staff');
    await page.getByText(/^For each way [\d,]+ Department/).waitFor();
    await page.getByLabel('Runs of each').fill('20000');
    const begun = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/commands') && request.postData().includes('"measure"'));
    await page.getByRole('button', { name: 'Measure' }).click();
    const { id } = await (await (await begun).response()).json();
    await page.getByRole('region', { name: 'Progress' }).waitFor();
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=workbench/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00', 'x-amz-date': '20260101T000000Z' };
    assert.equal((await fetch(`${server.url}/workbench/api/commands/${id}`, { headers })).status, 200);
    await page.goto('about:blank');
    for (let tried = 0; ; tried++) {
      const answer = await fetch(`${server.url}/workbench/api/commands/${id}`, { headers });
      if (answer.status === 404 || (await answer.json()).state !== 'running') break;
      assert.ok(tried < 40, 'it still runs');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it('says so where there is no such pattern', async () => {
    for (const place of ['patterns/nope', 'patterns/hr/nope']) {
      const page = await browser.open(server.url, place);
      await page.getByText(/nope/).first().waitFor();
      await assertWell(page, /404/);
    }
  });
});
