// A lock that is judged on the page: from the editor to a verdict, into the run that
// refutes it, and back to the table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Browser} */ let browser;
/** @type {Playground} */ let playground;

before(async () => { [browser, playground] = await Promise.all([launch(), Playground.start()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** @param {Page} page @param {string} source */
async function write(page, source) {
  await page.getByRole('textbox', { name: 'The source of your lock' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(source);
}

/** @param {Page} page */
const refuted = (page) => page.getByRole('status').filter({ hasText: /Not a lock: clients \d+ and \d+ both believed/ });

test('a lock that is none is judged, and its run opened from the table', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.url);
  await page.getByRole('button', { name: 'Your own lock' }).click();
  await write(page, 'def acquire(read):\n    return znode\n\ndef release(znode):\n    pass\n');
  await page.getByRole('button', { name: 'Judge it' }).click();
  await page.locator('.editor-said', { hasText: 'line 2, column 12: undefined: znode' }).waitFor();

  await write(page, 'def acquire(read):\n    return zk.lock\n\ndef release(znode):\n    pass\n');
  await page.getByRole('button', { name: 'Judge it' }).click();
  await page.getByText(/0 of \d+ trials are done/).waitFor();
  await refuted(page).waitFor({ timeout: 60_000 });
  assert.deepEqual(await violations(page), []);

  const other = page.getByText('The source in the editor is not the one that was judged.');
  assert.ok(await other.isHidden());
  await write(page, 'def acquire(read):\n    pass\n');
  await other.waitFor();

  await page.getByRole('button', { name: /, safe: violated\. Open the run/ }).first().click();
  await page.locator('#run-bar').getByText('Trial ').waitFor();
  await page.locator('.lane', { hasText: 'believe that they hold' }).waitFor();
  assert.ok(await refuted(page).isVisible(), 'the table is still there');
  await page.getByRole('button', { name: 'Stop judging' }).click();
  await page.getByRole('button', { name: 'Stop judging' }).waitFor({ state: 'detached' });

  const late = await page.context().newPage();
  await late.goto(`${page.url().replace(/#.*/, '')}#your-lock`);
  await refuted(late).waitFor();
  await late.close();
  assert.deepEqual(complaints.filter((each) => !/400/.test(each)), [], 'but for the source that was refused');
});

test('all in the room are told of a judgement, and find its table again', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.url);
  await page.getByRole('button', { name: 'Your own lock' }).click();
  await page.getByRole('textbox', { name: 'The source of your lock' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url().replace(/#.*/, ''));
  await other.locator('#welcome h2').waitFor();

  await write(page, 'def acquire(read):\n    return zk.lock\n\ndef release(znode):\n    pass\n');
  await page.getByRole('button', { name: 'Judge it' }).click();
  const notice = other.locator('#judged');
  await notice.getByText('A lock is being judged in this room.').waitFor();
  assert.deepEqual(await violations(other), []);
  await notice.getByRole('button', { name: 'See the table' }).click();
  await other.getByRole('row', { name: 'calm' }).getByText('violated').first().waitFor({ timeout: 60_000 });
  await refuted(other).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop judging' }).click();
  await other.getByRole('button', { name: 'Stop judging' }).waitFor({ state: 'detached' });
  assert.ok(await page.locator('#judged .alert').count() === 0, 'who has started it needs no notice');

  await other.reload();
  await notice.getByText('A lock has been judged in this room.').waitFor();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  assert.equal(await notice.textContent(), '');
  assert.deepEqual(complaints, []);
});

test('on a phone the table comes into sight, with all its columns', async () => {
  const { page } = await open(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(playground.url);
  await page.getByRole('button', { name: 'Your own lock' }).click();
  await page.getByRole('textbox', { name: 'The source of your lock' }).waitFor();
  await page.getByRole('tabpanel', { name: 'Your lock' }).getByRole('button', { name: 'Judge it' }).click();
  await page.waitForFunction(() => (document.querySelector('.judgement-head')?.getBoundingClientRect().top ?? Infinity) < 400);
  const cell = page.locator('.judgement-cell').first();
  await cell.waitFor({ timeout: 60_000 });
  assert.match(await cell.getAttribute('aria-label') ?? '', /^calm, safe: holds\. Open the run$/, 'also where its word is not drawn');
  assert.equal(await page.locator('.judgement-trials').evaluate((table) => table.scrollWidth - table.clientWidth), 0);
  await page.getByRole('button', { name: 'Stop judging' }).click();
});
