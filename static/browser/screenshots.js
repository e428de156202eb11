// Takes pictures of the page at a playground's address into a directory:
// node static/browser/screenshots.js URL [DIRECTORY]
import { mkdir } from 'node:fs/promises';
import { launch, open } from './launch.js';

/** @import { Browser, Page } from 'playwright-core' */

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
 * The page before a run, and while a release wakes the herd.
 * @param {Browser} browser
 * @param {{ width: number, height: number }} viewport
 * @param {'light' | 'dark'} colorScheme
 */
async function take(browser, viewport, colorScheme) {
  const { page } = await open(browser, { viewport, colorScheme });
  const name = `${directory}/${viewport.width}x${viewport.height}-${colorScheme}`;
  await page.request.delete(new URL('api/rooms/main/run', url).href);
  await page.goto(/** @type {string} */ (url));
  await page.locator('.welcome .primary, .run-buttons .primary').first().waitFor();
  await page.screenshot({ path: `${name}-start.png` });
  await page.request.post(new URL('api/rooms/main/run', url).href, { data: { scenario: 'herd-vs-predecessor' } });
  await released(page);
  await page.screenshot({ path: `${name}-run.png`, fullPage: viewport.width < 500 });
  await page.context().close();
  console.log(name);
}

/**
 * Waits until every lane has seen a release, and the herd's has sent several
 * clients back to waiting.
 * @param {Page} page
 */
async function released(page) {
  await page.waitForFunction(() => [...document.querySelectorAll('.lane')].every((lane) => lane.clientWidth === 0
    || lane.querySelector('.wake-detail')?.textContent?.includes('since client')), undefined, { timeout: 30_000 });
  await page.locator('.lane .wake-marks .wake-mark.wasted >> nth=3').first().waitFor({ state: 'attached', timeout: 30_000 });
}
