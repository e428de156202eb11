// Measures the page in Chromium, with software rendering, on the machine that also
// runs the server: `make bench-page`. It prints what it has measured beside what was
// aimed at, and asserts nothing: a busy machine is not a slow page.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { EventLog } from '../js/log/event-log.js';
import { Replay } from '../js/log/replay.js';
import { createView } from '../js/model/view.js';
import { recording } from '../test/recording.js';
import { launch, moving, open } from './launch.js';
import { busyComparison, hastyComparison, Playground } from './playground.js';
import { TcpProxy } from './tcp-proxy.js';

/** @import { Browser, Page } from 'playwright-core' */

/** How long frames are counted, in milliseconds. */
const WATCHED = 10_000;
/** How long a page is hidden, in milliseconds. */
const HIDDEN = 60_000;
/** How many seeks are timed. */
const SEEKS = 60;

/** @param {number[]} values @param {number} part from 0 to 1 */
const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

/** @param {string} what @param {string} measured @param {string} aim */
const report = (what, measured, aim) => console.log(`${what.padEnd(58)} ${measured.padEnd(34)} ${aim}`);

/** @param {number} value in milliseconds */
const ms = (value) => `${value.toFixed(1)} ms`;

/** The times between the next animation frames, in milliseconds. @param {Page} page @param {number} length */
const frames = (page, length) => page.evaluate((wanted) => new Promise((/** @type {(gaps: number[]) => void} */ done) => {
  /** @type {number[]} */ const gaps = [];
  const began = performance.now();
  let last = began;
  requestAnimationFrame(function next(now) {
    if (now > last) gaps.push(now - last);
    last = Math.max(last, now);
    if (now - began < wanted) requestAnimationFrame(next);
    else done(gaps);
  });
}), length);

/** A page on a run that has begun to hand its lock over. @param {Browser} browser @param {Playground} playground @param {object} start */
async function watching(browser, playground, start) {
  await playground.call('POST', 'run', start);
  const { page } = await open(browser, { viewport: { width: 1440, height: 900 }, ...moving });
  await page.addInitScript(stampArrivals);
  await page.goto(playground.page);
  await page.keyboard.press('e');
  await page.locator('.lane .client.is-holds').first().waitFor();
  await page.waitForTimeout(2000);
  return page;
}

