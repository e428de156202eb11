// The panel Numbers: what the lanes' own sums say, at any instant; and charts to click on.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromMenu } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { instant } from '../js/text/format.js';
import { recording, summary } from '../test/recording.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Page} page */
const time = (page) => page.getByRole('slider', { name: 'Time' });

/** Where the playhead is, in milliseconds of the run. @param {Page} page */
const now = async (page) => Number(await time(page).getAttribute('aria-valuenow'));

/** The cells of a measure: for each lane was, now and change. @param {Page} page @param {string} measure @returns {Promise<string[][]>} */
const row = (page, measure) => page.locator(`.numbers-table [data-measure="${measure}"]`).evaluateAll((rows) =>
  rows.map((each) => [...each.querySelectorAll('td')].slice(0, 3).map(({ textContent }) => textContent?.trim() ?? '')));

/** Waits until the panel has the same sums as the lanes. @param {Page} page */
const agrees = (page) => page.waitForFunction(() => {
  const cells = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());
  const [wakeups, wasted, requests] = ['wakeups', 'wasted', 'requests'].map((name) => cells(`.numbers-table [data-measure="${name}"] td.now`));
  const meters = [1, 2, 3].map((place) => cells(`.lane .meters div:nth-child(${place}) dd`));
  return wakeups?.length && JSON.stringify([wakeups, wasted, requests]) === JSON.stringify(meters);
});

/** Opens a recording. @param {Page} page @param {string} path */
async function openFile(page, path) {
  const chooser = page.waitForEvent('filechooser');
  await fromMenu(page, 'button', 'Open…');
  await (await chooser).setFiles(path);
  await page.getByText('nothing can be done to it').waitFor();
}

test('the numbers are those of the lanes, a click on a chart goes there, and a moment is remembered', async () => {
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms' });
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  /** @type {string[]} */ const asked = [];
  page.on('request', (request) => { if (/uplot/i.test(request.url())) asked.push(request.url()); });
  await page.goto(playground.page);
  await page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 4000);
  assert.deepEqual(asked, [], 'the charts are not loaded before they are wanted');
  await page.getByRole('tab', { name: 'Numbers' }).click();
  await page.locator('.numbers-charts canvas').first().waitFor();
  assert.equal(asked.length, 1);
  await playground.call('DELETE', 'run');
  await page.getByText(/finished/).first().waitFor();
  await agrees(page);
  const atEnd = await row(page, 'wakeups');
  assert.ok(Number(atEnd[0]?.[1]) > 3 * Number(atEnd[1]?.[1]), `${atEnd}`);
  const caption = page.locator('.numbers-charts [data-measure="wakeups"] figcaption');
  const told = `woken per release: Herd ${atEnd[0]?.[1]}, Predecessor ${atEnd[1]?.[1]}`;
  assert.equal(await caption.textContent(), told);
  assert.equal(await page.getByRole('img', { name: told }).count(), 1);

  const end = await now(page);
  const area = page.locator('.numbers-charts [data-measure="wakeups"] .u-over');
  const box = await area.boundingBox();
  assert.ok(box);
  await area.click({ position: { x: box.width / 2, y: box.height / 2 } });
  await page.waitForFunction((whole) => Math.abs(Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) - whole / 2) <= whole / 50, end);
  await agrees(page);
  const half = await row(page, 'acquisitions');

  await page.getByRole('button', { name: 'Remember now' }).click();
  await page.keyboard.press('g');
  await page.waitForFunction((whole) => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) === whole, end);
  await agrees(page);
  const all = await row(page, 'acquisitions');
  assert.deepEqual(all.map(([was]) => was), half.map(([, then]) => then));
  assert.deepEqual(all.map(([, , change]) => change), all.map(([was, then]) => `+${Number(then) - Number(was)}`));
  await page.getByRole('checkbox', { name: 'Count only since then' }).check();
  await page.getByRole('columnheader', { name: 'since' }).waitFor();
  assert.deepEqual((await row(page, 'acquisitions')).map(([, since]) => since), all.map(([was, then]) => String(Number(then) - Number(was))));

  await page.locator('.numbers-table summary', { hasText: 'woken per release' }).click();
  await page.locator('.numbers-table details[open]', { hasText: 'Source: belief' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a recording has its numbers, beside those before its newest fault', async () => {
  const { page, complaints } = await open(browser);
  await page.goto(playground.page);
  await openFile(page, fileURLToPath(new URL('../test/fixtures/two-holders.ndjson.zst', import.meta.url)));
  await page.keyboard.press('c');
  await page.keyboard.press('g');
  const { acquisitions } = summary('two-holders').lanes[0];
  await page.waitForFunction((number) =>
    document.querySelector('.numbers-table [data-measure="acquisitions"] td.now')?.textContent?.trim() === String(number), acquisitions);
  await page.getByLabel('“was” is').selectOption('fault');
  const fault = recording('two-holders').events.findLast(({ kind }) => kind === 'fault.injected')?.at ?? 0;
  await page.getByRole('columnheader', { name: `was ${instant(fault - 1)}` }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a long recording is counted to its end, piece by piece', async (context) => {
  const { run, events } = recording('herd-vs-predecessor');
  const working = events.slice(0, events.findIndex(({ kind }) => kind === 'note.stopping'));
  const length = working.at(-1)?.at ?? 0;
  const long = Array.from({ length: 20 }, (_, round) => working.map((event) =>
    ({ ...event, seq: event.seq + round * working.length, at: event.at + round * length }))).flat();
  const directory = await mkdtemp(join(tmpdir(), 'numbers-'));
  context.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'long.ndjson');
  const head = { format: 'zkplayground-run', version: 1, run: { ...run, events: long.length } };
  await writeFile(file, [head, ...long].map((each) => `${JSON.stringify(each)}\n`).join(''));

  const { page } = await open(browser);
  await page.goto(playground.page);
  await openFile(page, file);
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await agrees(page);
  await page.context().close();
});
