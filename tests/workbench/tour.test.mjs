// The tour through all examples, on a server that begins without any data, as `script/server --in-memory` does.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWell, startBrowser } from './browser.mjs';
import { EXAMPLES, startServer } from './server.mjs';

describe('the tour on a server in memory', () => {
  let server, browser;
  before(async () => {
    server = await startServer({ models: EXAMPLES, isInMemory: true });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('leads through every example: its data can be loaded, and its patterns answer', async () => {
    const page = await browser.open(server.url, 'learn');
    const stops = page.locator('.stops a');
    await stops.first().waitFor();
    const places = await stops.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    assert.equal(places.length, EXAMPLES.length);
    for (const place of places) {
      await page.goto(`${server.url}/workbench/${place}`);
      await page.getByRole('button', { name: 'Load its data' }).click();
      await page.getByText(`The data of ${place.split('/').pop()} is loaded.`).waitFor();
      const form = page.getByRole('form', { name: /^Run / }).first();
      await form.getByRole('button', { name: 'Run' }).click();
      await form.getByText(/\d+ requests?,/).first().waitFor();
      assert.equal(await form.getByText('There is none.').count(), 0, place);
    }
    await assertWell(page);
  });
});
