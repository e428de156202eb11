// Starts Chromium for tests and pictures of the page: headless, with a fresh
// profile, and with nothing in it that talks to the outside.
import { relative } from 'node:path';
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
