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
 * A figure in a lane's sums, such as "wake-ups".
 * @param {Page} page
 * @param {string} lane
 * @param {string} name
 */
async function figure(page, lane, name) {
  const meter = page.locator(`.lane[data-lane="${lane}"] .meters div`, { hasText: name });
  return Number(await meter.locator('dd').first().textContent());
}

/**
 * Waits until a figure is above a bound: whether a wake-up was wasted is known later.
 * @param {Page} page
 * @param {string} lane
 * @param {string} name
 * @param {number} bound
 */
async function above(page, lane, name, bound) {
  await page.waitForFunction(([place, text, least]) =>
    [...document.querySelectorAll(`.lane[data-lane="${place}"] .meters div`)].some((meter) =>
      meter.textContent?.includes(text) && Number(meter.querySelector('dd')?.textContent) > least),
  /** @type {const} */ ([lane, name, bound]));
}

test('one click on the first page starts the comparison, and the herd costs more', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 }, ...moving });
  await page.goto(playground.url);
  await page.getByRole('button', { name: /^Run herd/ }).click();
  for (const lane of ['herd', 'predecessor']) {
    await page.locator(`.lane[data-lane="${lane}"] .client.is-holds`).waitFor();
  }
  await page.waitForFunction(() => [...document.querySelectorAll('.lane')].every((lane) =>
    /since client/.test(lane.querySelector('.wake-detail')?.textContent ?? '')), undefined, { timeout: 30_000 });
  await page.locator('.lane[data-lane="herd"] .wake-marks .wake-mark >> nth=5').waitFor({ state: 'attached', timeout: 30_000 });
  const [herd, predecessor] = [await figure(page, 'herd', 'wake-ups'), await figure(page, 'predecessor', 'wake-ups')];
  assert.ok(herd > 3 * predecessor, `wake-ups per release: herd ${herd}, predecessor ${predecessor}`);
  assert.ok(predecessor <= 1.05, `the predecessor lane wakes ${predecessor} clients a release`);
  await above(page, 'herd', 'wasted', 1);
  assert.equal(await figure(page, 'predecessor', 'wasted'), 0);
  assert.deepEqual(complaints, []);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText(/finished/).first().waitFor();
  await page.context().close();
});

test('clients and delay can be chosen, and a change of delay takes effect at once', async () => {
  const { page } = await open(browser);
  await page.goto(playground.url);
  await page.getByLabel('Scenario').selectOption('predecessor');
  await page.getByLabel('Clients, number').fill('3');
  await page.getByLabel('Clients, number').press('Tab');
  await page.getByRole('button', { name: /^(Start|Restart)$/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('.client').length === 3);
  await page.getByLabel('Delay').selectOption('50');
  await page.waitForFunction(async () => {
    const answer = await fetch('api/rooms/main/events');
    const replies = (await answer.text()).trim().split('\n').map((line) => JSON.parse(line))
      .filter((event) => event.kind === 'wire.received' && event.op === 'create');
    const last = replies.at(-1);
    return last && last.latency >= 100_000 && last.latency < 400_000;
  }, undefined, { timeout: 30_000, polling: 500 });
  await page.context().close();
});

test('a lesson runs its own scenario beside the text, and back goes back', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.url);
  await page.locator('#lesson-select').selectOption({ label: '3. Read/write locks' });
  await page.getByRole('heading', { name: 'Read/write locks', level: 1 }).waitFor();
  const card = page.locator('#lesson-article .run-card').first();
  await card.getByRole('button', { name: 'Run this' }).click();
  await page.locator('.lane[data-lane="read-write"] .client.is-holds').first().waitFor();
  assert.match(page.url(), /lesson=read-write-locks/);
  await page.goBack();
  await page.getByRole('heading', { name: 'The herd effect', level: 1 }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('who comes without a wish gets what runs, and the lesson that explains it', async () => {
  await playground.call('POST', 'run', { scenario: 'lost-wakeup' });
  const { page } = await open(browser);
  await page.goto(playground.url);
  await page.waitForFunction(() => location.hash.includes('lesson=museum') && location.hash.includes('scenario=lost-wakeup'));
  assert.equal(await page.locator('#lesson-select').inputValue(), 'museum');
  await page.getByRole('heading', { name: 'The museum of broken locks' }).waitFor();
  await page.goto(`${playground.url}#lesson=herd-effect`);
  await page.reload();
  await page.getByRole('heading', { name: 'The herd effect' }).waitFor();
  await page.context().close();
});
