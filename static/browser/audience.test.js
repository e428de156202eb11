// The page before an audience: the lanes as large as can be, and nothing else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { outOfSight } from './sight.js';

/** @import { Browser } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

const viewport = { width: 1280, height: 720 };

test('before an audience: what happens, the lanes, or one of them, the timeline, and nothing else', async () => {
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms' });
  const { page, complaints } = await open(browser, { viewport });
  await page.goto(playground.page);
  await page.locator('.lane .client.is-holds').first().waitFor();
  const lanes = page.locator('.lane:visible');
  await page.keyboard.press('p');
  const type = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
  assert.ok(type >= viewport.height / 44, `${type} px`);
  for (const [key, count] of /** @type {const} */ ([['0', 2], ['1', 1], ['2', 1], ['0', 2]])) {
    await page.keyboard.press(key);
    assert.equal(await lanes.count(), count, key);
    await page.waitForFunction(() => [...document.querySelectorAll('#stage, .lanes')].every((each) => each.scrollHeight <= each.clientHeight));
    assert.deepEqual(await outOfSight(page, ['#caption', '.lane.front', '.lane.front .token', '.lane.front .meters', '#timeline']), [], key);
    const area = await page.evaluate(() => [...document.querySelectorAll('.lane, .caption')].reduce((sum, part) => sum + part.clientWidth * part.clientHeight, 0));
    assert.ok(area > 0.7 * viewport.width * viewport.height, `the lanes and what is said of them fill ${Math.round(100 * area / viewport.width / viewport.height)} % of the screen`);
  }
  for (const hidden of ['#run-bar .count', '#run-bar .delay', '#panels', '.rail', '#lesson', '.more', '#status']) assert.ok(await page.locator(hidden).isHidden(), hidden);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('button')]
    .filter((each) => each.checkVisibility() && !each.closest('.lane, .caption')).map((each) => each.textContent?.trim())), ['Stop presenting', 'Faults…', 'Restart', 'Stop', 'Both', 'Herd', 'Predecessor', 'Pause', 'Play', 'Live']);
  assert.deepEqual(await outOfSight(page, ['.run-bar .scenario select', '.run-bar .button']), []);
  await page.getByLabel('Scenario').selectOption({ label: 'The herd' });
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.lane').length === 1);
  await page.locator('.lane .client.is-holds').waitFor();
  assert.deepEqual(await outOfSight(page, ['#caption', '.lane .token', '#timeline', '.run-bar']), []);
  await page.getByRole('button', { name: 'Faults…' }).click();
  await page.locator('.fault-menu:popover-open').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await page.locator('.rail').waitFor();
  assert.equal(await page.locator('html.present').count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
