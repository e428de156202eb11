// More clients than can be drawn: each is counted, and each can be chosen.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { violations } from './axe.js';
import { fromMenu } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { toldAnew } from './recorded-page.js';

/** @import { Browser, Page } from 'playwright-core' */

const CLIENTS = 120;

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;
/** @type {string} */ let directory;
/** @type {string} */ let recording;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crowd-'));
  recording = join(directory, 'crowd.ndjson');
  [playground, browser] = await Promise.all([Playground.start(), launch()]);
  const { address } = await playground.zookeeper();
  await promisify(execFile)(process.env['PLAYGROUND_BIN'] ?? '', ['run', '-zookeeper', address, '-clients', String(CLIENTS), '-for', '10s',
    '-delay', '0', '-record', recording, 'predecessor']);
  await playground.call('POST', 'run', { scenario: 'predecessor' });
});
after(async () => {
  await browser?.close();
  await playground?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The recording at a moment at which many clients wait. @param {import('playwright-core').BrowserContextOptions} options */
async function watch(options) {
  const opened = await open(browser, options);
  const { page } = opened;
  await page.goto(playground.page);
  const chooser = page.waitForEvent('filechooser');
  await fromMenu(page, 'button', 'Open…');
  await (await chooser).setFiles(recording);
  await page.getByText('nothing can be done to it').waitFor();
  await page.getByRole('slider', { name: 'Time' }).focus();
  for (let held = 0; held < 3;) { // to the third acquisition
    const before = await told(page);
    await page.keyboard.press('PageUp');
    if (await toldAnew(page, before) && /holds the lock/.test(await told(page))) held++;
  }
  await page.locator('.client.is-holds').waitFor();
  return opened;
}

/** What the line of time tells. @param {Page} page */
const told = async (page) => await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext') ?? '';

/** How many clients the lane shows and counts. @param {Page} page */
const shown = (page) => page.evaluate(() => document.querySelectorAll('.client[data-client]').length
  + [...document.querySelectorAll('.group strong')].reduce((sum, each) => sum + Number(each.textContent?.replace('+', '')), 0));

test(`${CLIENTS} clients: the holder is drawn, the others are counted, and any is chosen by keys, on a desk and on a phone`, async () => {
  const { page, complaints } = await watch({ viewport: { width: 1440, height: 900 } });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await shown(page), CLIENTS);
    const waiting = page.getByRole('button', { name: /^\+\d+ waiting$/ });
    const count = Number((await waiting.textContent() ?? '').replace(/\D/g, ''));
    assert.ok(count > 50, `${count} wait`);
    await waiting.focus();
    await page.keyboard.press('Enter');
    const picker = page.getByRole('dialog', { name: `${count} clients waiting` });
    await picker.waitFor();
    assert.equal(await picker.getByRole('button').count(), count);
    assert.deepEqual(await violations(page, '.client-picker'), []);
    await page.keyboard.press('End');
    const chosen = Number(/Client (\d+)/.exec(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '') ?? '')?.[1]);
    await page.keyboard.press('Enter');
    await picker.waitFor({ state: 'hidden' });
    await page.locator(`.client[data-client="${chosen}"] .token[aria-current]`).waitFor();
    await page.getByRole('heading', { name: `Client ${chosen} ` }).waitFor();
    assert.equal(await shown(page), CLIENTS, 'still each of them once');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});
