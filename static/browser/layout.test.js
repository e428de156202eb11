// The stage comes first: how much of the window it has, that each line over and under
// it is one line, in every size and language, and when the lanes scroll.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { onceDrawn } from './sight.js';

/** @import { Browser, BrowserContextOptions } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => {
  [playground, browser] = await Promise.all([Playground.start(), launch()]);
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms' });
});
after(async () => { await browser?.close(); await playground?.stop(); });

/** A page that is paused, so that its line of time has most to say. @param {BrowserContextOptions} options */
async function paused(options) {
  const opened = await open(browser, options);
  await opened.page.goto(playground.page);
  await opened.page.locator('.lane .client.is-holds').first().waitFor();
  await opened.page.keyboard.press('k');
  await opened.page.locator('.my-time .behind').waitFor();
  return opened;
}

test('by default the view has at least 60 % of the area beside the lesson, which has no more than a quarter of the window', async () => {
  const { page } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.page);
  await page.locator('.lane .client.is-holds').first().waitFor();
  for (const view of ['Picture', 'Sequence']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    const part = await page.evaluate((id) => {
      const [shown, lesson] = [id, 'lesson'].map((each) => document.getElementById(each)?.getBoundingClientRect());
      return { lesson: (lesson?.width ?? 0) / innerWidth, view: (shown?.width ?? 0) * (shown?.height ?? 0) / ((innerWidth - (lesson?.width ?? 0)) * innerHeight) };
    }, view === 'Picture' ? 'lanes' : 'sequence');
    assert.ok(part.view >= 0.6, `${view}: ${Math.round(part.view * 100)} %`);
    assert.ok(part.lesson > 0.15 && part.lesson <= 0.25, `the lesson: ${Math.round(part.lesson * 100)} %`);
  }
  await page.context().close();
});

/** What does not stand in its line, sticks out of it or is cut off. @param {string[]} lines one line each @returns {string[]} */
function broken(lines) {
  const seen = (/** @type {Element} */ each) => each.checkVisibility() && each.getBoundingClientRect().width > 2;
  return lines.flatMap((line) => {
    const host = document.querySelector(line);
    const parts = [...host?.children ?? []].filter(seen);
    const frame = host?.getBoundingClientRect();
    const middles = parts.map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
    const apart = Math.max(...middles) - Math.min(...middles);
    const cut = [...host?.querySelectorAll('button, .my-time, .my-time *') ?? []].filter(seen).filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline');
    const out = parts.filter((part) => part.getBoundingClientRect().right > (frame?.right ?? 0) + 1 || part.getBoundingClientRect().right > innerWidth);
    return [...apart > 4 ? [`${line} is more than one line`] : [], ...cut.map((part) => `${line}: cut off ${part.textContent}`), ...out.map((part) => `${line}: sticks out ${part.textContent}`)];
  });
}

for (const locale of ['en-US', 'zh-CN', 'ru-RU']) {
  test(`in ${locale} each line is one line at each width, nothing is cut off, and the page does not scroll`, async () => {
    const { page, complaints } = await paused({ locale });
    for (const [width, height] of /** @type {const} */ ([[1920, 1080], [1440, 900], [1366, 768], [1280, 720]])) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
      assert.deepEqual(await page.evaluate(broken, ['.bar', '#run-bar', '.transport', '.rail']), [], `${width}`);
      const heights = await page.evaluate(() => ['.bar', '#run-bar', '#caption', '#timeline', '.rail'].map((line) => document.querySelector(line)?.getBoundingClientRect().height ?? 0));
      assert.ok(heights.every((each) => each <= 49), `each is slim at ${width}: ${heights.map(Math.round).join(', ')}`);
      assert.deepEqual(await page.evaluate(() => [document.documentElement, document.getElementById('stage')].map((each) => (each?.scrollHeight ?? 0) - (each?.clientHeight ?? 0))), [0, 0], `${width}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${width}`);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test('a window of 60rem, and one that is a pixel wider, has one of the two layouts', async () => {
  const { page } = await paused({ viewport: { width: 960, height: 700 } });
  for (const width of [960, 961]) {
    await page.setViewportSize({ width, height: 700 });
    const [dock, side] = await page.evaluate(() => [getComputedStyle(document.getElementById('dock') ?? document.body).display !== 'none', getComputedStyle(document.body).overflowY !== 'visible' || document.body.clientHeight <= innerHeight]);
    assert.deepEqual([dock, await page.evaluate(() => matchMedia('(width <= 60rem)').matches)], [width === 960, width === 960]);
    assert.ok(side || width === 960);
  }
  await page.context().close();
});

/** Whether the lanes go on below their edge, and whether they fade there. */
function below() {
  const lanes = /** @type {HTMLElement} */ (document.getElementById('lanes'));
  return [...lanes.scrollHeight > lanes.clientHeight ? ['scrolls'] : [], ...getComputedStyle(lanes).maskImage === 'none' ? [] : ['fades']];
}

/** The heads of columns that reach into the next one. */
const wideHeads = () => [...document.querySelectorAll('.panel th')].filter((head) => head.checkVisibility() && head.scrollWidth > head.clientWidth + 1).map(({ textContent }) => `wide: ${textContent}`);

for (const scenario of ['predecessor', 'herd-vs-predecessor']) {
  test(`no lane of ${scenario} scrolls whose clients are in one row, and no panel has too wide a head of a column, at each size and beside each panel`, async () => {
    const { page } = await open(browser);
    for (const clients of [2, 4, 8]) {
      await playground.call('POST', 'run', { scenario, delay: '50ms', clients });
      await page.goto(playground.page);
      await page.locator('.lane .client.is-holds').first().waitFor();
      for (const [width, height] of /** @type {const} */ ([[1920, 1080], [1440, 900], [1366, 768]])) {
        await page.setViewportSize({ width, height });
        for (const name of await page.getByRole('tab').allTextContents()) {
          await openPanel(page, name);
          for (const find of [below, wideHeads]) assert.deepEqual(await onceDrawn(page, find), [], `${clients} clients, ${width}x${height}, ${name}`);
        }
      }
    }
    await page.context().close();
  });
}

test('lanes with more rows of clients than fit beside a panel scroll, and fade at their edge until all has been seen', async () => {
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms', clients: 16 });
  const { page } = await open(browser, { viewport: { width: 1366, height: 768 } });
  await page.goto(playground.page);
  await openPanel(page, 'Events');
  const lanes = page.locator('#lanes.more');
  await lanes.waitFor();
  assert.deepEqual(await page.evaluate(below), ['scrolls', 'fades']);
  await lanes.evaluate((all) => all.scrollTo(0, all.scrollHeight));
  await lanes.waitFor({ state: 'detached' });
  assert.deepEqual(await page.evaluate(below), ['scrolls']);
  await page.context().close();
});
