// The card of a run that is over. That its figures are what the server sums up, and those of
// the lanes, recorded.test.js says.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { recording } from '../test/recording.js';
import { violations } from './axe.js';
import { launch, moving, open } from './launch.js';
import { Playground } from './playground.js';
import { exported } from './recorded-page.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

/** @type {Browser} */ let browser;
/** @type {string} */ let folder;
before(async () => { [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'result-'))]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

const card = (/** @type {Page} */ page) => page.getByRole('region', { name: 'Result' });
const time = (/** @type {Page} */ page) => page.getByRole('slider', { name: 'Time' });

/** A page with a recorded run at its beginning. @param {string} name @param {BrowserContextOptions} [options] */
async function show(name, options) {
  const opened = await exported(browser, folder, name, options);
  await opened.page.goto(opened.address);
  await opened.page.locator('.lane .client').first().waitFor();
  return opened;
}

/** What is said to who listens, with how often. @param {Page} page @param {string} words */
const said = (page, words) => page.locator('#spoken p', { hasText: words }).count();

test('a run that is played to its end shows its card, which moves nothing, is told once and takes no focus', async () => {
  const { page, complaints } = await show('two-holders', moving);
  await page.keyboard.press('k');
  await page.waitForFunction(() => document.querySelector('.transport')?.textContent?.includes('Play'));
  await page.locator('.speed select, select.speed').first().selectOption('4');
  await page.evaluate(() => {
    // @ts-expect-error for the end of this test
    const shifts = globalThis.shifts = /** @type {number[]} */ ([]);
    new PerformanceObserver((list) => { for (const entry of /** @type {any[]} */ (list.getEntries())) shifts.push(entry.value); }).observe({ type: 'layout-shift' });
  });
  await page.keyboard.press('k');
  await card(page).waitFor({ timeout: 60_000 });
  await page.locator('#spoken p', { hasText: 'The run is over.' }).waitFor({ timeout: 30_000 });
  const sentence = (await card(page).locator('p').first().textContent() ?? '').trim();
  assert.match(sentence, /^The account should be \d+, is \d+: \d+ of client 2 lost\.$/);
  assert.equal(await said(page, sentence), 1);
  assert.equal(await card(page).evaluate((region) => region.closest('[aria-live], [role=status], [role=log], [role=alert]')), null);
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.result-card')), null);
  // @ts-expect-error set above
  const shifts = await page.evaluate(() => globalThis.shifts.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0));
  assert.ok(shifts < 0.02, `${shifts}`);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('by the keyboard alone it is closed, comes back with the end, and leads back to what decided', async () => {
  const { page } = await show('herd-vs-predecessor');
  await page.keyboard.press('k');
  assert.equal(await card(page).count(), 0);
  await page.keyboard.press('g');
  await card(page).waitFor();
  await page.keyboard.press('Escape');
  await card(page).waitFor({ state: 'detached' });
  await page.keyboard.press('['); // away from the end, and back
  await page.waitForFunction(() => !document.querySelector('#caption')?.textContent?.includes('The run is over'));
  assert.equal(await card(page).count(), 0);
  await page.keyboard.press('g');
  await card(page).waitFor();
  await page.locator('.lane .token').last().focus();
  for (let presses = 0; presses < 8 && !await page.evaluate(() => document.activeElement?.textContent === 'Look back'); presses++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await card(page).waitFor({ state: 'detached' });
  const heads = await page.locator('.figure strong').allTextContents();
  assert.deepEqual(heads, ['7', '6', '1', '0']);
  assert.ok(await time(page).evaluate((slider) => slider === document.activeElement), 'the focus is not lost');
  await page.context().close();
});

test('who comes to a moment in the middle sees no card', async () => {
  const { page, address } = await show('herd-vs-predecessor');
  await page.goto('about:blank');
  await page.goto(`${address}#run=${recording('herd-vs-predecessor').run.id}&at=4000000`);
  await page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '4000');
  assert.equal(await card(page).count(), 0);
  await page.context().close();
});

test('in every look it fits and axe finds nothing, and nothing in it moves', async () => {
  const looks = /** @type {const} */ ([[1440, 900, 'light'], [390, 844, 'dark']]);
  for (const name of ['herd-vs-predecessor', 'two-holders', 'two-holders-fenced']) {
    const { page } = await show(name, moving);
    await page.keyboard.press('g');
    await card(page).waitFor();
    assert.equal(await card(page).evaluate((region) => region.getAnimations({ subtree: true }).length), 0);
    for (const [width, height, colorScheme] of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const over = await card(page).evaluate((region) => {
        const [own, lanes] = [region.getBoundingClientRect(), /** @type {Element} */ (region.closest('#lanes')).getBoundingClientRect()];
        return [own.left < lanes.left, own.right > lanes.right, own.top < lanes.top, own.bottom > lanes.bottom, region.scrollWidth > region.clientWidth];
      });
      assert.deepEqual(over, [false, false, false, false, false], `${name}, ${width} ${colorScheme}`);
      assert.deepEqual(await violations(page, '#lanes'), [], `${name}, ${width} ${colorScheme}`);
    }
    await page.context().close();
  }
});

test('it starts what is to be tried next, beside its lesson', async () => {
  const playground = await Playground.start();
  try {
    await playground.call('POST', 'run', { scenario: 'writer-leaves', delay: '0ms' });
    const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
    await page.goto(playground.page);
    await page.locator('.lane .client.is-holds').first().waitFor();
    assert.equal(await card(page).count(), 0);
    await page.locator('.run-buttons').getByRole('button', { name: 'Stop' }).click();
    await card(page).getByRole('button', { name: 'Start: Two holders' }).click();
    await page.locator('.lane[data-lane="unfenced"] .client.is-holds').first().waitFor();
    assert.equal(await card(page).count(), 0);
    await page.getByRole('heading', { name: 'Two holders', level: 1 }).waitFor();
    assert.match(page.url(), /lesson=two-holders&scenario=two-holders/);
    assert.deepEqual(complaints, []);
    await page.context().close();
  } finally {
    await playground.stop();
  }
});
