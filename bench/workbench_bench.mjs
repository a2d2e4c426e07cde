// How soon one can use a table of a million items in the workbench, and how smoothly it scrolls, in a real browser.
// Frames are counted beside those of a page that draws nothing while it is scrolled: the best that this machine can do.
import { writeFileSync } from 'node:fs';
import { startBrowser } from '../tests/workbench/browser.mjs';
import { startServer } from '../tests/workbench/server.mjs';

const HELP = `script/bench workbench [--items 1000000] [--rounds 5] [--json FILE]`;
const options = { items: '1000000', rounds: '5', json: '' };
for (let i = 2; i < process.argv.length; i += 2) {
  const name = process.argv[i].replace(/^--/, '');
  if (!(name in options) || process.argv[i + 1] === undefined) {
    console.log(HELP);
    process.exit(name === 'help' ? 0 : 2);
  }
  options[name] = process.argv[i + 1];
}
const ITEMS = Number(options.items);
const ROUNDS = Number(options.rounds);
const SCROLLED_MS = 4000;
const EMPTY = 'data:text/html,<div style="height:600px;overflow:auto" role="grid"><div style="height:12000000px">nothing</div></div>';

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const figures = [];
const note = (figure, value, unit, goal = null, ok = true) => {
  figures.push({ figure, value, unit, goal, ok });
  console.error(`  ${figure}: ${value.toPrecision(4)} ${unit}`);
};

/** From the first answer with items until a key that was pressed has chosen a row, and this is drawn. */
async function firstView(browser, server) {
  const page = await browser.open(server.url, 'tables');
  await page.getByRole('link', { name: 'many', exact: true }).waitFor();
  const answered = page.waitForResponse((response) => /Scan|Query/.test(response.request().headers()['x-amz-target'] ?? ''));
  await page.evaluate(() => {
    performance.setResourceTimingBufferSize(5000);
    performance.clearResourceTimings();
    const look = () => {
      const grid = document.querySelector('[role=grid]');
      if (!grid?.querySelector('.grid-row:not(.waiting)')) return requestAnimationFrame(look);
      // A frame later it has been drawn: now somebody uses it.
      requestAnimationFrame(() => {
        globalThis.drawnAt = performance.now();
        grid.focus();
        grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
        const moved = () => {
          if (!grid.querySelector('[aria-selected=true]')) return requestAnimationFrame(moved);
          requestAnimationFrame(() => (globalThis.usedAt = performance.now()));
        };
        requestAnimationFrame(moved);
      });
    };
    requestAnimationFrame(look);
    location.hash = '#/tables/many';
  });
  await answered;
  await page.waitForFunction(() => globalThis.usedAt !== undefined);
  const times = await page.evaluate(() => {
    const answers = performance.getEntriesByType('resource').filter((each) => each.initiatorType === 'fetch' && each.responseEnd <= globalThis.drawnAt);
    return { answer: Math.max(...answers.map((each) => each.responseEnd)), drawn: globalThis.drawnAt, used: globalThis.usedAt, opened: Math.min(...answers.map((each) => each.startTime)) };
  });
  await page.context().close();
  return { drawn: times.drawn - times.answer, used: times.used - times.answer, whole: times.used - times.opened };
}

/** Frames while the wheel is turned. */
async function scroll(page) {
  const box = await page.getByRole('grid').first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => {
    const frames = (globalThis.frames_ = []);
    let last = performance.now();
    const tick = (now) => {
      frames.push(now - last);
      last = now;
      if (!globalThis.isDone) requestAnimationFrame(tick);
    };
    globalThis.isDone = false;
    requestAnimationFrame(tick);
  });
  const begin = Date.now();
  while (Date.now() - begin < SCROLLED_MS) {
    await page.mouse.wheel(0, 120);
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
  const frames = await page.evaluate(() => ((globalThis.isDone = true), globalThis.frames_.slice(2)));
  const time = frames.reduce((sum, each) => sum + each, 0);
  return { rate: (1000 * frames.length) / time, late: frames.filter((each) => each > 25).length / frames.length, longest: Math.max(...frames) };
}

const server = await startServer({ models: [], many: ITEMS });
const browser = await startBrowser();
try {
  const views = [];
  for (let round = 0; round < ROUNDS; ++round) views.push(await firstView(browser, server));
  note('first view: from the answer to what is drawn', median(views.map((each) => each.drawn)), 'ms');
  const used = median(views.map((each) => each.used));
  note('first view: from the answer to a key that was obeyed', used, 'ms', '<= 1000', used <= 1000);
  note('first view: from the click to a key that was obeyed', median(views.map((each) => each.whole)), 'ms');

  const scrolled = { page: [], empty: [] };
  const page = await browser.open(server.url, 'tables/many');
  await page.getByRole('grid').getByRole('gridcell').first().waitFor();
  const empty = await browser.open(server.url);
  await empty.goto(EMPTY);
  for (let round = 0; round < ROUNDS; ++round) {
    await page.bringToFront();
    scrolled.page.push(await scroll(page));
    await empty.bringToFront();
    scrolled.empty.push(await scroll(empty));
  }
  const of = (what, part) => median(scrolled[what].map((each) => each[part]));
  note('scrolling: frames a second', of('page', 'rate'), '/s');
  note('scrolling: frames a second, of a page that draws nothing', of('empty', 'rate'), '/s');
  const share = of('page', 'rate') / of('empty', 'rate');
  note('scrolling: share of the frames', share, 'x', '>= 0.95', share >= 0.95);
  note('scrolling: frames later than 25 ms', 100 * of('page', 'late'), '%', '<= 5', of('page', 'late') <= 0.05);
  note('scrolling: frames later than 25 ms, of a page that draws nothing', 100 * of('empty', 'late'), '%');
  note('scrolling: the longest frame', of('page', 'longest'), 'ms');
} finally {
  await browser.close();
  await server.stop();
}

console.log(`\n${'figure'.padEnd(66)} ${'value'.padStart(10)} unit  goal`);
for (const { figure, value, unit, goal, ok } of figures)
  console.log(`${figure.padEnd(66)} ${value.toPrecision(4).padStart(10)} ${unit.padEnd(5)} ${goal ?? ''} ${goal === null ? '' : ok ? 'ok' : 'FALLS SHORT'}`);
if (options.json) writeFileSync(options.json, JSON.stringify(figures, null, 2) + '\n');
