// A class: a teacher and students in browsers of their own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { outOfSight } from './sight.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const TOKEN = 'the-token-of-the-test';
const phone = { viewport: { width: 390, height: 844 } };

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(['-teacher-token', TOKEN]), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {string} path @param {BrowserContextOptions} [options] */
async function visit(path, options) {
  const { page, complaints } = await open(browser, options);
  await page.goto(playground.url + path);
  await page.locator('.front-hero h2').waitFor();
  return { page, complaints };
}

/** Where a page is. @param {Page} page */
const roomOf = (page) => /rooms\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '';

/** What the API answers to a page. @param {Page} page @param {string} method @param {string} path @param {object} [data] */
const status = async (page, method, path, data) => (await page.request.fetch(`${playground.url}/api/rooms/${path}`, { method, ...(data && { data }) })).status();

test('alone, one start leads to a running room of one’s own, which a reload keeps', async () => {
  const { page, complaints } = await visit('/');
  assert.equal(await page.getByRole('button', { name: 'Open a class' }).count(), 0, 'who has no token opens none');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Run herd against predecessor' }).press('Enter');
  await page.locator('.client.is-holds').first().waitFor();
  const own = roomOf(page);
  assert.ok(own && own !== 'main');
  await page.reload();
  await page.locator('.client').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  assert.equal(await status(page, 'POST', 'main/run', { scenario: 'herd' }), 403, 'the teacher’s room');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a class: joined by its code, watched by students, and theirs to try in rooms of their own', async () => {
  const { page: teacher, complaints } = await visit(`/?teacher=${TOKEN}`);
  assert.ok(!teacher.url().includes(TOKEN), 'the token leaves the address');
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog', { name: 'Join this class' });
  const code = await dialog.locator('.class-code').textContent() ?? '';
  assert.match(code, /^[2-9a-z]{3} [2-9a-z]{3}$/);
  await teacher.waitForFunction(() => (document.querySelector('.qr') instanceof HTMLImageElement) && /** @type {HTMLImageElement} */ (document.querySelector('.qr')).naturalWidth > 0);
  assert.deepEqual(await violations(teacher, '#class'), []);
  const room = roomOf(teacher);

  const { page: student, complaints: theirs } = await visit('/', phone);
  await student.getByLabel('Code of a class').fill('zzz zzz');
  await student.keyboard.press('Enter');
  await student.getByText('No class has this code.').waitFor();
  await student.getByLabel('Code of a class').fill(code);
  await student.keyboard.press('Enter');
  await student.waitForURL(`**/rooms/${room}*`);
  const { page: other } = await open(browser);
  await other.goto(`${playground.url}/?code=${code.replace(' ', '')}`); // as the picture has it
  await other.waitForURL(`**/rooms/${room}*`);
  await dialog.getByText('2 members').waitFor();

  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await teacher.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  await student.locator('.client.is-holds').first().waitFor();
  await student.getByText('The teacher starts and stops the runs of this class.').waitFor();
  for (const name of ['Start', 'Stop', 'Restart', 'Faults…']) assert.equal(await student.getByRole('button', { name, exact: true }).count(), 0, name);
  assert.equal(await student.locator('.break').count(), 0);
  assert.deepEqual(await violations(student), []);
  assert.deepEqual(await Promise.all([status(student, 'DELETE', `${room}/run`), status(student, 'POST', `${room}/faults`, { fault: 'kill-leader' })]), [403, 403]);

  await student.getByRole('button', { name: 'Try it in a room of your own' }).press('Enter');
  await student.waitForURL((url) => !url.href.includes(room));
  await student.locator('.client.is-holds').first().waitFor();
  assert.equal(await status(other, 'GET', `${roomOf(student)}/events`), 403, 'another’s sandbox');
  assert.equal(await status(teacher, 'GET', `${roomOf(student)}/events`), 200);

  await teacher.getByRole('button', { name: /^Class: / }).press('Enter');
  await dialog.getByRole('button', { name: 'Hand the run to a student' }).press('Enter');
  await other.getByRole('button', { name: 'Take over the run' }).press('Enter');
  await other.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Take the run back' }).press('Enter');
  await other.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual([complaints, theirs.filter((each) => !each.includes('404'))], [[], []]);
  for (const page of [teacher, student, other]) await page.context().close();
});

