// Faults that are armed, and faults that come again and again: by the menus, as a visitor
// with a keyboard does it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { goTo, inject, openMenu } from './menu.js';
import { longHold, Playground } from './playground.js';

/** @import { Browser } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A page with a run of a scenario. @param {object} scenario */
async function running(scenario) {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await playground.call('POST', 'run', { scenario });
  await page.goto(playground.page);
  await page.locator('.client.is-waiting, .client.is-idle').first().waitFor();
  return { page, complaints };
}

const two = [{ name: 'herd', title: 'Herd', recipe: 'herd' }, { name: 'predecessor', title: 'Predecessor', recipe: 'mutex' }];

/** Clients that hardly ever hold: they think for long. */
const seldom = (/** @type {object} */ changes) => longHold({
  clients: 3, lanes: two, session: '30s', arrive: '0s', hold: { min: '50ms', max: '50ms' }, think: { min: '6s', max: '6s' }, ...changes });

test('a fault that is armed for a client is shown at it, and can be disarmed', async () => {
  const { page } = await running(longHold({ clients: 3, session: '30s' }));
  await page.locator('.client.is-holds').waitFor();
  const waiter = Number(await page.locator('.client.is-waiting').first().getAttribute('data-client'));
  const mark = page.locator(`.client[data-client="${waiter}"] .fault-mark.is-armed[data-fault="pause"]`);
  await inject(page, waiter, 'pause', { when: 'hold', seconds: 0 });
  await mark.waitFor();
  assert.match(await page.locator(`.client[data-client="${waiter}"] .token`).textContent() ?? '', /armed: Pause at the next hold/);
  await openMenu(page, waiter);
  await page.getByRole('button', { name: 'Disarm' }).press('Enter');
  await mark.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.client.is-paused').count(), 0);
  await page.context().close();
});

test('while nobody holds, key B arms a fault for whoever holds next, in each lane', async () => {
  const { page } = await running(seldom({}));
  await page.waitForFunction(() => !document.querySelector('.client.is-holds') && document.querySelectorAll('.client.is-idle').length === 6);
  await page.keyboard.press('b');
  await page.getByRole('heading', { name: 'Break whoever comes first' }).waitFor();
  assert.equal(await page.locator('.fault-when select').inputValue(), 'hold');
  await goTo(page, 'crash');
  const armed = page.waitForFunction(() => { // all at once, and from before it is armed: the next hold is not far
    const marks = [...document.querySelectorAll('.lane .armed .fault-mark')];
    return marks.length === 2 && marks.map((mark) => {
      const [inner, outer] = [mark.getBoundingClientRect(), mark.closest('.lane')?.getBoundingClientRect()];
      return { text: mark.textContent, within: outer && inner.top >= outer.top && inner.left >= outer.left && inner.right <= outer.right };
    });
  });
  await page.keyboard.press('Enter');
  const mark = { text: 'armed: Crash at the next hold', within: true };
  assert.deepEqual(await (await armed).jsonValue(), [mark, mark]);
  await page.waitForFunction(() => document.querySelectorAll('.client.is-crashed').length === 2);
  assert.equal(await page.locator('.lane .armed').count(), 0);
  const events = await playground.events();
  for (const { name } of two) {
    const first = events.find((event) => event.lane === name && event.kind === 'lock.acquired'
      && event.seq > events.find(({ kind, lane }) => kind === 'fault.armed' && lane === name).seq);
    const crash = events.find((event) => event.lane === name && event.kind === 'fault.injected');
    assert.equal(crash.client, first.client, `the first holder of ${name}`);
  }
  await page.context().close();
});

test('crashes and session expiries are switches of the run under way', async () => {
  const { page, complaints } = await running(seldom({ session: '2s', think: { min: '200ms', max: '400ms' } }));
  await page.getByRole('button', { name: 'Faults…' }).press('Enter');
  const crashes = page.getByRole('switch', { name: 'Crashes' });
  await page.getByRole('combobox', { name: 'Crashes every' }).selectOption('3');
  await crashes.press('Space');
  assert.deepEqual(await violations(page, '#fault-menu'), []);
  await page.keyboard.press('Escape');
  await page.locator('.break-any.is-on').waitFor();
  for (const { name } of two) {
    await page.locator(`.lane[data-lane="${name}"] .client.is-crashed`).first().waitFor({ state: 'attached' });
    await page.locator(`.lane[data-lane="${name}"] .fault-mark[data-fault="start-again"]`).first().waitFor({ state: 'attached' });
  }
  await page.getByRole('button', { name: 'Faults…' }).press('Enter');
  assert.equal(await crashes.isChecked(), true);
  await crashes.press('Space');
  await page.locator('.break-any:not(.is-on)').waitFor();
  const notes = (await playground.events()).filter(({ kind }) => kind === 'note.injection');
  assert.deepEqual(notes.map(({ fault, every }) => [fault, every]), [['crash', 3000], ['crash', undefined]]);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
