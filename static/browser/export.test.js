// A page that was saved with its run inside plays it from the disk, with no network.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { fromMenu } from './drawer.js';
import { launch, moving } from './launch.js';
import { exported, goToMark, withoutClipboard } from './recorded-page.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Browser} */ let browser;
/** @type {string} */ let folder;
before(async () => { [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'export-'))]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

const time = (/** @type {Page} */ page) => page.getByRole('slider', { name: 'Time' });

test('it plays by itself, is scrubbed, and asks nobody for anything', async () => {
  const { page, complaints, address } = await exported(browser, folder, 'herd-vs-predecessor', moving);
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address);
  await page.getByRole('heading', { name: 'The herd effect' }).waitFor();
  await page.locator('.lane .client.is-holds').nth(1).waitFor();
  await page.keyboard.press('k');
  await goToMark(page, /releases the lock/);
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
  const { page, complaints, address } = await exported(browser, folder, 'two-holders');
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  for (let marks = 0; marks < 4; marks++) await page.keyboard.press(']');
  for (const [width, height, colorScheme] of /** @type {const} */ ([[1440, 900, 'light'], [390, 844, 'dark']])) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(page), [], `as it opens, ${width} ${colorScheme}`);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(over, 0, `${await tab.textContent()} at ${width} is ${over} px too wide`);
      assert.deepEqual(await violations(page, '#panels'), [], `${await tab.textContent()}, ${width} ${colorScheme}`);
    }
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

for (const [key, where] of [[']', 'between two events'], ['g', 'at its end']]) {
  test(`a link to a moment of it, ${where}, stands there, with what was chosen`, async () => {
    const { page, address } = await exported(browser, folder, 'lost-wakeup');
    await withoutClipboard(page);
    await page.goto(address);
    await page.locator('.lane .client').first().waitFor();
    await page.locator('.client[data-client="2"] .token').first().click();
    await page.keyboard.press('q');
    await page.keyboard.press(key ?? '');
    await page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') !== '0');
    await fromMenu(page, 'button', 'Copy link');
    await page.getByText('The address of the page is a link').waitFor();
    const [at, link] = [await time(page).getAttribute('aria-valuenow'), page.url()];
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('#sequence:not([hidden])').waitFor();
    await page.keyboard.press('q');
    await page.locator('.client[data-client="2"] .token[aria-current]').waitFor();
    await page.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === wanted, at);
    await page.evaluate((to) => { location.hash = to; }, new URL(link).hash.replace(/at=\d+/, 'at=0')); // in the bar of addresses
    await page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '0');
    await page.context().close();
  });
}

test('by the keyboard alone the diagram explains the lost wake-up, where it was found', async () => {
  const { page, address } = await exported(browser, folder, 'lost-wakeup', { viewport: { width: 1440, height: 900 } });
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('q');
  await page.keyboard.press('k');
  await page.locator('#sequence canvas').first().waitFor();
  await goToMark(page, /violated/);
  await page.getByText('What is in sight, in words').press('Enter');
  const words = await page.locator('.sequence-words').first().innerText();
  const story = [/Client 2 asks ZooKeeper: exists znode 00; the link holds it/, /Client 1 asks ZooKeeper: delete znode 00/,
    /ZooKeeper answers client 2: exists znode 00, NoNode/, /Client 2 waits .* ZooKeeper had already answered that it does not exist/,
    /Violated: Progress: client 2 does not hold/].map((part) => words.search(part));
  assert.deepEqual(story, story.filter((place) => place >= 0).toSorted((a, b) => a - b), words);
  await page.context().close();
});

test('one whose recording is damaged says so', async () => {
  const { page, file, address } = await exported(browser, folder, 'two-holders');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/(id="recording">\s*.{400}).{400}/, '$1'));
  await page.goto(address);
  await page.locator('.alert.bad', { hasText: 'cannot be read' }).waitFor();
  await page.context().close();
});
