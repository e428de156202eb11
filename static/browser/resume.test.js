// Viewers that come late, reload, or lose their connection, and a ZooKeeper
// that dies: nothing is missed and nothing is seen twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { TcpProxy } from './tcp-proxy.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** How many may watch a room. */
const PLACES = 200;

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.startWithServer(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** The numbers of the queue in the page's own words. @param {Page} page */
async function shownQueue(page) {
  await openPanel(page, 'In words');
  const places = await page.locator('.data-table tbody tr td:nth-child(2)').allTextContents();
  return places.map((place) => Number.parseInt(place, 10));
}

/** @param {Page} page @param {number} length */
const queueOf = (page, length) =>
  page.waitForFunction((n) => document.querySelectorAll('.data-table tbody tr').length === n, length);

/** Waits until the page has so many events. @param {Page} page @param {number} count */
async function told(page, count) {
  await openPanel(page, 'Events');
  await page.waitForFunction((n) => document.querySelector('#panel-events')?.textContent?.replaceAll(/[\s,]/g, '').includes(`${n}events`), count);
}

test('a reload in mid-run shows the queue that ZooKeeper has', async () => {
  const { page } = await open(browser);
  const { run } = await playground.call('POST', 'run', { scenario: longHold({ clients: 9 }) });
  await page.goto(playground.page);
  await openPanel(page, 'In words');
  await queueOf(page, 9);
  await page.reload();
  await openPanel(page, 'In words');
  await queueOf(page, 9);
  assert.deepEqual(await shownQueue(page), await playground.queue(run.lanes[0].path));
  await page.context().close();
});

test('a scenario that somebody has sent is shown under its own name', async () => {
  const { page } = await open(browser);
  await playground.call('POST', 'run', { scenario: longHold({ clients: 2, name: 'sent', title: 'Sent by somebody' }) });
  await page.goto(playground.page);
  const select = page.getByLabel('Scenario');
  await select.locator('option:checked', { hasText: 'Sent by somebody' }).waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('button', { name: /^(Start|Restart)$/ }).isDisabled(), true, 'the playground does not have it by its name');
  await select.selectOption('herd');
  await page.locator('button:enabled', { hasText: /^Start$/ }).waitFor();
  await page.context().close();
});

test('who finds a full room is told so, and comes in when there is a place', async () => {
  const { page: crowd } = await open(browser);
  await crowd.goto(`${playground.url}/healthz`);
  await crowd.evaluate(async (most) => {
    const stream = new URL('/api/rooms/main/stream', location.href.replace('http', 'ws'));
    const seated = Array.from({ length: most }, () => new Promise((done) => { new WebSocket(stream).onopen = done; }));
    await Promise.all(seated);
  }, PLACES);
  const { page } = await open(browser);
  await page.goto(playground.page);
  await page.getByText(`The room is full (no place left: ${PLACES} are watching)`).waitFor();
  await crowd.context().close();
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.getByText('The room is full').waitFor({ state: 'detached' });
  await page.context().close();
});

test('two pages and a late one show the same', async () => {
  const pages = await Promise.all([1, 2, 3].map(async () => (await open(browser)).page));
  const { run } = await playground.call('POST', 'run', { scenario: longHold({ clients: 6 }) });
  for (const page of pages) {
    await page.goto(playground.page);
    await openPanel(page, 'In words');
    await queueOf(page, 6);
    assert.deepEqual(await shownQueue(page), await playground.queue(run.lanes[0].path));
  }
  for (const page of pages) await page.context().close();
});

