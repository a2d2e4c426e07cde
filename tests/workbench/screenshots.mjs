// Pictures of every page, with something on it: node screenshots.mjs DIRECTORY [NAME...]
import { join } from 'node:path';
import { startBrowser } from './browser.mjs';
import { call, EXAMPLES, startServer } from './server.mjs';

const [directory, ...wanted] = process.argv.slice(2);
const server = await startServer({ models: EXAMPLES });
const browser = await startBrowser();

async function take(name, place, prepare, look = {}) {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const page = await browser.open(server.url, place, { width: 1280, height: 760, ...look });
  await prepare(page);
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(directory, `${name}.png`) });
  await page.context().close();
  console.log(name);
}

try {
  await take('tables', 'tables/hr-data?beside=GSI1', async (page) => {
    await page.getByRole('grid', { name: 'Items of hr-data' }).getByRole('gridcell', { name: 'EMPLOYEE#e-2' }).first().click();
  });
  await take('query', 'tables/shop?view=query&q=' + encodeURIComponent('{"partition":["CUSTOMER#ann"]}'), async (page) => {
    await page.getByRole('button', { name: /^Run the/ }).click();
    await page.getByRole('region', { name: 'Results' }).getByRole('row').nth(2).waitFor();
  });
  await take('partiql', 'tables?console=partiql', async (page) => {
    const statement = page.getByRole('textbox', { name: 'Statement' });
    await page.locator('.cm-content').first().waitFor();
    await statement.fill(`SELECT * FROM "hr-data"."GSI1" WHERE GSI1PK = 'DEPARTMENT#d-2'`);
    await statement.press('Control+Enter');
    await page.getByText('EMPLOYEE#e-4').first().waitFor();
  });
  await take('item', 'tables/hr-data', async (page) => {
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'EMPLOYEE#e-2' }).first().dblclick();
    await page.getByRole('dialog').waitFor();
  });
  await take('model', 'model/hr', (page) => page.getByRole('img', { name: /Relationship diagram/ }).waitFor());
  await take('strategy', 'model/hr?relation=Department.staff&strategy=' + encodeURIComponent('edges pk one'), async (page) => {
    await page.getByRole('dialog').getByRole('heading', { name: 'Cost' }).waitFor();
  });
  await take('relations', 'model', async (page) => {
    await page.getByRole('button', { name: /Departments and employees/ }).click();
    await page.getByRole('button', { name: 'Close the guide' }).click();
    await page.getByRole('tab', { name: 'Relations' }).click();
    await page.getByRole('article', { name: 'Relation Department.staff' }).waitFor();
    await page.getByText('No mistakes').waitFor();
  }, { height: 660 });
  await take('patterns', 'patterns/hr/home', async (page) => {
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => /^e-/.test(input.value)));
    await page.getByLabel(/^e /).press('Control+Enter');
    await page.getByRole('region', { name: 'Raw items' }).getByText('GetItem').nth(1).waitFor();
    await page.getByRole('heading', { name: 'home' }).evaluate((heading) => heading.scrollIntoView({ block: 'end' }));
  }, { height: 1080 });
  await take('coverage', 'patterns/hr?show=coverage', (page) => page.getByText('nobody').first().waitFor());
  await take('compare', 'compare/hr', async (page) => {
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('The same answers.').waitFor({ timeout: 300_000 });
  });
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      for (const name of ['TOM', 'TOM', 'TOM', 'ANN', 'TOM', 'BOB'])
        await call(server.url, 'Query', {
          TableName: 'school',
          KeyConditionExpression: 'PK = :p',
          ExpressionAttributeValues: { ':p': { S: `STUDENT#${name}` } },
        });
    }
  };
  const readers = [reader(), reader()];
  await take('heat', 'heat/school', (page) => page.waitForTimeout(25_000));
  isOver = true;
  await Promise.all(readers);
  await take('learn', 'learn/hr', (page) => page.getByRole('heading', { name: 'The idea in one drawing' }).waitFor());
  await take('phone', 'tables/hr-data', (page) => page.getByRole('gridcell').first().waitFor(), { width: 390, height: 760 });
  await take('dark', 'tables/hr-data?beside=GSI1', (page) => page.getByRole('gridcell').first().waitFor(), { colorScheme: 'dark' });
} finally {
  await browser.close();
  await server.stop();
}
