// Whatever is in the picture can be looked at in full, by mouse and by keyboard, at
// any instant of the run.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;
/** @type {any[]} */ let log;

before(async () => {
  [playground, browser] = await Promise.all([Playground.start(), launch()]);
  await playground.call('POST', 'run', { scenario: longHold() });
  do log = await playground.events(); while (log.filter(({ kind }) => kind === 'lock.waiting').length < 4);
});
after(async () => { await browser?.close(); await playground?.stop(); });

/** A page with the run, in which somebody holds and everybody else waits. @param {import('playwright-core').BrowserContextOptions} [options] */
async function opened(options) {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(playground.page);
  await page.waitForFunction(() => document.querySelectorAll('.client.is-waiting').length === 4 && document.querySelector('.client.is-holds'));
  return { page, complaints };
}

/** What the inspector is about. @param {Page} page @param {RegExp | string} name */
const heading = (page, name) => page.locator('#panel-inspector').getByRole('heading', { level: 3, name });

/** The line of the recipe at which the client stands. @param {Page} page */
const line = (page) => page.locator('.code [aria-current="step"] code');

/** The number of the client that holds, and of the one that waits for it. */
function firstTwo() {
  const holder = log.find(({ kind }) => kind === 'lock.acquired');
  const next = log.find(({ kind, predecessor }) => kind === 'lock.waiting' && predecessor === holder.path);
  return { holder, next };
}