test('students see what the teacher sees, go their own way, and come back', async () => {
  const { page: teacher, complaints } = await visit(`/?teacher=${TOKEN}`);
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog', { name: 'Join this class' });
  const code = (await dialog.locator('.class-code').textContent() ?? '').replace(' ', '');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await teacher.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  await teacher.locator('#caption', { hasText: 'holds the lock in' }).waitFor();
  await teacher.getByRole('tab', { name: 'Belief' }).press('Enter');
  const slider = teacher.getByRole('slider', { name: 'Time' });
  /** Presses a button of the teacher's, and waits until that is drawn. @param {string} name */
  const stop = async (name) => {
    const before = await slider.getAttribute('aria-valuetext');
    await teacher.getByRole('button', { name, exact: true }).press('Enter');
    await teacher.waitForFunction((text) => document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') !== text
      && [...document.querySelectorAll('.transport button')].some((button) => button.textContent === 'Play' && button.matches(':enabled')), before);
    return Number(await slider.getAttribute('aria-valuenow'));
  };
  const stands = await stop('Previous event');

  const { page: student, complaints: theirs } = await open(browser, phone);
  await student.goto(`${playground.url}/?code=${code}`); // late: the class stands already
  const standsThere = (/** @type {number} */ at) => student.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === String(wanted), at);
  await standsThere(stands);
  assert.equal(await student.getByRole('tab', { name: 'Belief' }).getAttribute('aria-selected'), 'true');

  await student.keyboard.press('k'); // the student plays, the class stands
  await student.getByRole('button', { name: 'Back to the presenter' }).waitFor();
  await teacher.getByRole('tab', { name: 'Events' }).press('Enter');
  const now = await stop('Previous event');
  await student.getByRole('button', { name: 'Back to the presenter' }).press('Enter');
  await standsThere(now);
  assert.equal(await student.getByRole('tab', { name: 'Events' }).getAttribute('aria-selected'), 'true');
  await student.getByRole('button', { name: 'Look around by myself' }).waitFor();
  await student.reload(); // comes back in place
  await standsThere(now);

  await teacher.getByRole('button', { name: 'Live' }).press('Enter');
  await student.waitForFunction(() => document.querySelector('.transport .live')?.getAttribute('aria-pressed') === 'true');
  await teacher.getByRole('button', { name: 'Restart' }).press('Enter'); // another run is no move of the student's
  await student.waitForFunction((before) => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) < before, now);
  await standsThere(await stop('Pause'));
  assert.deepEqual([complaints, theirs], [[], []]);
  for (const page of [teacher, student]) await page.context().close();
});

