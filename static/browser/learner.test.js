// Whole lessons as a learner goes through them: by the keyboard alone, and on a phone.
// checks.test.js has the words that a learner hears on the way.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { Hand, screens } from './hand.js';
import { launch, open } from './launch.js';
import { goTo } from './menu.js';
import { Playground } from './playground.js';

/** @import { Browser, Locator, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A goal of a lesson, in a state. @param {Page} page @param {string} name such as sessions/outlives-a-cut @param {string} state */
const goal = (page, name, state) => page.locator(`.goal[data-check="${name}"][data-state="${state}"]`);

/** What a goal says while it is not met. @param {Page} page @param {string} name @param {string} why */
const hears = (page, name, why) => goal(page, name, 'not-yet').locator('.goal-why', { hasText: why }).waitFor();

/** More stops than the page has. */
const MOST_STOPS = 300;

/** Goes to what is there by the tab key, and by nothing else. @param {Page} page @param {Locator} target @param {'Tab' | 'Shift+Tab'} [key] */
async function tabTo(page, target, key = 'Tab') {
  await target.waitFor({ state: 'attached' });
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`no stop of the tab key is ${target}`);
}

/** Types a line into the field that has the focus, and waits until it is done. @param {Page} page @param {string} line */
async function type(page, line) {
  const label = page.locator('.console-line label');
  await label.filter({ hasText: 'CONNECTED' }).waitFor();
  const before = await label.textContent();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
  if (line === 'quit') return page.locator('.console-join').waitFor();
  return page.waitForFunction((old) => /CONNECTED\) \d+\]/.test(document.querySelector('.console-line label')?.textContent ?? '') && document.querySelector('.console-line label')?.textContent !== old, before);
}

