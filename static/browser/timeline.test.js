// Going back in a run: the visitor's own playhead, while the world goes on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPanel } from './drawer.js';
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

/** Both, of one frame. @param {Page} page @returns {Promise<[number, number]>} */
const nowAndCounted = (page) => page.evaluate(() => [
  Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')),
  Number((document.querySelector('.events-tools .sum')?.textContent ?? '').replace(/\D/g, '')),
]);

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
  await page.goto(playground.page);
  await openPanel(page, 'Events');
  await page.waitForFunction(() => [...document.querySelectorAll('.lane .wake-detail')]
    .filter(({ textContent }) => /released/.test(textContent ?? '')).length === 2);
  await page.keyboard.press('k');
  await page.locator('.transport button:disabled', { hasText: 'Pause' }).waitFor(); // drawn, too
  const [paused, seen] = await nowAndCounted(page);
  await goneOn(page, paused + 500);
  assert.deepEqual(await nowAndCounted(page), [paused, seen], 'the view stands still');
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
  await page.goto(playground.page);
  await openPanel(page, 'Events');
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
  const [half, seen] = await nowAndCounted(page);
  assert.ok(half > 0 && half < end, `${half} of ${end}`);
  const happened = log.filter(({ at }) => at <= half * 1000).length;
  assert.ok(Math.abs(seen - happened) <= log.filter(({ at }) => Math.abs(at - half * 1000) <= 1000).length);

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

test('the clock goes on, and a screen reader is not told each time', async () => {
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor' });
  const { page } = await open(browser);
  await page.goto(playground.page);
  await page.locator('.lane .client.is-holds').first().waitFor();
  const told = await page.evaluate(timesTold, 30);
  assert.deepEqual(told.filter(({ times }) => times > 15), []);
  await page.context().close();
});

/** How often what a screen reader reads by itself changes while the clock is drawn so often. @param {number} drawn @returns {Promise<{ region: string, times: number }[]>} */
function timesTold(drawn) {
  const live = 'output, [aria-live]:not([aria-live=off]), [role=status], [role=log], [role=alert]';
  /** @type {Map<Element, number>} */ const times = new Map();
  let clock = 0;
  return new Promise((done) => {
    new MutationObserver((mutations, observer) => {
      const elements = mutations.map(({ target }) => (target instanceof Element ? target : target.parentElement));
      if (elements.some((element) => element?.closest('.my-time'))) clock++;
      const read = mutations.map(({ type }, index) => (type === 'attributes' ? elements[index] : elements[index]?.closest(live)));
      for (const region of new Set(read)) if (region) times.set(region, (times.get(region) ?? 0) + 1);
      if (clock < drawn) return;
      observer.disconnect();
      done([...times].map(([region, count]) => ({ region: region.outerHTML.slice(0, 80), times: count })));
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-valuetext'] });
  });
}

test('a dot ends where its frame arrives', async () => {
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 4, delay: '150ms' });
  const { page } = await open(browser, moving);
  await page.goto(playground.page);
  await page.locator('.lane .link').first().waitFor({ state: 'attached' });
  const ends = await page.evaluate(watchEnds, 40);
  const far = ends.filter((rest) => rest > 0.03);
  assert.deepEqual(far, [], 'how far from the end of their link dots went away');
  await page.context().close();
});

/** How far from the end of its link each of the next dots was when it went away. @param {number} dots @returns {Promise<number[]>} */
function watchEnds(dots) {
  const canvas = document.querySelector('.flights');
  const links = /** @type {SVGPathElement[]} */ ([...document.querySelectorAll('.link')]).map((path) =>
    ({ x: path.getPointAtLength(0).x, top: path.getPointAtLength(0).y, bottom: path.getPointAtLength(path.getTotalLength()).y }));

  /** @typedef {{ part: number, moved: boolean }} Dot how far it has come */
  /** Those on each side of each link, the one that has come farthest first. @type {Map<number, Dot[]>} */ let before = new Map();
  /** @type {Map<number, Dot[]>} */ let now = new Map();
  /** @type {number[]} */ const ends = [];

  /** A dot is painted: requests on the left of their link, and up. @param {number} x @param {number} y */
  function paint(x, y) {
    const link = links.reduce((near, each) => (Math.abs(each.x - x) < Math.abs(near.x - x) ? each : near));
    const up = (link.bottom - y) / (link.bottom - link.top);
    now.set(x, [...now.get(x) ?? [], { part: x < link.x ? up : 1 - up, moved: false }].sort((a, b) => b.part - a.part));
  }

  /** Finds out which dots of the painting before have gone: those on one side of a link keep their order. */
  function compare() {
    for (const [x, old] of before) {
      const fresh = now.get(x) ?? [];
      let gone = 0;
      while (!old.slice(gone).every(({ part }, index) => (fresh[index]?.part ?? -1) >= part)) gone++;
      ends.push(...old.slice(0, gone).filter(({ moved }) => moved).map(({ part }) => 1 - part));
      old.slice(gone).forEach(({ moved, part }, index) => {
        const same = /** @type {Dot} */ (fresh[index]);
        same.moved = moved || same.part > part;
      });
    }
    [before, now] = [now, new Map()];
  }

  const context = CanvasRenderingContext2D.prototype;
  const { setTransform } = context;
  return new Promise((done) => {
    context.setTransform = /** @this {CanvasRenderingContext2D} @param {any[]} to */ function (...to) {
      Reflect.apply(setTransform, this, to);
      if (this.canvas !== canvas) return;
      const [scale, , , , x, y] = to;
      if (scale === 1) compare(); // the canvas is cleared
      else paint(x, y);
      if (ends.length < dots) return;
      context.setTransform = setTransform;
      done(ends);
    };
  });
}
