// The editor of models, as somebody types: colours, completion by keyboard, layout, mistakes that come and go.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

/** For 75 ms a list that has opened takes no keys, so that nobody takes what was not seen; nothing on the page tells when that is over. */
const UNSEEN_MS = 100;

describe('the editor of models', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: ['hr'] });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const textOf = (page) => page.locator('.cm-content').evaluate((content) => content.cmView?.view?.state.doc.toString() ?? [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
  const open = async (look = {}) => {
    const page = await browser.open(server.url, 'model', look);
    await page.getByRole('button', { name: /Departments and employees/ }).click();
    await page.getByRole('textbox', { name: /Text of the model/ }).waitFor();
    await page.getByText('No mistakes').waitFor();
    return page;
  };
  /** Types another text in place of what is there, without what the editor adds to what one types. */
  const replace = async (page, text) => {
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
  };
  const toEndOf = async (page, text) => {
    await page.locator('.cm-line', { hasText: text }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.press('End'); // of the line, not of what is seen of it
  };
  const SMALL = 'model tiny {\n  entity Customer { id id; name }\n  entity Order { id id }\n  rel Customer 1--* Order as orders / customer { required; size avg 5 max 9 }\n}\n';

  it('completes with the keyboard: what is offered fits the place, and is taken with Enter or Tab', async () => {
    const page = await open();
    await toEndOf(page, /^ *rel Department/);
    await page.keyboard.press('Enter');
    await page.keyboard.type('pattern about(x: ');
    const list = page.getByRole('listbox');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Space');
    await list.waitFor();
    const names = await list.getByRole('option').locator('.cm-completionLabel').allInnerTexts();
    assert.ok(names.includes('Department') && names.includes('Employee') && !names.includes('pattern'), names.join());
    await page.waitForTimeout(UNSEEN_MS);
    const chosen = list.locator('[aria-selected=true] .cm-completionLabel');
    for (let at = 0; at < names.indexOf('Employee'); at++) {
      assert.equal(await chosen.innerText(), names[at]);
      await page.keyboard.press('ArrowDown');
      await page.waitForFunction((next) => document.querySelector('.cm-tooltip-autocomplete [aria-selected=true] .cm-completionLabel')?.innerText === next, names[at + 1]);
    }
    assert.equal(await page.locator('.cm-content').getAttribute('aria-activedescendant'), await list.locator('[aria-selected=true]').getAttribute('id'), 'it is told to those who do not see it');
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'detached' });
    assert.match(await textOf(page), /^ *pattern about\(x: Employee\)?$/m);
    // What the ends of the relation are called follows from it.
    await page.keyboard.press('End');
    await page.keyboard.type(' = $x.');
    await list.getByText('department', { exact: true }).waitFor();
    await page.keyboard.type('dep');
    await page.waitForFunction(() => document.querySelectorAll('.cm-tooltip-autocomplete [role=option]').length === 1);
    assert.equal(await chosen.innerText(), 'department');
    await page.waitForTimeout(UNSEEN_MS);
    await page.keyboard.press('Tab');
    await list.waitFor({ state: 'detached' });
    assert.match(await textOf(page), /^ *pattern about\(x: Employee\) = \$x\.department$/m);
    await page.getByText('No mistakes').waitFor();
    await assertWell(page);
  });

  it('colours what words are, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open({ colorScheme });
      const colours = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('span'));
        const named = (name) => ((probe.style.color = `var(${name})`), getComputedStyle(probe).color);
        const of = (line, word) => {
          const found = [...document.querySelectorAll('.cm-line')].filter((each) => each.textContent.includes(line)).flatMap((each) => [...each.querySelectorAll('span')]).find((span) => span.children.length === 0 && span.textContent.trim() === word);
          return found ? getComputedStyle(found).color : `no ${word} of its own`;
        };
        const found = {
          keyword: [of('entity Department', 'entity'), named('--code-keyword')],
          type: [of('entity Department', 'Department'), named('--code-type')],
          string: [of('matches "d-', '"d-.+"'), named('--code-string')],
          number: [of('size avg 20', '20'), named('--code-number')],
          comment: [of('// Four ways', [...document.querySelectorAll('.cm-line')].find((each) => each.textContent.includes('// Four ways')).textContent.trim()), named('--code-comment')],
          parameter: [of('pattern team(', '$d'), named('--code-name')],
        };
        probe.remove();
        return found;
      });
      for (const [what, [is, expected]] of Object.entries(colours)) assert.equal(is, expected, `${what}, ${colorScheme}`);
      assert.equal(new Set(Object.values(colours).map(([is]) => is)).size, 6, 'each is another');
      await assertWell(page);
    }
  });

  it('lays the text out, by the button and by the keys, which can be taken back', async () => {
    const page = await open();
    const messy = SMALL.replace(/\n +/g, '\n').replace(/; /g, '   ;').replace(' {', '{');
    await replace(page, messy);
    await page.getByText('No mistakes').waitFor();
    await page.getByRole('button', { name: 'Format' }).click();
    await page.waitForFunction(() => [...document.querySelectorAll('.cm-line')].some((line) => line.textContent === '  entity Order { id id }'));
    const tidy = await textOf(page);
    assert.equal(tidy.trim(), SMALL.trim());
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('Control+z');
    assert.equal((await textOf(page)).trim(), messy.trim());
    await page.getByText('No mistakes').waitFor();
    await page.keyboard.press('Shift+Alt+F');
    await page.waitForFunction(() => [...document.querySelectorAll('.cm-line')].some((line) => line.textContent === '  entity Order { id id }'));
    assert.equal(await textOf(page), tidy);
    await assertWell(page);
  });

  it('marks mistakes where they are while one types, leads to them, and forgets them when they are mended', async () => {
    const page = await open();
    await replace(page, SMALL);
    await page.getByText('No mistakes').waitFor();
    await toEndOf(page, 'entity Order');
    await page.keyboard.press('Enter');
    await page.keyboard.type('rel Order *--* Nobody as a / b', { delay: 10 });
    await page.getByRole('button', { name: '1 mistake' }).waitFor();
    const marked = page.locator('.cm-lintRange-error');
    assert.equal(await marked.first().innerText(), 'Nobody');
    assert.equal(await page.locator('.cm-gutter-lint .cm-lint-marker-error').count(), 1);
    assert.match(await page.locator('.first-mistake').innerText(), /Line 4: .*Nobody/);
    await toEndOf(page, 'entity Customer');
    await page.keyboard.press('Enter');
    await page.keyboard.type('entity Customer { id id }');
    await page.getByRole('button', { name: '2 mistakes' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Serve it', exact: true }).isDisabled(), true, 'it cannot be served so');
    // F8 goes to the next; typing over it mends it.
    await page.keyboard.press('Control+Home');
    for (let tried = 0; (await page.evaluate(() => getSelection().toString())) !== 'Nobody'; tried++) {
      assert.ok(tried < 4, 'the mistake is not reached');
      await page.keyboard.press('F8');
    }
    await page.keyboard.insertText('Customer');
    await page.getByRole('button', { name: '1 mistake' }).waitFor();
    await page.locator('.cm-line', { hasText: 'entity Customer { id id }' }).first().click();
    await page.keyboard.press('Control+Shift+K'); // the line goes
    await page.getByText('No mistakes').waitFor();
    assert.equal(await marked.count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Serve it', exact: true }).isDisabled(), false);
    await page.getByRole('img', { name: /Relationship diagram/ }).waitFor();
    await assertWell(page);
  });
});
