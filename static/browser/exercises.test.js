// Exercises of the lessons, done as a lesson says, one by a mouse, one by the keyboard and one
// on a phone, at a human pace. That the goals of all can be met is tested in package exercise;
// what the other runs show at their decisive instants, in recorded.test.js.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Hand, screens } from './hand.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { toldAnew } from './recorded-page.js';

/** @import { Browser, Locator, Page } from 'playwright-core' */
/** @import { Way } from './hand.js' */

/** @typedef {{ page: Page, hand: Hand, lane: (name: string) => Promise<Locator>, to: (name: string) => Promise<void>, back: (target: Locator) => Promise<void> }} Desk lane turns to a lane, to presses a word of the lesson, back goes back in time to what did not stay */

/**
 * @typedef {object} Exercise
 * @property {string} lesson
 * @property {string} card the title of the run that is started
 * @property {(desk: Desk) => Promise<void>} act
 */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @type {Record<string, Exercise>} */
const exercises = {
  'a crashed holder is waited for, and whoever comes next can be crashed by hand': {
    lesson: 'ephemeral-nodes', card: 'The holder crashes',
    async act({ page, hand, lane, to, back }) {
      const shown = await lane('Predecessor');
      await shown.locator('.client.is-crashed').waitFor();
      await shown.locator('.client.is-holds').waitFor(); // the next one, once the session has ended
      await back(shown.locator('.wake .by', { hasText: 'session ended' }));
      await costs(shown, 1, 0);
      await back(shown.locator('.znode.is-crashed .number', { hasText: /^\d\.\d( s)?$/ }));
      await to('faults');
      await hand.press(page.locator('.break-any'));
      await hand.press(page.locator('.fault-item[data-fault="crash"]'));
      await shown.locator('.client.is-crashed').nth(1).waitFor();
      await hand.breakClient(shown.locator('.client.is-crashed').first());
      await hand.press(page.locator('.fault-item[data-fault="start-again"]'));
      await shown.locator('.client.is-crashed').nth(1).waitFor({ state: 'detached' });
      await hand.pressZnode(shown, shown.locator('.on-znode').first());
      await page.locator('#panel-inspector .stat dt', { hasText: 'ephemeralOwner' }).first().waitFor();
    },
  },
  'the znode belongs to another session than the client has': {
    lesson: 'museum', card: 'The znode of another session',
    async act({ page, hand, lane, to, back }) {
      const shown = await lane('Adopting');
      await shown.locator('.checks.violated', { hasText: 'Belief' }).waitFor();
      await back(shown.locator('.client.is-holds').nth(1));
      await to('at-first-hold');
      await lane('Adopting');
      await hand.pressZnode(shown, shown.locator('.on-znode[aria-label*="of client 1,"]'));
      const owner = page.locator('#panel-inspector .stat dl').first().locator('div', { has: page.locator('dt:text-is("ephemeralOwner")') }).locator('dd');
      const znodes = (await owner.innerText()).split(' ')[0] ?? '';
      assert.match(znodes, /^0x/);
      await to('client-1');
      const session = page.locator('#panel-inspector section', { hasText: 'The client believes' }).locator('div', { has: page.locator('dt:text-is("Session")') }).locator('dd').first();
      assert.match(await session.innerText(), /^0x/);
      assert.notEqual(await session.innerText(), znodes);
    },
  },
  'a visitor loses a reply, and waits for a znode of their own': {
    lesson: 'lost-reply', card: 'Lose a reply of your own',
    async act({ page, hand, lane, to }) {
      const shown = await lane('By hand');
      await shown.locator('.client.is-holds').waitFor();
      await join(page, hand, to);
      await enter(page, 'ls /lock');
      await breakLastingly(page, hand, shown.locator('.client[data-client="3"]'), 'lose-reply');
      await to('console'); // on a phone the client was shown in its place
      await enter(page, 'create -e -s /lock/lock-');
      await told(page, 'lost-reply/behind-yourself', 'Ask again');
      await enter(page, 'create -e -s /lock/lock-');
      await told(page, 'lost-reply/behind-yourself', 'which znode is just ahead');
    },
  },
};

