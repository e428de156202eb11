// The documents about the course: its map, with what this browser has met, and the
// teacher's pages, on a screen and on paper.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A page at an address. @param {string} path @param {Parameters<typeof open>[1]} [options] @param {string[]} [met] goals that its reader has met */
async function visit(path, options, met = []) {
  const { page, complaints } = await open(browser, options);
  await page.addInitScript((goals) => { for (const goal of goals) localStorage.setItem(`solved ${goal}`, '2026-01-01T00:00:00.000Z'); }, met);
  await page.goto(playground.url + path);
  return { page, complaints };
}

/** How far a page sticks out. @param {Page} page */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** How many sheets of paper a page takes. @param {Page} page */
const sheets = async (page) => Number(/\/Type \/Pages\s[^>]*?\/Count (\d+)/.exec((await page.pdf({ preferCSSPageSize: true })).toString('latin1'))?.[1]);

test('the map shows the course, and what this browser has met', async () => {
  for (const options of [phone, { ...desk, colorScheme: /** @type {const} */ ('dark') }]) {
    const { page, complaints } = await visit('/lessons/en', options, ['znodes/one-of-each', 'znodes/in-the-queue', 'gone/goal']);
    await page.getByText('Goals met: 2 of ').waitFor();
    const znodes = page.locator('#znodes');
    assert.match(await znodes.locator('.map-done').textContent() ?? '', /^2\/\d+$/);
    await page.getByRole('link', { name: 'Go on: Znodes and their kinds' }).waitFor();
    assert.equal(await znodes.locator('li.is-met').count(), 2);
    await znodes.locator('summary').press('Enter');
    assert.match(await znodes.locator('li.is-met').first().innerText(), /Met:/);
    assert.deepEqual(await violations(page), []);
    assert.ok(await overflow(page) <= 0);
    await page.locator('.map-needs a').first().press('Enter');
    await page.waitForURL('**/lessons/en#*');
    await page.locator('.map-print').first().press('Enter'); // the lesson as a document
    await page.locator('.lesson-document .lesson h1').waitFor();
    await page.getByRole('link', { name: 'Map of the course' }).press('Enter');
    await page.getByRole('link', { name: 'Go on: Znodes and their kinds' }).press('Enter'); // in the playground
    await page.waitForURL('**/#lesson=znodes');
    await page.locator('#lesson .lesson h1', { hasText: 'Znodes' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
});

test('what a lesson folds is opened by the keyboard, by a link to it and in print', async () => {
  const { page } = await visit('/lessons/en/sessions', { javaScriptEnabled: false });
  const fold = page.locator('.fold').first();
  const text = fold.locator('p').first();
  assert.equal(await text.isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await text.isVisible(), true);
  await page.emulateMedia({ media: null });
  await fold.locator('summary').press('Enter');
  assert.equal(await text.isVisible(), true);
  await fold.locator('summary').press('Enter');
  const id = await fold.locator('[id]').getAttribute('id');
  await page.goto(`${playground.url}/lessons/en/sessions#${id}`);
  await text.waitFor();
  await page.context().close();
});

test('a lesson whose goals are all met is marked, and without a script the map is whole', async () => {
  const { page } = await visit('/lessons/en');
  const goals = await page.locator('#znodes [data-goal]').evaluateAll((all) => all.map((each) => each.getAttribute('data-goal') ?? ''));
  const all = await page.locator('[data-goal]').evaluateAll((every) => every.map((each) => each.getAttribute('data-goal') ?? ''));
  await page.context().close();
  const { page: through } = await visit('/lessons/en', desk, all);
  await through.getByText(`Goals met: ${all.length} of ${all.length}.`).waitFor();
  assert.equal(await through.getByRole('link', { name: /^(Begin|Go on)/ }).count(), 0);
  await through.context().close();
  const { page: done } = await visit('/lessons/ru', desk, goals);
  await done.locator('#znodes .map-done', { hasText: '✓ Все цели достигнуты' }).waitFor();
  assert.equal(await done.locator('.map-next a').getAttribute('href'), await done.locator('#sessions h3 a[data-lesson]').evaluate((link) => /** @type {HTMLAnchorElement} */ (link).href));
  await done.context().close();
  const { page: still } = await visit('/lessons/en', { javaScriptEnabled: false });
  assert.ok(await still.locator('.map-lesson a').count() > 5);
  assert.equal(await still.locator('.map-progress').textContent(), '');
  await still.getByRole('link', { name: 'Begin: Why a lock across machines' }).waitFor();
  await still.context().close();
});

test('the lesson leads to the map, and the help to the teacher’s pages', async () => {
  const { page, complaints } = await visit('/rooms/main#lesson=znodes', desk);
  const [map] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Map of the course' }).press('Enter')]);
  await map.getByRole('heading', { name: 'Map of the course' }).waitFor();
  await page.locator('#help-open').press('Enter');
  const [teacher] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: /what to say/ }).press('Enter')]);
  await teacher.getByRole('link', { name: 'The herd effect' }).press('Enter');
  await teacher.getByRole('link', { name: 'Herd against predecessor' }).press('Enter');
  await teacher.waitForURL('**/#lesson=herd-effect&scenario=herd-vs-predecessor');
  await teacher.locator('.lesson h1', { hasText: 'The herd effect' }).waitFor();
  const { page: chinese } = await visit('/rooms/main#lesson=znodes', { ...desk, locale: 'zh-CN' });
  await chinese.locator('#course-map[href$="lessons/zh"]').waitFor();
  await chinese.locator('#help a[href$="teacher/zh"]').waitFor({ state: 'attached' });
  assert.deepEqual(complaints, []);
  for (const each of [page, chinese]) await each.context().close();
});

test('each of the teacher’s pages fits a screen and a sheet of paper', async () => {
  const { page, complaints } = await visit('/teacher/ru', desk);
  const pages = await page.locator('main a').evaluateAll((links) => links.map((link) => /** @type {HTMLAnchorElement} */ (link).pathname));
  assert.ok(pages.includes('/teacher/ru/plan-45') && pages.includes('/teacher/ru/plan-90') && pages.includes('/teacher/ru/znodes'));
  assert.deepEqual(await violations(page), []);
  for (const path of ['en', 'zh', 'ru'].flatMap((locale) => pages.map((each) => each.replace('/ru/', `/${locale}/`)))) {
    await page.setViewportSize(phone.viewport);
    await page.goto(playground.url + path);
    assert.ok(await overflow(page) <= 0, path);
    const long = /\/(plan-8x90|solutions)$/.test(path);
    assert.ok(await sheets(page) === 1 || long, path);
    assert.ok(await page.locator('img').evaluateAll((all) => all.every((each) => each instanceof HTMLImageElement && each.naturalWidth)), path);
  }
  assert.deepEqual(await violations(page), []);
  const { page: russian } = await visit('/teacher/ru/plan-45', { ...desk, colorScheme: 'dark' });
  await russian.getByRole('heading', { name: '45 минут' }).waitFor();
  assert.deepEqual(await violations(russian), []);
  assert.deepEqual(complaints, []);
  for (const each of [page, russian]) await each.context().close();
});
