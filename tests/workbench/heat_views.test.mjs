// Heat, of traffic that is known: by table and index, by partition, by entity, by collection; what is refused, and what is near a limit.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, serveModel, startServer } from './server.mjs';

const POST = (number) => ({
  id: `t${number}`,
  at: new Date(Date.UTC(2026, 5, 1) + number * 1000).toISOString(),
});
const KEYS = [
  { AttributeName: 'pk', AttributeType: 'S' },
  { AttributeName: 'sk', AttributeType: 'S' },
];
const tableOf = (name, keys, more = { BillingMode: 'PAY_PER_REQUEST' }) => ({
  TableName: name,
  AttributeDefinitions: KEYS.slice(0, keys),
  KeySchema: KEYS.slice(0, keys).map(({ AttributeName }, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
  ...more,
});
const numberIn = (text) => Number(text.replace(/,/g, '').match(/[\d.]+/)[0]);
const within = (value, from, to, what) => assert.ok(value >= from && value <= to, `${what}: ${value} is not within ${from} and ${to}`);

describe('heat of traffic that is known', () => {
  let server, browser, traffic;
  let isOver = false;
  const request = (operation, body) => call(server.url, operation, body);

  /** Items of a collection of the table `grown`, as many and from where one says. */
  const grow = async (pk, from, many) => {
    const batches = [];
    for (let next = from; next < from + many; next += 25)
      batches.push(Array.from({ length: Math.min(25, from + many - next) }, (_, at) => ({ PutRequest: { Item: { pk: { S: pk }, sk: { S: String(next + at).padStart(6, '0') } } } })));
    const sender = async () => {
      for (let batch; (batch = batches.pop()); ) await request('BatchWriteItem', { RequestItems: { grown: batch } });
    };
    await Promise.all(Array.from({ length: 8 }, sender));
  };

  /** In each round: three reads of an employee and one of the department, four of the index, reads of two other tables, and a post. */
  const round = async (number) => {
    const hr = (key) => request('GetItem', { TableName: 'hr-data', Key: { PK: { S: key }, SK: { S: key } } });
    for (const key of ['EMPLOYEE#e-1', 'EMPLOYEE#e-1', 'DEPARTMENT#d-1', 'EMPLOYEE#e-1']) await hr(key);
    for (let asked = 0; asked < 4; asked++)
      await request('Query', { TableName: 'hr-data', IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :d', ExpressionAttributeValues: { ':d': { S: 'DEPARTMENT#d-1' } } });
    await request('GetItem', { TableName: 'single', Key: { pk: { S: 'the-one' } } });
    for (let asked = 0; asked < 4; asked++) await request('GetItem', { TableName: 'spread', Key: { pk: { S: `key-${(number * 4 + asked) % 400}` } } });
    const { id, at } = POST(number);
    await request('PutItem', {
      TableName: 'app',
      Item: Object.fromEntries(
        Object.entries({ PK: 'USER#ann#2026-06', SK: `POST#${at}#${id}`, GSI1PK: `POST#${id}`, GSI1SK: `POST#${id}`, Type: 'Post', id, at, topic: 'tea', text: 'x' }).map(([name, text]) => [name, { S: text }]),
      ),
    });
    // Of its one unit a second, and what it has saved, nothing is left.
    await request('PutItem', { TableName: 'tiny', Item: { pk: { S: number % 4 === 0 ? 'rare' : 'greedy' }, body: { S: 'x'.repeat(60_000) } } }).catch((refused) => assert.match(refused.message, /ProvisionedThroughputExceeded/));
  };

  before(async () => {
    server = await startServer({ models: ['hr', 'posts'], options: ['--throttle'] });
    browser = await startBrowser();
    await request('CreateTable', tableOf('spread', 1));
    await request('CreateTable', tableOf('single', 1));
    await request('CreateTable', tableOf('grown', 2));
    await request('CreateTable', tableOf('tiny', 1, { BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } }));
    traffic = (async () => {
      for (let number = 0; !isOver; number++) {
        await round(number);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    traffic.catch(() => {}); // whoever waits for it is told
  });
  after(async () => {
    isOver = true;
    await traffic;
    await browser?.close();
    await server?.stop();
  });

  const pause = async (page) => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
  };
  /** The figures of a line of a chart: what those are told who do not see it. */
  const toldNow = async (page, chart) => {
    const label = await page.getByRole('img', { name: chart }).getAttribute('aria-label');
    const told = /Now: (.*)\.$/.exec(label)[1];
    return Object.fromEntries(told.split(/(?<=\d), /).map((each) => [each.replace(/ [\d.,]+$/, ''), numberIn(/ ([\d.,]+)$/.exec(each)[1])]));
  };

  it('tells what each table and index has consumed, in the chart and beside it', async () => {
    const page = await browser.open(server.url, 'heat');
    const row = (name) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row('hr-data / GSI1').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.line-chart polygon.area').length > 0 && document.querySelector('.line-chart polygon.area').getAttribute('points').split(' ').length >= 4);
    await pause(page);
    const figures = async (name) => (await row(name).getByRole('cell').allInnerTexts()).slice(1).map((text) => (/\d/.test(text) ? numberIn(text) : 0));
    // units/s, requests/s and the share of the hottest key of reads; the same of writes; what was refused
    const [table, index, app, single] = await Promise.all(['hr-data', 'hr-data / GSI1', 'app', 'single'].map(figures));
    within(table[1] / index[1], 0.85, 1.2, 'requests of the table for one of the index');
    within(table[0] / table[1], 0.49, 0.51, 'units of a read');
    within(table[2], 70, 80, 'share of the hottest key');
    assert.deepEqual(table.slice(3), [0, 0, 0, 0]);
    within(single[2], 100, 100, 'share of the only key');
    within(table[1] / app[4], 3.4, 4.8, 'reads for one post');
    // The chart is of other seconds, and of the same traffic.
    const chart = await toldNow(page, /^Capacity consumed by table and index, reads and writes/);
    within(chart['hr-data'] / chart['hr-data / GSI1'], 0.8, 1.25, 'units of the table for one of the index');
    const keys = await page.locator('.line-chart figcaption .key').evaluateAll((all) => all.map((each) => [each.innerText.replace(each.querySelector('b').innerText, '').trim(), each.querySelector('b').innerText]));
    assert.deepEqual(Object.fromEntries(keys.map(([name, text]) => [name, numberIn(text)])), chart);
    await page.getByRole('combobox', { name: 'Of which requests' }).selectOption('writes');
    const writes = await toldNow(page, /^Capacity consumed by table and index, writes/);
    assert.ok(writes['app'] > 0 && writes['app / GSI1'] > 0 && !('hr-data' in writes), JSON.stringify(writes));
    await assertWell(page);
  });

  it('draws over which partitions traffic goes', async () => {
    for (const [table, said] of [
      ['single', /Nearly all of it goes to quarter (\d)\./],
      ['spread', /They share it rather evenly\./],
    ]) {
      const page = await browser.open(server.url, `heat/${table}`);
      const map = page.getByRole('region', { name: 'Reads' }).locator('.quarter-map');
      await map.getByText(said).waitFor();
      await page.waitForFunction(() => document.querySelectorAll('.quarter-map rect').length >= 1 + 2 * 4); // two looks
      await pause(page);
      const { reads } = await (await fetch(`${server.url}/heat?table=${table}&seconds=10`, { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00' } })).json();
      const sum = reads.quarters.reduce((all, each) => all + each, 0);
      const label = await map.getByRole('img').getAttribute('aria-label');
      const shares = [...label.matchAll(/quarter \d: ([\d.]+) %/g)].map(([, share]) => Number(share));
      reads.quarters.forEach((each, at) => within(shares[at], (each / sum) * 100 - 10, (each / sum) * 100 + 10, `quarter ${at + 1} of ${table}`));
      const steps = await map.locator('rect').evaluateAll((all) => all.slice(-4).map((each) => Number(each.getAttribute('class').replace('step-', ''))));
      if (table === 'single') {
        const quarter = Number(said.exec(await map.innerText())[1]);
        assert.deepEqual(steps.map((step) => step > 0), [1, 2, 3, 4].map((each) => each === quarter), 'one of four is coloured');
        assert.equal(shares[quarter - 1], 100);
        await page.getByText('All of it goes to one key.').waitFor();
      } else {
        assert.ok(steps.every((step) => step >= 3), `all are coloured alike: ${steps}`);
        await page.getByText(/About 4\d\d different keys|About 3\d\d different keys/).waitFor();
      }
      await assertWell(page);
    }
  });

  it('sums up by entity, and says what no model explains', async () => {
    const page = await browser.open(server.url, 'heat?view=entities');
    assert.equal(await page.getByRole('tab', { name: 'Entities' }).getAttribute('aria-selected'), 'true');
    const sums = page.locator('table.entity-sums');
    await sums.getByRole('row').filter({ hasText: 'Post' }).first().waitFor();
    await pause(page);
    const rows = await sums.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
    const of = (kind, place) => {
      const found = rows.find((row) => row[0] === kind && row[1] === place);
      assert.ok(found, `${kind} of ${place} in ${JSON.stringify(rows)}`);
      return { reads: numberIn(found[2]), writes: numberIn(found[3]) };
    };
    const [employee, department, post, unknown] = [of('Employee', 'hr-data'), of('Department', 'hr-data'), of('Post', 'app'), of('no model explains them', 'spread')];
    // 64 of the keys stand for all: three of four reads, with what chance does to that.
    within(employee.reads / (employee.reads + department.reads), 0.5, 0.95, 'share of employees');
    assert.ok(employee.writes === 0 && post.writes > 0 && post.reads === 0 && unknown.reads > 0, JSON.stringify(rows));
    const shares = rows.map((row) => numberIn(row[4]));
    within(shares.reduce((all, each) => all + each, 0), 97, 103, 'all shares');
    await assertWell(page);
  });

  it('shows what is refused: how much, of whom, and in the chart', async () => {
    const page = await browser.open(server.url, 'heat');
    const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').filter({ has: page.getByRole('link', { name: 'tiny' }) });
    await findings.filter({ hasText: 'throttled' }).first().waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'tiny', exact: true }) });
    assert.ok(numberIn(await row.getByRole('cell').last().innerText()) > 0);
    assert.match(await row.getByRole('cell').last().getAttribute('class'), /\bbad\b/);
    await row.getByRole('link', { name: 'tiny', exact: true }).click();
    const writes = page.getByRole('region', { name: 'Writes' });
    await writes.getByText(/[\d.]+ throttled/).waitFor();
    const refused = writes.getByRole('table', { name: 'Throttled partition keys' });
    await refused.getByRole('row').nth(2).waitFor();
    await pause(page);
    const keys = await refused.locator('tbody tr').evaluateAll((rows) => rows.map((each) => [each.querySelector('a').innerText.trim(), Number(each.lastElementChild.innerText)]));
    assert.deepEqual(keys.map(([key]) => key), ['greedy', 'rare']);
    within(keys[0][1] / keys[1][1], 1.5, 6, 'refusals of the one for one of the other');
    const told = await toldNow(page, /^Capacity consumed by tiny/);
    assert.ok(told['throttled requests'] > 0, JSON.stringify(told));
    await assertWell(page);
  });

  it('lists the collections that grow, and when each is too large', async () => {
    await grow('full', 0, 10_050);
    const page = await browser.open(server.url);
    await page.clock.install();
    await page.goto(`${server.url}/workbench/#/heat?view=collections`);
    const row = (key) => page.getByRole('row').filter({ has: page.getByRole('link', { name: key, exact: true }) });
    const items = (key) => row(key).getByRole('meter', { name: `Items of ${key}` });
    // A hundred items each ten seconds, of the clock of the page.
    for (let look = 0; look < 6; look++) {
      await grow('steady', look * 100, 100);
      await grow('full', 10_050 + look * 10, 10);
      await page.clock.fastForward(10_000);
      await page.waitForFunction(([label, text]) => document.querySelector(`[role=meter][aria-label="${label}"]`)?.getAttribute('aria-valuetext').startsWith(text), ['Items of steady', `${(look + 1) * 100}, `]);
      if (look === 0) {
        await row('steady').getByText('too early to say').waitFor();
        await row('full').getByText('is beyond 10,000 items').waitFor();
        assert.equal(await row('full').getByRole('cell').nth(3).innerText(), '–');
      }
    }
    await pause(page);
    const cells = (await row('steady').getByRole('cell').allInnerTexts()).map((text) => text.trim());
    const aMinute = numberIn(cells[3]);
    within(aMinute, 400, 800, 'items a minute'); // 600, and what looks in between make of it
    const minutes = (10_000 - 600) / aMinute;
    const told = /^10,000 items in (\d+) minutes at this rate\s*watched for \d+ (seconds|minutes)$/.exec(cells[4]);
    assert.ok(told, cells[4]);
    within(Number(told[1]), minutes - 1, minutes + 1, 'minutes');
    assert.equal(cells[0], 'grown');
    assert.equal(await items('steady').getAttribute('aria-valuetext'), '600, 6 %');
    assert.equal(await items('full').getAttribute('aria-valuenow'), '10000');
    // What is too large already goes on growing.
    within(numberIn(await row('full').getByRole('cell').nth(3).innerText()), 35, 90, 'items a minute');
    assert.ok((await page.locator('table.collections tbody th').allInnerTexts())[0].startsWith('full'), 'the nearest to a limit first');
    // It leads to the collection.
    await row('steady').getByRole('link', { name: 'steady', exact: true }).click();
    await page.waitForURL(/#\/tables\/grown\?.*steady/);
    await assertWell(page);
  });

  it('forecasts when a collection of a model reaches its limit', async () => {
    const page = await browser.open(server.url, 'heat?view=limits');
    // As long as a forecast takes, and no longer.
    await page.route('**/workbench/api/commands', (route) => {
      const body = route.request().postData();
      return route.continue(body?.includes('"watch"') ? { postData: body.replace('"75s"', '"9s"').replace('"5s"', '"1s"').replace('"15s"', '"4s"') } : {});
    });
    await page.locator('.watch-form select').first().selectOption('posts');
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.getByText('Watching posts…').waitFor();
    const limits = page.locator('table.collections');
    const row = limits.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Items of a collection' }) }).filter({ hasText: 'ann' });
    await row.waitFor({ timeout: 40_000 });
    assert.match(await row.getByRole('cell').last().innerText(), /^in [\d,]+ (minutes|hours|days) at this rate\s*watched for \d+ seconds$/);
    const meter = await row.getByRole('meter').getAttribute('aria-valuetext');
    assert.match(meter, /^[\d,]+ of 10,000, /);
    const { Count } = await request('Query', { TableName: 'app', Select: 'COUNT', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'USER#ann#2026-06' } } });
    within(numberIn(meter), Count * 0.5, Count, 'items of it');
    // Each limit is told in words.
    assert.deepEqual((await limits.locator('tbody th').allInnerTexts()).filter((text) => /^[a-z-]+$/.test(text)), []);
    await page.getByText(/^Watched for \d+ seconds: /).waitFor();
    await assertWell(page);

    // What is beyond what the model declares is told at once, and in the words of the others.
    const users = Array.from({ length: 31 }, (_, at) => ({ id: `u${at}`, name: 'n' }));
    const pairs = users.flatMap((one, at) => users.slice(at + 1).map((other) => [one.id, other.id]));
    const crowd = (most) => `model crowd { entity User { id id; name } rel User *--* User as friends { size avg 20 max ${most}; via lists } }`;
    await serveModel(server.url, crowd(90), { User: users, links: { 'User.friends': pairs } });
    await serveModel(server.url, crowd(25), {});
    await page.reload();
    await page.locator('.watch-form select').first().selectOption('crowd');
    await page.getByRole('button', { name: 'Watch' }).click();
    const words = 'Entries within one item, of what the model declares';
    await page.getByRole('list', { name: 'Events' }).getByText(`${words}: 120 % of 100 %`).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('It was stopped before the figures were told.').waitFor();
    await assertWell(page);
  });
});
