// A class's goals: students do their exercises in rooms of their own, and their teacher
// sees how many have met each.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

const TOKEN = 'the-token-of-the-test';
const desk = { viewport: { width: 1440, height: 900 } };

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(['-teacher-token', TOKEN]), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** The words at a goal of the lesson, to the teacher. @param {Page} page @param {string} name */
const count = (page, name) => page.locator(`.goal[data-check="znodes/${name}"] .goal-count`);

test('what students have met counts once each, in their own rooms too, and the teacher alone is told', async () => {
  const { page: teacher, complaints } = await open(browser, desk);
  await teacher.goto(`${playground.url}/?teacher=${TOKEN}`);
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog', { name: 'Join this class' });
  const code = (await dialog.locator('.class-code').textContent() ?? '').replace(' ', '');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  const [roomOfClass] = teacher.url().split('#');
  await teacher.locator('#lesson-select').selectOption('znodes');
  await count(teacher, 'in-the-queue').getByText('Met by 0 of 0 in the class').waitFor();

  const { page: student, complaints: theirs } = await open(browser, desk);
  await student.goto(`${playground.url}/?code=${code}`);
  await student.waitForURL('**/rooms/*');
  await student.locator('.lesson h1', { hasText: 'Znodes' }).waitFor(); // it follows
  await student.locator('.run-card .run-button').press('Enter');
  await student.locator('.client.is-holds').first().waitFor();
  const room = /rooms\/([a-z0-9]+)/;
  assert.notEqual(room.exec(student.url())?.[1], room.exec(teacher.url())?.[1], 'a room of its own');
  await student.keyboard.press('z');
  await student.locator('.console-join').press('Enter');
  await student.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
  await student.locator('.console-line input').focus();
  await student.keyboard.type('create -e -s /lock/lock-');
  await student.keyboard.press('Enter');
  await student.locator('.goal[data-check="znodes/in-the-queue"][data-state="met"]').waitFor();
  await count(teacher, 'in-the-queue').getByText('Met by 1 of 1 in the class').waitFor();
  assert.equal(await student.locator('.goal-count').count(), 0);

  // One has met two goals before, and one of a lesson that is no more.
  const { page: late } = await open(browser, desk);
  await late.addInitScript(() => {
    for (const goal of ['znodes/in-the-queue', 'znodes/one-of-each', 'gone/with-its-lesson']) localStorage.setItem(`solved ${goal}`, '2026-01-01T00:00:00.000Z');
  });
  await late.goto(`${playground.url}/?code=${code}`);
  await late.waitForURL('**/rooms/*');
  await count(teacher, 'in-the-queue').getByText('Met by 2 of 2 in the class').waitFor();
  await count(teacher, 'one-of-each').getByText('Met by 1 of 2 in the class').waitFor();
  await Promise.all([late.waitForResponse((response) => response.url().endsWith('/api/classes/goals')), late.reload()]);
  await teacher.reload();
  await count(teacher, 'in-the-queue').getByText('Met by 2 of 2 in the class').waitFor();

  await teacher.getByRole('button', { name: /^Class: / }).press('Enter');
  await dialog.getByText('Goals that the class has met').press('Enter');
  const ofLesson = dialog.locator('tbody', { has: teacher.locator('th', { hasText: 'Znodes' }) }).locator('td:last-child');
  await ofLesson.nth(2).waitFor();
  assert.deepEqual((await ofLesson.allTextContents()).map((text) => text.trim()).filter((count) => count !== '0'), ['1', '2']);
  assert.deepEqual(await violations(teacher, '#class'), []);
  const [saved] = await Promise.all([teacher.waitForEvent('download'), dialog.getByRole('link', { name: 'Save the results' }).press('Enter')]);
  assert.equal(saved.suggestedFilename(), 'class-results.csv');
  assert.match(await text(await saved.createReadStream()), /^lesson,what,text,choice,right,members,of\n[^]*\nZnodes and their kinds,goal,[^\n]*,,,1,2\n/);
  await dialog.getByRole('link', { name: /^What to say/ }).evaluate((link) => link.removeAttribute('target'));
  await dialog.getByRole('link', { name: /^What to say/ }).press('Enter');
  await teacher.getByRole('link', { name: 'Znodes and their kinds' }).press('Enter');
  await teacher.getByRole('link', { name: 'A server to type at' }).press('Enter');
  await teacher.waitForURL(`${roomOfClass}#lesson=znodes&scenario=by-hand`);
  assert.deepEqual([complaints, theirs], [[], []]);
  for (const page of [teacher, student, late]) await page.context().close();
});