test('a page whose connection is cut comes back and misses nothing', async () => {
  const proxy = await TcpProxy.to(playground.url);
  const { page } = await open(browser);
  await playground.call('POST', 'run', { scenario: longHold({ clients: 4, hold: { min: '150ms', max: '300ms' } }) });
  await page.goto(`${proxy.url}/rooms/main`);
  await page.locator('.client.is-holds').waitFor();
  for (let cut = 0; cut < 3; cut++) {
    proxy.cut();
    await page.getByText('reconnecting').waitFor();
    proxy.restore();
    await page.getByText('reconnecting').waitFor({ state: 'detached' });
  }
  await playground.call('DELETE', 'run');
  await told(page, (await playground.events()).length);
  await page.context().close();
  proxy.close();
});

test('a phone that wakes up with a dead connection gets another, and misses nothing', async () => {
  const proxy = await TcpProxy.to(playground.url);
  const { page } = await open(browser);
  await playground.call('POST', 'run', { scenario: longHold({ clients: 4, hold: { min: '150ms', max: '300ms' } }) });
  await page.goto(`${proxy.url}/rooms/main`);
  await page.locator('.client.is-holds').waitFor();
  await openPanel(page, 'Events');
  await page.locator('#panel-events .sum').waitFor(); // nothing more of the page can be loaded after this
  proxy.freeze();
  await playground.call('DELETE', 'run');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await told(page, (await playground.events()).length);
  await page.context().close();
  proxy.close();
});

test('a playground below a path, which is stopped: the page works, and then says so', async () => {
  const other = await Playground.start(['-base-path', '/zk']);
  const { page } = await open(browser);
  await page.goto(`${other.url}rooms/main`); // the address ends in a slash
  await page.locator('.badge', { hasText: 'live' }).waitFor();
  await page.getByRole('button', { name: 'Run this' }).first().click(); // in a lesson
  await page.locator('.client.is-holds').first().waitFor();
  await other.stop();
  await page.getByText('The playground was stopped. The page goes on when it is started again.').waitFor();
  await page.locator('.badge', { hasText: 'stopped' }).waitFor();
  await page.context().close();
});

test('ZooKeeper killed in mid-run: the page says so, and the run goes on', async () => {
  const { page } = await open(browser);
  const { run } = await playground.call('POST', 'run', {
    scenario: longHold({ clients: 6, session: '40s', hold: { min: '100ms', max: '200ms' }, delay: '0s' }),
  });
  await page.goto(playground.page);
  await page.locator('.client.is-holds').waitFor();
  await loseZooKeeper(page);
  await page.getByText('ZooKeeper does not answer').waitFor({ state: 'detached', timeout: 60_000 });
  const back = (await playground.events()).at(-1).seq;
  await acquisitionsAfter(back);
  const { summary } = await playground.call('DELETE', 'run');
  const events = await playground.events();
  assert.deepEqual(events.map((event) => event.seq), events.map((_, index) => index + 1));
  const verdicts = summary.lanes[0].verdicts.map((/** @type {any} */ each) => `${each.check} ${each.verdict}`);
  assert.deepEqual(verdicts.filter((/** @type {string} */ each) => !each.endsWith('holds')), []);
  assert.equal((await playground.call('GET', 'summary')).events, events.length);
  assert.equal(run.zookeeper.managed, true);
  await page.context().close();
});

/**
 * Kills ZooKeeper until the page says so, which it does at once; but one that
 * stands still for a moment may miss that ZooKeeper was away.
 * @param {Page} page
 */
async function loseZooKeeper(page) {
  for (let tries = 1; ; tries++) {
    await playground.killZooKeeper();
    try {
      await page.getByText('ZooKeeper does not answer').waitFor({ timeout: 5000 });
      return;
    } catch (missed) {
      if (tries === 5) throw missed;
    }
  }
}

/** Waits until the lock has been acquired some times more. @param {number} seq */
async function acquisitionsAfter(seq) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const acquired = (await playground.events()).filter((event) => event.seq > seq && event.kind === 'lock.acquired');
    if (acquired.length >= 5) return;
    assert.ok(Date.now() < deadline, 'nobody acquires since ZooKeeper is back');
    await new Promise((done) => { setTimeout(done, 100); });
  }
}
