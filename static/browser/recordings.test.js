// A run outlives its page: it is saved, opened again, and linked to.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromMenu, openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => {
  [playground, browser] = await Promise.all([Playground.start(), launch()]);
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 3, delay: '20ms', seed: 4 });
});
after(async () => { await browser?.close(); await playground?.stop(); });

/** Where the playhead is, in milliseconds of the run. @param {Page} page */
const now = async (page) => Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuenow'));

/** The last that the events panel tells: as many rows as fit into it, and more. @param {Page} page */
const told = async (page) => (await page.locator('#panel-events li').allInnerTexts()).slice(-12).join('\n');

/** Waits until that is what it tells. @param {Page} page @param {string} text */
const tells = (page, text) => page.waitForFunction((wanted) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#panel-events li'))].slice(-12).map(({ innerText }) => innerText).join('\n') === wanted, text);

/** Has a page open a file. @param {Page} page @param {string} path */
async function openFile(page, path) {
  const chooser = page.waitForEvent('filechooser');
  await fromMenu(page, 'button', 'Open…');
  await (await chooser).setFiles(path);
}

/** What the help says of kept runs. @param {Page} page */
async function helpOfKept(page) {
  await page.keyboard.press('?');
  const told = page.locator('#help-kept', { hasText: 'kept' });
  await told.waitFor();
  return told.innerText();
}

/** Stops the run and waits until the page knows. @param {Page} page */
async function stop(page) {
  await playground.call('DELETE', 'run');
  await page.getByText(/finished/).first().waitFor();
}

test('a saved run is opened, played, and left for the live one; a damaged one changes nothing', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'saved-'));
  context.after(() => rm(directory, { recursive: true }));
  const { page, complaints } = await open(browser);
  await page.goto(playground.page);
  await openPanel(page, 'Events');
  await page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 2000);
  await stop(page);
  const download = page.waitForEvent('download');
  await fromMenu(page, 'link', 'Save');
  const saved = join(directory, 'saved.ndjson.zst');
  await (await download).saveAs(saved);
  const damaged = join(directory, 'damaged.ndjson.zst');
  await writeFile(damaged, (await readFile(saved)).subarray(0, 200));

  await page.locator('#panel-events li', { hasText: 'no znode was left in the queue' }).waitFor(); // the last that a run tells
  const before = await told(page);
  await openFile(page, damaged);
  await page.locator('.alert.bad').waitFor();
  assert.equal(await told(page), before);

  await openFile(page, fileURLToPath(new URL('../../playground/check/testdata/version1/lost-wakeup.ndjson.zst', import.meta.url))); // of an older release
  await page.getByText('nothing can be done to it').waitFor();
  await page.locator('.lane').nth(1).waitFor();
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();

  await openFile(page, saved);
  await page.getByText('nothing can be done to it').waitFor();
  assert.deepEqual(await Promise.all(['Console', 'Steps', 'Events'].map((name) => page.getByRole('tab', { name }).isVisible())), [false, false, true]);
  assert.equal(await now(page), 0);
  await page.keyboard.press('g');
  await tells(page, before);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await tells(page, before);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

/** Drops a file on the page whose first half has come. The second comes with the event `rest`. @param {Page} page @param {Buffer} bytes */
const dropHalf = (page, bytes) => page.evaluate((base64) => {
  const whole = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const halves = [whole.subarray(0, whole.length / 2), whole.subarray(whole.length / 2)];
  const stream = () => new ReadableStream({
    async pull(controller) {
      const half = halves.shift();
      if (!half) return controller.close();
      if (!halves.length) await new Promise((resolve) => { addEventListener('rest', resolve, { once: true }); });
      controller.enqueue(half);
    },
  }, { highWaterMark: 0 });
  document.dispatchEvent(Object.assign(new Event('drop'), { dataTransfer: { files: [{ name: 'large', stream }] } }));
}, bytes.toString('base64'));

