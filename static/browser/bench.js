// Measures the page in Chromium, with software rendering, on the machine that also
// runs the server: `make bench-page`. It prints what it has measured beside what was
// aimed at, and asserts nothing: a busy machine is not a slow page. Arguments name what
// is to be measured alone: live, late, open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { EventLog } from '../js/log/event-log.js';
import { ViewAt } from '../js/log/view-at.js';
import { createView } from '../js/model/view.js';
import { decompress } from '../js/source/decompress.js';
import { parseRecording } from '../js/log/recording.js';
import { fromMenu } from './drawer.js';
import { launch, moving, open } from './launch.js';
import { busyComparison, hastyComparison, Playground, program } from './playground.js';
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

/** Records a run of more than a million events. @param {string} folder @returns {Promise<string[]>} its lines */
async function record(folder) {
  const [scenario, file] = [join(folder, 'scenario.json'), join(folder, 'run.ndjson.zst')];
  await writeFile(scenario, JSON.stringify(hastyComparison));
  const [code] = await once(spawn(program(), ['run', '-for', '40s', '-clients', '12', '-delay', '0s', '-record', file, scenario], { stdio: 'ignore' }), 'close');
  if (code) throw new Error(`the run has failed: ${code}`);
  let text = '';
  const lines = [];
  for await (const piece of decompress(new Blob([await readFile(file)]).stream(), 2 ** 31)) {
    const parts = `${text}${piece}`.split('\n');
    text = parts.pop() ?? '';
    lines.push(...parts);
  }
  return lines;
}

/** The first events of a recording, compressed. @param {string} folder @param {string[]} lines @param {number} count of events */
async function cut(folder, [header = '', ...lines], count) {
  const { run, ...rest } = JSON.parse(header);
  const file = join(folder, `${count}.ndjson.gz`);
  const part = [JSON.stringify({ ...rest, run: { ...run, events: count } }), ...lines.slice(0, count)];
  await pipeline(Readable.from((function* () { for (const line of part) yield `${line}\n`; })()), createGzip({ level: 1 }), createWriteStream(file));
  return { file, text: part.map((line) => `${line}\n`) };
}

/** How long a seek takes by itself: from one random instant to another, without drawing, in milliseconds. @param {string[]} text of a recording */
async function folds(text) {
  const { run, events } = await parseRecording(text);
  const log = new EventLog();
  log.append(events);
  const viewAt = new ViewAt(log, createView(run.lanes, run.clients));
  viewAt.moveTo(log.length);
  return Array.from({ length: SEEKS }, () => {
    const began = performance.now();
    viewAt.moveTo(Math.floor(Math.random() * log.length));
    return performance.now() - began;
  });
}

/** Opens a file in a page, and returns how long that took, in milliseconds. @param {Page} page @param {string} file */
async function openFile(page, file) {
  const chooser = page.waitForEvent('filechooser');
  await fromMenu(page, 'button', 'Open…');
  const began = performance.now();
  await (await chooser).setFiles(file);
  await page.getByText('nothing can be done to it').waitFor({ timeout: 120_000 });
  return performance.now() - began;
}

