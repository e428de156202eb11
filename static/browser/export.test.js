// A page that was saved with its run inside plays it from the disk, with no network.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { violations } from './axe.js';
import { launch, open } from './launch.js';

/** @import { Browser, Page } from 'playwright-core' */

const run = promisify(execFile);
const recording = (/** @type {string} */ name) => fileURLToPath(new URL(`../test/fixtures/${name}.ndjson.zst`, import.meta.url));

/** @type {Browser} */ let browser;
/** @type {string} */ let folder;
before(async () => { [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'export-'))]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

/** A page of a recorded run, opened without a network. @param {string} name @param {import('playwright-core').BrowserContextOptions} [options] */
async function exported(name, options) {
  const file = join(folder, `${name}.html`);
  await run(process.env['PLAYGROUND_BIN'] ?? '', ['export', recording(name), file]);
  const { page, complaints } = await open(browser, { ...options, offline: true });
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  const address = pathToFileURL(file).href;
  return { page, complaints, requests, address };
}

const time = (/** @type {Page} */ page) => page.getByRole('slider', { name: 'Time' });

test('it plays by itself, is scrubbed, and asks nobody for anything', async () => {
  const { page, complaints, requests, address } = await exported('herd-vs-predecessor');
  await page.goto(address);
  await page.getByRole('heading', { name: 'The herd effect' }).waitFor();
  await page.locator('.lane .client.is-holds').nth(1).waitFor();
  await page.keyboard.press('k');
  for (let marks = 0; !/releases the lock/.test(await time(page).getAttribute('aria-valuetext') ?? ''); marks++) {
    assert.ok(marks < 30, 'there is a release');
    await page.keyboard.press(']');
  }
  await page.keyboard.press('g');
  await page.waitForFunction(() => {
    const slider = document.querySelector('[role=slider]');
    return slider?.getAttribute('aria-valuenow') === slider?.getAttribute('aria-valuemax');
  });
  const box = await time(page).boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + box.width / 2, box.y + 10);
  await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
  const half = Number(await time(page).getAttribute('aria-valuenow'));
  assert.ok(half > 1000 && half < 7000, `${half} ms`);
  assert.deepEqual(requests, [address]);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('axe finds nothing in any panel, small and large, light and dark', async () => {
  const { page, complaints, address } = await exported('two-holders', { reducedMotion: 'reduce' });
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  for (let marks = 0; marks < 4; marks++) await page.keyboard.press(']');
  for (const [width, height, colorScheme] of /** @type {const} */ ([[1440, 900, 'light'], [390, 844, 'dark']])) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(over, 0, `${await tab.textContent()} at ${width} is ${over} px too wide`);
      assert.deepEqual(await violations(page), [], `${await tab.textContent()}, ${width} ${colorScheme}`);
    }
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a link to a moment of it stands there', async () => {
  const { page, address } = await exported('lost-wakeup');
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })); // as where it is forbidden
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('q');
  await page.keyboard.press(']');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('The address of the page is a link').waitFor();
  const [at, link] = [await time(page).getAttribute('aria-valuenow'), page.url()];
  await page.goto('about:blank');
  await page.goto(link);
  await page.locator('#panel-sequence:not([hidden])').waitFor();
  await page.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === wanted, at);
  await page.evaluate((to) => { location.hash = to; }, new URL(link).hash.replace(/at=\d+/, 'at=0')); // in the bar of addresses
  await page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '0');
  await page.context().close();
});

test('one whose recording is damaged says so', async () => {
  const { page, address } = await exported('two-holders');
  const file = fileURLToPath(address);
  await writeFile(file, (await readFile(file, 'utf8')).replace(/(id="recording">\s*.{400}).{400}/, '$1'));
  await page.goto(address);
  await page.locator('.alert.bad', { hasText: 'cannot be read' }).waitFor();
  await page.context().close();
});
