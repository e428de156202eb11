// Before a class: who lags behind, parts of the lesson that are shown to all, and a playground that is started again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { TcpProxy } from './tcp-proxy.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const TOKEN = 'the-token-of-the-test';
const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(['-teacher-token', TOKEN]), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A teacher who has opened a class, and its code. @param {string} url of the playground */
async function openClass(url) {
  const { page: teacher, complaints } = await open(browser, wide);
  await teacher.goto(`${url}/?teacher=${TOKEN}`);
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog', { name: 'Join this class' });
  const code = (await dialog.locator('.class-code').textContent() ?? '').replace(' ', '');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await teacher.locator('.lesson h1').waitFor();
  return { teacher, dialog, code, complaints };
}

/** A student of the class. @param {string} url @param {string} code @param {BrowserContextOptions} [options] */
async function joinClass(url, code, options = wide) {
  const { page: student, complaints } = await open(browser, options);
  await student.goto(`${url}/?code=${code}`);
  await student.waitForURL('**/rooms/*');
  await student.getByText('The teacher starts and stops the runs of this class.').or(student.locator('.reading')).first().waitFor({ state: 'attached' });
  return { student, complaints };
}

/** Waits until a part of the lesson is as far up as it can be in what is seen of it, and marked. @param {Page} page @param {string} title @param {boolean} [marked] */
const standsAt = (page, title, marked = false) => page.waitForFunction(([wanted, mark]) => {
  const part = [...document.querySelectorAll('.lesson > :is(h1, h2, .predict, .run-card)')].find((each) => each.textContent?.includes(wanted));
  const reads = document.body.classList.contains('reading');
  const lesson = reads ? document.documentElement : document.querySelector('.lesson-article');
  if (!part?.checkVisibility() || !lesson) return false;
  const at = part.getBoundingClientRect().top - (reads ? 0 : lesson.getBoundingClientRect().top);
  const atEnd = lesson.scrollTop + lesson.clientHeight > lesson.scrollHeight - 2; // no part below its top can come further up
  return at >= 0 && (at < 200 || atEnd) && (!mark || part.classList.contains('is-shown'));
}, /** @type {const} */ ([title, marked]));

/** Shows a part of the lesson, which some pages then mark: they are looked at from before that, as the mark does not stay. @param {Page} teacher @param {string} title @param {Page[]} followers */
async function show(teacher, title, ...followers) {
  const name = title.replace(/^Run: /, '');
  const marks = Promise.all([
    ...followers.map((page) => standsAt(page, name, true)),
    ...followers.map((page) => page.getByText(`Shown to the class: ${title}`).waitFor({ state: 'attached' })),
  ]);
  await teacher.getByRole('button', { name: `Show to the class: ${title}` }).press('Enter');
  await marks;
}

test('the teacher sees how many are here, and how many of them lag behind', async () => {
  const { teacher, dialog, code, complaints } = await openClass(playground.url);
  const proxy = await TcpProxy.to(playground.url);
  const { student } = await joinClass(proxy.url, code);
  const { student: other } = await joinClass(playground.url, code, phone);
  const number = teacher.locator('#class-open');
  await number.getByText(/^Class: 2 here…$/).waitFor();
  await teacher.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  await student.locator('.client.is-holds').first().waitFor();
  proxy.freeze();
  await number.getByText(/^Class: 2 here, 1 lags behind…$/).waitFor();
  await number.press('Enter');
  await dialog.getByText('What they see is more than two seconds old').waitFor();
  assert.deepEqual([...await violations(teacher, '#class'), ...await violations(teacher, 'header')], []);
  assert.equal(await other.getByText(/lags? behind/).count(), 0, 'the students are not told');
  proxy.cut();
  proxy.restore(); // the page comes back by itself
  await number.getByText(/^Class: 2 here…$/).waitFor();
  await dialog.getByText('What they see is').waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  for (const page of [teacher, student, other]) await page.context().close();
  proxy.close();
});

