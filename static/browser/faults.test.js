// What a visitor does to a client, and what ZooKeeper makes of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { openMenu, inject } from './menu.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.startWithServer(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/**
 * A page on which one client holds and the others wait.
 * @param {object} [changes] of the scenario
 */
async function queued(changes) {
  const { page } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const { run } = await playground.call('POST', 'run', { scenario: longHold(changes) });
  await page.goto(playground.page);
  await page.locator('.client.is-holds').waitFor();
  await page.waitForFunction((waiting) => document.querySelectorAll('.client.is-waiting').length === waiting, run.clients - 1);
  return { page, run };
}

/** The number of the client that the page shows as the holder. @param {Page} page */
async function holder(page) {
  return Number(await page.locator('.client.is-holds').getAttribute('data-client'));
}

/**
 * Acts, and waits until the page has shown what stays for some seconds only. It looks from before the act:
 * on a slow machine the act may take longer than what it shows.
 * @param {Page} page
 * @param {string} what a selector
 * @param {() => Promise<unknown>} act
 */
async function showing(page, what, act) {
  await Promise.all([page.locator(what).waitFor({ state: 'attached' }), act()]);
}

/**
 * The first event after another that fits.
 * @param {number} seq
 * @param {(event: any) => boolean} fits
 */
async function eventAfter(seq, fits) {
  for (const deadline = Date.now() + 30_000; ;) { // the page may show it before the observer has told why
    const event = (await playground.events()).find((each) => each.seq > seq && fits(each));
    if (event) return event;
    assert.ok(Date.now() < deadline, 'the log lacks an event');
    await setTimeout(100);
  }
}

test('a crashed holder keeps its znode until the session times out, then the next one holds', async () => {
  const { page, run } = await queued({ session: '12s' });
  const target = await holder(page);
  const queue = await playground.queue(run.lanes[0].path);
  await showing(page, '.znode.is-crashed', () => inject(page, target, 'crash'));
  assert.deepEqual(await playground.queue(run.lanes[0].path), queue, 'the znode of the dead is still there');
  await page.waitForFunction((dead) => {
    const holding = document.querySelector('.client.is-holds')?.getAttribute('data-client');
    return holding && Number(holding) !== dead;
  }, target);
  const crash = await eventAfter(0, (event) => event.kind === 'fault.injected');
  const end = await eventAfter(crash.seq, (event) => event.kind === 'tree.deleted' && event.client === target);
  const waited = (end.at - crash.at) / 1e6;
  assert.equal(end.cause, 'expiry');
  assert.ok(waited > 5 && waited < 20, `a session of 12 s ended after ${waited} s`);
  await page.context().close();
});

test('a crashed client is started again by its menu: its old znode runs out, and it queues anew', async () => {
  const { page } = await queued({ session: '12s' });
  const waiter = await holder(page) % 5 + 1;
  await showing(page, '.znode.is-crashed', () => inject(page, waiter, 'crash'));
  await page.locator(`.client[data-client="${waiter}"].is-crashed`).waitFor();
  await openMenu(page, waiter);
  assert.equal(await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).dataset['fault']), 'start-again');
  await page.keyboard.press('Enter');
  await page.locator(`.client[data-client="${waiter}"].is-waiting`).waitFor();
  await page.locator('.znode.is-crashed').waitFor({ state: 'detached' });
  await page.context().close();
});

test('an expired holder loses its znode at once', async () => {
  const { page, run } = await queued({ session: '40s' });
  const target = await holder(page);
  await inject(page, target, 'expire');
  await page.waitForFunction((dead) => {
    const holding = document.querySelector('.client.is-holds')?.getAttribute('data-client');
    return holding && Number(holding) !== dead;
  }, target);
  const fault = await eventAfter(0, (event) => event.kind === 'fault.injected');
  const end = await eventAfter(fault.seq, (event) => event.kind === 'tree.deleted' && event.client === target);
  assert.ok(end.at - fault.at < 10e6, `the znode of a session of 40 s went after ${end.at - fault.at} microseconds`);
  assert.ok((await playground.queue(run.lanes[0].path)).length >= 4);
  await page.context().close();
});

/** Faults of the link are drawn on it too. */
const marks = [
  { fault: 'pause' },
  { fault: 'partition', link: true },
  { fault: 'partition-out', link: true },
  { fault: 'partition-in', link: true },
  { fault: 'slow', link: true },
  { fault: 'lose-reply', link: true },
  { fault: 'expire' },
  { fault: 'delete' },
];

/** What the server says of a fault. @param {string} name */
async function described(name) {
  const { catalogue } = await (await fetch(`${playground.url}/api/scenarios`)).json();
  return catalogue.faults.find((/** @type {any} */ fault) => fault.name === name);
}

