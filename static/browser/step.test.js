// Step mode by keyboard: the visitor is the network.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './launch.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser, Locator, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** How long the network is held for in the test of that, in seconds. */
const HOLD = Number(process.env['STEP_HOLD'] ?? 6);

/** Two clients, one turn each; on the left a recipe that waits for what has gone already. */
const lostWakeup = {
  name: 'lost-wakeup-by-hand', title: 'The wake-up that was missed', summary: '', step: true,
  lanes: [{ name: 'writelock', title: 'WriteLock', recipe: 'writelock' }, { name: 'mutex', title: 'Predecessor', recipe: 'mutex' }],
  clients: 2, session: '2s', delay: '0s', arrive: '0s', turns: 1, seed: 1,
  hold: { min: '1500ms', max: '1500ms' }, think: { min: '0s', max: '0s' },
};

/** A page with the panel of steps open, on a run of a scenario. @param {object} scenario */
async function stepping(scenario) {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 1000 } });
  await playground.call('POST', 'run', { scenario });
  await page.goto(playground.page);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('m');
  await page.locator('#panel-steps .boxes').first().waitFor();
  return { page, complaints };
}

/**
 * Delivers what is in a client's box by keyboard, until the frame that is meant
 * has gone: the session itself may ask for something before.
 * @param {Page} page
 * @param {string} lane
 * @param {number} client
 * @param {'from' | 'to'} way
 * @param {RegExp} what
 */
async function deliver(page, lane, client, way, what) {
  const button = page.locator(`#panel-steps [data-lane="${lane}"]`).getByRole('button', { name: new RegExp(`^Deliver .* ${way} client ${client}$`) });
  for (let name = ''; !what.test(name);) {
    await button.waitFor();
    name = await button.getAttribute('aria-label') ?? '';
    await press(page, button);
  }
}

/** Presses a box's button, and waits until the box has moved on. @param {Page} page @param {Locator} button */
async function press(page, button) {
  const element = await button.elementHandle();
  const frame = await element?.getAttribute('data-frame');
  await element?.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(([box, old]) => /** @type {Element} */ (box).getAttribute('data-frame') !== old, /** @type {const} */ ([element, frame]));
}

/** Lets a client's request through, and its answer. @param {Page} page @param {string} lane @param {number} client @param {RegExp} what */
async function exchange(page, lane, client, what) {
  await deliver(page, lane, client, 'from', what);
  await deliver(page, lane, client, 'to', what);
}

/** The newest verdict of a check. @param {string} lane @param {string} check */
const verdict = async (lane, check) =>
  (await playground.events()).findLast((event) => event.kind === 'check.changed' && event.lane === lane && event.check === check)?.verdict;

test('the lost wake-up by hand: the left lane waits forever, the right one goes on', async () => {
  const { page, complaints } = await stepping(lostWakeup);
  for (const lane of ['writelock', 'mutex']) {
    await exchange(page, lane, 1, /create/);
    await exchange(page, lane, 1, /getChildren/);
    await exchange(page, lane, 2, /create/);
    await exchange(page, lane, 2, /getChildren/);
    await exchange(page, lane, 1, /delete/);
  }
  await exchange(page, 'mutex', 2, /exists|getData/);
  await exchange(page, 'mutex', 2, /getChildren/);
  await deliver(page, 'mutex', 2, 'from', /delete/); // it has held
  await exchange(page, 'writelock', 2, /exists/);
  await page.locator('.lane[data-lane="writelock"] .client[data-client="2"].is-waiting').waitFor();
  await page.locator('.lane[data-lane="writelock"] .checks.violated', { hasText: 'Progress' }).waitFor({ timeout: 60_000 });
  assert.notEqual(await verdict('mutex', 'progress'), 'violated');
  assert.ok(await page.locator('#panel-steps .script li').count() > 8, 'the steps are told in words');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('undo repeats the run without its last step', async () => {
  const { page } = await stepping(longHold({ clients: 2, step: true }));
  await deliver(page, 'predecessor', 1, 'from', /./);
  await page.locator('#panel-steps .script li').waitFor();
  const before = await page.locator('#panel-steps [data-box="1-in"] .deliver[aria-disabled="false"]').getAttribute('aria-label'); // once the answer waits there
  await deliver(page, 'predecessor', 1, 'to', /./);
  await page.waitForFunction(() => document.querySelectorAll('#panel-steps .script li').length === 2);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.waitForFunction((label) => document.querySelectorAll('#panel-steps .script li').length === 1
    && document.querySelector('#panel-steps [data-box="1-in"] .deliver')?.getAttribute('aria-label') === label, before);
  await page.context().close();
});

test(`messages held for ${HOLD} s: every session lives, and the run goes on`, { timeout: HOLD * 1000 + 60_000 }, async () => {
  const { page } = await stepping(longHold({ clients: 3, session: '4s', step: true }));
  await page.keyboard.press('n');
  await new Promise((done) => { setTimeout(done, HOLD * 1000); });
  const ended = (await playground.events()).filter(({ kind }) => kind === 'session.lost' || kind === 'session.refused');
  assert.deepEqual(ended, []);
  await page.getByRole('button', { name: 'Holding messages' }).press('Enter');
  await page.locator('.client.is-holds').waitFor();
  await page.context().close();
});
