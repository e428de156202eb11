// The page that `playground export` makes of a recorded run of static/test/fixtures,
// opened from the disk and without a network.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { open } from './launch.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const run = promisify(execFile);
const recording = (/** @type {string} */ name) => fileURLToPath(new URL(`../test/fixtures/${name}.ndjson.zst`, import.meta.url));

/**
 * Makes the page, and opens a tab for it that is still empty.
 * @param {Browser} browser
 * @param {string} folder to write it into
 * @param {string} name of the recorded run
 * @param {BrowserContextOptions} [options]
 */
export async function exported(browser, folder, name, options) {
  const file = join(folder, `${name}.html`);
  await run(process.env['PLAYGROUND_BIN'] ?? '', ['export', recording(name), file]);
  const { page, complaints } = await open(browser, { ...options, offline: true });
  return { page, complaints, file, address: pathToFileURL(file).href };
}

/** Links of the page go into its address, as where the clipboard is forbidden. @param {Page} page */
export const withoutClipboard = (page) =>
  page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));

/**
 * Waits a moment for the line of time to tell something else: at a decisive instant it may not,
 * which may be at a fact. Says whether it does.
 * @param {Page} page @param {string} before what it told
 */
export const toldAnew = (page, before) =>
  page.waitForFunction((old) => document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') !== old, before, { timeout: 300 }).then(() => true, () => false);

/** How long it may take to get there, in milliseconds. */
const PATIENCE = 90_000;

/** Goes to the beginning of the run by keyboard, and waits until that is drawn. @param {Page} page */
export async function goToStart(page) {
  await page.getByRole('slider', { name: 'Time' }).press('Home');
  await page.locator('[role=slider][aria-valuetext^="0:00.000"]').waitFor();
}

/** Goes by keyboard from mark to mark until the line of time tells of something. @param {Page} page @param {RegExp} what */
export const goToMark = (page, what) => goOn(page, ']', what);

/** Goes by keyboard from event to event until the line of time tells of something. @param {Page} page @param {RegExp} what */
export const goToEvent = (page, what) => goOn(page, '.', what);

/** @param {Page} page @param {string} key @param {RegExp} what */
async function goOn(page, key, what) {
  const slider = page.getByRole('slider', { name: 'Time' });
  const told = async () => await slider.getAttribute('aria-valuetext') ?? '';
  const ends = Date.now() + PATIENCE;
  /** @type {string[]} */ const passed = [];
  for (let before = await told(); !what.test(before); before = await told()) {
    passed.push(before);
    if (Date.now() > ends) throw new Error(`${what} is not told on the way: ${passed.join(' | ')}`);
    await page.keyboard.press(key);
    await toldAnew(page, before);
  }
}