/** Notes when each batch of events came to the page. */
function stampArrivals() {
  /** @type {{ at: number, came: number }[]} */ const batches = [];
  Object.assign(window, { batches });
  const handler = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage'));
  Object.defineProperty(WebSocket.prototype, 'onmessage', { ...handler, set(take) {
    handler.set?.call(this, (/** @type {MessageEvent} */ message) => {
      const at = /^\{"events"/.test(message.data) ? JSON.parse(message.data).events.at(-1).at : 0;
      if (at) batches.push({ at, came: performance.now() });
      take?.call(this, message);
    });
  } });
}

/**
 * How long after it was recorded an event is seen, in milliseconds. The clock of the
 * run is that of the batch that came soonest after its newest event.
 * @param {Page} page @param {number} length
 */
const lateness = (page, length) => page.evaluate((wanted) => new Promise((/** @type {(late: number[]) => void} */ done) => {
  const { batches } = /** @type {{ batches: { at: number, came: number }[] }} */ (/** @type {unknown} */ (window));
  /** @type {number[]} */ const late = [];
  const began = performance.now();
  let seen = batches.length;
  requestAnimationFrame(function next() {
    const shown = 1000 * Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow'));
    const begin = Math.min(...batches.map(({ at, came }) => came - at / 1000));
    for (let batch = batches[seen]; batch && batch.at <= shown; batch = batches[++seen]) late.push(performance.now() - begin - batch.at / 1000);
    if (performance.now() - began < wanted) requestAnimationFrame(next);
    else done(late);
  });
}), length);

/**
 * What a page needs that has been given no frame for a while, as in a hidden tab: until the
 * next one is drawn, and how far that is behind the newest event that has come, both in
 * milliseconds. Chromium without a screen hides no tab, so its frames are kept from the page.
 * @param {Page} page @param {number} length for how long
 */
const hidden = (page, length) => page.evaluate(async (wanted) => {
  const { batches } = /** @type {{ batches: { at: number }[] }} */ (/** @type {unknown} */ (window));
  const ask = window.requestAnimationFrame;
  /** @type {FrameRequestCallback[]} */ const kept = [];
  window.requestAnimationFrame = (callback) => kept.push(callback);
  const before = batches.length;
  await new Promise((done) => { setTimeout(done, wanted); });
  window.requestAnimationFrame = ask;
  const [began, newest] = [performance.now(), (batches.at(-1)?.at ?? 0) / 1000];
  for (const callback of kept) ask(callback);
  await new Promise((done) => { ask(() => { setTimeout(done); }); });
  const shown = Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow'));
  return { took: performance.now() - began, behind: newest - shown, batches: batches.length - before };
}, length);

/** A run of at least so many events: a real one again and again, copy by copy. @param {number} count */
function tiles(count) {
  const { run, events } = recording('herd-vs-predecessor');
  const usual = events.filter(({ kind }) => kind !== 'note.finished' && kind !== 'note.stopping');
  const length = (usual.at(-1)?.at ?? 0) + 1000;
  const copies = Math.ceil(count / usual.length);
  const tile = (/** @type {number} */ copy) =>
    usual.map((event, index) => ({ ...event, seq: copy * usual.length + index + 1, at: event.at + copy * length }));
  return { run: { ...run, events: copies * usual.length, at: copies * length }, copies, tile };
}

/** How long a seek takes by itself: from one random instant to another, without drawing, in milliseconds. @param {number} count of events */
function folds(count) {
  const { run, copies, tile } = tiles(count);
  const log = new EventLog();
  for (let copy = 0; copy < copies; copy++) log.append(tile(copy));
  const replay = new Replay(log, createView(run.lanes, run.clients));
  replay.moveTo(log.length);
  return Array.from({ length: SEEKS }, () => {
    const began = performance.now();
    replay.moveTo(log.countAt(Math.random() * run.at));
    return performance.now() - began;
  });
}

/** A recording of such a run, compressed. @param {string} folder @param {number} count */
async function tiled(folder, count) {
  const { run, copies, tile } = tiles(count);
  const file = join(folder, `${count}.ndjson.gz`);
  const out = createGzip({ level: 1 });
  out.pipe(createWriteStream(file));
  out.write(`${JSON.stringify({ format: 'zkplayground-run', version: 1, run })}\n`);
  for (let copy = 0; copy < copies; copy++) {
    const lines = tile(copy).map((event) => JSON.stringify(event));
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return { file, events: run.events };
}

/** Opens a file in a page, and returns how long that took, in milliseconds. @param {Page} page @param {string} file */
async function openFile(page, file) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open…' }).click();
  const began = performance.now();
  await (await chooser).setFiles(file);
  await page.getByText('nothing can be done to it').waitFor({ timeout: 120_000 });
  return performance.now() - began;
}

/** How long it takes from a press on the line of time until the instant is drawn, in milliseconds. @param {Page} page @param {number} count */
const seeks = (page, count) => page.evaluate(async (wanted) => {
  const slider = /** @type {HTMLElement} */ (document.querySelector('[role=slider]'));
  slider.setPointerCapture = () => {};
  const { left, width, top } = slider.getBoundingClientRect();
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  /** @type {number[]} */ const times = [];
  for (let seek = 0; seek < wanted; seek++) {
    await frame();
    const began = performance.now();
    slider.dispatchEvent(new PointerEvent('pointerdown', { clientX: left + width * Math.random(), clientY: top + 5, bubbles: true, pointerId: 1 }));
    await new Promise((done) => { requestAnimationFrame(() => { setTimeout(done); }); }); // after the frame in which it is drawn
    times.push(performance.now() - began);
  }
  return times;
}, count);

/** How often a second the page is drawn while the mouse drags over all of the run. @param {Page} page */
async function scrubbed(page) {
  const box = await page.getByRole('slider', { name: 'Time' }).boundingBox();
  if (!box) throw new Error('there is no line of time');
  const counting = frames(page, 4000);
  await page.mouse.move(box.x + 5, box.y + 10);
  await page.mouse.down();
  for (let step = 0; step < 400; step++) await page.mouse.move(box.x + 5 + (box.width - 10) * (step % 200) / 200, box.y + 10);
  await page.mouse.up();
  const gaps = await counting;
  return 1000 / (gaps.reduce((a, b) => a + b) / gaps.length);
}

/** What the page keeps, in bytes, after everything else has been collected. @param {Page} page */
async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** The newest event that a page shows, by its number. @param {Page} page */
const newest = (page) => page.evaluate(() => Number(/** @type {HTMLElement | null} */ (document.querySelector('#panel-events [role=option]:last-child'))?.dataset['seq'] ?? 0));

/**
 * A page that comes to a run that has had so many events and goes on: how long until it shows
 * what a page shows that has been there from the beginning, and how many bytes that took.
 * @param {Browser} browser @param {number} count
 */
async function lateBy(browser, count) {
  const playground = await Playground.start(['-max-events-per-second', '10000']);
  const began = performance.now();
  await playground.call('POST', 'run', { scenario: hastyComparison, clients: 50, delay: '0s' });
  const { page: first } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await first.goto(playground.page);
  while (await newest(first) < count) await first.waitForTimeout(100);
  const rate = count / (performance.now() - began) * 1000;
  const proxy = await TcpProxy.to(playground.url);
  const { page: late } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const came = performance.now();
  await late.goto(`${proxy.url}/rooms/main`);
  let [wanted, shown] = [Infinity, 0];
  while (shown < wanted - rate / 4) [wanted, shown] = await Promise.all([newest(first), newest(late)]);
  const took = performance.now() - came;
  const bytes = proxy.came;
  await Promise.all([first.context().close(), late.context().close()]);
  proxy.close();
  await playground.stop();
  return { took, bytes, rate, wanted };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-page-'));
const [playground, browser] = await Promise.all([Playground.start(), launch()]);
try {
  const few = await watching(browser, playground, { scenario: busyComparison, clients: 12, delay: '250ms' });
  report('2 x 12 clients, 250 ms: p95 of a frame', ms(quantile(await frames(few, WATCHED), 0.95)), 'under 20 ms');
  const late = await lateness(few, WATCHED);
  report('the same: from an event to its picture, p95', `${ms(quantile(late, 0.95))} (p50 ${ms(quantile(late, 0.5))})`, 'at most 100 ms');
  const { took, behind, batches } = await hidden(few, HIDDEN);
  report('the same after a minute without a frame: until it is current', `${ms(took)} (${behind.toFixed(0)} ms behind, ${batches} batches missed)`, 'at once');
  await few.context().close();
  const many = await watching(browser, playground, { scenario: busyComparison, clients: 50, delay: '0s' });
  const gaps = await frames(many, WATCHED);
  report('2 x 50 clients, no delay: frames a second', `${(1000 * gaps.length / gaps.reduce((a, b) => a + b)).toFixed(1)} (p95 ${ms(quantile(gaps, 0.95))})`, 'at least 50');
  await many.context().close();
  await playground.call('DELETE', 'run');
  for (const count of [100_000, 1_000_000]) {
    const { took, bytes, rate, wanted } = await lateBy(browser, count);
    report(`late to a run of ${wanted.toLocaleString('en')} events (${rate.toFixed(0)} a second)`, `${(took / 1000).toFixed(2)} s, ${(bytes / 1e6).toFixed(2)} MB`, 'at most 2 s and 2 MB');
  }
  for (const [count, aim] of /** @type {const} */ ([[100_000, 30], [1_000_000, 60]])) {
    const { file, events } = await tiled(folder, count);
    const { page } = await open(browser, { viewport: { width: 1440, height: 900 }, ...moving });
    await page.goto(playground.page);
  await page.keyboard.press('e');
    await page.locator('.lane').first().waitFor();
    const name = `${events.toLocaleString('en')} events`;
    report(`${name}: opened in`, ms(await openFile(page, file)), '');
    await page.keyboard.press('g'); // the first way to the end makes the checkpoints
    await page.waitForTimeout(3000);
    const times = await seeks(page, SEEKS);
    const alone = folds(count);
    report(`${name}: p95 of a seek`, `${ms(quantile(alone, 0.95))} (p50 ${ms(quantile(alone, 0.5))})`, `at most ${aim} ms`);
    report(`${name}: the same until it is drawn, with the wait for the frame`, `${ms(quantile(times, 0.95))} (p50 ${ms(quantile(times, 0.5))})`, '');
    report(`${name}: frames a second while scrubbing`, (await scrubbed(page)).toFixed(1), 'at least 30');
    report(`${name}: heap`, `${(await heap(page) / 2 ** 20).toFixed(0)} MB`, count === 1_000_000 ? 'at most 250 MB' : '');
    await page.context().close();
  }
} finally {
  await browser.close();
  await playground.stop();
  await rm(folder, { recursive: true, force: true });
}
