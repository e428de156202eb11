// The line over the lanes says what happened last and leads there, a screen reader hears
// it, and the panel keeps all of it in order.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, moving } from './launch.js';
import { exported, goToMark, goToStart, toldAnew } from './recorded-page.js';

/** @import { Browser, BrowserContextOptions } from 'playwright-core' */

/** @type {string} */ let folder;
/** @type {Browser} */ let browser;

before(async () => { [folder, browser] = await Promise.all([mkdtemp(join(tmpdir(), 'caption-')), launch()]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

const CRASH = 'A fault is injected into client 5, which holds the lock: Crash. The process is gone; its session lives on until the server times it out.';

/** A recorded run, at its beginning. @param {string} name @param {BrowserContextOptions} [options] */
async function show(name, options) {
  const { page, complaints, address } = await exported(browser, folder, name, { viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  return { page, complaints, caption: page.locator('#caption'), spoken: page.locator('#spoken p') };
}

test('it names the crash, and its buttons open the inspector', async () => {
  const { page, complaints, caption } = await show('ephemeral-crash');
  await goToMark(page, /fault injected: Crash/);
  assert.equal(await caption.locator('p').textContent(), CRASH);
  assert.equal(await caption.locator('time').textContent(), '0:03.401');
  await caption.getByRole('button', { name: 'client 5' }).click();
  assert.equal(await page.getByRole('tab', { name: 'Inspector' }).getAttribute('aria-selected'), 'true');
  await page.getByRole('heading', { name: 'Client 5' }).waitFor();

  await goToMark(page, /znode 02 was deleted/);
  await caption.getByRole('button', { name: 'znode 02' }).click();
  await page.getByRole('heading', { name: 'Znode 02' }).waitFor();
  await caption.getByRole('button', { name: 'All that happened' }).click();
  assert.equal(await page.getByRole('tab', { name: 'In words' }).getAttribute('aria-selected'), 'true');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a frame that was lost is shown in full', async () => {
  const { page, caption } = await show('lost-reply');
  await goToMark(page, /fault healed: Lose a reply/);
  await caption.getByRole('button', { name: 'the reply to a create' }).click();
  await page.locator('#panel-inspector').getByText('lost with its connection').first().waitFor();
  await page.context().close();
});

/** How long after the last key something is spoken, in milliseconds. @param {string} words @returns {Promise<number>} */
const restBefore = (words) => new Promise((done) => {
  let moved = 0;
  addEventListener('keydown', () => { moved = performance.now(); }, true);
  new MutationObserver((_, observer) => {
    if (!document.querySelector('#spoken')?.textContent?.includes(words)) return;
    observer.disconnect();
    done(performance.now() - moved);
  }).observe(/** @type {Element} */ (document.querySelector('#spoken')), { childList: true, subtree: true, characterData: true });
});

test('who moves in time hears that instant once there is a rest, politely', async () => {
  const { page, spoken } = await show('ephemeral-crash');
  const region = page.locator('#spoken');
  assert.deepEqual(await region.evaluate((log) => [log.role, log.ariaLive, log.ariaAtomic]), ['log', 'polite', null]);
  const rest = page.evaluate(restBefore, CRASH);
  await goToMark(page, /fault injected: Crash/);
  const dragged = (await spoken.allTextContents()).filter((words) => words !== CRASH);
  assert.ok(await rest >= 700, `not while it moves, but ${await rest} ms after`);
  assert.deepEqual((await spoken.allTextContents()).slice(dragged.length), [CRASH]);
  await page.context().close();
});

test('it does not change under the pointer or the focus of who is about to press it', async () => {
  const { page, caption } = await show('ephemeral-crash', moving);
  await goToStart(page); // it plays by itself, and may be past that
  await goToMark(page, /fault injected: Crash/);
  await caption.getByRole('button', { name: 'client 5' }).focus();
  await page.keyboard.press('k');
  const seen = await page.waitForFunction(() => {
    const now = Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow'));
    const speed = /** @type {HTMLSelectElement} */ (document.querySelector('.speed select'));
    if (now > 6500 && speed.value === '1') { // so that a busy machine does not miss the rest, of less than a second
      speed.value = '0.25';
      speed.dispatchEvent(new Event('change'));
    }
    if (now <= 7400) return undefined;
    const button = /** @type {HTMLElement} */ (document.activeElement);
    button.blur(); // at once: the recording ends soon after
    return [document.querySelector('#caption p')?.textContent, button.textContent];
  }, undefined, { timeout: 20_000 });
  assert.deepEqual(await seen.jsonValue(), [CRASH, 'client 5']);
  await page.waitForFunction((crash) => document.querySelector('#caption p')?.textContent !== crash, CRASH);
  await page.context().close();
});

test('the list keeps its rows, the newest first, and leads to each instant', async () => {
  const { page } = await show('two-holders');
  await goToMark(page, /Belief/);
  await page.getByRole('tab', { name: 'In words' }).click();
  const rows = page.locator('.told li');
  assert.match(await rows.first().textContent() ?? '', /Two clients believe that they hold the lock\. Client 2 has believed it for 2\.7 s, client 1 since just now\./);
  await page.evaluate(() => {
    for (const row of document.querySelectorAll('.told li, .data-table tbody tr')) /** @type {HTMLElement} */ (row).dataset['mine'] = row.textContent?.match(/0:\d\d\.\d+|\d\d/)?.[0] ?? '';
  });
  await goToMark(page, /No lost update.*violated/);
  assert.match(await rows.first().textContent() ?? '', /A write to the account is lost\./);
  const moved = await page.evaluate(() => [...document.querySelectorAll('.told li[data-mine]')]
    .filter((row) => !row.textContent?.includes(/** @type {HTMLElement} */ (row).dataset['mine'] ?? '-')).length);
  assert.equal(moved, 0, 'no row is another one now');
  const pause = rows.filter({ hasText: 'Pause for 6.5 s' });
  await pause.getByRole('button').first().click();
  await page.locator('.my-time', { hasText: '0:01.101' }).waitFor();
  await page.context().close();
});

test('no caption is cut off on a desk or a phone, none moves the lanes of a desk, and axe finds nothing', async () => {
  const { page, caption } = await show('two-holders-fenced');
  const top = () => page.locator('#lanes').evaluate((lanes) => lanes.getBoundingClientRect().top + scrollY);
  const first = await top();
  /** @type {Set<string>} */ const seen = new Set();
  for (let last = ''; ;) {
    const now = await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext') ?? '';
    if (now === last) break;
    last = now;
    const words = await caption.locator('p').textContent() ?? '';
    if (!seen.has(words)) {
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        assert.ok(await caption.locator('p').evaluate((p) => p.scrollHeight - p.clientHeight) <= 1, `cut off at ${width}: ${words}`);
      }
      assert.equal(await top(), first, now);
    }
    seen.add(words);
    await page.keyboard.press(']');
    await toldAnew(page, last);
  }
  assert.ok(seen.size > 5);
  await page.getByRole('tab', { name: 'In words' }).click();
  for (const [width, colorScheme] of /** @type {const} */ ([[1440, 'light'], [390, 'dark']])) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual([...await violations(page, '#caption'), ...await violations(page, '#panels')], [], `${width} ${colorScheme}`);
  }
  await page.context().close();
});
