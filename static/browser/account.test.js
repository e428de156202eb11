// The account that the lock protects, when a paused holder writes too late and at the
// end of the run: without a fence the deposits of the others are lost; with one nothing is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { outOfSight } from './sight.js';

/** @import { Browser, Locator, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Locator} part */
const words = async (part) => (await part.innerText()).replace(/\s+/g, ' ').trim();

/** Waits until an account has come to a balance. @param {Page} page @param {string} lane @param {number} balance */
const comesTo = (page, lane, balance) =>
  page.locator(`.lane[data-lane="${lane}"] .balance`, { hasText: String(balance) }).waitFor({ timeout: 20_000 });

/**
 * Runs a scenario until a write came too late in each lane: on a busy machine the
 * others may have made no deposit by then, or not all of them.
 * @param {Page} page
 * @param {string} scenario
 * @param {() => Promise<unknown>} late
 */
async function play(page, scenario, late) {
  await page.goto(playground.page);
  for (let tries = 1; ; tries++) {
    await playground.call('POST', 'run', { scenario });
    try {
      await late();
      return;
    } catch (missed) {
      if (tries === 4) throw missed;
    }
  }
}

/** What the server's check says of a lane's account. @param {any} summary @param {string} lane @returns {string} */
const whyOf = (summary, lane) => summary.lanes.find((/** @type {any} */ { name }) => name === lane)
  .verdicts.find((/** @type {any} */ { check }) => check === 'fenced-account').why;

test('without a fence the deposits of the others are lost, and the page says so for the rest of the run', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const account = page.locator('.lane .account');
  const verdict = account.locator('.verdict');
  await play(page, 'two-holders', () => verdict.filter({ hasText: 'should be 150, is 110: 40 of clients' }).waitFor({ timeout: 20_000 }));
  const [, names] = /40 of (clients \d and \d) lost$/.exec(await words(verdict)) ?? [];
  const late = await words(account.locator('.stamp'));
  const [, writer] = /^LATE WRITE TAKEN client (\d) wrote 110 over 140: it had read 100 before$/.exec(late) ?? [];
  assert.ok(names && writer && !names.includes(writer), `${names}; ${late}`);
  assert.ok(await verdict.evaluate((line) => parseFloat(getComputedStyle(line).fontSize)) >= 20);
  assert.deepEqual(await outOfSight(page, ['.account .balance', '.account .verdict', '.account .stamp']), []);
  assert.deepEqual(await violations(page, '.account'), []);

  await comesTo(page, 'unfenced', 120);
  const lost = `should be 160, is 120: 40 of ${names} lost`;
  assert.equal(await words(verdict), `✗ ${lost}`);
  const { summary } = await playground.call('DELETE', 'run');
  assert.ok(whyOf(summary, 'unfenced').endsWith(`; the account ${lost}`), whyOf(summary, 'unfenced'));
  await page.getByText(/finished/).first().waitFor();
  assert.equal(await words(verdict), `✗ ${lost}`);
  assert.equal(await words(account.locator('.stamp')), late);
  assert.doesNotMatch(await page.locator('.lane').innerText(), /\bfence/i, 'an account without a fence is not called fenced');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('with a fence the late write is refused, with a stamp that stays, and nothing is lost', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const lanes = /** @type {const} */ ({
    token: /token \d+ is lower than \d+, which the account has seen$/,
    guard: /the znode of its lock is gone, so the server did not carry out the transaction$/,
  });
  const account = (/** @type {string} */ lane) => page.locator(`.lane[data-lane="${lane}"] .account`);
  await play(page, 'two-holders-fenced', () => Promise.all(Object.keys(lanes).map((lane) =>
    account(lane).locator('.stamp.refused').waitFor({ timeout: 20_000 }))));
  for (const [lane, reason] of Object.entries(lanes)) {
    assert.match(await words(account(lane).locator('.late-write')), new RegExp(`^REFUSED client \\d, token \\d+, had read 100 ${reason.source}`));
    assert.deepEqual(await outOfSight(page, [`.lane[data-lane="${lane}"] .stamp`]), []);
  }
  assert.deepEqual(await violations(page, '.account'), []);
  for (const lane of Object.keys(lanes)) {
    await comesTo(page, lane, 150);
    assert.equal(await words(account(lane).locator('.verdict')), '✓ nothing is lost: all 5 deposits are in it');
    assert.match(await words(account(lane).locator('.stamp')), /^REFUSED client \d/);
  }
  const { summary } = await playground.call('DELETE', 'run');
  for (const lane of Object.keys(lanes)) assert.match(whyOf(summary, lane), /^5 writes, .* and 1 refused/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
