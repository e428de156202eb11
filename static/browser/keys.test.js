// Nothing is lost by a key: the focus always has a home, no single key ends a run unasked,
// and a line that goes astray does nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { openMenu } from './menu.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

const laptop = { viewport: { width: 1440, height: 900 } };

/** A page on a run that goes on for long. @param {string} [lesson] @param {Parameters<typeof open>[1]} [options] */
async function onRun(lesson = 'znodes', options = laptop) {
  const opened = await open(browser, options);
  await opened.page.goto(`${playground.page}#lesson=${lesson}`);
  await playground.call('POST', 'run', { scenario: 'by-hand' });
  await opened.page.locator('.lane .client.is-holds').waitFor({ state: 'attached' });
  return opened;
}

/** Becomes a client by the keyboard, and waits for the prompt. @param {Page} page */
async function join(page) {
  await page.keyboard.press('z');
  await page.locator('.console :is(.console-join, input):focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
  await page.locator('.console-line input:focus').waitFor();
}

/** The run that goes on, or empty. @returns {Promise<string>} */
const running = async () => (await playground.call('GET', 'runs')).runs.find((/** @type {import('../js/types.d.ts').Run} */ { state }) => state === 'running')?.id ?? '';

/** Waits until another run goes on than an earlier one. @param {string} before */
async function another(before) {
  for (let now = before; !now || now === before;) now = await running();
}

/** What the page looks like, and what runs: what a key could have changed. @param {Page} page */
const looks = async (page) => {
  const run = await running();
  const shown = await page.evaluate(() => ({
    theme: document.documentElement.dataset['theme'], tab: document.querySelector('[role=tab][aria-selected=true]')?.id, body: document.body.className, pauses: localStorage.getItem('pauses'),
  }));
  return { run, ...shown };
};

/** Has two frames drawn. @param {Page} page */
const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

/** What has the focus. @param {Page} page */
const focused = (page) => page.evaluate(() => document.activeElement === document.body || !document.activeElement ? 'BODY' : document.activeElement.outerHTML.slice(0, 120));

test('after quit, what is typed at once is entered as a new client', async () => {
  const { page, complaints } = await onRun();
  await join(page);
  await page.keyboard.type('create -e /x');
  await page.keyboard.press('Enter');
  await page.locator('.entry-out', { hasText: 'Created /x' }).waitFor();
  const before = await looks(page);
  await page.keyboard.type('quit');
  await page.keyboard.press('Enter');
  await page.keyboard.type('stat /x');
  assert.equal(await page.locator('.console-line input').inputValue(), 'stat /x');
  await page.locator('.console[data-state="away"]').waitFor();
  await page.locator('.console-line label', { hasText: 'be a client again' }).waitFor();
  assert.equal(await page.locator('.console-line input:focus').inputValue(), 'stat /x');
  await page.keyboard.press('Enter');
  await page.locator('.entry-err', { hasText: /^✗Error: Node does not exist: \/x$/ }).waitFor();
  // and with Enter pressed before the session has ended
  await page.keyboard.type('quit');
  await page.keyboard.press('Enter');
  await page.keyboard.type('ls /');
  await page.keyboard.press('Enter');
  await page.locator('.entry-out', { hasText: '[lock]' }).waitFor();
  await page.locator('.console[data-state="joined"]').waitFor();
  assert.deepEqual(await looks(page), before);
  // a goal of the lesson has seen all that
  await page.locator('.goal[data-check="znodes/gone-with-you"][data-state=met]').waitFor({ state: 'attached' });
  // what was typed is there again after a reload, before one is a client
  await page.reload();
  await page.locator('.lane .client.is-holds').waitFor({ state: 'attached' });
  await join(page);
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('.console-line input').inputValue(), 'ls /');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a line that goes astray ends nothing: from the page itself, and beside the console', async () => {
  const { page, complaints } = await onRun();
  const before = await looks(page);
  assert.equal(await focused(page), 'BODY');
  await page.keyboard.type('stat /x');
  await page.locator('dialog.ask').getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  await page.locator('dialog.ask').waitFor({ state: 'detached' });
  assert.deepEqual(await looks(page), before, 'stat');
  await page.keyboard.type('x');
  await page.locator('dialog.ask').getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor(); // it is loaded when it is first asked
  await page.keyboard.press('Escape');
  await page.locator('dialog.ask').waitFor({ state: 'detached' });
  assert.deepEqual(await looks(page), before, 'x');

  await join(page);
  const joined = await looks(page);
  await page.locator('.bar .badge').click(); // beside everything
  await page.keyboard.type('hello, stat /x and exit');
  assert.deepEqual(await looks(page), joined, 'hello');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('who takes part in a run is asked before it ends, by a key or a button; others by a key alone', async () => {
  const { page, complaints } = await onRun();
  const ask = page.locator('dialog.ask');
  const bar = page.locator('.run-buttons');
  const first = await running();
  await bar.getByRole('button', { name: 'Restart' }).click(); // nothing is lost
  await another(first);
  await page.locator('.lane .client.is-holds').waitFor();
  await join(page);
  const second = await running();
  for (const press of [() => bar.getByRole('button', { name: 'Restart' }).click(), () => bar.getByRole('button', { name: 'Stop' }).click(), () => page.locator('.run-card .run-button').first().click()]) {
    await press();
    await ask.getByText('Your session, your znodes').waitFor();
    await page.keyboard.press('Escape');
    await ask.waitFor({ state: 'detached' });
    assert.notEqual(await focused(page), 'BODY');
  }
  assert.equal(await running(), second);
  await bar.getByRole('button', { name: 'Stop' }).click();
  await ask.getByRole('button', { name: 'End the run' }).press('Enter');
  await page.locator('.entry-note', { hasText: 'the run has ended' }).waitFor({ state: 'attached' });
  await page.locator('.run-buttons').getByRole('button', { name: 'Start' }).focus();
  await page.keyboard.press('s'); // nothing runs that could be lost; but the console has no focus
  await another(second);
  await page.locator('.lane .client.is-holds').waitFor();
  await page.locator('.entry-rule').waitFor(); // the lines of the run before stand apart
  await page.keyboard.press('x');
  await ask.getByRole('button', { name: 'End the run' }).click();
  await page.getByText(/finished/).first().waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('that single keys do not work is kept', async () => {
  const { page } = await onRun();
  await page.keyboard.press('?');
  await page.getByLabel('Single keys work').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.locator('.lane .client.is-holds').waitFor({ state: 'attached' });
  await page.keyboard.type('tx');
  assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), undefined);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.keyboard.press('?');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.locator('#help-open').click();
  assert.equal(await page.getByLabel('Single keys work').isChecked(), false);
  await page.context().close();
});

/**
 * Places where what is pressed goes away: how one comes there, and presses it.
 * @type {Record<string, (page: Page) => Promise<unknown>>}
 */
const vanishing = {
  'Stop, which is switched off then': async (page) => {
    await page.locator('.run-buttons').getByRole('button', { name: 'Stop' }).press('Enter');
    await page.getByText(/finished/).first().waitFor();
  },
  'the card of the result, which is closed': async (page) => {
    await page.locator('.result-card').getByRole('button', { name: 'Close the result' }).press('Enter');
    await page.locator('.result-card').waitFor({ state: 'detached' });
  },
  'Start': async (page) => {
    await page.locator('.run-buttons').getByRole('button', { name: 'Start' }).press('Enter');
    await page.locator('.lane .client.is-holds').waitFor();
  },
  'a fault in a menu': async (page) => {
    await openMenu(page, 2);
    await page.locator('.fault-item[data-fault="pause"]').press('Enter');
    await page.locator('.fault-menu:popover-open').waitFor({ state: 'detached' });
  },
  'a menu that is closed by Escape': async (page) => {
    await openMenu(page, 2);
    await page.keyboard.press('Escape');
    await page.locator('.fault-menu:popover-open').waitFor({ state: 'detached' });
  },
  'the help': async (page) => {
    await page.locator('#help-open').press('Enter');
    await page.locator('#help .close').press('Enter');
  },
  'a piece of news that is dismissed': async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#timeline .more').press('Enter');
    await page.locator('#more-menu').getByRole('button', { name: 'Copy link' }).press('Enter');
    await page.locator('#more-menu:popover-open').waitFor({ state: 'detached' });
    assert.notEqual(await focused(page), 'BODY', 'an item of the menu');
    await page.locator('.alert').getByRole('button', { name: 'Dismiss' }).press('Enter');
    await page.locator('.alert').waitFor({ state: 'detached' });
  },
  'Pause, which is switched off then': async (page) => {
    await page.locator('#timeline').getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    await page.locator('#timeline').getByRole('button', { name: 'Play', exact: true }).press('Enter');
  },
  'a console that is left': async (page) => {
    await join(page);
    await page.locator('.console-head').getByRole('button', { name: 'Leave the run' }).press('Enter');
    await page.locator('.console[data-state="away"]').waitFor();
  },
  'a process at the console that has crashed, and begins again': async (page) => {
    await page.keyboard.press('Enter'); // in the field: again a client
    await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
    const own = await page.locator('.client').evaluateAll((all) => Math.max(...all.map((each) => Number(/** @type {HTMLElement} */ (each).dataset['client']))));
    await openMenu(page, own);
    await page.locator('.fault-item[data-fault="crash"]').press('Enter');
    await page.locator('.console-again').press('Enter');
    await page.locator('.console-line label', { hasText: '(CONNECTED) 0' }).waitFor();
  },
  'the end of a run with a line half typed': async (page) => {
    await page.locator('.console-line input').focus();
    await page.keyboard.type('create /ha');
    await playground.call('DELETE', 'run');
    await page.locator('.console .hint', { hasText: 'No run is going' }).waitFor();
    await page.keyboard.type('lf');
    assert.equal(await page.locator('.console-line input').inputValue(), 'create /half');
  },
};

test('whatever goes away under the focus leaves it a home', async () => {
  const { page, complaints } = await onRun();
  for (const [name, act] of Object.entries(vanishing)) {
    await act(page);
    await page.waitForFunction(() => document.activeElement && document.activeElement !== document.body).catch(() => assert.fail(name));
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a view that has paused by itself, and a page that is one column: the focus has a home there too', async () => {
  const moment = await open(browser, { ...laptop, pauses: true });
  await moment.page.goto(`${playground.page}#lesson=herd-effect`);
  await playground.call('POST', 'run', { scenario: 'herd', clients: 4, delay: '0ms' });
  await moment.page.locator('.caption .go-on').press('Enter');
  await moment.page.locator('.caption .go-on').waitFor({ state: 'detached' });
  await drawn(moment.page);
  assert.notEqual(await focused(moment.page), 'BODY', 'Continue');
  await moment.page.context().close();

  const { page } = await onRun('znodes', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.locator('#dock').getByRole('button', { name: 'Lesson', exact: true }).press('Enter');
  await page.locator('.run-card .run-button').first().press('Enter');
  await page.locator('body:not(.reading)').waitFor();
  await drawn(page);
  assert.notEqual(await focused(page), 'BODY', 'Run this, on a phone');
  await page.context().close();
});
