// The view pauses by itself at the moments that decide what a run shows, until its visitor
// goes on, and is live again soon after.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A page on the default run, in which nobody has released yet. @param {import('playwright-core').BrowserContextOptions & { pauses?: boolean }} [options] */
async function watched(options) {
  const { page, complaints } = await open(browser, { pauses: true, viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(playground.page);
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', seed: 7 });
  return { page, complaints, goOn: page.getByRole('button', { name: 'Continue' }) };
}

/** What each lane says of its last release. @param {Page} page */
const figures = (page) => page.locator('.wake').evaluateAll((lanes) => lanes.map((lane) => lane.textContent?.match(/\d+/g)?.slice(0, 2).map(Number)));

test('at the first release the picture pauses: 7 woken, 6 for nothing; 1 woken, 0 for nothing', async () => {
  const { page, complaints, goOn } = await watched();
  await goOn.waitFor();
  assert.deepEqual(await figures(page), [[7, 6], [1, 0]]);
  const before = await page.locator('.my-time strong').textContent();
  assert.equal(await page.locator('.my-time strong').textContent(), before, 'the view stands still');
  await page.locator('.my-time', { hasText: 'the run goes on' }).waitFor();
  await goOn.press('Enter');
  await goOn.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Time');
  await page.locator('.live[aria-pressed="true"]').waitFor({ timeout: 60_000 });
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('it goes on by itself, unless somebody uses the page; the choice not to pause is kept', async () => {
  const { page, goOn } = await watched();
  await goOn.waitFor();
  assert.deepEqual(await violations(page), []); // here, as on a slow machine it may take longer than the pause
  await goOn.waitFor({ state: 'detached', timeout: 20_000 });
  await page.locator('.live[aria-pressed="true"]').waitFor({ timeout: 60_000 });
  await page.keyboard.press('h');
  await page.reload();
  assert.equal(await page.getByRole('button', { name: 'Pause at key moments' }).getAttribute('aria-pressed'), 'false');
  await page.context().close();
});
