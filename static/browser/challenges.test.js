// A challenge, as a learner meets it: from the front page to a lock that passes, with a
// wrong attempt first, and what is there after a reload.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** How long a judgement may take on a busy machine, in milliseconds: it waits until nobody holds for long. */
const JUDGED = 120_000;

/** @type {Browser} */ let browser;
/** @type {Playground} */ let playground;

before(async () => { [browser, playground] = await Promise.all([launch(), Playground.start()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Page} page */
const editor = (page) => page.getByRole('textbox', { name: 'The source of your lock' });

/** @param {Page} page @param {string} name */
const challenge = (page, name) => page.locator(`.challenge[data-challenge="${name}"]`);

/** Opens the lesson, goes to the playground, and begins with the flag. @param {Page} page @param {() => Promise<void>} show brings the lesson into sight */
async function begin(page, show) {
  await page.goto(`${playground.url}/#lesson=mend-the-queue`);
  const flag = challenge(page, 'flag');
  await flag.getByRole('link', { name: 'Mend it in the playground' }).click();
  await page.waitForURL(/\/rooms\//);
  await show();
  await flag.getByRole('button', { name: 'Begin' }).waitFor();
  assert.ok(await flag.getByText('Hint').isHidden(), 'no hint before the first attempt');
  await flag.getByRole('button', { name: 'Begin' }).click();
  await editor(page).getByText('Whoever creates the flag').waitFor();
  return flag;
}

/** Puts the solution into the editor, and has it judged. @param {Page} page */
async function mend(page) {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText((await solutions(page))['flag'] ?? '');
  await page.getByRole('tabpanel', { name: 'Your lock' }).getByRole('button', { name: 'Judge it' }).click();
  await page.locator('.judgement-verdict', { hasText: 'Passed 2 of 2 trials' }).waitFor({ timeout: JUDGED });
}

test('a lock is judged, seen to fail, and mended', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const flag = await begin(page, async () => {});
  await flag.getByRole('button', { name: 'Judge it' }).click();
  await page.locator('.judgement-verdict', { hasText: 'Not a lock: nobody held' }).waitFor({ timeout: JUDGED });
  await flag.locator('.goal-why', { hasText: 'Not yet. crash-of-holder, live: nobody held' }).waitFor();
  assert.ok(await flag.getByText('Hint').isVisible(), 'a hint after the first attempt');
  assert.deepEqual(await violations(page), []);
  await flag.getByRole('button', { name: 'See the run that refutes it' }).click();
  await page.locator('.run-bar', { hasText: 'Trial crash-of-holder' }).waitFor();
  await flag.getByRole('button', { name: 'Go on' }).click();
  await mend(page);

  await page.reload();
  await flag.locator('.goal-why', { hasText: 'Met.' }).waitFor();
  await flag.getByText('A solution').waitFor();
  await page.locator('.progress', { hasText: '1 of 4 goals of this lesson met' }).waitFor();
  await challenge(page, 'wake-one').getByRole('button', { name: 'Begin' }).click();
  await editor(page).getByText('The flag goes with the session').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('on a phone the lesson and the editor take turns', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 390, height: 844 } });
  const show = async () => {
    if (await challenge(page, 'flag').isVisible()) return;
    await page.getByRole('navigation', { name: 'Lesson and time' }).getByRole('button', { name: 'Lesson' }).click();
  };
  const flag = await begin(page, show);
  await mend(page);
  await show();
  await flag.locator('.goal-why', { hasText: 'Met.' }).waitFor();
  await challenge(page, 'wake-one').getByRole('button', { name: 'Begin' }).click();
  await editor(page).getByText('The flag goes with the session').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

/** The solutions, as the server has them. @param {Page} page @returns {Promise<Record<string, string>>} */
async function solutions(page) {
  const { challenges } = await (await page.request.get(`${playground.url}/api/challenges`)).json();
  return Object.fromEntries(challenges.map((/** @type {{ name: string, solution: string }} */ { name, solution }) => [name, solution]));
}
