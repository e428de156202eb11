// A lesson with goals: a learner predicts, does half, hears why it is not met, does the
// rest, and finds it met at the next visit.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Locator, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A goal of the lesson. @param {Page} page @param {string} name */
const goal = (page, name) => page.locator(`.goal[data-check="znodes/${name}"]`);

/** Waits until a goal stands so. @param {Locator} check @param {string} state @param {string | RegExp} why */
async function stands(check, state, why) {
  await check.and(check.page().locator(`[data-state="${state}"]`)).waitFor();
  await check.locator('.goal-why', { hasText: why }).waitFor();
}

/** Types a line, and waits until it is done. @param {Page} page @param {string} line */
async function type(page, line) {
  const label = page.locator('.console-line label');
  await label.filter({ hasText: 'CONNECTED' }).waitFor();
  const before = await label.textContent();
  await page.locator('.console-line input').focus();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
  if (line === 'quit') return page.locator('.console-join').waitFor();
  return page.waitForFunction((old) => /CONNECTED\) \d+\]/.test(document.querySelector('.console-line label')?.textContent ?? '') && document.querySelector('.console-line label')?.textContent !== old, before);
}

/** A page at the lesson, with a run that its card has started, and a console. */
async function begin() {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${playground.page}#lesson=znodes`);
  await page.locator('.goal-why').first().waitFor();
  return { page, complaints };
}

/** Starts the lesson's run, and joins it by the keyboard. @param {Page} page */
async function takePart(page) {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/run')),
    page.locator('.run-card .run-button').press('Enter')]);
  const { run } = await answer.json();
  await page.locator('.lane .directory title', { hasText: `/${run.id}/` }).first().waitFor({ state: 'attached' });
  await page.locator('.run-bar').focus().catch(() => {});
  await page.keyboard.press('z');
  await page.locator('.console-join').press('Enter');
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
}