test('by mouse: a client, its znode, who watches that, by which request, and back in time', async () => {
  const { page, complaints } = await opened();
  const { holder, next } = firstTwo();
  await page.locator(`.client[data-client="${holder.client}"] .token`).click();
  await heading(page, new RegExp(`Client ${holder.client}`)).waitFor();
  assert.match(await line(page).innerText(), /^work/);
  await page.locator('#panel-inspector').getByRole('button', { name: '00', exact: true }).click();
  await heading(page, /^Znode 00/).waitFor();
  const stat = async (/** @type {string} */ name) => (await page.locator('.stat dl').first().locator('div', { has: page.locator(`dt:text-is("${name}")`) }).locator('dd').innerText()).split(' ')[0];
  assert.equal(await stat('czxid'), String(holder.token));
  assert.equal(await stat('version'), '0');
  assert.equal(await stat('dataLength'), '0', 'who watches it was told');
  assert.equal(await stat('ephemeralOwner'), log.find(({ kind, client }) => kind === 'session.granted' && client === holder.client).session);
  assert.match(await page.locator('.history').innerText(), new RegExp(`created by client ${holder.client}[\\s\\S]*client ${next.client} watches it \\(getData\\)`));
  await page.locator('#panel-inspector dd').getByRole('button', { name: `client ${next.client}` }).click();
  await heading(page, new RegExp(`Watch of client ${next.client} on znode 00`)).waitFor();
  assert.equal(await page.locator('.znode-buttons [aria-current]').count(), 0);
  await page.getByRole('button', { name: 'getData', exact: true }).click();
  await heading(page, /^Request getData/).waitFor();
  assert.match(await page.locator('#panel-inspector').innerText(), /Size\s+\d+ bytes/);
  await page.locator('#panel-inspector dd').getByRole('button', { name: `client ${next.client}` }).click();
  await heading(page, new RegExp(`Client ${next.client}`)).waitFor();
  assert.match(await line(page).innerText(), /^ *sleep until the watch fires/);
  await page.locator('.arrow').first().dispatchEvent('click');
  await heading(page, /^Watch of client \d on znode 00/).waitFor();
  const enqueued = log.find(({ kind, client }) => kind === 'lock.enqueued' && client === next.client);
  await seekTo(page, enqueued.at);
  await page.waitForFunction(() => /^ *list dir/.test(document.querySelector('.code [aria-current="step"] code')?.textContent ?? ''));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('by keyboard: one stop for each queue, arrow keys along it, and from a znode to its watch', async () => {
  const { page, complaints } = await opened();
  const { next } = firstTwo();
  assert.equal(await page.locator('.znode-buttons [tabindex="0"]').count(), 1);
  await page.locator('.znode-buttons [tabindex="0"]').focus();
  const named = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  assert.match(await named(), /^Lock directory, 5 znodes/);
  await page.keyboard.press('ArrowRight');
  assert.match(await named(), /^Znode 00 of client \d, which holds, head of the queue, watched by 1 client$/);
  await page.keyboard.press('End');
  assert.match(await named(), /^Znode 04 of client \d, which waits, place 5$/);
  assert.equal(await page.locator('.znode-buttons [tabindex="0"]').count(), 1);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await heading(page, /^The lock directory/).waitFor();
  await page.locator('.znode-buttons [tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await heading(page, /^Znode 00/).waitFor();
  await page.locator('#panel-inspector .linked', { hasText: `client ${next.client}` }).focus();
  await page.keyboard.press('Enter');
  await heading(page, new RegExp(`Watch of client ${next.client}`)).waitFor();
  await page.locator('.history [tabindex="0"]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const instant = await page.evaluate(() => document.activeElement?.textContent);
  await page.waitForFunction((at) => document.querySelector('#timeline')?.textContent?.includes(at ?? '?'), instant);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('an event can be chosen by mouse and by keyboard, and shows its frame', async () => {
  const { page } = await opened();
  await openPanel(page, 'Events');
  await page.getByLabel('messages').check();
  const rows = page.getByRole('option');
  await page.getByLabel('Filter the events').fill('create');
  await rows.filter({ hasText: 'is answered: create ok' }).first().click();
  assert.equal(await page.locator('.events [aria-selected="true"]').count(), 1);
  await page.getByRole('button', { name: 'Inspect' }).click();
  await heading(page, /^Reply create/).waitFor();
  await openPanel(page, 'Events');
  const list = page.getByRole('listbox', { name: /Events/ });
  await list.focus();
  await page.keyboard.press('Home');
  for (let tries = 0; !/asks: create/.test(await active(page)); tries++) {
    assert.ok(tries < 200);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await heading(page, /^Request create/).waitFor();
  await page.context().close();
});

test('a frame of the sequence diagram can be chosen, and is shown', async () => {
  const { page } = await opened();
  await page.getByRole('button', { name: 'Sequence' }).click();
  await page.locator('.sequence-area canvas').first().waitFor();
  await page.getByRole('button', { name: 'Whole run' }).click();
  await page.getByText('What is in sight, in words').click();
  await page.locator('.sequence-item', { hasText: 'ZooKeeper answers client' }).first().click();
  await page.locator('#sequence').getByRole('button', { name: 'Inspect' }).click();
  await heading(page, /^Reply/).waitFor();
  await page.context().close();
});

test('axe finds nothing in any view of the inspector, light and dark, wide and narrow', async () => {
  const { page } = await opened();
  const { holder, next } = firstTwo();
  await page.locator(`.client[data-client="${holder.client}"] .token`).click();
  const select = page.locator('#panel-inspector select');
  for (const choice of ['client 1', 'lock directory, 5 znodes', 'znode 00', `watch of client ${next.client} on znode 00`]) {
    await select.selectOption({ label: choice });
    for (const [width, colorScheme] of /** @type {const} */ ([[1440, 'light'], [390, 'dark']])) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const found = await violations(page, '#panels');
      assert.deepEqual(found, [], `${choice}, ${width} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, choice);
    }
  }
  await page.context().close();
});

test('a znode that is gone is still told of', async () => {
  const { page } = await opened();
  const { holder, next } = firstTwo();
  await page.locator('.on-znode').first().click();
  await heading(page, /^Znode 00/).waitFor();
  await playground.call('POST', 'faults', { client: holder.client, fault: 'close' });
  await page.locator('#panel-inspector dd', { hasText: /gone since .*deleted because client \d closed its session/ }).waitFor();
  assert.match(await page.locator('.history').innerText(), new RegExp(`the watch of client ${next.client} fires: NodeDeleted`));
  await page.context().close();
});

/** The row where the keys are. @param {Page} page */
const active = (page) => page.evaluate(() => document.getElementById(document.querySelector('.events')?.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');

/** Goes to an instant by the events list: what is chosen there is gone to. @param {Page} page @param {number} at */
async function seekTo(page, at) {
  await openPanel(page, 'Events');
  const seq = log.find((event) => event.at === at && event.kind === 'lock.enqueued').seq;
  await page.locator(`#event-${seq}`).click();
  await page.getByRole('button', { name: 'Go there' }).click();
  await openPanel(page, 'Inspector');
}
