// Takes pictures of the page at a playground's address into a directory:
// node static/browser/screenshots.js URL [DIRECTORY]
import { mkdir } from 'node:fs/promises';
import { argumentsOf } from '../js/text/catalogue.js';
import { launch, moving, open } from './launch.js';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { FaultKind } from '../js/types.d.ts' */

const sizes = [{ width: 1440, height: 900 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }];
const themes = /** @type {const} */ (['light', 'dark']);

const [url, directory = 'test-results/screenshots'] = process.argv.slice(2);
if (!url) {
  console.error('usage: node screenshots.js URL [DIRECTORY]');
  process.exit(2);
}
await mkdir(directory, { recursive: true });
const browser = await launch();
try {
  for (const viewport of sizes) for (const colorScheme of themes) await take(browser, viewport, colorScheme);
} finally {
  await browser.close();
}

/**
 * The page before a run, while a release wakes the herd, with a fault on every
 * client, with the menu of faults open, and with what the checks have found.
 * @param {Browser} browser
 * @param {{ width: number, height: number }} viewport
 * @param {'light' | 'dark'} colorScheme
 */
async function take(browser, viewport, colorScheme) {
  const { page } = await open(browser, { viewport, colorScheme, ...moving });
  const fullPage = viewport.width < 500;
  /** @param {string} what */
  const picture = (what) => page.screenshot({ path: `${directory}/${viewport.width}x${viewport.height}-${colorScheme}-${what}.png`, fullPage });
  await ask(page, 'DELETE', 'run');
  await page.goto(new URL('rooms/main', url).href);
  await page.locator('.welcome .primary, .run-buttons .primary').first().waitFor();
  await picture('start');
  await ask(page, 'POST', 'run', { scenario: 'herd-vs-predecessor' });
  await released(page);
  await page.getByRole('button', { name: 'Dismiss' }).click(); // that somebody else has started it
  await picture('run');
  await breakAll(page);
  await picture('faults');
  await page.getByRole('tab', { name: 'In words' }).click();
  await page.locator('.verdicts').first().evaluate((verdicts) => verdicts.scrollIntoView());
  await picture('words');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.locator('#panel-inspector select').selectOption({ label: 'client 4' });
  await page.locator('.subject .break').click();
  await page.locator('.fault-menu:popover-open').waitFor();
  await picture('menu');
  await page.context().close();
  console.log(`${viewport.width}x${viewport.height} ${colorScheme}`);
}

/** Injects a fault into each client, as many as there are. @param {Page} page */
async function breakAll(page) {
  const { catalogue } = await (await page.request.get(new URL('api/scenarios', url).href)).json();
  const faults = catalogue.faults.filter((/** @type {FaultKind} */ { name, target }) => target === 'client' && name !== 'heal');
  const clients = await page.locator('.lane').first().locator('.client').count();
  for (const [index, fault] of faults.slice(0, clients).entries()) {
    await ask(page, 'POST', 'faults', { client: index + 1, fault: fault.name, ...argumentsOf(fault, 30) });
  }
  await page.locator('.lane .fault-mark').first().waitFor();
}

/** @param {Page} page @param {string} method @param {string} path under the room @param {object} [data] */
function ask(page, method, path, data) {
  return page.request.fetch(new URL(`api/rooms/main/${path}`, url).href, { method, data });
}

/**
 * Waits until every lane has seen a release, and the herd's has sent several
 * clients back to waiting.
 * @param {Page} page
 */
async function released(page) {
  await page.waitForFunction(() => [...document.querySelectorAll('.lane')].every((lane) => lane.clientWidth === 0
    || lane.querySelector('.wake-detail')?.textContent?.includes('released')), undefined, { timeout: 30_000 });
  await page.locator('.lane .wake-marks .wake-mark.wasted >> nth=3').first().waitFor({ state: 'attached', timeout: 30_000 });
}