/** How long it takes from the frame after a press on the line of time until the instant is drawn, in milliseconds. @param {Page} page @param {number} count */
const seeks = (page, count) => page.evaluate(async (wanted) => {
  const slider = /** @type {HTMLElement} */ (document.querySelector('[role=slider]'));
  slider.setPointerCapture = () => {};
  const { left, width, top } = slider.getBoundingClientRect();
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  /** @type {number[]} */ const times = [];
  for (let seek = 0; seek < wanted; seek++) {
    await frame();
    slider.dispatchEvent(new PointerEvent('pointerdown', { clientX: left + width * Math.random(), clientY: top + 5, bubbles: true, pointerId: 1 }));
    await new Promise((done) => {
      requestAnimationFrame(() => {
        const began = document.timeline.currentTime; // of the frame, whose first callback is the page's
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(times.push(performance.now() - Number(began))); // after it has been drawn
        port2.postMessage('');
      });
    });
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

/** How far from the present a page may be that shows it, in milliseconds: batches come every 25, and what they bring is shown 60 later. */
const PRESENT = 250;

/**
 * A page that comes to a run at which nobody has looked, and which has had so many events and
 * goes on: how long until it shows the present, and how many bytes that took.
 * @param {Browser} browser @param {number} count
 */
async function lateBy(browser, count) {
  const playground = await Playground.start(['-max-events-per-second', '5500']);
  await playground.call('POST', 'run', { scenario: hastyComparison, clients: 50, delay: '0s' });
  const began = performance.now();
  let events = 0;
  while (events < count) {
    await sleep(500);
    ({ events } = await playground.call('GET', 'summary'));
  }
  const rate = events / (performance.now() - began) * 1000;
  const proxy = await TcpProxy.to(playground.url);
  const { page } = await open(browser, { viewport: { width: 1440, height: 900 } });
  const came = performance.now();
  await page.goto(`${proxy.url}/rooms/main`);
  await page.waitForFunction((present) => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > Date.now() - present,
    Date.now() - (performance.now() - began) + PRESENT, { polling: 'raf' });
  const took = performance.now() - came;
  const bytes = proxy.came;
  await page.context().close();
  proxy.close();
  await playground.stop();
  return { took, bytes, rate, events };
}

/** Frames and delay of a run that goes on. @param {Browser} browser @param {Playground} playground */
async function measureLive(browser, playground) {
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
}

/** @param {Browser} browser */
async function measureLate(browser) {
  for (const count of [188_000, 1_100_000]) {
    const { took, bytes, rate, events } = await lateBy(browser, count);
    report(`late to a run of ${events.toLocaleString('en')} events (${rate.toFixed(0)} a second)`, `${(took / 1000).toFixed(2)} s, ${(bytes / 1e6).toFixed(2)} MB`, 'at most 1 s and 0.5 MB');
  }
}

/** Opening and seeking in recordings. @param {Browser} browser @param {Playground} playground */
async function measureOpen(browser, playground) {
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 2, delay: '0s' });
  await playground.call('DELETE', 'run');
  const folder = await mkdtemp(join(tmpdir(), 'bench-page-'));
  const lines = await record(folder);
  for (const count of [100_000, 1_000_000]) {
    const { file, text } = await cut(folder, lines, count);
    const { page } = await open(browser, { viewport: { width: 1440, height: 900 }, ...moving });
    await page.goto(playground.page);
    await page.keyboard.press('e');
    await page.locator('.lane').first().waitFor();
    const name = `${count.toLocaleString('en')} events`;
    report(`${name}: opened in`, ms(await openFile(page, file)), 'at most 1 s');
    const began = performance.now();
    await page.getByText('% read').waitFor({ state: 'detached', timeout: 120_000 });
    report(`${name}: the rest read in`, ms(performance.now() - began), '');
    await page.keyboard.press('g'); // the first way to the end makes the checkpoints
    await page.waitForTimeout(3000);
    const times = await seeks(page, SEEKS);
    const alone = await folds(text);
    report(`${name}: p95 of a seek`, `${ms(quantile(alone, 0.95))} (p50 ${ms(quantile(alone, 0.5))})`, '');
    report(`${name}: the same until it is drawn`, `${ms(quantile(times, 0.95))} (p50 ${ms(quantile(times, 0.5))})`, 'at most 16 ms');
    report(`${name}: frames a second while scrubbing`, (await scrubbed(page)).toFixed(1), 'at least 30');
    report(`${name}: heap`, `${(await heap(page) / 2 ** 20).toFixed(0)} MB`, count === 1_000_000 ? 'at most 120 MB' : '');
    await page.context().close();
  }
  await rm(folder, { recursive: true, force: true });
}

const parts = process.argv.slice(2);
const wanted = (/** @type {string} */ part) => !parts.length || parts.includes(part);
const [playground, browser] = await Promise.all([Playground.start(), launch()]);
try {
  if (wanted('live')) await measureLive(browser, playground);
  if (wanted('late')) await measureLate(browser);
  if (wanted('open')) await measureOpen(browser, playground);
} finally {
  await browser.close();
  await playground.stop();
}
