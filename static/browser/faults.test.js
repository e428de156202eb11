// What a visitor does to a client, and what ZooKeeper makes of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './launch.js';
import { patient, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/**
 * A page on which one client holds and the others wait.
 * @param {object} [changes] of the scenario
 */
async function queued(changes) {
  const { page } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const { run } = await playground.call('POST', 'run', { scenario: patient(changes) });
  await page.goto(playground.url);
  await page.locator('.client.is-holds').waitFor();
  await page.waitForFunction((waiting) => document.querySelectorAll('.client.is-waiting').length === waiting, run.clients - 1);
  return { page, run };
}

/** The number of the client that the page shows as the holder. @param {Page} page */
async function holder(page) {
  return Number(await page.locator('.client.is-holds').getAttribute('data-client'));
}

/**
 * Does a fault to a client with its button.
 * @param {Page} page
 * @param {number} client
 * @param {'crash' | 'expire'} fault
 */
async function strike(page, client, fault) {
  const button = page.getByRole('button', { name: `${fault} client ${client}` }).first();
  await button.focus();
  await button.press('Enter');
}

/**
 * The first event after another that fits.
 * @param {number} seq
 * @param {(event: any) => boolean} fits
 */
async function eventAfter(seq, fits) {
  const event = (await playground.events()).find((each) => each.seq > seq && fits(each));
  assert.ok(event, 'the log lacks an event');
  return event;
}

test('a crashed holder keeps its znode until the session times out, then the next one holds', async () => {
  const { page, run } = await queued({});
  const victim = await holder(page);
  const queue = await playground.queue(run.lanes[0].path);
  await strike(page, victim, 'crash');
  await page.locator('.client.is-crashed').waitFor();
  await page.locator('.znode.is-crashed').waitFor({ state: 'attached' });
  assert.deepEqual(await playground.queue(run.lanes[0].path), queue, 'the znode of the dead is still there');
  await page.waitForFunction((dead) => {
    const holding = document.querySelector('.client.is-holds')?.getAttribute('data-client');
    return holding && Number(holding) !== dead;
  }, victim, { timeout: 10_000 });
  const crash = await eventAfter(0, (event) => event.kind === 'fault.injected');
  const end = await eventAfter(crash.seq, (event) => event.kind === 'tree.deleted' && event.client === victim);
  const waited = (end.at - crash.at) / 1e6;
  assert.equal(end.cause, 'expiry');
  assert.ok(waited > 1.2 && waited < 2.6, `a session of 2 s ended after ${waited} s`);
  await page.context().close();
});

test('an expired holder loses its znode at once', async () => {
  const { page, run } = await queued({ session: '20s' });
  const victim = await holder(page);
  await strike(page, victim, 'expire');
  await page.waitForFunction((dead) => {
    const holding = document.querySelector('.client.is-holds')?.getAttribute('data-client');
    return holding && Number(holding) !== dead;
  }, victim, { timeout: 10_000 });
  const fault = await eventAfter(0, (event) => event.kind === 'fault.injected');
  const end = await eventAfter(fault.seq, (event) => event.kind === 'tree.deleted' && event.client === victim);
  assert.ok(end.at - fault.at < 250_000, `the znode went after ${end.at - fault.at} microseconds`);
  assert.ok((await playground.queue(run.lanes[0].path)).length >= 4);
  await page.context().close();
});

test('a fault that is not possible says why, and harms nothing', async () => {
  const { page } = await queued({ session: '20s' });
  const victim = await holder(page);
  await strike(page, victim, 'crash');
  await page.locator('.client.is-crashed').waitFor();
  const again = page.getByRole('button', { name: `crash client ${victim}, not possible` }).first();
  await again.waitFor({ state: 'attached' });
  assert.equal(await again.getAttribute('aria-disabled'), 'true');
  const answer = await page.request.post(`${playground.url}/api/rooms/main/faults`, { data: { client: victim, fault: 'crash' } });
  assert.equal(answer.status(), 409);
  assert.equal((await answer.json()).error.code, 'impossible');
  await page.context().close();
});
