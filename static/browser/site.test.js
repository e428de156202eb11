// The course as static files, without a playground: read from a plain file server, with
// everything else out of reach.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { fromMenu } from './drawer.js';
import { launch, moving } from './launch.js';
import { SiteServer } from './site-server.js';

/** @import { Browser, Page, Route } from 'playwright-core' */

/** @type {SiteServer} */ let site;
/** @type {Browser} */ let browser;
/** The addresses of the lessons, in order. @type {string[]} */ let lessons = [];

before(async () => {
  [site, browser] = await Promise.all([SiteServer.start(), launch()]);
  const { page } = await site.open(browser);
  await page.goto(site.base);
  lessons = await page.locator('.map-lesson h3 a').evaluateAll((links) => links.map((link) => /** @type {HTMLAnchorElement} */ (link).href));
  await page.context().close();
});
after(async () => { await browser?.close(); await site?.stop(); });

/** The address of a lesson. @param {string} slug */
const lesson = (slug) => `${site.base}lessons/en/${slug}.html`;

/** How much wider than the window a page is. @param {Page} page */
const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The recordings that a page plays, each once. @param {Page} page */
const recordings = async (page) => [...new Set(await page.locator('.lesson [data-recording]').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-recording') ?? '')))];

/** Plays a recording, and waits until it is shown. @param {Page} page @param {string} name */
async function play(page, name) {
  await page.locator(`.lesson [data-recording="${name}"]`).first().click();
  await page.locator(`.lesson [data-recording="${name}"][aria-current]`).first().waitFor({ state: 'attached' });
  await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
}

/** Waits until the playhead has left the beginning. @param {Page} page */
const hasBegun = (page) => page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 0);

test('every lesson opens, plays its first recording and its last, fits a phone, and asks for nothing else; axe finds nothing', async (context) => {
  const { page, complaints, refused } = await site.open(browser);
  const { files, bytes } = await site.size();
  const played = new Set();
  assert.ok(lessons.length > 5);
  for (const [index, address] of [site.base, ...lessons].entries()) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: index % 2 ? 'dark' : 'light' }); // the lessons have one style sheet
    await page.goto(address);
    if (index > 0) {
      const top = (await page.locator('.lesson h1').boundingBox())?.y ?? Infinity;
      assert.ok(top < 400, `the lesson begins at the top of ${address}, not at ${top}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight), 0, `${address} fits the window`);
      const names = await recordings(page);
      assert.ok(names.length > 0, address);
      for (const [place, name] of names.entries()) {
        const { lanes, clients } = await site.run(name);
        assert.ok(lanes.length > 0 && clients > 0, `${name} can be read`);
        if (place > 0 && place < names.length - 1 || played.has(name)) continue;
        await play(page, name);
        for (let marks = 0; marks < 3; marks++) await page.keyboard.press(']');
        await hasBegun(page);
        const drawn = await page.locator('.lane').evaluateAll((all, most) => all.map((lane) =>
          [...lane.querySelectorAll('.client')].filter((client) => Number(/** @type {HTMLElement} */ (client).dataset['client']) <= most).length), clients);
        assert.deepEqual(drawn, lanes.map(() => clients), `the clients in each lane of ${name}`);
        played.add(name);
      }
    }
    await page.locator('.lesson details').evaluateAll((all) => { for (const each of all) each.setAttribute('open', ''); });
    assert.deepEqual(await violations(page), [], address);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await tooWide(page), 0, `${address} on a phone`);
  }
  context.diagnostic(`${lessons.length} lessons, ${played.size} recordings, ${files} files, ${bytes} bytes`);
  assert.deepEqual(refused, []);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a recording plays by itself, stops, goes on, and ends with its result', async () => {
  const { page, complaints } = await site.open(browser, moving);
  await page.goto(lesson('herd-effect'));
  const [name = ''] = await recordings(page);
  await play(page, name);
  await page.locator('.lane .client.is-holds').first().waitFor();
  await page.keyboard.press('k');
  await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('g');
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await page.locator(`#${await tab.getAttribute('aria-controls')} > *`).first().waitFor();
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('what plays a recording can be pressed as soon as it would play', async () => {
  const { page } = await site.open(browser);
  /** @type {(route: Route) => void} */ let hold = () => {};
  const held = /** @type {Promise<Route>} */ (new Promise((resolve) => { hold = resolve; }));
  await page.route('**/static/catalogue.json', (route) => hold(route));
  await page.goto(lesson('herd-effect'));
  const route = await held;
  const enabled = page.locator('[data-recording]:enabled');
  assert.equal(await enabled.count(), 0);
  await route.fallback();
  await enabled.first().waitFor();
  assert.equal(await page.locator('[data-recording]:disabled').count(), 0);
  await page.context().close();
});

test('a solution ticks the steps of its goal as it comes to them, and is nobody\'s progress', async () => {
  const { page } = await site.open(browser);
  await page.goto(lesson('znodes'));
  const goal = page.locator('.goal').first();
  assert.equal(await goal.locator('.is-done').count(), 0);
  await play(page, await goal.locator('[data-recording]').getAttribute('data-recording') ?? '');
  await goal.locator('.goal-why', { hasText: 'Not yet.' }).waitFor();
  await page.keyboard.press('g');
  await goal.locator('.goal-why', { hasText: 'Met.' }).waitFor();
  assert.equal(await goal.locator('.goal-steps li.is-done').count(), await goal.locator('.goal-steps li').count());
  await goal.getByRole('button', { name: /^done at/ }).nth(1).click();
  await goal.locator('.goal-steps li:not(.is-done)').first().waitFor();
  assert.equal(await goal.locator('.goal-steps li.is-done').count(), 2, 'two steps were done by then');
  await page.locator('.lesson .run-button').first().click();
  await goal.locator('.goal-why').waitFor({ state: 'hidden' });
  assert.equal(await goal.locator('.is-done').count(), 0, 'another recording shows nothing of it');
  await goal.getByText('Do it yourself').click();
  await goal.getByText('make run').waitFor();
  await goal.getByText('docker compose up').waitFor();
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('solved'))), []);
  await page.context().close();
});