/** How each is done. @type {Way[]} */
const ways = ['mouse', 'keyboard', 'phone'];

for (const [index, [what, exercise]] of Object.entries(exercises).entries()) {
  const way = /** @type {Way} */ (ways[index]);
  test(`${what}: ${way}`, async () => {
    const { page, complaints } = await open(browser, screens[way]);
    await doIt(page, new Hand(page, way), exercise);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

/** Opens the lesson, starts its run, and does what it says. @param {Page} page @param {Hand} hand @param {Exercise} exercise */
async function doIt(page, hand, { lesson, card, act }) {
  await page.goto(`${playground.page}#lesson=${lesson}`);
  const button = page.locator('.run-card', { has: page.getByRole('heading', { name: card, exact: true, includeHidden: true }) }).getByRole('button', { name: 'Run this', includeHidden: true });
  const started = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/run'));
  await hand.press(button);
  const { run } = await (await started).json();
  await page.locator('.lane .directory title', { hasText: `/${run.id}/` }).first().waitFor({ state: 'attached' });
  await act({
    page, hand,
    to: (name) => hand.press(page.locator(`.lesson [data-stage="${name}"]`).last()),
    back: (target) => goBack(page, hand, target),
    async lane(name) {
      const found = page.locator('.lane', { has: page.locator('h2', { hasText: name }) });
      await hand.turnTo(found, name);
      return found;
    },
  });
}

/** What the lane says of its newest release. @param {Locator} lane @param {number} woken @param {number} wasted */
async function costs(lane, woken, wasted) {
  await lane.locator('.figure.woken strong').getByText(String(woken), { exact: true }).waitFor();
  assert.equal(await lane.locator('.figure.wasted strong').textContent(), String(wasted));
}

/** Waits a little for something to come into sight, and then goes back from mark to mark: a late viewer has missed what does not stay. @param {Page} page @param {Hand} hand @param {Locator} target */
async function goBack(page, hand, target) {
  if (await target.waitFor({ timeout: 3000 }).then(() => true, () => false)) return;
  const press = () => hand.press(page.getByRole('button', { name: 'Previous mark' }));
  const slider = page.getByRole('slider', { name: 'Time' });
  const told = () => slider.getAttribute('aria-valuetext');
  if (await page.locator('#timeline .live[aria-pressed="true"]').count()) await press();
  await page.locator('#timeline .live[aria-pressed="false"]').waitFor({ state: 'attached' });
  for (let before = await told(); !await target.isVisible(); before = await told()) {
    await press();
    await toldAnew(page, before ?? '');
  }
}

/** Becomes a client, at the console. @param {Page} page @param {Hand} hand @param {Desk['to']} to */
async function join(page, hand, to) {
  await to('console');
  await hand.press(page.locator('.console-join'));
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
}

/** Types a line once there is a connection, and reads what comes of it. @param {Page} page @param {string} line */
async function enter(page, line) {
  const prompt = page.locator('.console-line label');
  await prompt.filter({ hasText: '(CONNECTED' }).waitFor();
  const before = await prompt.textContent();
  await page.locator('.console-line input').fill(line);
  await page.keyboard.press('Enter');
  await page.waitForFunction((was) => document.querySelector('.console-line label')?.textContent !== was, before);
}

/** Breaks a client until it is healed. @param {Page} page @param {Hand} hand @param {Locator} client @param {string} fault */
async function breakLastingly(page, hand, client, fault) {
  await hand.breakClient(client);
  await page.locator('.fault-group select').selectOption('0');
  await hand.press(page.locator(`.fault-item[data-fault="${fault}"]`));
}

/** What a goal of the lesson says. @param {Page} page @param {string} key @param {string} words */
const told = (page, key, words) => page.locator(`.goal[data-check="${key}"]`, { hasText: words }).waitFor({ state: 'attached' });