test('a question of the lesson is a vote: run, then reveal, and nothing is given away before', async () => {
  const { page: teacher, complaints } = await visit(`/?teacher=${TOKEN}`);
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog', { name: 'Join this class' });
  const code = (await dialog.locator('.class-code').textContent() ?? '').replace(' ', '');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  const students = [];
  for (let n = 0; n < 2; n++) {
    const { page } = await open(browser, phone);
    await page.goto(`${playground.url}/?code=${code}`);
    await page.waitForURL('**/rooms/*');
    await page.locator('.votes').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Lesson' }).last().press('Enter');
    students.push(page);
  }
  const [one, other] = /** @type {[Page, Page]} */ (students);
  const question = (/** @type {Page} */ page) => page.locator('fieldset.predict').first();
  const choice = (/** @type {Page} */ page, /** @type {number} */ index) => question(page).getByRole('radio').nth(index);
  await choice(one, 0).check();
  await choice(one, 1).check(); // changed
  await choice(other, 1).check();
  await question(teacher).getByText('2 of 2 have voted. Only you see how.').waitFor();
  await question(teacher).locator('.votes strong').nth(1).getByText('2', { exact: true }).waitFor();
  assert.deepEqual(await question(teacher).locator('.votes strong').allTextContents(), ['0', '2', '0']);
  /** What a page tells of the answer. @param {Page} page */
  const told = async (page) => [await question(page).locator('meter').count(), await question(page).locator('.predict-answers').isVisible(), await page.locator('.echo').count()];
  await question(other).getByText('2 of 2 have voted').waitFor();
  await teacher.getByRole('button', { name: /^Show to the class: Predict/ }).first().press('Enter');
  await teacher.keyboard.press('p');
  const wall = teacher.getByRole('complementary', { name: 'For the class' });
  await wall.getByText('2 of 2 have voted.').waitFor();
  await wall.getByText(code.slice(0, 3)).waitFor();
  assert.deepEqual([await wall.locator('li').allTextContents(), await wall.locator('meter, strong').count()], [['Only the next in line', 'All seven', 'Nobody, until they ask again'], 0], 'the wall is public');
  await teacher.locator('.projector-code').waitFor();
  assert.deepEqual(await outOfSight(teacher, ['.projector summary', '.projector li', '.projector-code']), [], 'at 1280x720');
  const type = await wall.locator('summary, p, li').evaluateAll((all) => Math.min(...all.map((each) => parseFloat(getComputedStyle(each).fontSize))));
  assert.ok(type >= 24, `${type} px, for the back row`);
  assert.deepEqual(await violations(teacher, '#projector'), []);
  for (const part of await wall.locator('summary').all()) await part.press('Enter');
  await wall.locator('.projector-code').waitFor({ state: 'hidden' });
  for (const part of await wall.locator('summary').all()) await part.press('Enter');
  await teacher.keyboard.press('Escape');

  await question(teacher).getByRole('button', { name: 'Run it' }).press('Enter');
  await question(teacher).getByText('It has happened: reveal the answer.').waitFor({ timeout: 60_000 });
  await question(other).and(other.locator('[data-happened]')).waitFor();
  assert.deepEqual([await told(one), await told(other)], [[0, false, 0], [0, false, 0]], 'it has happened, and is not revealed');
  await choice(one, 0).check(); // the vote is open
  await question(teacher).locator('.votes strong').nth(0).getByText('1', { exact: true }).waitFor();
  await question(teacher).getByRole('button', { name: 'Close the vote' }).press('Enter');
  await question(one).getByText('The vote is closed.').waitFor();
  await choice(one, 0).and(one.locator(':disabled')).waitFor();
  assert.deepEqual(await told(one), [0, false, 0]);
  await question(teacher).getByRole('button', { name: 'Reveal' }).press('Enter');
  await question(one).getByText('You said “Only the next in line”. It was “All seven”').waitFor();
  await question(other).getByText('You said “All seven”. So it was').waitFor();
  await question(other).locator('meter').first().waitFor();
  await question(other).locator('li.predict-right').waitFor();
  assert.deepEqual(await violations(one, '.lesson-panel'), []);
  await teacher.keyboard.press('p');
  await wall.locator('.is-right', { hasText: 'All seven' }).waitFor();
  assert.deepEqual(await wall.locator('strong').allTextContents(), ['1', '1', '0']);
  await other.getByRole('button', { name: 'Lanes' }).press('Enter');
  await other.locator('.client').first().waitFor();
  assert.deepEqual(complaints, []);
  for (const page of [teacher, one, other]) await page.context().close();
});

test('the end of a class asks first; then its members are told, asked no more, and led on', async () => {
  const { page: teacher } = await visit(`/?teacher=${TOKEN}`);
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog');
  const code = (await dialog.locator('.class-code').textContent() ?? '').replace(' ', '');
  const { page: student } = await open(browser, phone);
  await student.goto(`${playground.url}/?code=${code}`);
  await student.waitForURL('**/rooms/*');
  await dialog.getByText('1 here now').waitFor();
  await dialog.getByRole('button', { name: 'Hand the run to a student' }).press('Enter');
  await student.getByRole('button', { name: 'Take over the run' }).waitFor();
  await dialog.getByText('The run is on offer').waitFor();
  await dialog.getByRole('button', { name: 'End the class' }).press('Enter');
  await dialog.getByText('1 of 1 is here now.').waitFor();
  assert.equal(await teacher.evaluate(() => document.activeElement?.textContent), 'Cancel', 'who presses Enter again loses nothing');
  assert.deepEqual(await violations(teacher, '#class'), []);
  await teacher.keyboard.press('Enter');
  await dialog.locator('.class-code').waitFor();
  await dialog.getByRole('button', { name: 'End the class' }).press('Enter');
  await dialog.getByRole('button', { name: 'End the class' }).press('Enter');
  await teacher.getByRole('button', { name: 'Open a class' }).waitFor();

  await student.getByText('The class has ended.').waitFor();
  for (const name of ['Take over the run', 'Try it in a room of your own', 'Start']) assert.equal(await student.getByRole('button', { name, exact: true }).count(), 0, name);
  let asked = 0;
  student.on('request', () => asked++);
  student.on('websocket', () => asked++);
  await student.waitForTimeout(5000); // longer than a page that asks again waits between two questions
  assert.equal(asked, 0, 'a room that is no more is not asked');
  assert.deepEqual(await violations(student), []);
  await student.reload();
  await student.getByText('This room is no more').waitFor();
  await student.getByRole('link', { name: 'To the front page' }).press('Enter');
  await student.getByLabel('Code of a class').waitFor();
  for (const page of [teacher, student]) await page.context().close();
});
