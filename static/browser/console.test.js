// A visitor at the console: a client of the run by typed commands, by the keyboard alone,
// and on a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { outOfSight } from './sight.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Two clients that hold long enough to be met, and not for long. */
const byHand = {
  name: 'by-hand-quickly', title: 'Be a client', summary: 'As by-hand, in a hurry.',
  lanes: [{ name: 'by-hand', title: 'By hand: two clients, and you', recipe: 'mutex' }],
  clients: 2, session: '4s', delay: '50ms', arrive: '0s', hold: { min: '2500ms', max: '2500ms' }, think: { min: '300ms', max: '300ms' }, seed: 1,
};

/** The text of the console's entries of a sort. @param {Page} page @param {string} sort */
const entries = (page, sort) => page.locator(`.console-log .entry-${sort}`);

/** Types a line, and waits until it is done. @param {Page} page @param {string} line */
async function type(page, line) {
  const before = await page.locator('.console-line label').textContent();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
  await page.waitForFunction((prompt) => /CONNECTED\) \d+\]/.test(document.querySelector('.console-line label')?.textContent ?? '') && document.querySelector('.console-line label')?.textContent !== prompt, before);
}

/** The last thing that was answered. @param {Page} page */
const answer = (page) => entries(page, 'out').last().innerText();

/** The znode before the visitor's own in the queue, undefined when that is first. @param {Page} page @param {string} own */
async function ahead(page, own) {
  await type(page, 'ls /lock');
  const names = (await answer(page)).replace(/^\W*\[|\]\s*$/g, '').split(', ').sort((a, b) => a.slice(-10).localeCompare(b.slice(-10)));
  return names[names.indexOf(own) - 1];
}