test('read, predict wrong, do half, hear why not yet, do the rest, and it is met and stays so', async () => {
  const { page, complaints } = await begin();
  const one = goal(page, 'one-of-each');
  const gone = goal(page, 'gone-with-you');
  await stands(one, 'to-begin', 'Press');
  await takePart(page);
  await stands(one, 'not-yet', 'Make /kinds, with no flag.');
  assert.equal(await one.getByRole('button').count(), 0, 'nothing has happened that one could see');

  await type(page, 'create /kinds/mine');
  await stands(one, 'not-yet', 'a znode needs its parent first');
  assert.match(await one.getByRole('status').textContent() ?? '', /^Not yet\. The server refused it/);
  await type(page, 'create /kinds hello');
  await type(page, 'create -s /kinds/item-');
  await stands(one, 'not-yet', 'Make one below /kinds that goes with your session: -e.');
  await one.locator('li.is-done').nth(1).waitFor();
  for (const summary of await page.locator('.lesson summary').all()) await summary.press('Enter');
  assert.deepEqual(await violations(page, '.lesson-panel'), []);
  for (const summary of await page.locator('.lesson summary').all()) await summary.press('Enter');

  await one.getByRole('button', { name: /^See what happened at/ }).press('Enter');
  await page.locator('#timeline').getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor();
  const made = (await playground.events()).findLast(({ kind, op, client }) => kind === 'wire.received' && op === 'create' && client === 3);
  assert.equal(Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuenow')), Math.round(made.at / 1000));
  await page.locator('#timeline .live').click();
  await type(page, 'create -s /kinds/item-');
  await type(page, 'create -e /kinds/mine');
  await stands(one, 'met', 'You have done it.');

  await page.getByRole('radio', { name: 'None of them' }).press('Space');
  await page.getByText('Your prediction: None of them').waitFor();
  await page.locator('.predict-answers summary').first().press('Enter');
  await page.locator('.predict-wrong[data-own]', { hasText: 'Only an ephemeral znode is tied to a session' }).waitFor();

  await stands(gone, 'not-yet', 'type quit');
  await type(page, 'delete /kinds/mine');
  await stands(gone, 'not-yet', 'It was deleted by a command');
  await type(page, 'create -e /guest');
  await stands(gone, 'not-yet', 'type quit');
  await type(page, 'quit');
  await stands(gone, 'not-yet', 'Be a client again');
  await page.locator('.console-join').press('Enter');
  await type(page, 'stat /kinds');
  await stands(gone, 'not-yet', 'Be a client again');
  await type(page, 'stat /guest');
  await stands(gone, 'met', 'You have done it.');
  await page.getByText('2 of 3 goals of this lesson met').waitFor();

  await playground.call('DELETE', 'run');
  await playground.call('POST', 'run', { scenario: 'herd' });
  await page.reload();
  await stands(one, 'met', /You have done it, on/);
  await stands(gone, 'met', /You have done it, on/);
  await stands(goal(page, 'in-the-queue'), 'to-begin', 'Another scenario runs');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('what was done in the run of another lesson is no step, and no mistake, of this one', async () => {
  const { page, complaints } = await begin();
  await takePart(page);
  await type(page, 'create -e /badge');
  await type(page, 'quit');
  await page.goto(`${playground.page}#lesson=sessions`);
  const cut = page.locator('.goal[data-check="sessions/outlives-a-cut"]');
  const before = 'Make an ephemeral znode, anywhere. What was done in this run before this lesson was opened does not count for it.';
  await stands(cut, 'not-yet', before);
  await page.reload();
  await stands(cut, 'not-yet', before);
  await page.locator('.run-bar').focus().catch(() => {});
  await page.keyboard.press('z');
  await page.locator('.console-join').press('Enter');
  await type(page, 'create -e /badge');
  await stands(cut, 'not-yet', 'Now cut yourself off for 3 seconds');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the page does it for who has tried, and that does not count', async () => {
  const { page, complaints } = await begin();
  const task = page.locator('.task').last();
  const queue = goal(page, 'in-the-queue');
  await task.locator('summary').press('Enter');
  const enter = task.getByRole('button', { name: 'Do it for me' });
  await takePart(page);
  assert.equal(await enter.getAttribute('aria-disabled'), 'true');
  await enter.press('Enter');
  await task.getByText('Try it first').waitFor();
  await type(page, 'create -s /lock/lock-');
  await stands(queue, 'not-yet', 'it stays when you are gone');
  await enter.and(page.locator('[aria-disabled="false"]')).press('Enter');
  await stands(queue, 'shown', 'It counts when you do it yourself');
  await page.reload();
  await stands(queue, 'shown', 'It counts when you do it yourself');
  await page.getByText('0 of 3 goals of this lesson met').waitFor();
  await takePart(page);
  await type(page, 'create -e -s /lock/lock-');
  await stands(queue, 'met', 'You have done it.');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('progress goes from one browser to another as a file, and can be forgotten', async () => {
  const { page, complaints } = await begin();
  await takePart(page);
  await type(page, 'create -e -s /lock/lock-');
  await page.getByText('1 of 3 goals of this lesson met').waitFor();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save my progress' }).press('Enter')]);
  assert.equal(saved.suggestedFilename(), 'zkplayground-progress.json');
  const file = await buffer(await saved.createReadStream());
  assert.equal(Object.keys(JSON.parse(file.toString()).kept).includes('solved znodes/in-the-queue'), true);
  await playground.call('DELETE', 'run');

  const other = await begin();
  await other.page.getByText('0 of 3 goals of this lesson met').waitFor();
  const field = other.page.getByLabel('Load progress');
  await field.setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"format":"zkplayground-progress","version":1,"kept":{"theme":"dark"}}') });
  await other.page.getByText('This file is no progress').waitFor();
  await field.setInputFiles({ name: saved.suggestedFilename(), mimeType: 'application/json', buffer: file });
  await other.page.getByText('1 of 3 goals of this lesson met').waitFor();
  await stands(goal(other.page, 'in-the-queue'), 'met', /You have done it, on/);

  other.page.once('dialog', (dialog) => void dialog.dismiss());
  await other.page.getByRole('link', { name: 'Clean slate' }).press('Enter');
  await other.page.getByText('1 of 3 goals of this lesson met').waitFor();
  other.page.once('dialog', (dialog) => void dialog.accept());
  await other.page.goto('about:blank');
  await other.page.goto(`${playground.page}#clean-slate`);
  await other.page.locator('#lesson-select').selectOption('znodes');
  await other.page.getByText('0 of 3 goals of this lesson met').waitFor();
  assert.deepEqual([...complaints, ...other.complaints], []);
  await page.context().close();
  await other.page.context().close();
});
