// The front page, and the doors that every visitor finds at any time: on a server where a
// room main had a run and a class has ended, for one person and with a teacher's token.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const TOKEN = 'the-token-of-the-test';
const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

/** @type {Browser} */ let browser;

before(async () => { browser = await launch(); });
after(() => browser?.close());

/** A browser of its own at a path. @param {Playground} playground @param {string} path @param {BrowserContextOptions} [options] */
async function visit(playground, path, options) {
  const { page, complaints } = await open(browser, options);
  await page.goto(playground.url + path);
  return { page, complaints };
}

/** The name of the room where a page is, or empty. @param {Page} page */
const roomOf = (page) => /rooms\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '';

/** The front page is whole: with something to run, the beginning, the class, the map. @param {Page} page @param {boolean} teacher */
async function isFrontPage(page, teacher) {
  await page.locator('#front').getByRole('button', { name: /^Run / }).and(page.locator(':enabled')).waitFor();
  await page.getByRole('button', { name: 'New here? Three minutes' }).waitFor();
  await page.getByLabel('Code of a class').or(page.getByRole('link', { name: 'Back to the class' })).first().waitFor();
  await page.getByRole('link', { name: 'Map of the course' }).waitFor();
  assert.equal(roomOf(page), '');
  assert.equal(await page.locator('.lane, .result').count(), 0, 'it shows no run');
  if (teacher) await page.getByRole('button', { name: 'Open a class' }).waitFor();
}

