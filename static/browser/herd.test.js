// The main job: a visitor starts the comparison and sees the difference.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, moving, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/**
 * A figure in a lane's sums, such as "woken".
 * @param {Page} page
 * @param {string} lane
 * @param {string} name
 */
async function figure(page, lane, name) {
  const meter = page.locator(`.lane[data-lane="${lane}"] .meters div`, { hasText: name });
  return Number(await meter.locator('dd').first().textContent());
}

/** How long the comparison is looked at, and how often, in milliseconds. */
const WATCHED = 9_000;
const EVERY = 100;

/** What the head of each lane says, again and again: how many were woken, how many for nothing. @param {Page} page @returns {Promise<Record<string, string[]>>} */
const watchHeads = (page) => page.evaluate(([length, pause]) => new Promise((done) => {
  const words = (/** @type {Element} */ lane) => [...lane.querySelectorAll('.figure')].map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim()).join(', ');
  const seen = /** @type {Record<string, string[]>} */ ({});
  const began = performance.now();
  const timer = setInterval(() => {
    for (const lane of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.lane'))) (seen[lane.dataset['lane'] ?? ''] ??= []).push(words(lane));
    if (performance.now() - began < length) return;
    clearInterval(timer);
    done(seen);
  }, pause);
}), /** @type {const} */ ([WATCHED, EVERY]));

test('one click on the first page starts the comparison, which says what a release costs and goes on saying it', async (context) => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 }, ...moving });
  await page.goto(playground.page);
  await page.getByRole('button', { name: /^Run herd/ }).click();
  await page.locator('.lane').first().waitFor();
  const heads = await watchHeads(page);
  for (const [lane, first] of [['herd', '7 woken, 6 for nothing'], ['predecessor', '1 woken, 0 for nothing']]) {
    const seen = heads[lane ?? ''] ?? [];
    const begun = seen.findIndex((words) => !words.includes('–'));
    assert.equal(seen[begun], first, `the first in the lane ${lane}`);
    const shown = seen.slice(begun);
    const part = shown.filter((words) => /^\d+ woken, \d+ for nothing$/.test(words) && !words.startsWith('0')).length / shown.length;
    context.diagnostic(`${lane}: from sample ${begun} of ${seen.length} on, ${(100 * part).toFixed(1)} % of the time; ${[...new Set(shown)].join('; ')}`);
    assert.ok(part >= 0.95, `a release of the lane ${lane} is on show for ${Math.round(100 * part)} % of the time`);
  }
  assert.deepEqual(complaints, []);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText(/finished/).first().waitFor();
  assert.deepEqual(await page.locator('.lane .wake').evaluateAll((wakes) => wakes.map((wake) => /^\s*\d+ woken\s+\d+ for nothing/.test(wake.textContent ?? ''))), [true, true], 'also after the end');
  const summary = await (await page.request.get(new URL('api/rooms/main/summary', playground.url).href)).json();
  for (const { name, rounds } of summary.lanes) {
    assert.equal(await figure(page, name, 'woken'), Number((rounds.wakeups / rounds.complete).toFixed(1)));
    assert.equal(await figure(page, name, 'for nothing'), Number((rounds.wastedWakeups / rounds.complete).toFixed(1)));
  }
  await page.context().close();
});

test('clients and delay can be chosen, and a change of delay takes effect at once', async () => {
  const { page } = await open(browser);
  await page.goto(playground.page);
  await page.getByLabel('Scenario').selectOption('predecessor');
  await page.getByLabel('Clients, number').fill('3');
  await page.getByLabel('Clients, number').press('Tab');
  await page.getByRole('button', { name: /^(Start|Restart)$/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('.client').length === 3);
  await page.getByLabel('Delay').selectOption('50');
  await page.waitForFunction(async () => {
    const answer = await fetch('/api/rooms/main/events');
    const replies = (await answer.text()).trim().split('\n').map((line) => JSON.parse(line))
      .filter((event) => event.kind === 'wire.received' && event.op === 'create');
    const last = replies.at(-1);
    return last && last.latency >= 100_000 && last.latency < 400_000;
  }, undefined, { timeout: 30_000, polling: 500 });
  await page.context().close();
});

test('a lesson runs its own scenario beside the text, and back goes back', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.page);
  await page.locator('#lesson-select').selectOption('read-write-locks');
  await page.getByRole('heading', { name: 'Read/write locks', level: 1 }).waitFor();
  const card = page.locator('#lesson-article .run-card').first();
  await card.getByRole('button', { name: 'Run this' }).click();
  await page.locator('.lane[data-lane="read-write"] .client.is-holds').first().waitFor();
  assert.match(page.url(), /lesson=read-write-locks/);
  await page.goBack();
  await page.getByRole('heading', { name: 'One ahead', level: 1 }).waitFor(); // of what ran
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('who comes without a wish gets what runs, and the lesson that explains it', async () => {
  await playground.call('POST', 'run', { scenario: 'lost-wakeup' });
  const { page } = await open(browser);
  await page.goto(playground.page);
  await page.waitForFunction(() => location.hash.includes('lesson=museum') && location.hash.includes('scenario=lost-wakeup'));
  assert.equal(await page.locator('#lesson-select').inputValue(), 'museum');
  await page.getByRole('heading', { name: 'The museum of broken locks' }).waitFor();
  await page.goto(`${playground.page}#lesson=herd-effect`);
  await page.reload();
  await page.getByRole('heading', { name: 'The herd effect' }).waitFor();
  await page.context().close();
});
