// The lesson panel: the way on, and what it keeps of its reader.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A page with a lesson. @param {string} place @param {import('playwright-core').BrowserContextOptions} [options] */
async function reading(place, options) {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(`${playground.url}/#${place}`);
  await page.locator('.lesson h1').waitFor();
  return { page, complaints };
}

test('the next lesson is at the end of each but the last', async () => {
  const { page } = await reading('lesson=two-holders');
  await page.getByRole('link', { name: 'Next lesson: The museum of broken locks' }).click();
  await page.locator('.lesson h1', { hasText: 'museum' }).waitFor();
  assert.match(page.url(), /lesson=museum/);
  assert.equal(await page.locator('.lesson-on').count(), 0);
  assert.equal(await page.locator('.lesson-article').evaluate((article) => article.scrollTop), 0);
  await page.context().close();
});

test('choosing a scenario opens its lesson at its section', async () => {
  const { page } = await reading('lesson=herd-effect');
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('own-node');
  const heading = page.getByRole('heading', { name: 'The znode that was not there' });
  await heading.waitFor();
  const top = () => heading.evaluate((element) => Math.round(element.getBoundingClientRect().top - (element.closest('.lesson-article')?.getBoundingClientRect().top ?? 0)));
  assert.ok(Math.abs(await top()) < 3, `the heading is ${await top()} px from the top`);
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('flag-deadlock');
  assert.ok(await top() > 100, 'the same lesson turns to the other section');
  await page.context().close();
});

test('a prediction is acknowledged at once, and kept like the place in the lesson', async () => {
  const { page } = await reading('lesson=herd-effect');
  await page.getByRole('radio', { name: 'All seven', exact: true }).press('Space');
  const said = page.locator('.predict-said').first();
  assert.equal(await said.textContent(), 'Your prediction: All seven. Now run it and see.');
  await page.getByRole('heading', { name: 'Side by side' }).evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await page.waitForFunction(() => Number(localStorage.getItem('place herd-effect')) > 5);
  assert.deepEqual(await violations(page, '.lesson-panel'), []);
  await page.reload();
  await page.getByText('Your prediction: All seven.').waitFor();
  assert.equal(await page.getByRole('radio', { name: 'All seven', exact: true }).isChecked(), true);
  const seen = await page.getByRole('heading', { name: 'Side by side' }).evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(seen > 0 && seen < 300, `the section is at ${seen}`);
  await page.context().close();
});

test('a browser that keeps nothing shows lessons all the same', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('forbidden', 'SecurityError'); } }));
  await page.goto(`${playground.url}/#lesson=herd-effect`);
  await page.getByRole('radio', { name: 'All seven', exact: true }).press('Space');
  await page.getByText('Your prediction: All seven.').waitFor();
  await page.getByRole('heading', { name: 'Side by side' }).evaluate((element) => element.scrollIntoView());
  assert.deepEqual(complaints, []);
  await page.context().close();
});