test('a prediction is kept, and the map counts it', async () => {
  const { page } = await site.open(browser);
  await page.goto(lesson('znodes'));
  await page.locator('.predict-said').first().waitFor({ state: 'attached' });
  await page.locator('.predict input').nth(1).check();
  await page.reload();
  await page.getByText(/^Your prediction: /).waitFor();
  assert.equal(await page.locator('.predict input').nth(1).isChecked(), true);
  await page.getByRole('link', { name: 'All lessons' }).click();
  await page.locator('#znodes', { hasText: /1 of \d+ predictions? made/ }).waitFor();
  await page.getByRole('link', { name: /^Begin: / }).click();
  assert.equal(page.url(), lessons[0]);
  await page.context().close();
});

test('a prediction is held against the recording when its moment has come', async () => {
  const { page } = await site.open(browser);
  await page.goto(lesson('herd-effect'));
  await page.goto(`${lesson('herd-effect')}#run=${(await recordings(page))[0]}&at=100000`); // time stands still there
  await page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '100');
  await page.locator('.predict').first().getByRole('radio').first().check();
  await page.getByText('Now run it and see.').first().waitFor();
  assert.equal(await page.locator('.predict-echo p').count(), 0, 'not before the release');
  await page.getByRole('slider', { name: 'Time' }).press('End');
  await page.locator('.predict-echo', { hasText: 'It was “All seven”: woken per release: 7.' }).waitFor();
  assert.equal(await page.locator('.predict-said').first().isVisible(), false);
  await page.context().close();
});

test('a link to a moment of a recording leads there, also after a reload', async () => {
  const { page } = await site.open(browser);
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto(lesson('herd-effect'));
  const [name = ''] = await recordings(page);
  await play(page, name);
  for (let marks = 0; marks < 4; marks++) await page.keyboard.press(']');
  await hasBegun(page);
  await fromMenu(page, 'button', 'Copy link');
  await page.getByText('The address of the page is a link').waitFor();
  assert.match(page.url(), new RegExp(`#.*run=${name}&`));
  const at = await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuenow');
  await page.reload();
  await page.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === wanted, at);
  await page.context().close();
});

test('by the keyboard alone: from the map to a lesson, to a solution and through it, and on to the next lesson', async () => {
  const { page, complaints } = await site.open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(site.base);
  const focus = (/** @type {string} */ selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  /** Presses a key until what it is after has the focus. @param {string} selector @param {string} [key] */
  async function reach(selector, key = 'Tab') {
    for (let presses = 0; presses < 120 && !await focus(selector); presses++) await page.keyboard.press(key);
    assert.ok(await focus(selector), `Tab reaches ${selector}`);
  }
  await reach('#znodes h3 a');
  await page.keyboard.press('Enter');
  await page.waitForURL(lesson('znodes'));
  await page.locator('.goal [data-recording]:enabled').first().waitFor();
  await reach('.goal [data-recording]');
  await page.keyboard.press('Enter');
  await page.locator('.goal [data-recording][aria-current]').first().waitFor();
  await page.keyboard.press('g');
  await page.locator('.goal-why', { hasText: 'Met.' }).waitFor();
  await reach('a.lesson-on');
  await page.keyboard.press('Enter');
  await page.waitForURL(lessons[1] ?? '');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('on a phone a lesson is read, and its recordings take turns with it', async () => {
  const { page, complaints } = await site.open(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(lesson('herd-effect'));
  const button = page.locator('.lesson .run-button').first();
  await button.tap();
  await page.locator('.lane .client').first().waitFor();
  assert.equal(await button.isVisible(), false, 'the lanes are in its place');
  assert.equal(await tooWide(page), 0);
  await page.locator('#dock').getByRole('button', { name: 'End' }).waitFor();
  await page.locator('#dock').getByRole('button', { name: 'Lesson' }).tap();
  await button.waitFor();
  assert.equal(await tooWide(page), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('one whose file is gone says so, and the lesson stays', async () => {
  const { page } = await site.open(browser);
  await page.goto(lesson('znodes'));
  await page.context().route('**/runs/*', (route) => route.fulfill({ status: 404, body: '' }));
  await page.locator('.lesson .run-button').first().click();
  await page.locator('.alert.bad', { hasText: 'its file is not on the server (404)' }).waitFor();
  await page.context().route('**/runs/*', (route) => route.abort());
  await page.locator('.lesson .run-button').first().click();
  await page.locator('.alert.bad', { hasText: 'its file cannot be fetched' }).waitFor();
  await page.context().unroute('**/runs/*');
  await page.locator('.lesson .run-button').first().click();
  await page.locator('.lane .client').first().waitFor();
  assert.equal(await page.locator('.alert').count(), 0);
  await page.context().close();
});

test('without a script the course can be read from end to end', async () => {
  const { page } = await site.open(browser, { javaScriptEnabled: false });
  await page.goto(site.base);
  await page.getByRole('link', { name: /^Begin: / }).click();
  for (const address of lessons) {
    assert.equal(page.url(), address);
    assert.ok((await page.locator('.lesson').innerText()).length > 500);
    await page.locator('a.lesson-on').click();
  }
  assert.equal(page.url(), `${site.base}index.html#live`);
  await page.context().close();
});
