// The lesson panel: it and the stage point at each other, it shows the way on, and keeps what its reader has done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Page} page @param {string} name */
const stageLink = (page, name) => page.locator(`.lesson [data-stage="${name}"]`).first();

/** How thick the outline of the first such element is. @param {Page} page @param {string} selector @param {'outlineWidth' | 'strokeWidth'} [line] */
const lit = (page, selector, line = 'outlineWidth') => page.locator(selector).first().evaluate((element, which) => {
  const style = getComputedStyle(element);
  return which === 'outlineWidth' && style.outlineStyle === 'none' ? '0px' : style[which];
}, line);

/** A page with a lesson. @param {string} place @param {Parameters<typeof open>[1]} [options] */
async function reading(place, options) {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(`${playground.page}#${place}`);
  await page.locator('.lesson h1').waitFor();
  return { page, complaints };
}

test('a word of the lesson lights what it names, by pointer and by keyboard', async () => {
  await playground.call('POST', 'run', { scenario: longHold({ lanes: [{ name: 'herd', title: 'Herd', recipe: 'herd' }] }) });
  const { page, complaints } = await reading('lesson=herd-effect');
  await page.locator('.client.is-holds').waitFor();
  assert.equal(await lit(page, '.client .token'), '0px');
  await page.locator('.lesson .fold summary').first().press('Enter');
  await stageLink(page, 'client').hover();
  assert.equal(await lit(page, '.client .token'), '3px');
  await page.mouse.move(1000, 10);
  assert.equal(await lit(page, '.client .token'), '0px');
  await stageLink(page, 'holder').focus();
  assert.deepEqual([await lit(page, '.client.is-holds .token'), await lit(page, '.client.is-waiting .token'), await lit(page, '.znode.is-holds .box', 'strokeWidth')], ['3px', '0px', '4px']);
  await stageLink(page, 'inspector').focus();
  await page.keyboard.press('Enter');
  await page.locator('#panel-inspector:not([hidden])').waitFor();
  assert.match(page.url(), /lesson=herd-effect/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a sentence goes to an instant of the run, and to a client', async () => {
  const { page } = await reading('lesson=museum', { pauses: true });
  await playground.call('POST', 'run', { scenario: 'dying-session' });
  await page.locator('.lane[data-lane="adopting"] .client').first().waitFor();
  await stageLink(page, 'at-two-believe').press('Enter');
  await page.getByText('That has not happened in this run yet.').waitFor();
  await page.locator('.caption .go-on').waitFor();
  await stageLink(page, 'at-first-hold').press('Enter');
  await page.locator('.caption .go-on').waitFor({ state: 'detached' });
  await page.locator('#timeline').getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor();
  const held = (await playground.events()).find(({ kind }) => kind === 'lock.acquired');
  await page.locator('.caption').getByText(`Client ${held.client} holds the lock`).waitFor();
  assert.equal(Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuenow')), Math.round(held.at / 1000));
  await stageLink(page, 'client-1').press('Enter');
  await page.locator('#panel-inspector').getByRole('heading', { name: 'Client 1' }).waitFor();
  await page.context().close();
});

test('the next lesson is at the end of each but the last', async () => {
  const { lessons } = await (await fetch(`${playground.url}/api/lessons`)).json();
  /** @type {{ slug: string, title: string }[]} */
  const [before, next, last] = lessons.filter((/** @type {{ locale: string }} */ { locale }) => locale === 'en').slice(-3);
  const { page } = await reading(`lesson=${before?.slug}`);
  for (const lesson of [next, last]) {
    await page.getByRole('link', { name: `Next lesson: ${lesson?.title}` }).click();
    await page.locator('.lesson h1', { hasText: lesson?.title ?? '' }).waitFor();
    assert.match(page.url(), new RegExp(`lesson=${lesson?.slug}&`));
  }
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
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('lost-wakeup');
  assert.ok(await top() > 100, 'the same lesson turns to the other section');
  await page.context().close();
});

test('a prediction is acknowledged at once, and kept like the place in the lesson', async () => {
  const { page } = await reading('lesson=herd-effect');
  await page.getByRole('radio', { name: 'All seven', exact: true }).press('Space');
  const said = page.locator('.predict-said').first();
  assert.equal(await said.textContent(), 'Your prediction: All seven. Now run it and see.');
  await page.getByRole('radio', { name: 'All wake up, list, and sleep again', exact: true }).press('Space');
  await page.getByText('Your prediction: All wake up, list, and sleep again. Now do it and see.').waitFor();
  await page.getByRole('heading', { name: 'Side by side', exact: true }).evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await page.waitForFunction(() => Number(localStorage.getItem('place herd-effect')) > 5);
  assert.deepEqual(await violations(page, '.lesson-panel'), []);
  await page.reload();
  await page.getByText('Your prediction: All seven.').waitFor();
  assert.equal(await page.getByRole('radio', { name: 'All seven', exact: true }).isChecked(), true);
  const seen = await page.getByRole('heading', { name: 'Side by side', exact: true }).evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(seen > 0 && seen < 300, `the section is at ${seen}`);
  await page.context().close();
});

test('a browser that keeps nothing shows lessons all the same', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('forbidden', 'SecurityError'); } }));
  await page.goto(`${playground.page}#lesson=herd-effect`);
  await page.getByRole('radio', { name: 'All seven', exact: true }).press('Space');
  await page.getByText('Your prediction: All seven.').waitFor();
  await page.getByRole('heading', { name: 'Side by side', exact: true }).evaluate((element) => element.scrollIntoView());
  assert.deepEqual(complaints, []);
  await page.context().close();
});
