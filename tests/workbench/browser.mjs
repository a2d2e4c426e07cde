// A browser, and pages that may say nothing in its console and must be accessible.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(new URL('node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
const PAGE = process.env.SHEAF_TESTS_PAGE; // a directory that Vite has built, to be tried in place of the page in the binary
const EXECUTABLE = process.env.SHEAF_TESTS_CHROMIUM ?? '/usr/bin/chromium';

export async function startBrowser() {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });

  /** A page of the workbench: #/PLACE. What it says in the console is kept in `complaints`. */
  async function open(url, place = '', { width = 1280, height = 800, colorScheme = 'light' } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP: true, permissions: ['clipboard-read', 'clipboard-write'] });
    if (PAGE)
      await context.route(/\/workbench\/(?!api\/)/, (route) => {
        const { pathname } = new URL(route.request().url());
        const path = join(PAGE, pathname.slice('/workbench/'.length) || 'index.html');
        return existsSync(path) ? route.fulfill({ path }) : route.continue();
      });
    const page = await context.newPage();
    page.complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) page.complaints.push(`${message.text()} ${message.location().url}`.trim());
    });
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    page.setDefaultTimeout(20_000);
    await page.goto(`${url}/workbench/#/${place}`);
    return page;
  }
  return { open, close: () => browser.close() };
}

/** What axe finds that is serious: rule, what is wrong, and where. */
export async function seriousFindings(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`);
}

/** Nothing was said in the console, nothing serious is wrong for those who cannot see or use a mouse. */
export async function assertWell(page, allowed = /$^/) {
  assert.deepEqual(
    page.complaints.filter((text) => !allowed.test(text)),
    [],
  );
  assert.deepEqual(await seriousFindings(page), []);
}
