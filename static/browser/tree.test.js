// What a visitor makes beside the lock is drawn: each kind of znode, whose it is, who
// watches it, and how it goes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

const byHand = {
  name: 'by-hand-slowly', title: 'Be a client', summary: 'As by-hand.', lanes: [{ name: 'by-hand', title: 'By hand: two clients, and you', recipe: 'mutex' }],
  clients: 2, session: '4s', delay: '50ms', arrive: '0s', hold: { min: '2500ms', max: '2500ms' }, think: { min: '300ms', max: '300ms' }, seed: 1,
};

/** The line of a znode, by its name. @param {Page} page @param {string} name */
const line = (page, name) => page.locator(`#tree [role=treeitem][data-path$="/${name}"]`);

/** Somebody who types at a console, and leaves. @param {Page} page */
async function sit(page) {
  await page.evaluate(() => new Promise((joined) => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/rooms/main/console`);
    Object.assign(window, { typing: { socket, done: () => {} } });
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.prompt?.includes('CONNECTED')) joined(undefined);
      if (frame.done) /** @type {any} */ (window).typing.done();
    };
  }));
  return {
    /** @param {string[]} lines */
    async type(...lines) {
      for (const each of lines) {
        await page.evaluate((text) => new Promise((done) => {
          const { typing } = /** @type {any} */ (window);
          typing.done = () => done(undefined);
          typing.socket.send(JSON.stringify({ line: text }));
        }), each);
      }
    },
    leave: () => page.evaluate(() => /** @type {any} */ (window).typing.socket.close()),
  };
}

/** @param {import('playwright-core').BrowserContextOptions} options */
async function begin(options) {
  const { page, complaints } = await open(browser, options);
  await page.goto(playground.page);
  await page.locator('.run-buttons button, #welcome button').first().waitFor();
  await playground.call('POST', 'run', { scenario: byHand });
  await page.locator('.client.is-holds').first().waitFor();
  return { page, complaints, console: await sit(page) };
}

test('one of each kind is drawn, and when the session ends the ephemeral one is seen to go', async () => {
  const { page, complaints, console } = await begin({ viewport: { width: 1440, height: 900 } });
  await console.type('create /kinds hello', 'create -e /kinds/mine', 'create -s /kinds/item-');
  await line(page, 'kinds').getByText('hello').waitFor();
  await line(page, 'mine').getByText('ephemeral').waitFor();
  await line(page, 'item-0000000001').getByText('persistent').waitFor();
  assert.equal(await line(page, 'mine').locator('.glyph').count(), 1, 'whose it is');
  assert.deepEqual(await violations(page), []);

  await console.type('stat -w /gate');
  await page.locator('#tree .is-ghost', { hasText: 'is not there' }).waitFor();
  assert.equal(await line(page, 'gate').locator('.watching').count(), 1, 'an arrow leads to what is not there');
  await console.type('create /gate');
  await line(page, 'gate').locator('.is-told').waitFor();
  await page.locator('#tree .is-ghost').waitFor({ state: 'detached' });

  await line(page, 'kinds').focus();
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement?.getAttribute('data-path') ?? ''), /\/kinds\/item-0000000001$/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await line(page, 'kinds').and(page.locator('[aria-expanded="false"]')).waitFor();
  await page.keyboard.press('ArrowRight');
  await line(page, 'mine').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#panel-inspector h3', { hasText: '/kinds' }).waitFor();

  await console.leave();
  await page.locator('#tree .is-gone', { hasText: 'the session of client 3 has ended' }).waitFor();
  assert.equal(await page.locator('#tree .is-gone').count(), 1, 'the others stay');
  await line(page, 'item-0000000001').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('on a phone the tree is below the lane, and as wide as that', async () => {
  const { page, console } = await begin({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await console.type('create /news', 'get -w /news');
  await line(page, 'news').locator('.watching').waitFor();
  const [lanes, tree] = await Promise.all(['#lanes', '#tree'].map((part) => page.locator(part).boundingBox()));
  assert.ok(lanes && tree && tree.y >= lanes.y + lanes.height - 1 && Math.abs(tree.width - lanes.width) < 2, JSON.stringify({ lanes, tree }));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  await line(page, 'news').locator('.watching').tap();
  await page.locator('#panel-inspector h3', { hasText: 'Watch of client 3' }).waitFor();
  await page.context().close();
});
