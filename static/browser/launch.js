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

/**
 * A browser; the caller closes it. $CHROMIUM names another program than Debian's.
 * @returns {Promise<Browser>}
 */
export const launch = () => chromium.launch({
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: quiet,
});

/** The pages that are open. @type {Set<Page>} */
const pages = new Set();

// A test that fails leaves its page open: what that showed explains the failure.
if (process.env['NODE_TEST_CONTEXT']) {
  afterEach(async (context) => {
    if (!('passed' in context) || context.passed) return;
    for (const page of pages) {
      const seen = await page.locator('body').innerText({ timeout: 5000 }).catch(String);
      console.error(`${context.name}: the page at ${page.url()} showed\n${seen.slice(0, 6000)}`);
      await page.context().close();
    }
  });
}

/**
 * A page that throws away nothing: whatever its console complains about is
 * collected, so that a test can insist on silence.
 * @param {Browser} browser
 * @param {BrowserContextOptions} [options]
 * @returns {Promise<{ page: Page, complaints: string[] }>}
 */
export async function open(browser, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  pages.add(page);
  page.on('close', () => pages.delete(page));
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (failure) => complaints.push(failure.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, complaints };
}

// .ci/checks lists what each file of tests took.
process.once('exit', () => console.error(`ran ${relative('', process.argv[1] ?? '')} ${process.uptime().toFixed(1)}s`));
