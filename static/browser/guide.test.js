// The guided start: offered once, walked through by keys, skipped, and repeated.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { steps } from '../js/text/guide.js';

/** @import { Browser } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

test('it lasts half a minute at most', () => {
  assert.ok(steps.reduce((sum, { seconds }) => sum + seconds, 0) <= 30);
});

test('a first visitor is offered it, walks through it by keys while a run goes on, and is not offered it again', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.page);
  const offer = page.getByRole('button', { name: /^Show me around/ });
  await offer.focus();
  await page.keyboard.press('Enter');
  const guide = page.getByRole('dialog', { name: 'Guided start' });
  for (const { title, at } of steps) {
    await guide.getByRole('heading', { name: title }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.guide') !== null), true, 'the focus stays in the card');
    const first = title === steps[0]?.title; // which turns by itself after a while
    if (!first) await page.locator(at).first().waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    if (first) assert.deepEqual(await violations(page, '.guide'), []);
  }
  await guide.waitFor({ state: 'detached' });
  assert.equal(await page.locator('.guide-ring').count(), 0);
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', 'the focus is not lost');

  await playground.call('DELETE', 'run');
  await page.reload();
  await page.getByRole('button', { name: 'Restart' }).or(page.getByRole('button', { name: 'Start' })).first().waitFor();
  assert.equal(await page.locator('.welcome').getByRole('button', { name: /around/ }).count(), 0);
  assert.equal(await guide.count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('from the help it is begun; it points at what it tells of, turns its pages by itself, and Escape skips it', async () => {
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor' });
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.page);
  await page.locator('.lane .client.is-holds').first().waitFor();
  const guide = page.getByRole('dialog', { name: 'Guided start' });
  const offer = page.locator('#guide-offer');
  await offer.waitFor();
  await page.getByRole('button', { name: /^Help/ }).click();
  await page.locator('#guide-open').click();
  assert.ok(await offer.isHidden(), 'it is offered no more');
  await guide.getByRole('heading', { name: steps[0]?.title ?? '' }).waitFor();
  const apart = await page.evaluate(() => {
    const [ring, target] = ['.guide-ring', '.lanes'].map((each) => document.querySelector(each)?.getBoundingClientRect());
    return Math.abs((ring?.top ?? 0) - (target?.top ?? 99)) + Math.abs((ring?.height ?? 0) - (target?.height ?? 99));
  });
  assert.ok(apart < 2, `the ring is ${apart} px off`);
  const covered = await page.evaluate(() => {
    const card = document.querySelector('.guide')?.getBoundingClientRect();
    return [...document.querySelectorAll('.lanes, #timeline')].filter((each) => each.getBoundingClientRect().left < (card?.right ?? Infinity)).map((each) => each.id);
  });
  assert.deepEqual(covered, [], 'the card covers neither the lanes nor the timeline');
  await guide.getByRole('heading', { name: steps[1]?.title ?? '' }).waitFor({ timeout: 1000 * ((steps[0]?.seconds ?? 0) + 3) });
  await page.keyboard.press('Escape');
  await guide.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'help-open', 'the focus is where it came from');
  await page.keyboard.press('p');
  await page.locator('body.present').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});