test('by the keyboard alone: queue up between two clients, be woken, hold, crash, and begin again', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.page);
  await page.locator('.run-buttons button').first().waitFor();
  await playground.call('POST', 'run', { scenario: byHand });
  await page.locator('.client.is-holds').waitFor();
  await page.keyboard.press('z');
  await page.locator('.console-join:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.console-line input:focus').waitFor();
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
  const mine = page.locator('.client[data-client="3"]');
  await mine.locator('.state', { hasText: 'not queued' }).waitFor();

  await type(page, 'create -e -s /lock/lock-');
  const own = (await entries(page, 'out').last().innerText()).trim().split('/').at(-1) ?? '';
  assert.match(own, /^lock-\d{10}$/);
  await mine.locator('.state', { hasText: /ahead|first/ }).waitFor();
  await page.keyboard.type(`stat /lock/${own.slice(0, -3)}`); // the others' do not begin so, and may be gone meanwhile
  await page.keyboard.press('Tab');
  await page.waitForFunction((wanted) => {
    const field = document.querySelector('.console-line input');
    return field instanceof HTMLInputElement && field.value === wanted;
  }, `stat /lock/${own}`);
  await page.locator('.console-line input').fill('');
  for (let next = await ahead(page, own); next; next = await ahead(page, own)) {
    const woken = entries(page, 'watch').filter({ hasText: `NodeDeleted path:/lock/${next}` });
    await type(page, `stat -w /lock/${next}`);
    if (await entries(page, 'err').filter({ hasText: `does not exist: /lock/${next}` }).count()) continue;
    await page.locator('.arrow').first().waitFor({ state: 'attached' });
    await woken.waitFor();
  }
  await mine.locator('.state', { hasText: 'first' }).waitFor();
  await page.locator('.znode.is-first').waitFor();
  await entries(page, 'note').filter({ hasText: `Your turn, by the queue: znode ${own} is first. The lock is yours.` }).waitFor();
  await page.locator('#caption', { hasText: 'It is the turn of client 3' }).waitFor();
  await page.locator('.console-who', { hasText: 'the lock is yours' }).waitFor();
  assert.equal(await page.locator('.client.is-holds').count(), 0, 'nobody holds but by the queue');
  assert.equal(await mine.evaluate((element) => element.classList.contains('is-holds')), false);
  assert.deepEqual(await violations(page), []);

  // out of the field by the keyboard, to the client, and into its menu
  await page.keyboard.type('ls');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.console-line') !== null && document.activeElement?.tagName === 'BUTTON'), true);
  await mine.locator('.token').focus();
  await page.keyboard.press('b');
  await page.locator('.fault-item[data-fault="crash"]').waitFor();
  await page.locator('.fault-item[data-fault="crash"]').focus();
  await page.keyboard.press('Enter');
  await mine.locator('.state', { hasText: 'crashed' }).waitFor();
  await page.locator('.znode.is-crashed').waitFor();
  await entries(page, 'note').filter({ hasText: 'has crashed' }).waitFor();
  await page.locator('.console-who').filter({ hasNotText: 'the lock is yours' }).waitFor();
  await page.locator('.client.is-holds').waitFor(); // once the session has timed out
  assert.equal((await playground.events()).filter(({ kind, client, cause }) => kind === 'tree.deleted' && client === 3 && cause === 'expiry').length, 1);

  await page.keyboard.press('z');
  await page.locator('.console-line input:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.console-line label', { hasText: '(CONNECTED) 1' }).waitFor(); // what stood in the field was entered
  await mine.locator('.state', { hasText: 'not queued' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.match(await page.locator('.console-line input').inputValue(), /^(ls \/lock|stat)/);

  await playground.call('DELETE', 'run');
  await entries(page, 'note').filter({ hasText: 'the run has ended' }).waitFor();
  await page.locator('.console .hint', { hasText: 'No run is going' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('errors, watches and long answers are told apart, and said in short', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const begin = async (/** @type {number} */ seed) => { // until the page knows: who joins before would join the run that ends
    await playground.call('POST', 'run', { scenario: { ...byHand, seed } });
    await page.locator('.fact', { hasText: `seed ${seed}` }).waitFor({ state: 'attached' });
  };
  await page.goto(playground.page);
  await page.locator('.run-buttons button').first().waitFor();
  await playground.call('POST', 'run', { scenario: byHand });
  await page.locator('.lane .client').first().waitFor();
  await page.locator('#tab-console').click();
  await page.locator('.console-join').click();
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
  await type(page, 'stat /nope');
  assert.equal(await entries(page, 'err').last().textContent(), '✗Error: Node does not exist: /nope');
  await type(page, 'nonsense');
  assert.equal(await entries(page, 'err').last().textContent(), '✗Error: Command not found: nonsense (type help)');
  const spoken = page.locator('.console [role=log]');
  await spoken.getByText('Error: Command not found: nonsense (type help)').waitFor({ state: 'attached' });
  await type(page, 'help');
  await page.waitForFunction(() => { // it is read from its beginning
    const [log, line] = ['.console-log', '.console-log .entry-line:has(+ .entry-out:last-child)'].map((each) => document.querySelector(each)?.getBoundingClientRect());
    return log && line && line.top >= log.top && line.top < log.top + line.height;
  });
  const help = await answer(page);
  assert.match(help, /Session\n[^]*quit  — [^]*Watches\n[^]*Znodes\n[^]*create \[-s\] \[-e\].*  — makes a znode/);
  assert.doesNotMatch(help, /setquota|reconfig|undefined/);
  for (const line of help.split('\n').filter((each) => each.startsWith('  '))) assert.match(line, /^ {2}\w.*  — \w/, 'each says what it is for');
  await spoken.getByText(/Session.* more lines/).waitFor({ state: 'attached' });
  await type(page, 'help create');
  await page.waitForFunction(() => { const log = document.querySelector('.console-log'); return log && log.scrollHeight - log.scrollTop - log.clientHeight < 8; });
  assert.match(await answer(page), /create \[-s\] \[-e\].* — makes a znode/);
  await type(page, 'connect localhost:1');
  assert.match(await entries(page, 'err').last().innerText(), /connects to nothing else/);
  const example = page.locator('.console-examples button', { hasText: 'queue up' });
  await example.click();
  assert.equal(await page.locator('.console-line input').inputValue(), 'create -e -s /lock/lock-');
  await example.or(page.locator('.console-examples .is-filled')).click();
  await entries(page, 'out').filter({ hasText: 'Created /lock/lock-' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.locator('.console-head').getByRole('button', { name: 'Leave the run' }).click();
  await page.locator('.console-line input:focus').waitFor();
  await page.waitForFunction(() => !document.querySelector('.client[data-client="3"]'));
  const left = (await playground.events()).filter(({ client }) => client === 3).map(({ kind }) => kind);
  assert.ok(left.includes('session.closed') && left.includes('note.left'));
  await begin(2);
  await page.locator('.console-join').click();
  await page.locator('.console-line input:focus').waitFor();
  await begin(3);
  await page.locator('.console-join').click(); // a new run is joined anew
  await page.locator('.console-line label', { hasText: '(CONNECTED) 0' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

/** How the console stands. @param {Page} page */
const measures = (page) => page.evaluate(() => {
  const log = /** @type {HTMLElement} */ (document.querySelector('.console-log'));
  const line = /** @type {HTMLElement} */ (document.querySelector('.console-line')).getBoundingClientRect();
  const dock = document.querySelector('#dock');
  return {
    lines: Math.floor(log.clientHeight / parseFloat(getComputedStyle(log).lineHeight)),
    below: Math.round(log.scrollHeight - log.scrollTop - log.clientHeight),
    prompt: line.top >= 0 && line.bottom <= (dock?.checkVisibility() ? dock.getBoundingClientRect().top : innerHeight) && line.top >= log.getBoundingClientRect().bottom - 1
      && line.bottom <= (log.closest('.panels')?.getBoundingClientRect().bottom ?? 0),
    page: document.scrollingElement?.scrollHeight === innerHeight || innerWidth <= 960,
    sideways: document.documentElement.scrollWidth <= innerWidth,
  };
});

/** What is placed in the page, though a part of it scrolls what is around that: the page would grow with it. @param {Page} page */
const strays = (page) => page.evaluate(() => {
  const scrolls = (/** @type {Element} */ element) => /auto|scroll/.test(getComputedStyle(element).overflow);
  return [...document.querySelectorAll('body *')].filter((element) => {
    if (!(element instanceof HTMLElement) || getComputedStyle(element).position !== 'absolute' || !element.checkVisibility()) return false;
    let around = element.parentElement;
    while (around && around !== element.offsetParent) {
      if (scrolls(around) && around !== document.body) return true;
      around = around.parentElement;
    }
    return false;
  }).map((element) => element.outerHTML.slice(0, 120));
});

/** The windows, and how many lines the console has at least in each. */
const windows = [{ width: 720, height: 450, least: 6 }, { width: 1366, height: 768, least: 8 }, { width: 1440, height: 900, least: 11 }];

test('in each window it shows enough lines and the lanes whole, follows them through sessions and runs, and nothing else scrolls', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${playground.page}#lesson=znodes`);
  await playground.call('POST', 'run', { scenario: 'by-hand' });
  await page.locator('.lane .client').first().waitFor({ state: 'attached' });
  await page.keyboard.press('z');
  await page.locator('.console-join:focus').waitFor();
  const looks = async (/** @type {string} */ when) => {
    for (const { least, ...viewport } of windows) {
      await page.setViewportSize(viewport);
      await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
      const { lines, ...rest } = await measures(page);
      const at = `${when}, ${viewport.width} wide`;
      assert.ok(lines >= least, `${at}: ${lines} lines`);
      assert.deepEqual(rest, { below: 0, prompt: true, page: true, sideways: true }, at);
      assert.deepEqual(await strays(page), [], at);
      if (viewport.width > 960) assert.deepEqual(await outOfSight(page, ['.lane .token', '.picture .server', '#tree']), [], at);
    }
  };
  const join = async () => {
    await page.keyboard.press('Enter');
    await page.locator('.console-line label', { hasText: '(CONNECTED) 0' }).waitFor();
  };
  await join();
  for (const line of ['nonsense', 'create /kinds hello', 'stat /kinds', 'ls -s /kinds', 'ls /']) await type(page, line);
  await looks('after a wrong command');
  await page.keyboard.type('quit');
  await page.keyboard.press('Enter');
  await page.locator('.console[data-state="away"]').waitFor();
  await join();
  for (const line of ['stat /kinds', 'ls /']) await type(page, line);
  await looks('as another client');
  await page.locator('.console-log').hover();
  await page.mouse.wheel(0, -300);
  await page.waitForFunction(() => { const log = document.querySelector('.console-log'); return log && log.scrollHeight - log.scrollTop - log.clientHeight > 100; });
  await playground.call('DELETE', 'run'); // says so at the end, which is not where the visitor looks
  await page.locator('.console[data-state="away"]').waitFor();
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  assert.ok((await measures(page)).below > 100, 'who has scrolled up stays there');
  await playground.call('POST', 'run', { scenario: 'by-hand' });
  await page.locator('.console-join').waitFor();
  await page.locator('.console-line input').focus();
  await join();
  await page.locator('.entry-rule', { hasText: 'Another run' }).waitFor();
  await type(page, 'ls /');
  await looks('in another run');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

for (const [code, says, join] of /** @type {const} */ ([['en', 'Type it: create /kinds hello', 'Be a client'], ['ru', 'Ввести: create /kinds hello', 'Стать клиентом']])) {
  test(`a click on a command of the lesson types it, and Enter runs it: ${code}`, async () => {
    const { page, complaints } = await open(browser, code === 'en' ? { viewport: { width: 1440, height: 900 } } : phone);
    await page.addInitScript((language) => localStorage.setItem('language', language), code);
    await playground.call('DELETE', 'run').catch(() => {});
    await page.goto(`${playground.page}#lesson=znodes`);
    const field = page.locator('.console-line input');
    const narrow = code !== 'en';
    const read = async () => {
      if (!narrow) return;
      await page.locator('#dock button').first().tap();
      await page.locator('body.reading').waitFor(); // the click follows the tap: a key before it would go to the button
    };
    await read();
    const task = page.locator('.task').first();
    await task.locator('summary').press('Enter');
    const button = page.getByRole('button', { name: says });
    await button.focus();
    assert.equal(await task.locator('pre code').first().textContent(), 'create /kinds hello', 'what is copied is the command');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter'); // nothing runs yet
    await page.locator('.alert').waitFor();
    await page.locator('.console-line input:focus').waitFor();
    assert.equal(await field.inputValue(), 'create /kinds hello');
    await playground.call('POST', 'run', { scenario: 'by-hand' });
    await page.getByRole('button', { name: join, exact: true }).waitFor();
    await field.fill('');
    await read();
    await button.press('Enter'); // it makes the visitor a client
    await page.locator('.console[data-state="joined"]').waitFor();
    await page.locator('.console-line input:focus').waitFor();
    assert.equal(await field.inputValue(), 'create /kinds hello');
    assert.equal((await playground.events()).some(({ kind, path }) => kind === 'tree.created' && path?.endsWith('/kinds')), false, 'nothing is run by that');
    await page.keyboard.press('Enter');
    await entries(page, 'out').filter({ hasText: 'Created /kinds' }).waitFor();
    await read();
    const help = page.locator('.type-line').first();
    await help.press('Enter');
    if (narrow) await read();
    await help.press('Enter'); // the second time it is entered
    await entries(page, 'out').filter({ hasText: 'create [-s] [-e]' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test('on a phone the field and what it is answered fit above the keyboard', async () => {
  const { page, complaints } = await open(browser, phone);
  await page.goto(playground.page);
  await page.locator('.run-buttons button').first().waitFor();
  await playground.call('POST', 'run', { scenario: byHand });
  await page.locator('.lane .client').first().waitFor();
  await page.locator('#tab-console').tap();
  await page.locator('.console-join').tap();
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
  await page.locator('.console-examples button', { hasText: 'queue up' }).tap();
  await page.locator('.console-examples .is-filled').tap();
  await entries(page, 'out').filter({ hasText: 'Created /lock/lock-' }).waitFor();
  await page.setViewportSize({ width: 390, height: 480 }); // the rest is the keyboard's
  await page.locator('.console-line input').tap();
  await page.waitForFunction(() => {
    const field = document.querySelector('.console-line input')?.getBoundingClientRect();
    const last = document.querySelector('.console-log p:last-child')?.getBoundingClientRect();
    const caption = document.querySelector('#caption')?.getBoundingClientRect().bottom ?? 0;
    return field && last && last.top >= caption && field.bottom <= innerHeight;
  });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.ok(parseFloat(await page.locator('.console-line input').evaluate((field) => getComputedStyle(field).fontSize)) >= 16, 'the phone does not zoom in');
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
