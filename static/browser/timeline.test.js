// Going back in a run: the visitor's own playhead, while the world goes on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, moving, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Page} page */
const time = (page) => page.getByRole('slider', { name: 'Time' });

/** Where the playhead is, in milliseconds of the run. @param {Page} page */
const now = async (page) => Number(await time(page).getAttribute('aria-valuenow'));

/** What the slider says. @param {Page} page */
const words = async (page) => await time(page).getAttribute('aria-valuetext') ?? '';

/** How many events the panel counts. @param {Page} page */
const counted = async (page) => Number((await page.locator('.events-tools .sum').textContent() ?? '').replace(/\D/g, ''));

/** Waits until the run has come so far, in milliseconds. @param {Page} page @param {number} end */
const goneOn = (page, end) => page.waitForFunction((least) =>
  Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuemax')) > least, end);

/** Presses a key that moves the playhead, and waits until the page shows that. @param {Page} page @param {string} key */
async function move(page, key) {
  const before = await words(page);
  await page.keyboard.press(key);
  await page.waitForFunction((told) => document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') !== told, before);
}

test('by the keyboard alone: pause, back to a release, through the herd event by event, and live again', async () => {
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor' });
  const { page, complaints } = await open(browser);
  await page.goto(playground.url);
  await page.waitForFunction(() => [...document.querySelectorAll('.lane .wake-detail')]
    .filter(({ textContent }) => /since client/.test(textContent ?? '')).length === 2);
  await page.keyboard.press('k');
  await page.locator('.transport button:disabled', { hasText: 'Pause' }).waitFor(); // drawn, too
  const [paused, seen] = [await now(page), await counted(page)];
  await goneOn(page, paused + 500);
  assert.deepEqual([await now(page), await counted(page)], [paused, seen], 'the view stands still');
  await page.getByText('behind, the run goes on').waitFor();

  await time(page).focus();
  for (let marks = 0; !/releases the lock/.test(await words(page)); marks++) {
    assert.ok(marks < 50, 'there is a release');
    await move(page, 'PageDown');
  }
  assert.ok(await now(page) <= paused);
  const release = await now(page);
  let woken = 0;
  for (let step = 0; step < 400 && woken < 5; step++) {
    const seenBefore = await counted(page);
    await move(page, 'ArrowRight');
    assert.ok(await counted(page) > seenBefore, 'each step goes on by an event');
    if (/is woken/.test(await words(page))) woken++;
  }
  assert.equal(woken, 5, 'the herd wakes, one client after the other');
  assert.ok(await now(page) >= release);

  await page.keyboard.press('g');
  await page.locator('.transport .live[aria-pressed="true"]').waitFor();
  await playground.call('DELETE', 'run');
  await page.getByText(/finished/).first().waitFor();
  const all = (await playground.events()).length;
  await page.waitForFunction((count) =>
    Number((document.querySelector('.events-tools .sum')?.textContent ?? '').replace(/\D/g, '')) === count, all);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a run that is over is played again, scrubbed with the mouse, and shown as it was', async () => {
  const { page, complaints } = await open(browser);
  await page.goto(playground.url);
  const log = await playground.events();
  await page.waitForFunction((count) =>
    Number((document.querySelector('.events-tools .sum')?.textContent ?? '').replace(/\D/g, '')) === count, log.length);
  const end = Number(await time(page).getAttribute('aria-valuemax'));
  const box = await time(page).boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width * 0.9, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 10, { steps: 10 });
  await page.mouse.up();
  const half = await now(page);
  assert.ok(half > 0 && half < end, `${half} of ${end}`);
  const happened = log.filter(({ at }) => at <= half * 1000).length;
  assert.ok(Math.abs(await counted(page) - happened) <= log.filter(({ at }) => Math.abs(at - half * 1000) <= 1000).length);

  await page.getByRole('combobox', { name: 'Speed' }).selectOption('4');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => {
    const slider = document.querySelector('[role=slider]');
    return slider?.getAttribute('aria-valuenow') === slider?.getAttribute('aria-valuemax');
  });
  assert.equal(await counted(page), log.length);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

for (const delay of ['150ms', '250ms']) {
  test(`at ${delay} a dot ends where its frame arrives`, async () => {
    await playground.call('POST', 'run', { scenario: 'predecessor', clients: 4, delay });
    const { page } = await open(browser, moving);
    await page.goto(playground.url);
    await page.locator('.lane .link').first().waitFor({ state: 'attached' });
    const ends = await page.evaluate(watchEnds, 40);
    const far = ends.filter((rest) => rest > 0.03);
    assert.deepEqual(far, [], 'how far from the end of their link dots went away');
    await page.context().close();
  });
}

/** How far from the end of its link each of the next dots was when it went away. @param {number} dots */
function watchEnds(dots) {
  const layer = document.querySelector('.flights');
  const link = /** @type {SVGPathElement} */ (document.querySelector('.link')).getPointAtLength.bind(document.querySelector('.link'));
  const length = /** @type {SVGPathElement} */ (document.querySelector('.link')).getTotalLength();
  const [top, bottom] = [link(0).y, link(length).y];
  const y = (/** @type {Element} */ dot) => Number(/,?\s([\d.]+)\)/.exec(dot.getAttribute('transform') ?? '')?.[1]);
  /** @type {Map<Element, number>} */ const begun = new Map();
  /** @type {number[]} */ const ends = [];
  return new Promise((/** @type {(ends: number[]) => void} */ done) => new MutationObserver((changes, observer) => {
    for (const { addedNodes, removedNodes } of changes) {
      for (const dot of addedNodes) begun.set(/** @type {Element} */ (dot), y(/** @type {Element} */ (dot)));
      for (const dot of removedNodes) {
        const [from, to] = [begun.get(/** @type {Element} */ (dot)) ?? NaN, y(/** @type {Element} */ (dot))];
        if (from !== to) ends.push(Math.min(Math.abs(to - top), Math.abs(bottom - to)) / (bottom - top));
      }
    }
    if (ends.length < dots) return;
    observer.disconnect();
    done(ends);
  }).observe(/** @type {Element} */ (layer), { childList: true }));
}
