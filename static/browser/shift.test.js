// Every scenario in a window that has just room for it: its run bar has one line, its lanes
// one height, and nothing moves but what the run moves, as browsers measure layout shift.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { unreadable } from './sight.js';

/** @import { Browser } from 'playwright-core' */

/** How long each scenario is watched, in milliseconds: SHIFT_WATCHED=15000 for all that happens in them. */
const WATCHED = Number(process.env['SHIFT_WATCHED'] ?? 3000);
/** The most that they may shift; up to 0.1 is called good. */
const MOST = 0.02;

/** How many pages share the scenarios. */
const PAGES = 2;

/** One for each page. @type {Playground[]} */ let playgrounds = [];
/** @type {Browser} */ let browser;

before(async () => {
  browser = await launch();
  playgrounds = await Promise.all(Array.from({ length: PAGES }, () => Playground.start()));
});
after(async () => {
  await browser?.close();
  await Promise.all(playgrounds.map((playground) => playground.stop()));
});

/** Collects what shifts from now on. */
function collectShifts() {
  const page = /** @type {any} */ (window);
  page.shifts = [];
  new PerformanceObserver((list) => page.shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
}

/** What has shifted since an instant of the page's clock: the sum, and each part in words. @param {number} since */
function shiftsFrom(since) {
  const entries = /** @type {any} */ (window).shifts.filter((/** @type {any} */ { startTime, hadRecentInput }) => startTime >= since && !hadRecentInput);
  return {
    sum: entries.reduce((/** @type {number} */ sum, /** @type {any} */ { value }) => sum + value, 0),
    parts: entries.flatMap((/** @type {any} */ { value, sources }) => sources.map((/** @type {any} */ { node, previousRect: from, currentRect: to }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${value.toFixed(4)} ${element?.closest('[id]')?.id} ${element?.tagName}.${element?.getAttribute('class')} "${element?.textContent?.trim().slice(0, 40)}" `
        + `${[from, to].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join(' to ')}`;
    })),
  };
}

/** Runs some scenarios on a page, one after the other. Returns what shifts too much or cannot be read. @param {Playground} playground @param {Iterable<{ name: string, lanes: { name: string }[] }>} some @param {(line: string) => void} tell */
async function watch(playground, some, tell) {
  const { page } = await open(browser, { viewport: { width: 1280, height: 900 } });
  await page.goto(playground.page);
  await page.getByRole('button', { name: /^Run herd/ }).waitFor();
  await page.evaluate(collectShifts);
  const much = [];
  for (const { name, lanes } of some) {
    await playground.call('POST', 'run', { scenario: name, step: false });
    await page.locator(`.lane[data-lane="${lanes.at(-1)?.name}"] .client`).first().waitFor();
    much.push(...(await page.evaluate(unreadable)).map((what) => `${name}: ${what}`));
    const since = await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }).then(() => performance.now()));
    await page.waitForTimeout(WATCHED);
    const { sum, parts } = await page.evaluate(shiftsFrom, since);
    tell(`${name}: ${sum.toFixed(4)}`);
    if (sum >= MOST) much.push(`${name}: ${sum.toFixed(4)}`, ...parts);
    else if (process.env['SHIFT_WATCHED']) parts.forEach(tell);
  }
  await page.context().close();
  return much;
}

test('every scenario has its room, and shifts the page by no more than 0.02 while it runs', async (context) => {
  const { scenarios } = await (await fetch(`${playgrounds[0]?.url}/api/scenarios`)).json();
  const todo = scenarios.values(); // the pages take from one list
  const much = await Promise.all(playgrounds.map((playground) => watch(playground, todo, (line) => context.diagnostic(line))));
  assert.deepEqual(much.flat(), []);
});
