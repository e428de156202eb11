// What every visitor needs of the page: it fits, it can be read, it can be
// used without a mouse, and a screen reader can tell what it shows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { violations } from './axe.js';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => {
  [playground, browser] = await Promise.all([Playground.startWithServer(), launch()]);
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor' });
});
after(async () => { await browser?.close(); await playground?.stop(); });

/** Nothing sticks out of the page. @param {Page} page @param {string} state of the page */
async function isInside(page, state) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0, `the page is ${over} px too wide ${state}`);
}

/** Nothing sticks out of the page, and axe finds nothing. @param {Page} page @param {string} state of the page @param {string} [part] that is looked at by axe */
async function fits(page, state, part) {
  await isInside(page, state);
  assert.deepEqual(await violations(page, part), [], state);
}

// The style sheets tell a small screen from a large one, and light from dark.
const looks = /** @type {const} */ ([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
]);

/**
 * Shows one page in some looks, one after the other: opening a page costs most.
 * @param {Page} page @param {Iterable<typeof looks[number]>} some @param {(look: string) => Promise<void>} check
 */
async function inLooks(page, some, check) {
  for (const { viewport, colorScheme } of some) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await check(`${viewport.width}x${viewport.height} ${colorScheme}`);
  }
}

test('as it opens, nothing sticks out and axe finds nothing', async () => {
  const { page, complaints } = await open(browser);
  await page.goto(playground.page);
  await page.locator('.lane .client').first().waitFor();
  await inLooks(page, looks, (look) => isInside(page, `as it opens, ${look}`));
  await inLooks(page, [looks[0], looks[3]], (look) => fits(page, `as it opens, ${look}`));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

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
  await page.goto(playground.page);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('x');
  await page.locator('dialog.ask').getByRole('button', { name: 'End the run' }).press('Enter');
  await page.getByText(/finished/).first().waitFor();
  await page.keyboard.press('s');
  await page.locator('.lane .client.is-holds').first().waitFor();
  await page.context().close();
});

describe('with everything broken', () => {
  const faults = ['pause', 'partition', 'partition-out', 'partition-in', 'slow', 'lose-reply', 'crash', 'close'];
  before(async () => {
    await playground.call('POST', 'run', { scenario: longHold({
      clients: faults.length, session: '40s',
      lanes: ['unfenced', 'token'].map((account) => ({ name: account, title: `${account}: an account`, recipe: 'mutex', account })),
    }) });
    for (const lane of ['unfenced', 'token']) {
      await acquired(lane);
      for (const [index, fault] of faults.entries()) {
        await playground.call('POST', 'faults', { lane, client: index + 1, fault, ...(fault === 'slow' && { delay: '100ms' }) });
      }
    }
    await playground.call('POST', 'steps', { do: 'on' });
  });

  test('belief, steps and the menu fit, axe finds nothing', async () => {
    const { page, complaints } = await open(browser);
    await page.goto(playground.page);
    await page.locator('.lane .client .fault-mark').first().waitFor();
    await inLooks(page, [looks[0], looks[3]], async (look) => {
      await fits(page, `with every fault, ${look}`, '#lanes');
      await page.getByRole('button', { name: 'Sequence' }).click();
      await page.locator('.sequence-area canvas').first().waitFor();
      await fits(page, `Sequence, ${look}`, '#sequence');
      await page.getByRole('button', { name: 'Picture' }).click();
      for (const panel of ['Belief', 'Steps', 'Numbers', 'Inspector']) {
        await openPanel(page, panel);
        await page.locator('[role=tabpanel]:not([hidden]) > *').first().waitFor({ state: 'attached' });
        if (panel === 'Numbers') await page.locator('.numbers-charts canvas').first().waitFor();
        await fits(page, `${panel}, ${look}`, '#panels');
      }
      await page.locator('#panel-inspector select').selectOption({ label: 'client 2' });
      await page.locator('.subject .break').click();
      await page.locator('.fault-menu:popover-open').waitFor();
      await fits(page, `the menu, ${look}`, '#fault-menu');
      await page.keyboard.press('Escape'); // it may lie over the button of the servers
      await page.getByRole('button', { name: 'Break server…' }).click();
      await page.getByRole('heading', { name: 'Break ZooKeeper' }).waitFor();
      await fits(page, `the menu of the servers, ${look}`, '#fault-menu');
      const outside = await page.locator('.fault-menu').evaluate((menu) => {
        const { left, top, right, bottom } = menu.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      });
      assert.equal(outside, false, `the menu is inside the window, ${look}`);
      await page.keyboard.press('Escape');
    });
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});

/** Waits until somebody holds in a lane. @param {string} lane */
async function acquired(lane) {
  while (!(await playground.events()).some((event) => event.kind === 'lock.acquired' && event.lane === lane)) {
    await new Promise((done) => { setTimeout(done, 50); });
  }
}
