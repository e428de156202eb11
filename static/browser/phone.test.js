// The page on a phone: both lanes at once, the lesson one tap away, the time at hand.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { onceDrawn } from './sight.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The upper and the lower end of a part of the page. @param {Page} page @param {string} selector */
const ends = (page, selector) => page.locator(selector).evaluate((part) => {
  const { top, bottom } = part.getBoundingClientRect();
  return { top, bottom };
});

test('a start brings both lanes into sight, between what happened and the bar, with 3 and with 8 clients', async () => {
  const { page, complaints } = await open(browser, phone);
  await page.goto(playground.page);
  await page.getByRole('button', { name: 'Run settings' }).tap();
  // At the first release, which is decisive, the view brings others into sight: it is to come late.
  await page.getByLabel('Delay').selectOption('1000');
  for (const clients of [3, 8]) {
    await page.getByLabel('Clients, number').fill(String(clients));
    await page.getByLabel('Clients, number').press('Tab');
    await page.locator('#run-bar').getByRole('button', { name: /^(Start|Restart)$/ }).tap();
    await page.waitForFunction((count) => document.querySelectorAll('.lane .client').length === 2 * count, clients);
    await page.waitForFunction(() => Math.abs((document.querySelector('.lanes')?.getBoundingClientRect().top ?? 0) - (document.querySelector('#caption')?.getBoundingClientRect().bottom ?? 99)) < 12);
    const [above, first, second, below] = [await ends(page, '#caption'), await ends(page, '.lane:first-child'), await ends(page, '.lane:last-child'), await ends(page, '#dock')];
    assert.ok(above.bottom <= first.top && first.bottom < second.top && second.bottom <= below.top, `${clients} clients: ${JSON.stringify([above, first, second, below])}`);
    assert.equal(await page.locator('.client .state').first().isVisible(), true, 'with words');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), phone.viewport.width);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the bar leads to the lesson and back to where the lanes were, and stops the time', async () => {
  const { page } = await open(browser, phone);
  await page.goto(playground.page);
  const dock = page.getByRole('navigation', { name: 'Lesson and time' });
  await page.locator('.lane').first().scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await dock.getByRole('button', { name: 'Lesson' }).tap();
  await page.getByRole('heading', { name: 'The herd effect' }).waitFor();
  assert.equal(await page.locator('#lanes').isVisible(), false);
  assert.deepEqual(await violations(page), []);
  await dock.getByRole('button', { name: 'Lanes' }).tap();
  await page.locator('.lane').first().waitFor();
  assert.equal(await page.evaluate(() => scrollY), before);
  await dock.getByRole('button', { name: 'Pause' }).tap();
  await page.locator('.my-time .behind').waitFor();
  await dock.getByRole('button', { name: 'Play' }).waitFor();
  await dock.getByRole('button', { name: 'Live' }).tap();
  await dock.getByRole('button', { name: 'Pause' }).waitFor();
  await dock.getByRole('button', { name: 'Lesson' }).tap();
  await page.getByRole('button', { name: 'Run this' }).first().tap();
  await page.locator('.lane').first().waitFor();
  await page.context().close();
});

/** What lies over the tab of the panel that is open, and which parts of it lie over one another. */
function inTheWay() {
  const box = (/** @type {Element | null} */ part) => part?.getBoundingClientRect() ?? new DOMRect();
  const { x, y, width, height } = box(document.querySelector('[role=tab][aria-selected=true]'));
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  const parts = [...document.querySelectorAll('.inspector section')].filter((part) => part.checkVisibility()).map(box);
  const over = parts.filter((one, index) => parts.slice(index + 1).some((other) => one.bottom > other.top + 1 && other.bottom > one.top + 1 && one.right > other.left + 1 && other.right > one.left + 1));
  return [...found?.closest('[role=tab]') ? [] : [`over the tab: ${found?.className}`], ...over.map(({ top, bottom }) => `a part over another: ${top} to ${bottom}`)];
}

test('a panel opens under its tab, and no part of it lies over another, also on a laptop at 200 %', async () => {
  const { page } = await open(browser, phone);
  await page.goto(playground.page);
  await page.locator('.lane .client').first().waitFor();
  for (const size of [phone.viewport, { width: 720, height: 450 }]) {
    await page.setViewportSize(size);
    for (const name of ['Events', 'In words', 'Inspector', 'Belief', 'Numbers']) {
      await openPanel(page, name);
      if (name === 'Inspector') await page.locator('.inspector select').selectOption({ index: 1 });
      assert.deepEqual(await onceDrawn(page, inTheWay), [], `${name} at ${size.width}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), size.width, name);
    }
  }
  await page.context().close();
});