test('a part of the lesson is shown to all who follow, and offered to who looks around', async () => {
  const { teacher, code, complaints } = await openClass(playground.url);
  const { student: follower, complaints: theirs } = await joinClass(playground.url, code);
  const { student: wanderer } = await joinClass(playground.url, code, phone);
  const { student: onPhone } = await joinClass(playground.url, code, phone);
  await teacher.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  for (const page of [wanderer, onPhone]) await page.locator('.client.is-holds').first().waitFor();
  assert.equal(await onPhone.evaluate(() => document.documentElement.scrollWidth), phone.viewport.width, 'all of it can be reached');
  await wanderer.getByRole('button', { name: 'Look around by myself' }).press('Enter');

  await show(teacher, 'What it cost', follower, onPhone); // on the phone the lesson takes the place of the lanes
  await teacher.locator('.show-section[aria-current=true]', { hasText: 'Show' }).waitFor();
  assert.equal(await teacher.locator('.show-section[aria-current=true]').count(), 1);
  assert.deepEqual(await violations(follower, '.lesson-panel'), []);
  assert.deepEqual(await violations(teacher, '.lesson-panel'), []);
  assert.deepEqual(await Promise.all([follower, wanderer, onPhone].map((page) => page.locator('.show-section').count())), [0, 0, 0], 'it is for who presents');

  const offer = wanderer.locator('.class-offer');
  await offer.getByText('The class is at: What it cost').waitFor();
  assert.deepEqual(await violations(wanderer), []);
  assert.ok(await wanderer.locator('#lanes').isVisible(), 'it is not taken there');
  await offer.getByRole('button', { name: 'Go there' }).press('Enter');
  await standsAt(wanderer, 'What it cost');
  assert.equal(await wanderer.evaluate(() => document.activeElement?.textContent), 'What it cost');
  await offer.getByRole('button').first().waitFor({ state: 'detached' });
  await wanderer.getByRole('button', { name: 'Lanes' }).press('Enter');
  await wanderer.getByRole('button', { name: 'Back to the presenter' }).waitFor(); // it still looks around

  await show(teacher, 'Run: Herd against predecessor', follower); // a run of the lesson
  await offer.getByText('The class is at: Run: Herd against predecessor').waitFor();
  await offer.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await offer.getByRole('button').first().waitFor({ state: 'detached' });
  await show(teacher, 'Run: Herd against predecessor'); // once more
  await offer.getByRole('button', { name: 'Go there' }).waitFor();

  const { student: late } = await joinClass(playground.url, code);
  await standsAt(late, 'Herd against predecessor');
  const { student: latePhone } = await joinClass(playground.url, code, phone);
  await latePhone.locator('.client').first().waitFor(); // first what goes on
  await latePhone.getByRole('button', { name: 'Lesson' }).last().press('Enter');
  await standsAt(latePhone, 'Herd against predecessor');

  await teacher.getByRole('combobox', { name: 'Lesson' }).selectOption('ephemeral-nodes');
  await show(teacher, 'Whose znode is it?', follower);
  await offer.getByText('The class is at: Ephemeral nodes').waitFor(); // its own lesson is another one
  await wanderer.getByRole('button', { name: 'Back to the presenter' }).press('Enter');
  await offer.getByRole('button').first().waitFor({ state: 'detached' });
  await wanderer.getByRole('button', { name: 'Lesson' }).last().press('Enter');
  await standsAt(wanderer, 'Whose znode is it?');

  await teacher.reload();
  await teacher.locator('.show-section[aria-current=true]').waitFor(); // it presents what it presented
  await follower.reload();
  await standsAt(follower, 'Whose znode is it?');
  assert.deepEqual([complaints, theirs], [[], []]);
  for (const page of [teacher, follower, wanderer, onPhone, late, latePhone]) await page.context().close();
});

test('after a restart of the playground the class stands in its lesson, and waits for no run that is gone', async () => {
  const data = await mkdtemp(join(tmpdir(), 'class-'));
  let own = await Playground.start(['-teacher-token', TOKEN, '-data', data]);
  try {
    const { teacher, code } = await openClass(own.url);
    const { student } = await joinClass(own.url, code);
    await teacher.getByRole('button', { name: 'Start', exact: true }).press('Enter');
    await student.locator('.client.is-holds').first().waitFor();
    await teacher.getByRole('tab', { name: 'Belief' }).press('Enter');
    await teacher.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    await show(teacher, 'What it cost', student);
    const room = teacher.url();
    await teacher.context().close(); // nobody presents it anew
    await student.locator('.is-shown').waitFor({ state: 'detached' }); // that was a moment
    own.process.kill('SIGKILL');
    await once(own.process, 'exit');
    own = await Playground.start(['-teacher-token', TOKEN, '-data', data, '-addr', new URL(own.url).host]);
    await student.getByText('Nothing runs yet.').waitFor();
    await student.getByRole('button', { name: 'Look around by myself' }).waitFor(); // it follows, as before
    const { student: late } = await joinClass(own.url, code);
    await standsAt(late, 'What it cost');
    const { page: back } = await open(browser, wide);
    await back.goto(`${own.url}/?teacher=${TOKEN}`);
    const started = await back.request.post(`${room.replace(/#.*/, '').replace('/rooms/', '/api/rooms/')}/run`, { data: { scenario: 'herd' } });
    assert.equal(started.status(), 201);
    for (const page of [student, late]) {
      await page.locator('.client.is-holds').first().waitFor();
      assert.equal(await page.getByRole('tab', { name: 'Belief' }).getAttribute('aria-selected'), 'true');
      assert.equal(await page.locator('.transport .live').getAttribute('aria-pressed'), 'true');
    }
    for (const page of [student, late, back]) await page.context().close();
  } finally {
    await own.stop();
    await rm(data, { recursive: true, force: true });
  }
});