test('a large recording is shown when its beginning is here; who wants to be further on comes there with the rest', async () => {
  const large = await readFile(fileURLToPath(new URL('../test/fixtures/many-clients.ndjson.zst', import.meta.url)));
  const { page, complaints } = await open(browser);
  await page.goto(playground.page);
  const [reading, end] = [page.getByText('% read'), 8_000];
  for (const damaged of [false, true]) {
    await dropHalf(page, damaged ? Buffer.concat([large.subarray(0, -4000), Buffer.alloc(4000)]) : large);
    await page.getByText('nothing can be done to it').waitFor();
    await reading.waitFor();
    await page.locator('.lane .client').first().waitFor();
    await page.keyboard.press('g');
    await page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 0);
    assert.ok(await now(page) < end);
    await page.evaluate(() => dispatchEvent(new Event('rest')));
    await reading.waitFor({ state: 'detached' });
    await page.waitForFunction((wanted) => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > wanted, end / 2);
    if (damaged) await page.locator('.alert.bad', { hasText: /large: .*damaged.*What comes before that is shown\./ }).waitFor();
    else assert.ok(await now(page) > end);
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a link to a moment stands there in another browser, also when the run is over and another one goes on', async (context) => {
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 3, delay: '20ms', seed: 9 });
  const { page } = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(playground.page);
  await openPanel(page, 'Events');
  await page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 2000);
  await page.keyboard.press('k');
  await page.locator('.transport button:disabled', { hasText: 'Pause' }).waitFor(); // drawn, too
  const [at, events] = [await now(page), await told(page)];
  await fromMenu(page, 'button', 'Copy link');
  await page.getByText('in the clipboard').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const guest = async () => {
    const other = await launch();
    context.after(() => other.close());
    const { page: theirs, complaints } = await open(other);
    await theirs.goto(link);
    await tells(theirs, events);
    assert.ok(Math.abs(await now(theirs) - at) <= 1);
    assert.deepEqual(complaints, []);
    await theirs.context().close();
  };
  await guest();
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 2, delay: '20ms' });
  await guest();
  await page.context().close();
});

test('a link to a run that is gone offers the same run again', async () => {
  const { page } = await open(browser);
  await page.goto(`${playground.page}#scenario=predecessor&run=gone&at=1000000&clients=5&delay=50&seed=77`);
  await page.getByText('not kept any more').waitFor();
  await page.getByRole('button', { name: /^(Start|Restart)$/ }).click();
  await page.getByText('seed 77').waitFor();
  await page.context().close();
});

test('a link to a moment works when the playground was started again, where it keeps its data; the help says which', async (context) => {
  const data = await mkdtemp(join(tmpdir(), 'data-'));
  context.after(() => rm(data, { recursive: true }));
  const first = await Playground.start(['-data', data]);
  context.after(() => first.stop());
  const { run } = await first.call('POST', 'run', { scenario: 'predecessor', clients: 3, delay: '20ms', seed: 9 });
  const { page, complaints } = await open(browser);
  await page.goto(first.page);
  await page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 1500);
  await first.stop();
  const second = await Playground.start(['-data', data]);
  context.after(() => second.stop());
  const { page: later } = await open(browser);
  await later.goto(`${second.page}#scenario=predecessor&run=${run.id}&at=1200000&clients=3&delay=20&seed=9`);
  await later.getByText('nothing can be done to it').waitFor();
  await later.waitForFunction(() => Math.abs(Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) - 1200) <= 1);
  assert.match(await helpOfKept(later), /started again\.$/);
  await page.goto(playground.page);
  assert.match(await helpOfKept(page), /until the playground ends.*-data DIR/);
  // While its playground is away, the page can have nothing of it.
  assert.deepEqual(complaints.filter((each) => !/ERR_CONNECTION|WebSocket|Failed to fetch/.test(each)), []);
  await later.context().close();
  await page.context().close();
});
