// Nothing moves but what a run moves: the layout shift of every scenario, as browsers measure it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, moving, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser } from 'playwright-core' */

/** How long each scenario is watched, in milliseconds: SHIFT_WATCHED=15000 for all that happens in them. */
const WATCHED = Number(process.env['SHIFT_WATCHED'] ?? 4000);
/** The most that they may shift; up to 0.1 is called good. */
const MOST = 0.02;

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

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

test('no scenario shifts the page by more than 0.02 while it runs', async (context) => {
  const { page } = await open(browser, { viewport: { width: 1440, height: 900 }, ...moving });
  await page.goto(playground.page);
  await page.getByRole('button', { name: /^Run herd/ }).waitFor();
  await page.evaluate(collectShifts);
  const { scenarios } = await (await page.request.get(`${playground.url}/api/scenarios`)).json();
  const much = [];
  for (const { name, lanes } of scenarios) {
    await playground.call('POST', 'run', { scenario: name, step: false });
    await page.locator(`.lane[data-lane="${lanes.at(-1).name}"] .client`).first().waitFor();
    const since = await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }).then(() => performance.now()));
    await page.waitForTimeout(WATCHED);
    const { sum, parts } = await page.evaluate(shiftsFrom, since);
    context.diagnostic(`${name}: ${sum.toFixed(4)}`);
    if (sum >= MOST) much.push(`${name}: ${sum.toFixed(4)}`, ...parts);
    else if (process.env['SHIFT_WATCHED']) parts.forEach((/** @type {string} */ part) => context.diagnostic(part));
  }
  assert.deepEqual(much, []);
  await page.context().close();
});
