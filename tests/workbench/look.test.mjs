// Every page on a phone and in the dark: nothing sticks out, and all of it can be read.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

// A page, and what is there when it has come.
const PAGES = [
  ['tables', (page) => page.getByRole('heading', { name: 'Choose a table' })],
  ['tables/hr-data', (page) => page.getByRole('grid').getByRole('gridcell').first()],
  ['tables/hr-data?view=query', (page) => page.getByRole('form', { name: 'Query builder' })],
  ['tables?console=partiql', (page) => page.getByLabel('Statement')],
  ['model', (page) => page.getByRole('button', { name: /Departments and employees/ })],
  ['model/hr', (page) => page.getByRole('img', { name: /Relationship diagram/ })],
  ['model/hr?view=relations', (page) => page.getByRole('article').first()],
  ['patterns/hr', (page) => page.getByRole('link', { name: /teamIds/ }).first()],
  ['patterns/hr?show=coverage', (page) => page.getByRole('region', { name: 'Patterns by keys and indexes' })],
  ['compare/hr', (page) => page.getByRole('button', { name: 'Measure' })],
  ['heat', (page) => page.getByRole('button', { name: 'Make some load' }).first()],
  ['heat?view=limits', (page) => page.getByRole('button', { name: 'Watch' })],
  ['learn', (page) => page.getByRole('link', { name: /Departments and employees in four methods/ })],
  ['learn/hr', (page) => page.getByRole('form', { name: /^Run/ }).first()],
];

describe('the look of the pages', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['hr'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const [name, look] of [
    ['on a phone', { width: 390, height: 800 }],
    ['in the dark', { colorScheme: 'dark' }],
  ])
    it(`is readable ${name}`, async () => {
      const page = await browser.open(server.url, 'learn/first-steps', look);
      for (const [place, shown] of PAGES) {
        await page.goto(`${server.url}/workbench/#/${place}`);
        await shown(page).waitFor();
        const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.documentElement.scrollHeight, innerHeight]);
        assert.ok(sizes[0] <= sizes[1] && sizes[2] <= sizes[3], `nothing sticks out of ${place}: ${sizes}`);
        await assertWell(page);
      }
    });
});
