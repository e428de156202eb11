// Each recorded run in the page: at its decisive instants those are in sight whom they are
// about, in every size of the window, and nothing lies over them; at its end every figure is
// what the server sums up.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newestComplete } from '../js/model/rounds.js';
import { mean, span } from '../js/text/format.js';
import { fold, recording, summary } from '../test/recording.js';
import { openStage, scenes, show, sizes, standAt } from './decisive.js';
import { launch } from './launch.js';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { Concern } from '../js/model/concerns.js' */

/** @type {Browser} */ let browser;
/** @type {string} */ let folder;
/** @type {Page} */ let page;
/** @type {string[]} */ let complaints;
before(async () => {
  [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'recorded-'))]);
  ({ page, complaints } = await openStage(browser));
});
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

const all = scenes();

test('the recorded runs have decisive instants, each of somebody or something', () => {
  assert.ok(all.flatMap(({ instants }) => instants).length >= 23);
  for (const { name, instants } of all) {
    for (const { name: instant, about } of instants) {
      assert.ok(about.length && about.every(({ clients, account }) => clients.length || account), `${name}, ${instant}: ${JSON.stringify(about)}`);
    }
  }
});

/** What of those is not in sight, or lies under something else. @param {Concern[]} about @returns {string[]} */
function hidden(about) {
  const caption = document.querySelector('#caption')?.getBoundingClientRect();
  const [top, bottom] = [caption?.bottom ?? 0, innerHeight];
  return about.flatMap(({ lane, clients, paths, account }) => [
    ...clients.map((client) => `.client[data-client="${client}"] .token`), ...paths.map((path) => `[data-path="${path}"]`),
    ...(account ? ['.account .balance', '.account .verdict'] : []),
  ].flatMap((selector) => {
    const part = document.querySelector(`.lane[data-lane="${lane}"] ${selector}`);
    const box = part?.getBoundingClientRect();
    if (!part || !box) return [`${lane} ${selector}: is not there`];
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (box.top < top - 1 || box.bottom > bottom + 1 || box.left < 0 || box.right > innerWidth) return [`${lane} ${selector}: ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${Math.round(top)} to ${bottom}`];
    return found && (part.contains(found) || found.contains(part)) && found !== document.body ? [] : [`${lane} ${selector}: lies under ${found?.tagName}.${found?.className}`];
  }));
}

/** Which parts of a lane's head lie over one another. @returns {string[]} */
function overlaid() {
  return [...document.querySelectorAll('.lane-head')].flatMap((head) => {
    const parts = [...head.querySelectorAll('h2 span, .checks, .ending, .figure, .wake-detail p')].filter((part) => part.checkVisibility({ visibilityProperty: true }));
    return parts.flatMap((one, index) => parts.slice(index + 1).flatMap((other) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      return apart ? [] : [`${one.className || one.tagName} and ${other.className}: ${one.textContent} ${other.textContent}`];
    }));
  });
}

