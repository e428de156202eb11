// A prediction and its echo: what was said against what the run has shown, when it has.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { goToMark, goToStart } from './recorded-page.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Page} page @param {number} index */
const question = (page, index) => page.locator('fieldset.predict').nth(index);

/** What the question says of a choice, or empty. @param {Page} page @param {number} index */
const echo = async (page, index) => (await question(page, index).locator('.predict-echo p').allTextContents()).join(' ').replace(/\s+/g, ' ').trim();

/** Waits until the question says so: it is drawn with the next frame. @param {Page} page @param {number} index @param {RegExp} sentence */
const echoes = (page, index, sentence) => question(page, index).locator('.predict-echo', { hasText: sentence }).waitFor();

/** Goes back to the herd and stays there: by itself the view goes on, and what stands over the lanes goes with its moment. @param {Page} page */
async function standAtHerd(page) {
  await goToStart(page);
  await goToMark(page, /Round \d+: \d woken/);
}

test('a choice is held against the run when its moment has come, and stays so', async () => {
  const { page, complaints } = await open(browser, { pauses: true, viewport: { width: 1440, height: 900 } });
  await page.goto(`${playground.page}#lesson=herd-effect&scenario=herd`);
  await question(page, 0).getByRole('radio').first().check();
  await question(page, 0).getByText('Now run it and see.').waitFor();
  await page.locator('.run-card').first().getByRole('button', { name: 'Run this' }).press('Enter');
  const said = 'You said “Only the next in line”. It was “All seven”: woken per release: 7.';
  await page.locator('#echo').getByText(said).waitFor();
  await standAtHerd(page);
  await echoes(page, 0, /✗ Wrong\. You said “Only the next in line”\. It was “All seven”: woken per release: 7\.\s*The server does not know of a line\./);
  assert.equal(await question(page, 0).locator('.predict-said').isVisible(), false);
  assert.equal(await question(page, 0).locator('details').getAttribute('open'), null, 'the answers are opened by who wants them');
  assert.deepEqual(await violations(page), []);
  await page.locator('#echo').getByRole('button', { name: 'Why?' }).press('Enter');
  await question(page, 0).locator('.predict-echo').waitFor();

  await page.getByRole('slider', { name: 'Time' }).press('Home');
  await page.locator('#echo p').waitFor({ state: 'detached' }); // over the lanes it belongs to the moment
  await echoes(page, 0, /✗ Wrong/);
  await question(page, 0).getByRole('radio').nth(1).check();
  await echoes(page, 0, /✓ Right\. You said “All seven”\. So it was: woken per release: 7\./);
  await page.reload();
  await echoes(page, 0, /✓ Right/);

  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 3, delay: '50ms', seed: 7 });
  await page.goto(`${playground.page}#lesson=one-ahead&scenario=predecessor`);
  await question(page, 1).getByRole('radio').first().check(); // of another moment
  await page.locator('#caption .go-on').waitFor();
  assert.deepEqual([await echo(page, 0), await echo(page, 1)], ['', ''], 'nothing is told of what was not answered, or has not happened');
  await question(page, 0).getByRole('radio').first().check();
  await page.locator('#echo').getByText('You said “All seven, as before”. It was “Only the next in line”: woken per release: 1.').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a run of other settings says what it has measured, and not who was right', async () => {
  const { page } = await open(browser, { pauses: true, viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto(`${playground.page}#lesson=herd-effect&scenario=herd`);
  await page.getByRole('button', { name: 'Lesson' }).last().click();
  await question(page, 0).getByRole('radio').nth(1).check();
  await page.getByRole('button', { name: 'Lanes' }).click();
  await playground.call('POST', 'run', { scenario: 'herd', clients: 4, delay: '50ms', seed: 7 });
  await question(page, 0).locator('.is-measured').waitFor({ state: 'attached' });
  await standAtHerd(page);
  await page.locator('#echo').getByRole('button', { name: 'Why?' }).click();
  await question(page, 0).locator('.predict-echo .is-measured').waitFor();
  await echoes(page, 0, /= Measured\. You said “All seven”\. In this run it was: woken per release: [123](\.\d)?\.\s*$/);
  await page.context().close();
});

test('what is asked of the reader’s own hand is told when that has done it', async () => {
  const { page } = await open(browser);
  await page.goto(`${playground.page}#lesson=client-api&scenario=by-hand`);
  await question(page, 2).getByRole('radio').nth(2).check();
  await page.locator('.run-card').first().getByRole('button', { name: 'Run this' }).press('Enter');
  await page.locator('.client.is-holds').first().waitFor();
  await page.keyboard.press('z');
  await page.getByRole('button', { name: 'Be a client' }).press('Enter');
  const line = page.locator('.console-line input');
  for (const command of ['create /counter 0', 'set -v 0 /counter 1', 'set -v 0 /counter 2']) {
    assert.equal(await echo(page, 2), '');
    const before = await page.locator('.console-log').textContent();
    await line.fill(command);
    await line.press('Enter');
    await page.waitForFunction((text) => document.querySelector('.console-log')?.textContent !== text, before);
  }
  await echoes(page, 2, /✗ Wrong\. You said “It does the second, and overwrites the first”\. It was “It does the first, and refuses the second”\./);
  assert.equal(await echo(page, 0), '');
  await page.context().close();
});