test('the menu tells every fault in the words of the server', async () => {
  const { page } = await queued({ session: '40s' });
  const { catalogue } = await (await fetch(`${playground.url}/api/scenarios`)).json();
  await openMenu(page, 1);
  for (const { name, title, sentence, target } of catalogue.faults) {
    const item = page.locator(`.fault-item[data-fault="${name}"]`);
    if (target === 'server') {
      assert.equal(await item.count(), 0, name);
      continue;
    }
    assert.equal(await item.locator('.fault-name').textContent(), title);
    if (name !== 'heal' && name !== 'start-again') assert.equal(await item.locator('.fault-text').textContent(), sentence);
  }
  await page.context().close();
});

test('every fault by its menu shows its own mark and title, on the client and on its link, and heals', async () => {
  const { page } = await queued({ clients: 10, session: '40s' });
  for (const [index, { fault, link }] of marks.entries()) {
    const client = index + 1;
    const { title } = await described(fault);
    await showing(page, `.client[data-client="${client}"] .fault-mark[data-fault="${fault}"] :text-is("${title}")`, () => inject(page, client, fault, { seconds: 0 }));
    assert.equal(await page.locator(`.link-mark[data-fault="${fault}"]`).count(), link ? 1 : 0, fault);
  }
  await inject(page, 9, 'close');
  await page.locator('.client[data-client="9"].is-closed .state', { hasText: 'closed' }).waitFor();
  await inject(page, 10, 'crash');
  await page.locator('.client[data-client="10"].is-crashed .overlay').waitFor({ state: 'attached' });
  for (const client of [1, 2, 3, 4, 5, 6]) await inject(page, client, 'heal');
  await page.waitForFunction(() => !document.querySelector('.link-mark'));
  await page.waitForFunction(() => !document.querySelector('.client .fault-mark:not([data-fault="expire"], [data-fault="delete"])'));
  await page.context().close();
});

test('a lasting fault heals by itself after the length that was chosen', async () => {
  const { page } = await queued({ session: '40s' });
  await showing(page, '.client[data-client="2"] .fault-mark', () => inject(page, 2, 'partition', { seconds: 3 }));
  await page.locator('.client[data-client="2"] .fault-mark').waitFor({ state: 'detached' });
  const cut = await eventAfter(0, (event) => event.kind === 'fault.injected');
  const healed = await eventAfter(cut.seq, (event) => event.kind === 'fault.healed' && event.client === 2);
  assert.equal(cut.for, 3000);
  assert.ok(healed.at - cut.at > 2e6, `it lasted ${healed.at - cut.at} microseconds`);
  await page.context().close();
});

test('a server that is restarted by the menu of the status bar: the run goes on', async () => {
  const { page } = await queued({ session: '40s' });
  const button = page.getByRole('button', { name: 'Break server…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('.fault-item[data-fault="kill-leader"]', { hasText: 'start with -nodes 3' }).waitFor();
  await page.locator('.fault-item[data-fault="restart"]').press('Enter');
  await page.locator('.fault-menu:popover-open').waitFor({ state: 'detached' });
  await openPanel(page, 'Events');
  await page.waitForFunction(() => document.querySelector('#panel-events')?.textContent?.includes('fault injected: Restart'));
  await page.locator('.client.is-holds').waitFor();
  while ((await playground.zookeeper()).state !== 'live') await setTimeout(100); // else the next test finds none
  await page.context().close();
});

test('servers that the playground did not start cannot be broken, and the menu says so', async () => {
  const { address } = await playground.zookeeper();
  const other = await Playground.start(['-zookeeper', address]);
  const { page } = await open(browser);
  await other.call('POST', 'run', { scenario: longHold() });
  await page.goto(other.page);
  await page.getByRole('button', { name: 'Break server…' }).click();
  await page.getByText('Nothing is possible: this playground did not start the servers').waitFor();
  assert.deepEqual(await page.locator('.fault-item').evaluateAll((items) => items.map((item) => item.ariaDisabled)).then((all) => [...new Set(all)]), ['true']);
  await page.context().close();
  await other.stop();
});

test('a fault that is not possible says why, and harms nothing', async () => {
  const { page } = await queued({ session: '40s' });
  const target = await holder(page);
  await openMenu(page, target);
  const heal = page.locator('.fault-item[data-fault="heal"]');
  assert.equal(await heal.getAttribute('aria-disabled'), 'true');
  assert.match(await heal.textContent() ?? '', /Not possible: no fault is active/);
  await page.keyboard.press('Escape');
  await page.locator('.fault-menu:popover-open').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'break', 'the focus goes back to the button');
  await inject(page, target, 'crash');
  await page.locator('.client.is-crashed').waitFor();
  await openMenu(page, target);
  await page.getByText('Nothing else is possible: its process is gone.').waitFor();
  assert.deepEqual(await page.locator('.fault-item').evaluateAll((items) => items.map((item) => item.dataset.fault)), ['start-again']);
  const answer = await page.request.post(`${playground.url}/api/rooms/main/faults`, { data: { client: target, fault: 'crash' } });
  assert.equal(answer.status(), 409);
  assert.equal((await answer.json()).error.code, 'impossible');
  await page.context().close();
});
