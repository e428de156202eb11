// What every visitor needs of the page: it fits, it can be read, it can be
// used without a mouse, and a screen reader can tell what it shows.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => {
  [playground, browser] = await Promise.all([Playground.start(), launch()]);
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor' });
});
after(async () => { await browser?.close(); await playground?.stop(); });

/** What axe finds wrong, one line each. @param {Page} page */
async function violations(page) {
  await page.evaluate(await import('node:fs/promises').then(({ readFile }) => readFile(axe, 'utf8')));
  return page.evaluate(async () => {
    // @ts-expect-error axe has just been put into the page
    const { violations: found } = await window.axe.run();
    return found.map((/** @type {any} */ each) => `${each.id}: ${each.nodes.map((/** @type {any} */ node) => node.html).join(' ').slice(0, 200)}`);
  });
}

const sizes = [{ width: 1440, height: 900 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }];

for (const viewport of sizes) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`${viewport.width}x${viewport.height} ${colorScheme}: nothing sticks out, axe finds nothing`, async () => {
      const { page, complaints } = await open(browser, { viewport, colorScheme, reducedMotion: 'reduce' });
      await page.goto(playground.url);
      await page.locator('.lane .client').first().waitFor();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(over, 0, `the page is ${over} px too wide`);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(complaints, []);
      await page.context().close();
    });
  }
}

test('the lesson as a document of its own is accessible', async () => {
  const { page, complaints } = await open(browser);
  for (const slug of ['herd-effect', 'ephemeral-nodes', 'read-write-locks']) {
    await page.goto(`${playground.url}/lessons/en/${slug}`);
    assert.deepEqual(await violations(page), [], slug);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the keyboard alone starts and stops a run', async () => {
  const { page } = await open(browser);
  await page.goto(playground.url);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('x');
  await page.getByText(/finished/).first().waitFor();
  await page.keyboard.press('s');
  await page.locator('.lane .client.is-holds').first().waitFor();
  await page.context().close();
});