test('sessions, by the keyboard alone: predict wrong, see why, do half, hear why not yet, and meet every goal', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  await page.goto(`${playground.page}#lesson=sessions`);
  await page.locator('.goal-why').first().waitFor();
  await tabTo(page, page.locator('.run-card .run-button').first());
  await press('Enter');
  await page.locator('.client.is-holds').waitFor();

  await tabTo(page, page.getByRole('radio', { name: 'It went when the connection broke' }));
  await press('Space');
  await page.getByText('Your prediction: It went when the connection broke').waitFor();
  await tabTo(page, page.locator('.predict').first().locator('summary'));
  await press('Enter');
  await page.locator('.predict-wrong[data-own]', { hasText: 'no reason for anything' }).waitFor();

  await join(page);
  await type(page, 'create -e /badge');
  await hears(page, 'sessions/outlives-a-cut', 'Now cut yourself off');
  await type(page, 'quit');
  await hears(page, 'sessions/outlives-a-cut', 'You have ended your session yourself');
  await join(page);
  await type(page, 'create -e /badge');
  await breakSelf(page, 'partition', '3');
  await hears(page, 'sessions/outlives-a-cut', 'Wait until it is over');
  await hears(page, 'sessions/outlives-a-cut', 'Look for the znode');
  await toConsole(page);
  await type(page, 'stat /badge');
  await goal(page, 'sessions/outlives-a-cut', 'met').waitFor();

  await type(page, 'create -e -s /lock/lock-');
  await breakSelf(page, 'crash');
  await hears(page, 'sessions/crashed-and-expired', 'Wait. The countdown stands');
  await goal(page, 'sessions/crashed-and-expired', 'met').waitFor();

  await breakClient(page, 1, 'expire');
  await goal(page, 'sessions/told-that-it-is-over', 'met').waitFor();
  await page.getByText('3 of 3 goals of this lesson met').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await page.getByText('3 of 3 goals of this lesson met').waitFor();
  assert.equal(await page.getByRole('radio', { name: 'It went when the connection broke' }).isChecked(), true);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the flag, on a phone: mend it, break it, and see one that needs nobody', async () => {
  const { page, complaints } = await open(browser, screens.phone);
  const hand = new Hand(page, 'phone');
  const line = page.locator('.console-line input');
  const enter = async (/** @type {string} */ text) => {
    const label = page.locator('.console-line label');
    await label.filter({ hasText: 'CONNECTED' }).waitFor();
    const before = await label.textContent();
    await line.fill(text);
    await page.keyboard.press('Enter');
    await page.waitForFunction((old) => document.querySelector('.console-line label')?.textContent !== old, before);
  };
  await page.goto(`${playground.page}#lesson=flag-lock`);
  await page.locator('.run-card .run-button').first().waitFor({ state: 'attached' });
  await hand.press(page.locator('.predict-choice', { hasText: 'They go on when its session has ended' }));
  await hand.press(page.locator('.predict').first().locator('summary'));
  await page.locator('.predict-wrong[data-own]', { hasText: 'belongs to no session' }).waitFor();
  await hand.press(page.locator('.run-card .run-button').first());
  await page.locator('.lane .client').first().waitFor();
  await hand.press(page.locator('#tab-console'));
  await hand.press(page.locator('.console-join'));

  const stuck = page.locator('.goal[data-check="flag-lock/taken-down"] .is-done', { hasText: 'the lock stands still' });
  await stuck.waitFor({ state: 'attached' });
  await enter('set /lock/flag free');
  const mended = page.locator('.goal[data-check="flag-lock/taken-down"]');
  await mended.locator('.goal-why', { hasText: 'any text is somebody’s flag' }).waitFor({ state: 'attached' });
  await enter('set /lock/flag ""');
  await mended.and(page.locator('[data-state=met]')).waitFor({ state: 'attached' });

  const wrong = page.locator('.goal[data-check="flag-lock/wrong-guess"][data-state=met]');
  for (let tries = 0; await wrong.count() === 0; tries++) { // somebody holds most of the time
    assert.ok(tries < 30, 'two believe after some tries');
    await enter('set /lock/flag ""');
  }

  await hand.press(page.locator('.run-card .run-button').nth(1)); // it ends the run without a question, as all of its goals are met
  await page.locator('.lane[data-lane="ephemeral"] .client').first().waitFor();
  await hand.press(page.locator('.break-any'));
  await hand.press(page.locator('.fault-item[data-fault="crash"]'));
  await page.locator('.goal[data-check="flag-lock/free-by-itself"][data-state=met]').waitFor({ state: 'attached' });
  await page.locator('#dock').getByRole('button', { name: 'Lesson', exact: true }).tap();
  await page.getByText('3 of 3 goals of this lesson met').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  for (const summary of await page.locator('.lesson summary').all()) if (!await summary.evaluate((each) => each.closest('details')?.open)) await summary.tap();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'with all answers shown');
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await page.getByText('3 of 3 goals of this lesson met').waitFor({ state: 'attached' });
  assert.deepEqual(complaints, []);
  await page.context().close();
});

/** Becomes a client. @param {Page} page */
async function join(page) {
  await page.keyboard.press('z');
  await page.locator('.console :is(.console-join, input):focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.console-line input:focus').waitFor();
}

/** From wherever the focus is to the console's field. @param {Page} page */
async function toConsole(page) {
  await page.keyboard.press('z');
  await page.locator('.console-line input:focus').waitFor();
}

/** Breaks the visitor's own client, whatever number it has. @param {Page} page @param {string} fault @param {string} [seconds] */
async function breakSelf(page, fault, seconds) {
  const numbers = await page.locator('.client').evaluateAll((all) => all.map((client) => Number(/** @type {HTMLElement} */ (client).dataset['client'])));
  return breakClient(page, Math.max(...numbers), fault, seconds);
}

/** Opens a client's menu from where the keys are typed, and chooses in it. @param {Page} page @param {number} client @param {string} fault @param {string} [seconds] */
async function breakClient(page, client, fault, seconds) {
  await tabTo(page, page.locator(`.client[data-client="${client}"] .break`), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('.fault-menu:popover-open').waitFor();
  if (seconds) await page.locator('.fault-group select').selectOption(seconds); // typed into it, its first letter would choose
  await goTo(page, fault);
  await page.keyboard.press('Enter');
  await page.locator('.fault-menu:popover-open').waitFor({ state: 'detached' });
}
