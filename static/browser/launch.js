// Starts Chromium for tests and pictures of the page: headless, with a fresh
// profile, and with nothing in it that talks to the outside.
import { relative } from 'node:path';
import { afterEach } from 'node:test';
import { chromium } from 'playwright-core';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const quiet = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** $CHROMIUM names another program than Debian's. */
const options = { executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium', args: quiet };

/** Options of a page in which things move as for most visitors. */
export const moving = /** @type {const} */ ({ reducedMotion: 'no-preference' });

/** A browser that others use; the caller closes it. */
export const launchServer = () => chromium.launchServer(options);

/**
 * A browser, or a part of the one at $BROWSER_AT that is nobody else's; the caller closes it.
 * @returns {Promise<Browser>}
 */
export function launch() {
  const shared = process.env['BROWSER_AT'];
  return shared ? chromium.connect(shared) : chromium.launch(options);
}

/** The pages that are open, each with the name of its test where others run at the same time. @type {Map<Page, string | undefined>} */
const pages = new Map();

// A test that fails leaves its page open: what that showed explains the failure.
if (process.env['NODE_TEST_CONTEXT']) {
  afterEach(async (context) => {
    if (!('passed' in context) || context.passed) return;
    for (const [page, of = context.name] of pages) {
      if (of !== context.name) continue;
      const seen = await page.evaluate(() => [...document.querySelectorAll('header, #alerts, main')]
        .map((part) => /** @type {HTMLElement} */ (part).innerText).join('\n')).catch(String);
      console.error(`${context.name}: the page at ${page.url()} showed\n${seen}`);
      await page.context().close();
    }
  });
}

/**
 * A page that throws away nothing: whatever its console complains about is
 * collected, so that a test can insist on silence. Nothing moves in it unless the options
 * say so: motion takes most of the time of a test, and few are about it. Nor does the view
 * pause by itself. Of is the name of its test, where others run at the same time.
 * @param {Browser} browser
 * @param {BrowserContextOptions & { pauses?: boolean, of?: string }} [options]
 * @returns {Promise<{ page: Page, complaints: string[] }>}
 */
export async function open(browser, { pauses = false, of, ...options } = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  if (!pauses) await context.addInitScript(() => { try { localStorage.setItem('pauses', 'no'); } catch { /* there is no storage before there is a page */ } });
  const page = await context.newPage();
  pages.set(page, of);
  page.on('close', () => pages.delete(page));
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (failure) => complaints.push(failure.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.text()} ${message.location().url}`);
  });
  return { page, complaints };
}

// .ci/checks lists what each file of tests took.
process.once('exit', () => console.error(`ran ${relative('', process.argv[1] ?? '')} ${process.uptime().toFixed(1)}s`));