/** Compares every figure of the page with those of the server, at the end. @param {string} name of the run */
async function figuresAtTheEnd(name) {
  await page.keyboard.press('g');
  await page.getByRole('region', { name: 'Result' }).waitFor();
  const texts = (/** @type {string} */ selector) => page.locator(selector).evaluateAll((found) => found.map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim() ?? ''));
  const { lanes } = fold(recording(name));
  for (const [index, { name: lane, rounds, requests, acquisitions, falseBeliefMicros, verdicts }] of summary(name).lanes.entries()) {
    const at = `.lane[data-lane="${lane}"]`;
    const own = `.result-lane:nth-child(${index + 1})`;
    const figures = Object.fromEntries(await page.locator(`${own} dl div`).evaluateAll((all) => all.map((each) => [each.querySelector('dt')?.textContent, each.querySelector('dd')?.textContent])));
    const perRelease = [mean(rounds.wakeups / rounds.complete), mean(rounds.wastedWakeups / rounds.complete)];
    const perAcquisition = mean(requests / acquisitions);
    const summedUp = /** @type {Record<string, string>} */ ({
      'woken per release': perRelease[0], 'for nothing per release': perRelease[1], 'requests per acquisition': perAcquisition,
      'acquisitions': String(acquisitions), 'of false belief': falseBeliefMicros ? span(falseBeliefMicros) : '0 s',
    });
    for (const [figure, value] of Object.entries(summedUp)) if (figure in figures) assert.equal(figures[figure], value, `${lane}: ${figure}`);
    const violated = verdicts.filter((/** @type {any} */ { verdict }) => verdict === 'violated').length;
    assert.equal((await texts(`${own} .violated`)).length, violated);
    assert.match((await texts(`${at} .checks`)).join(), violated ? /^✗/ : /^✓ \d+ check/);
    if (lanes[index]?.account.used) {
      const [, should, is, lost] = /should be (\d+), is (\d+): (\d+) of/.exec(verdicts.map((/** @type {any} */ { why }) => why).join()) ?? [];
      assert.deepEqual(await texts(`${at} .balance`), [figures['is']]);
      assert.deepEqual([figures['should be'], figures['is'], figures['lost']], lost ? [should, is, lost] : [figures['is'], figures['is'], '0']);
      assert.match((await texts(`${at} .account .verdict`)).join(), lost ? new RegExp(`should be ${should}, is ${is}: ${lost} of`) : /nothing is lost/);
      assert.equal((await texts(`${at} .stamp.refused`)).length > 0, verdicts.some((/** @type {any} */ { why }) => /\d refused/.test(why)));
    } else {
      assert.deepEqual(await texts(`${at} .meters dd`), [...perRelease, perAcquisition]);
      const round = newestComplete(/** @type {import('../js/model/view.js').Lane} */ (lanes[index]).rounds); // of all of them the server sums up
      assert.deepEqual(await texts(`${at} .figure`), [`${round?.woken ?? '–'} woken`, `${round?.wasted ?? '–'} for nothing`]);
    }
  }
}

for (const scene of all) {
  test(`${scene.name}: ${[...scene.instants.map(({ name }) => name), 'the end'].join(', ')}`, async () => {
    await show(page, folder, scene);
    for (const size of sizes) {
      for (const instant of scene.instants) {
        await standAt(page, scene, instant, size);
        assert.deepEqual(await page.evaluate(hidden, instant.about), [], `${instant.name} at ${size.width}x${size.height}`);
        assert.deepEqual(await page.evaluate(overlaid), [], `${instant.name} at ${size.width}x${size.height}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${instant.name}: ${size.width} is wide enough`);
        if (scene.name === 'two-holders' && instant.name === 'two-believe') await bothInSequence();
      }
    }
    if (scene.name === 'ephemeral-crash') await endOfSession(scene);
    await page.setViewportSize(sizes[0] ?? { width: 0, height: 0 });
    await figuresAtTheEnd(scene.name);
    assert.deepEqual(complaints.splice(0), []);
  });
}

/** While the lock waits for the end of a session, the lane says how long, and not what an earlier release cost. @param {import('./decisive.js').Scene} scene */
async function endOfSession({ run, instants: [expired] }) {
  for (const [at, ending] of /** @type {const} */ ([[(expired?.at ?? 0) - 1_500_000, true], [(expired?.at ?? 0) + 100_000, false]])) {
    await page.evaluate((hash) => { location.hash = hash; }, `run=${run}&at=${at}`);
    await page.locator('.ending', { hasText: /^1\.\d s until client 5’s session ends/ }).waitFor({ state: ending ? 'visible' : 'detached' });
    assert.equal(await page.locator('.wake').isVisible(), !ending);
    for (const size of sizes.slice(0, 3)) {
      await page.setViewportSize(size);
      assert.deepEqual(await page.evaluate(overlaid), [], `${ending ? 'while' : 'after'} it waits, at ${size.width}x${size.height}`);
    }
  }
}

/** Where two believe, both are in the sequence diagram. */
async function bothInSequence() {
  await page.keyboard.press('q');
  await page.locator('.sequence-area canvas').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.sequence-lane').length === 1 && !document.querySelector('.sequence-head button'));
  await page.keyboard.press('q');
}
