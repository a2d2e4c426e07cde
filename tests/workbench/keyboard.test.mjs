// Whole tasks with the keyboard alone. The focus is never lost, and can be seen wherever it is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { call, startServer } from './server.mjs';

/** Where the focus is, as one is told it, and whether it shows: there is a ring. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    // Of what scrolls, the frame around it has the ring.
    const frame = element.closest('.editor, .grid-frame');
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isShown = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || (frame !== null && parseFloat(getComputedStyle(frame, '::after').borderTopWidth) >= 2);
    const box = element.getBoundingClientRect();
    return {
      tag: element.localName,
      name: (element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '').trim(),
      // A heading that says where one has come to is no place to do something.
      isShown: isShown || (element.tabIndex === -1 && /^(h[1-3]|main)$/.test(element.localName)),
      isInSight: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    };
  });

describe('the keyboard alone', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['hr'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const assertFocus = async (page, after) => {
    const is = await focused(page);
    assert.notEqual(is.tag, 'body', `the focus is lost after ${after}`);
    assert.ok(is.isShown && is.isInSight, `the focus cannot be seen after ${after}: ${JSON.stringify(is)}`);
    return is;
  };
  const press = async (page, key) => {
    await page.keyboard.press(key);
    return assertFocus(page, key);
  };
  /** Presses a key until the focus is where one wants to go. */
  const goTo = async (page, wanted, { key = 'Tab', most = 60 } = {}) => {
    const been = [];
    for (let pressed = 0; pressed < most; pressed++) {
      // In an editor Tab indents, and Escape lets one go: it says so.
      const text = page.locator('.cm-content:focus');
      if (key.endsWith('Tab') && (await text.count()) > 0) {
        assert.match(await text.getAttribute('aria-description'), /Escape, then Tab/);
        await page.keyboard.press('Escape');
      }
      const { tag, name } = await press(page, key);
      if (wanted.test(name)) return name;
      been.push(`${tag} ${name.slice(0, 30)}`);
    }
    assert.fail(`${wanted} is not reached: ${been.join(', ')}`);
  };
  const untilFocus = async (page, wanted) => {
    await page.waitForFunction(
      (text) => {
        const { activeElement: is } = document;
        return new RegExp(text).test(`${is.localName} ${is.getAttribute('aria-label') ?? is.innerText ?? ''}`.trim());
      },
      wanted.source,
    );
    return assertFocus(page, `going to ${wanted}`);
  };

  it('is enough to find an item, change it, and save it', async () => {
    const page = await browser.open(server.url, 'learn');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await goTo(page, /^Tables$/);
    await page.keyboard.press('Enter');
    await untilFocus(page, /^h1 Tables/);
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await goTo(page, /^hr-data$/);
    await press(page, 'Enter');
    const grid = page.getByRole('grid', { name: 'Items of hr-data' });
    await grid.getByRole('row').nth(2).waitFor();
    await goTo(page, /^Items of hr-data$/);
    const chosen = grid.locator('[aria-selected=true]');
    for (let before = ''; !before.includes('EMPLOYEE#e-2'); before = await chosen.first().innerText()) {
      await press(page, 'ArrowDown');
      await page.waitForFunction((was) => (document.querySelector('[role=grid] [aria-selected=true]')?.innerText ?? was) !== was, before);
    }
    assert.equal(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')), 'true', 'the row is told to be where one is');
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog', { name: /EMPLOYEE#e-2/ });
    await dialog.waitFor();
    await untilFocus(page, /^(input|textarea) /);
    await goTo(page, /^name$|^Value of name$/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Roberta');
    await goTo(page, /^Save$/);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await untilFocus(page, /^div Items of hr-data/);
    await grid.getByRole('gridcell').filter({ hasText: 'Roberta' }).first().waitFor();
    await assertFocus(page, 'the items were read again');
    const { Item } = await call(server.url, 'GetItem', { TableName: 'hr-data', Key: { PK: { S: 'EMPLOYEE#e-2' }, SK: { S: 'EMPLOYEE#e-2' } } });
    assert.equal(Item.name.S, 'Roberta');
    // One goes on where one was.
    await press(page, 'ArrowUp');
    await chosen.filter({ hasNotText: 'Roberta' }).first().waitFor();
    await press(page, 'ArrowDown');
    await chosen.filter({ hasText: 'Roberta' }).first().waitFor();
    await assertWell(page);
  });

  it('is enough to begin a model, and to store a relation otherwise', async () => {
    const page = await browser.open(server.url);
    await page.getByRole('link', { name: 'hr-data' }).waitFor();
    await goTo(page, /^Model$/);
    await page.keyboard.press('Enter');
    await untilFocus(page, /^h1 Model/);
    await goTo(page, /^Departments and employees/);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: /Relationship diagram of company/ }).waitFor();
    await page.getByRole('textbox', { name: /Text of the model/ }).waitFor();
    await assertFocus(page, 'the model was begun');
    await goTo(page, /^Diagram$/);
    await goTo(page, /^Relations$/, { key: 'ArrowRight', most: 6 });
    await page.getByRole('article', { name: 'Relation Department.staff' }).waitFor();
    await goTo(page, /^Use it….*edges pk one for Department\.staff/s);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Department.staff via edges pk one' });
    await dialog.getByRole('heading', { name: 'Cost' }).waitFor();
    await assertFocus(page, 'what it changes was told');
    await goTo(page, /^Use it$/);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // Where it can be taken back.
    await untilFocus(page, /^div Text of the model/);
    const content = page.locator('.cm-content');
    const storedSo = /^ *rel Department 1--\* .*via edges pk one/m;
    assert.match(await content.innerText(), storedSo);
    await press(page, 'Control+z');
    assert.doesNotMatch(await content.innerText(), storedSo);
    await press(page, 'Control+y');
    assert.match(await content.innerText(), storedSo);
    // It is served; the button that led there is gone with that, here after the dialog.
    await goTo(page, /^Serve it$/, { key: 'Shift+Tab' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Serve the model' }).waitFor();
    await goTo(page, /^Serve it$/);
    let isClosed;
    const closed = new Promise((resolve) => (isClosed = resolve));
    await page.route('**/workbench/api/about', (route) => closed.then(() => route.continue()));
    await page.keyboard.press('Enter');
    await page.getByText(/company is served\./).first().waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await assertFocus(page, 'the dialog was closed');
    isClosed();
    await page.getByText('Served in the layout default').waitFor();
    await page.getByRole('link', { name: 'Run its patterns' }).waitFor();
    await untilFocus(page, /^h1 Model/);
    await goTo(page, /^Run its patterns$/);
    await page.keyboard.press('Enter');
    await untilFocus(page, /^h1 Patterns/);
    await assertWell(page);
  });
});
