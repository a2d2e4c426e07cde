// Patterns with their plans, run; strategies compared by measuring them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { serveModel, startServer } from './server.mjs';

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
    const heads = await matrix.getByRole('columnheader').locator('a').allInnerTexts();
    assert.deepEqual(heads, ['hr-data', 'GSI1', 'GSI2', 'GSI3']);
    assert.match(await matrix.getByRole('columnheader', { name: /^GSI1/ }).innerText(), /index of hr-data\s+GSI1PK \/ GSI1SK/);
    const cells = Object.fromEntries(
      await matrix.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [row.querySelector('a').innerText, [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())])),
    );
    assert.deepEqual(cells, {
      teamIds: ['not used', '≡ query', 'not used', 'not used'],
      team: ['not used', '≡ query', 'not used', 'not used'],
      home: ['● get', 'not used', 'not used', 'not used'],
    });
    assert.deepEqual((await matrix.locator('tfoot td').allInnerTexts()).map((text) => text.trim()), ['1 plan', '2 plans', 'nobody', 'nobody']);
    for (const [index, relation] of [['GSI2', 'Employee.reports'], ['GSI3', 'Employee.mentees']]) await page.getByText(`No pattern and no operation reads hr-data.${index}`).filter({ hasText: `It is how ${relation} is found from the one side` }).waitFor();
    // What is written, too: hiring puts an employee and checks the department.
    const writes = page.getByRole('region', { name: 'What operations write' }).getByRole('row').filter({ has: page.getByRole('link', { name: 'hire' }) });
    assert.deepEqual((await writes.getByRole('cell').allInnerTexts()).slice(0, 3).map((text) => text.trim()), ['1', '1', '1']);
    await assertWell(page);
  });

  it('says of each budget whether it holds, planned and when it is run', async () => {
    // Where the budget of home does not hold the model is in another layout than its own.
    const text = `model budgets {
  entity Team { id id; name changes rarely }
  entity Person { id id; name }
  rel Team 1--* Person as members / team { required; size avg 3 max 9; via index copy team(*) }
  pattern members(t: Team) = $t.members budget 1 request budget 5 units
  pattern home(p: Person) = $p.team budget 1 request
  pattern person(p: Person) = $p
  op join(p: Person, t: Team) = { put $p; link $p.team $t } budget 2 requests
  layout bare { rel Team.members via index }
}
`;
    await serveModel(server.url, text, { Team: [{ id: 't', name: 'Tea' }], Person: [{ id: 'p', name: 'Pia', team: 't' }] }, 'bare');
    const page = await browser.open(server.url, 'patterns/budgets');
    await page.getByRole('note').getByText('Over budget: home.').waitFor();
    const budgets = await page.locator('table.explained tbody tr').evaluateAll((rows) => rows.map((row) => [row.querySelector('a').innerText, row.querySelector('.budget').innerText.replace(/\s+/g, ' ').trim()]));
    assert.deepEqual(Object.fromEntries(budgets), {
      members: '✓ within 1 request, 5 units',
      home: '✕ over 1 request',
      person: 'no budget',
      join: '✓ within 2 requests',
    });
    await assertWell(page);
    const run = async (pattern, value) => {
      await page.goto(`${server.url}/workbench/#/patterns/budgets/${pattern}`);
      await page.getByRole('article', { name: pattern, exact: true }).waitFor();
      await page.waitForFunction((wanted) => document.querySelector('form[aria-label=Parameters] input')?.value === wanted, value);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const against = page.getByRole('region', { name: 'Answer' }).getByRole('table', { name: 'Planned against actual' });
      await against.waitFor();
      return (await against.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Requests' }) }).getByRole('cell').allInnerTexts()).map((cell) => cell.trim());
    };
    assert.deepEqual(await run('home', 'p'), ['2', '2', '1 ✕']);
    await page.getByRole('region', { name: 'Plan' }).getByText('✕ over').waitFor();
    await page.getByText('Over budget: 2 requests, and at most 1 are allowed.').waitFor();
    await assertWell(page);
    assert.deepEqual(await run('members', 't'), ['1', '1', '1 ✓']);
    await page.getByRole('region', { name: 'Plan' }).getByText('✓ within').waitFor();
    assert.equal(await page.getByText(/Over budget/).count(), 0);
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

  it('says how far it is, and draws the figures of the table beside it', async () => {
    const page = await browser.open(server.url, 'compare/hr');
    await page.getByText(/^For each way [\d,]+ Department/).waitFor();
    // More than a fast machine does between two looks of the page.
    await page.getByLabel('Runs of each').fill('400');
    await page.evaluate(() => {
      globalThis.seen = [];
      new MutationObserver(() => {
        const bar = document.querySelector('.running progress');
        if (bar) globalThis.seen.push([bar.position, document.querySelector('.running [role=status]').innerText]);
      }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true, attributes: true });
    });
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('The same answers.').waitFor({ timeout: 120_000 });
    const seen = (await page.evaluate(() => globalThis.seen)).filter(([position]) => position >= 0);
    const positions = seen.map(([position]) => position);
    assert.ok(new Set(positions).size > 1, `it advances: ${positions}`);
    assert.deepEqual(positions, [...positions].sort((a, b) => a - b), 'it does not go back');
    for (const [position, text] of seen) {
      const [, done, all] = /^Measuring (\d+) of (\d+)$/.exec(text);
      assert.ok(Math.abs(position - done / all) < 1e-6, `${text}: ${position}`);
    }

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as JSON' }).click();
    const measured = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
    assert.deepEqual(measured.layouts.map(({ name }) => name).sort(), ['method1', 'method2', 'method3', 'method4']);

    const rows = (await page.getByRole('region', { name: 'The ranking' }).locator('tbody tr').evaluateAll((all) => all.map((row) => [row.querySelector('th button').innerText, ...[...row.querySelectorAll('td.number')].map((cell) => cell.firstChild.nodeValue.trim())])));
    // The place, requests, units, bytes, items a write, units a write, latency
    const columnOf = { Requests: 2, Units: 3, 'Bytes stored': 4, 'Items written': 5, 'Write amplification': 6, Latency: 7 };
    const number = (text) => Number(text.replace(/,/g, '').match(/[\d.]+/)[0]);
    const bytesOf = ({ stored }) => stored.reduce((sum, { bytes, indexes }) => sum + bytes + indexes.reduce((all, each) => all + each.bytes, 0), 0);
    for (const [title, column] of Object.entries(columnOf)) {
      const bars = await page.getByRole('table', { name: title, exact: true }).locator('tr').evaluateAll((all) =>
        all.map((row) => ({ name: row.querySelector('th').innerText, text: row.querySelector('td.number').firstChild.nodeValue.trim(), width: parseFloat(row.querySelector('rect').getAttribute('width')), drawn: row.querySelector('rect').getBoundingClientRect().width, isLeast: row.querySelector('rect.best') !== null })),
      );
      assert.deepEqual(bars.map(({ name, text }) => [name, text]), rows.map((row) => [row[0], row[column]]), title);
      const values = title === 'Bytes stored' ? measured.layouts.map(bytesOf) : bars.map(({ text }) => number(text));
      const widest = Math.max(...bars.map(({ drawn }) => drawn));
      bars.forEach(({ name, width, drawn }, at) => {
        assert.ok(Math.abs(width - (values[at] / Math.max(...values)) * 100) < 2, `${title} of ${name}: ${width} % for ${values[at]} of ${values}`);
        assert.ok(Math.abs((drawn / widest) * 100 - width) < 2, `${title} of ${name} is drawn so wide`);
      });
      assert.ok(bars.every(({ isLeast }, at) => !isLeast || values[at] === Math.min(...values)) && bars.some(({ isLeast }) => isLeast), `${title}: the least is marked`);
    }

    // Methods by operations: what the file says of each, and of some what follows from the model.
    const grid = page.getByRole('region', { name: 'Methods by operations' });
    const subjects = (await grid.locator('thead th').allInnerTexts()).slice(1).map((text) => text.split('\n')[0].trim());
    assert.deepEqual(subjects, measured.layouts[0].subjects.map(({ name }) => name));
    for (const name of ['teamIds', 'team', 'home', 'hire', 'move', 'rename']) assert.ok(subjects.includes(name), `${name} in ${subjects}`);
    const cells = await grid.locator('tbody tr').evaluateAll((all) => all.map((row) => [row.querySelector('th').innerText.trim(), ...[...row.querySelectorAll('td')].map((cell) => cell.firstChild.nodeValue)]));
    assert.deepEqual(cells.map(([name]) => name), measured.layouts.map(({ name }) => name));
    const shown = await grid.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.match(/[\d.,]+/g).slice(0, 2).map((text) => Number(text.replace(/,/g, ''))))));
    measured.layouts.forEach((layout, at) =>
      layout.subjects.forEach((of, column) => {
        const [requests, units] = shown[at][column];
        assert.ok(Math.abs(requests - of.requests) < 0.06 && Math.abs(units - of.read_units - of.write_units) <= 0.06 + 0.01 * units, `${of.name} in ${layout.name}: ${requests} / ${units}, measured ${JSON.stringify(of)}`);
      }),
    );
    const requestsOf = (method, subject) => shown[cells.findIndex(([name]) => name === method)][subjects.indexOf(subject)][0];
    assert.deepEqual([requestsOf('method1', 'home'), requestsOf('method2', 'home'), requestsOf('method1', 'teamIds')], [2, 1, 1], 'a copy saves a request');
    const mix = (await grid.locator('tfoot td').allInnerTexts()).map(number);
    assert.ok(Math.abs(mix.reduce((sum, each) => sum + each, 0) - 100) < 1, `the mix is all: ${mix}`);
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
