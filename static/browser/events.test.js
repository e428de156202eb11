// The list of events: however long the log, there are few rows, and all of it can be read.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPanel } from './drawer.js';
import { launch } from './launch.js';
import { exported } from './recorded-page.js';
import { recording } from '../test/recording.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Browser} */ let browser;
/** @type {string} */ let folder;
before(async () => { [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'events-'))]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

/** More rows than these are never there. */
const MOST = 240;

/** What is listed unless the visitor asks for more. */
const listed = recording('herd-vs-predecessor').events
  .filter(({ kind, op }) => op !== 'ping' && /^((lock|resource|check|note|fault|session)\.|tree\.(created|deleted|changed|lost))/.test(kind))
  .map(({ seq }) => seq);

/** The numbers of the events that have rows. @param {Page} page */
const rows = (page) => page.locator('.events li').evaluateAll((all) => all.map((row) => Number(/** @type {HTMLElement} */ (row).dataset['seq'])));

/** Words of no event. */
const RARE = 'nowhere';

/** How many events the panel counts. @param {Page} page */
const sum = (page) => page.locator('.events-tools .sum').textContent();

/** Waits until an event has a row. @param {Page} page @param {number} seq */
const row = (page, seq) => page.locator(`#event-${seq}`).waitFor({ state: 'attached' });

/** Scrolls to one end of the rows, and says how far one of them has then moved by itself. @param {Page} page @param {'top' | 'bottom'} end */
const scrollTo = (page, end) => page.locator('.events').evaluate(async (box, to) => {
  const kept = /** @type {Element} */ (box.querySelector(to === 'top' ? 'li:first-child' : 'li:last-child'));
  box.scrollTop = to === 'top' ? 0 : box.scrollHeight;
  const before = kept.getBoundingClientRect().top;
  for (let frame = 0; frame < 3; frame++) await new Promise((done) => { requestAnimationFrame(done); });
  return Math.abs(kept.getBoundingClientRect().top - before);
}, end);

/** A recorded run with its events listed. */
async function listing() {
  const { page, complaints, address } = await exported(browser, folder, 'herd-vs-predecessor');
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  await openPanel(page, 'Events');
  return { page, complaints };
}

test('a long log is scrolled through from its end to its beginning and back, and no row is missed or moves', async () => {
  const { page, complaints } = await listing();
  await page.keyboard.press('g');
  const [first = 0, last = 0] = [listed[0], listed.at(-1)];
  await row(page, last);
  for (const [end, until] of /** @type {const} */ ([['top', first], ['bottom', last]])) {
    for (let scrolls = 0; scrolls < 20; scrolls++) {
      const there = await rows(page);
      assert.ok(there.length <= MOST, `${there.length} rows`);
      const from = listed.indexOf(there[0] ?? 0);
      assert.deepEqual(there, listed.slice(from, from + there.length));
      if (there.includes(until)) break;
      assert.ok(await scrollTo(page, end) <= 1, 'what is read stays where it is');
    }
    await row(page, until);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('by keys to the first event and to the last', async () => {
  const { page } = await listing();
  await page.keyboard.press('g');
  await row(page, listed.at(-1) ?? 0);
  await page.locator('.events').focus();
  for (const [key, seq] of /** @type {const} */ ([['Home', listed[0]], ['End', listed.at(-1)]])) {
    await page.keyboard.press(key);
    await page.locator(`#event-${seq}.active`).waitFor();
    assert.equal(await page.locator('.events').getAttribute('aria-activedescendant'), `event-${seq}`);
  }
  await page.keyboard.press('ArrowUp');
  await page.locator(`#event-${listed.at(-2)}.active`).waitFor();
  await page.context().close();
});

test('whoever goes back and forth with a filter has each event looked at once', async () => {
  const { page, complaints, address } = await exported(browser, folder, 'herd-vs-predecessor');
  await page.addInitScript((rare) => {
    const { includes } = String.prototype;
    Object.assign(window, { looks: 0 });
    String.prototype.includes = function (what, ...from) {
      if (what === rare) Object.assign(window, { looks: Reflect.get(window, 'looks') + 1 });
      return includes.call(this, what, ...from);
    };
  }, RARE);
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  await openPanel(page, 'Events');
  await page.keyboard.press('g');
  await row(page, listed.at(-1) ?? 0);
  await page.getByRole('searchbox', { name: 'Filter the events' }).fill(RARE);
  await page.locator('.events li').first().waitFor({ state: 'detached' });
  const slider = await page.getByRole('slider', { name: 'Time' }).boundingBox();
  assert.ok(slider);
  for (const part of [0.9, 0.3, 0.7, 0.2, 0.8, 0.1]) {
    const before = await sum(page);
    await page.mouse.click(slider.x + slider.width * part, slider.y + slider.height / 2);
    await page.waitForFunction((told) => document.querySelector('.events-tools .sum')?.textContent !== told, before);
  }
  assert.equal(await page.evaluate(() => Reflect.get(window, 'looks')), listed.length);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('who follows the run goes on following when the panel becomes lower before the browser tells of the scrolling', async () => {
  const { page } = await listing();
  await page.getByRole('slider', { name: 'Time' }).click(); // in its middle
  await page.waitForFunction(() => document.querySelectorAll('.events li').length > 10);
  await page.locator('.events').evaluate((box) => {
    Object.assign(/** @type {HTMLElement} */ (box).style, { flex: 'none', height: '60px' });
    box.dispatchEvent(new Event('scroll'));
  });
  await page.keyboard.press('g');
  await row(page, listed.at(-1) ?? 0);
  await page.context().close();
});

test('a list that was filled while it had no height is filled again when it has', async () => {
  const { page } = await listing();
  await page.keyboard.press('g');
  await row(page, listed.at(-1) ?? 0);
  const height = (/** @type {string} */ to) => page.locator('.events').evaluate((box, value) => {
    Object.assign(/** @type {HTMLElement} */ (box).style, { flex: 'none', padding: '0', height: value });
  }, to);
  await height('0px');
  await page.waitForFunction(() => document.querySelector('.events')?.clientHeight === 0);
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  await page.getByRole('slider', { name: 'Time' }).click(); // in its middle
  await page.waitForFunction(() => document.querySelectorAll('.events li').length < 12);
  await height('400px');
  await page.waitForFunction(() => document.querySelectorAll('.events li').length > 20);
  await page.context().close();
});
