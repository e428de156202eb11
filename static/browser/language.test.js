// The page in the visitor's language: that of the browser, or the one that was chosen. It
// is whole in each, and fits.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

const widths = [1440, 390];

/** Nothing sticks out of the page, and axe finds nothing on a phone. @param {Page} page @param {string} state */
async function fits(page, state) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0, `the page is ${over} px too wide ${state} at ${width}`);
  }
  assert.deepEqual(await violations(page), [], state);
}

/** What the page says that is neither translated nor the same in every language. @param {Page} page @param {string} scope */
const inEnglish = (page, scope) => page.locator(scope).evaluateAll((parts) => parts.flatMap((part) => {
  const own = /** @type {HTMLElement} */ (part).innerText;
  return own.match(/\b(?:the|and|client|waits|holds|of|release|run|session)\b/gi) ?? [];
}));

const languages = /** @type {const} */ ([
  { locale: 'zh-CN', code: 'zh', begin: '锁一释放，会唤醒谁？', lanes: ['羊群', '前驱节点'], switched: 'Русский' },
  { locale: 'ru-RU', code: 'ru', begin: 'Блокировку освобождают. Кто проснётся?', lanes: ['Стадо', 'Предшественник'], switched: '中文' },
]);

for (const { locale, code, begin } of languages) {
  test(`a browser in ${locale} sees its language on the front page`, async () => {
    const { page, complaints } = await open(browser, { locale });
    await page.goto(playground.url);
    await page.getByRole('heading', { name: begin }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
    await page.locator('.front .draft').waitFor();
    await fits(page, 'on the front page');
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

for (const { locale, code, lanes, switched } of languages) {
  test(`a browser in ${locale} sees its language in a run`, async () => {
    await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor' });
    const { page, complaints } = await open(browser, { locale });
    await page.goto(playground.page);
    for (const lane of lanes) await page.locator('#lanes').getByRole('heading', { name: lane }).waitFor();
    await page.locator('.lane .client.is-holds').first().waitFor();
    await fits(page, 'in a run');
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const part of ['.bar .tools', '#run-bar', '#caption', '#lanes', '#timeline', '.rail']) {
      assert.deepEqual(await inEnglish(page, part), [], part);
    }
    for (const [name, content] of /** @type {const} */ ([['words', 'table'], ['belief', 'table'], ['steps', '.step-tools'], ['inspector', '.field'], ['numbers', 'table']])) {
      await page.locator(`#tab-${name}`).click();
      await page.locator(`#panel-${name} ${content}`).first().waitFor();
      assert.deepEqual(await inEnglish(page, `#panel-${name}`), [], name);
    }
    await page.locator('#view-sequence').click();
    await page.locator('#sequence .sequence-tools').first().waitFor();
    assert.deepEqual(await inEnglish(page, '#sequence'), [], 'sequence');
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test(`who switches from ${locale} to another language has that from then on, by keyboard too`, async () => {
    const { page, complaints } = await open(browser, { locale });
    await page.goto(playground.page);
    await page.locator('.lane .client').first().waitFor();
    await page.keyboard.press('?');
    const button = page.locator('#help').getByRole('button', { name: switched });
    await button.focus();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await page.locator('.lane .client').first().waitFor();
    const spoken = await page.evaluate(() => document.documentElement.lang);
    assert.notEqual(spoken, code);
    await page.reload();
    await page.locator('.lane .client').first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), spoken);
    await page.keyboard.press('?');
    assert.equal(await page.locator('#help').getByRole('button', { name: switched }).getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await violations(page, '#help'), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test('an English browser loads no other sentences', async () => {
  const { page } = await open(browser, { locale: 'en-GB' });
  /** @type {string[]} */ const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(playground.page);
  await page.locator('.lane .client').first().waitFor();
  assert.deepEqual(asked.filter((url) => /\/(zh|ru)-\w+\.js/.test(url)), []);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  await page.context().close();
});