test('beside a lesson the big button starts the first run of that lesson, as it is there', async () => {
  const playground = await Playground.start();
  const { page, complaints } = await visit(playground, '/#lesson=why-a-lock');
  await page.locator('#front').getByRole('heading', { name: 'Two clients, one lock' }).waitFor();
  await page.locator('#front').getByRole('button', { name: 'Run this scenario' }).press('Enter');
  await page.locator('.client.is-holds').first().waitFor();
  assert.equal(await page.locator('.client').count(), 2);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('one runs, one joins a class, one opens the front page again and again, and each finds its door', async () => {
  const playground = await Playground.start(['-teacher-token', TOKEN]);
  const { page: teacher, complaints } = await visit(playground, `/?teacher=${TOKEN}`);
  await isFrontPage(teacher, true);
  const post = (/** @type {string} */ path, data = {}) => teacher.request.post(`${playground.url}/api/${path}`, { data });
  assert.equal((await post('rooms/main/run', { scenario: 'herd' })).status(), 201, 'a run in main');
  const before = (await (await post('classes')).json()).room;
  assert.equal((await teacher.request.delete(`${playground.url}/api/rooms/${before}/class`)).status(), 204, 'a class that has ended');

  // One runs, and is in a room of its own, whatever it does there.
  const { page: runner, complaints: theirs } = await visit(playground, '/');
  await isFrontPage(runner, false);
  await runner.getByRole('button', { name: 'Run herd against predecessor' }).press('Enter');
  await runner.locator('.client.is-holds').first().waitFor();
  const own = roomOf(runner);
  assert.ok(own && own !== 'main');
  await runner.goBack();
  await isFrontPage(runner, false);
  await runner.getByRole('link', { name: 'Your own room' }).press('Enter');
  await runner.locator('.client').first().waitFor();
  assert.equal(roomOf(runner), own);
  await runner.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  await runner.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await runner.locator('.bar').getByRole('link', { name: 'ZooKeeper' }).press('Enter'); // from any room
  await isFrontPage(runner, false);
  await runner.getByText('was run last').waitFor();

  // One opens a class, one joins it, at the second try.
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const code = await teacher.getByRole('dialog').locator('.class-code').textContent() ?? '';
  const room = roomOf(teacher);
  const { page: student, complaints: refused } = await visit(playground, '/', phone);
  const field = student.getByLabel('Code of a class');
  await field.fill('zzz zzz');
  await student.keyboard.press('Enter');
  await student.getByText('No class has this code.').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.equal(await field.inputValue(), 'zzz zzz', 'what was typed is there');
  assert.deepEqual(await violations(student), []);
  await field.fill(code);
  await student.keyboard.press('Enter');
  await student.waitForURL(`**/rooms/${room}*`);

  // The student runs something of its own: it is told where it is, and goes back.
  await student.getByRole('button', { name: 'Try it in a room of your own' }).press('Enter');
  await student.waitForURL((url) => !url.href.includes(room));
  await student.getByText('This is your own room.').waitFor();
  await student.locator('.client.is-holds').first().waitFor();
  const back = student.locator('.where').getByRole('link', { name: 'Back to the class' });
  await student.evaluate(() => scrollTo(0, document.body.scrollHeight));
  assert.ok(await back.evaluate((link) => { const { top, bottom } = link.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }), 'in view, wherever the page is scrolled');
  assert.deepEqual(await violations(student, '.where'), []);
  await back.press('Enter');
  await student.waitForURL(`**/rooms/${room}*`);
  await student.locator('#class-open').press('Enter');
  const doors = student.getByRole('dialog', { name: 'In a class' });
  await doors.getByRole('link', { name: 'Your own room' }).first().waitFor();
  assert.deepEqual(await violations(student, '#class'), []);
  await doors.getByRole('button', { name: 'Leave the class' }).press('Enter');
  await isFrontPage(student, false);

  // Another opens the front page again and again, by whatever way.
  const { page: other, complaints: others } = await visit(playground, '/#lesson=znodes&scenario=by-hand');
  for (let n = 0; n < 2; n++) {
    await other.locator('.lesson h1', { hasText: 'Znodes' }).waitFor();
    await isFrontPage(other, false);
    await other.reload();
  }
  await other.goto(playground.url);
  await isFrontPage(other, false);
  await other.getByRole('link', { name: /^(Lesson 1: )?Znodes/ }).press('Enter');
  await other.locator('.lesson h1', { hasText: 'Znodes' }).waitFor();
  await other.goBack();
  await isFrontPage(other, false);
  assert.equal(await other.locator('#lesson').isVisible(), false);
  await other.goForward();
  await other.locator('.run-card .run-button').first().press('Enter');
  await other.locator('#lanes .lane').first().waitFor();
  assert.ok(![own, room, 'main', ''].includes(roomOf(other)), 'in a room of its own');
  await other.locator('#class-open').press('Enter');
  await other.getByRole('dialog').getByLabel('Code of a class').fill(code);
  await other.keyboard.press('Enter');
  await other.waitForURL(`**/rooms/${room}*`);
  await other.goto(playground.url);
  await other.getByRole('link', { name: 'Back to the class' }).waitFor();
  await other.getByText('is running').waitFor(); // what it ran before it joined can be reached

  // The teacher finds the class again, also from the front page.
  await teacher.goto(`${playground.url}/?teacher=${TOKEN}`);
  await teacher.getByRole('link', { name: 'Back to the class' }).press('Enter');
  await teacher.waitForURL(`**/rooms/${room}*`);
  await teacher.getByRole('button', { name: /^Class: / }).press('Enter');
  await teacher.getByRole('dialog').getByRole('button', { name: 'End the class' }).press('Enter');
  await teacher.getByRole('dialog').getByRole('button', { name: 'End the class', exact: true }).press('Enter');
  await isFrontPage(teacher, true);
  await other.reload();
  await isFrontPage(other, false);
  const unexpected = [complaints, theirs, refused, others].map((said) => said.filter((each) => !each.includes('/api/rooms/') && !each.includes('/api/classes/join'))); // what a room or a class refuses, the browser tells, too
  assert.deepEqual(unexpected, [[], [], [], []]);
  for (const page of [teacher, runner, student, other]) await page.context().close();
  await playground.stop();
});

test('two who run something share no room, and what one starts in another’s room is said there', async () => {
  const playground = await Playground.start();
  const { page: one } = await visit(playground, '/');
  const { page: other } = await visit(playground, '/');
  for (const page of [one, other]) {
    await page.getByRole('button', { name: 'Run herd against predecessor' }).press('Enter');
    await page.locator('.client').first().waitFor();
  }
  assert.notEqual(roomOf(one), roomOf(other));
  await other.goto(`${playground.url}/rooms/${roomOf(one)}`);
  await other.locator('.client').first().waitFor();
  await one.locator('.field.scenario select').selectOption('two-holders');
  await other.request.post(`${playground.url}/api/rooms/${roomOf(one)}/run`, { data: { scenario: 'herd' } });
  await one.getByText('The herd was started from another page.').waitFor();
  assert.equal(await one.locator('.field.scenario select').inputValue(), 'herd', 'the page says what runs');
  assert.match(one.url(), /scenario=herd$/);
  for (const page of [one, other]) await page.context().close();
  await playground.stop();
});

test('an old link to a moment leads to the room where it was, and the front page fits each size in both themes', async () => {
  const playground = await Playground.start();
  const { page, complaints } = await visit(playground, '/#run=gone-1&at=5&scenario=herd');
  await page.waitForURL('**/rooms/main#run=gone-1*');
  const { page: front, complaints: own } = await visit(playground, '/');
  for (const [width, height, colorScheme] of /** @type {const} */ ([[1440, 900, 'light'], [1366, 768, 'dark'], [720, 450, 'light'], [390, 844, 'dark']])) {
    await front.setViewportSize({ width, height });
    await front.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await isFrontPage(front, true); // who is alone here may open a class
    assert.ok(await front.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}: nothing sticks out`);
    const run = await front.getByRole('button', { name: /^Run / }).boundingBox();
    assert.ok(run && run.y + run.height <= height, `${width}: what to run is in sight`);
    assert.deepEqual(await violations(front), [], `${width}`);
  }
  assert.deepEqual(own, []);
  await front.context().close();
  assert.deepEqual(complaints.filter((each) => !each.includes('404')), []);
  await page.context().close();
  await playground.stop();
});

test('what the visitor is about to press stays where it is when the server says late where the visitor was', async () => {
  const playground = await Playground.start();
  const { page } = await visit(playground, '/');
  await page.getByRole('button', { name: 'Run herd against predecessor' }).press('Enter');
  await page.locator('.client').first().waitFor();
  /** @type {() => void} */ let answer = () => {};
  const late = new Promise((resolve) => { answer = () => resolve(undefined); });
  await page.route('**/api/rooms/main/me', async (route) => { await late; await route.continue(); });
  await page.goto(playground.url);
  await page.getByRole('button', { name: 'Run herd against predecessor' }).waitFor(); // its words come with the scenarios
  const button = page.getByRole('button', { name: 'New here? Three minutes' });
  await button.focus();
  const place = await button.boundingBox();
  assert.equal(await page.locator('.front-door').count(), 0);
  answer();
  await page.getByRole('link', { name: 'Your own room' }).waitFor();
  assert.deepEqual(await button.boundingBox(), place);
  await page.keyboard.press('Enter');
  await page.locator('.tour-card').waitFor();
  await page.context().close();
  await playground.stop();
});

/** What is in the window whole, of what a selector finds. @param {Page} page @param {string} selector */
const inView = (page, selector) => page.locator(selector).evaluateAll((found) => found.filter((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const card = document.querySelector('.tour-card')?.getBoundingClientRect().top ?? innerHeight;
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= card;
}).length);

test('the tour by keyboard, in each size: one idea a step, each at its instant, with nothing around it, and then lesson 1', async () => {
  const playground = await Playground.start();
  const { page, complaints } = await visit(playground, '/', desk);
  await page.getByRole('button', { name: 'New here? Three minutes' }).press('Enter');
  const card = page.locator('.tour-card');
  /** Waits until a step stands at its instant. @param {number} step */
  const stands = async (step) => {
    await card.getByText(`${step} of 7`).waitFor();
    await card.locator('.primary[aria-disabled="false"]').waitFor();
  };
  const next = () => page.keyboard.press('ArrowRight');
  /** How many are in the window whole, on a desk and on a phone. @param {string} selector @param {number} wanted @param {string} [what] */
  const shows = async (selector, wanted, what) => {
    for (const { viewport } of [phone, desk]) {
      await page.setViewportSize(viewport);
      await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
      assert.equal(await inView(page, selector), wanted, `${what ?? selector} at ${viewport.width}`);
    }
  };
  await stands(1);
  assert.notEqual(roomOf(page), 'main');
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.tour-card') !== null), true, 'the focus is where the pages are turned');
  for (const chrome of ['#lesson', '#run-bar', '#caption', '#timeline', '#panel-tabs', '#panels', '#dock', '#class-open']) assert.equal(await page.locator(chrome).isVisible(), false, chrome);
  await shows('.client', 6, 'all clients are in sight');
  assert.deepEqual(await violations(page), []);
  const first = await page.locator('.queue').textContent();
  await page.keyboard.press('s'); // restarts a run elsewhere
  await page.keyboard.press('x');
  await next();
  await stands(2);
  await page.keyboard.press('ArrowLeft');
  await stands(1);
  assert.equal(await page.locator('.queue').textContent(), first, 'the same run, at the same instant');
  await next();
  await stands(2);
  await next();
  await stands(3);
  await card.getByText('four were woken for nothing').waitFor();
  await shows('.client.is-holds', 1);
  assert.match((await page.locator('.wake').innerText()).replace(/\s+/g, ' '), /5 woken 4 for nothing/);
  await page.reload();
  await stands(3);
  await next();
  await stands(4);
  await next();
  await stands(5);
  assert.match((await page.locator('.wake').innerText()).replace(/\s+/g, ' '), /1 woken 0 for nothing/);
  await next();
  await stands(6);
  await shows('.client.is-holds', 2, 'the two that believe');
  await next();
  await stands(7);
  await shows('.account', 1, 'the money that is lost');
  await card.getByRole('button', { name: 'Lesson 1: Why a lock across machines' }).press('Enter');
  await page.locator('.lesson h1', { hasText: 'Why a lock' }).waitFor();
  assert.equal(await card.count(), 0);
  assert.deepEqual(complaints, []);

  await page.goto(playground.url);
  await page.getByRole('button', { name: 'New here? Three minutes' }).press('Enter');
  await card.waitFor();
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'stage', 'the focus is not lost');
  await page.locator('#run-bar').waitFor();
  await page.context().close();
  await playground.stop();
});
