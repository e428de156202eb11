// A lock that is written on the page: from the front page to a run, with its errors, its
// link and what is kept of it.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { violations } from './axe.js';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { goToEvent, goToStart } from './recorded-page.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Browser} */ let browser;
/** @type {Playground} */ let playground;

/** @type {string} */ let folder;
before(async () => { [browser, playground, folder] = await Promise.all([launch(), Playground.start(), mkdtemp(join(tmpdir(), 'source-'))]); });
after(async () => { await browser?.close(); await playground?.stop(); await rm(folder, { recursive: true, force: true }); });

/** @param {Page} page */
const editor = (page) => page.getByRole('textbox', { name: 'The source of your lock' });

/** @param {Page} page @param {string} source */
async function write(page, source) {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(source);
}

/** The run that has been saved as a page shows its source, and where a client stood. @param {Page} page */
async function sourceIsSaved(page) {
  await page.locator('.transport').getByRole('button', { name: 'More' }).press('Enter');
  const link = page.getByRole('link', { name: 'Export' });
  const address = new URL(await link.getAttribute('href') ?? '', page.url()).href;
  await page.keyboard.press('Escape');
  const file = join(folder, 'saved.html');
  await writeFile(file, await (await page.request.get(address)).body());
  const { page: saved } = await open(browser, { offline: true });
  await saved.goto(pathToFileURL(file).href);
  await saved.locator('.lane .client').first().waitFor();
  await goToStart(saved); // it plays by itself, and may be past that
  await goToEvent(saved, /holds the lock/); // in either lane; the first of its clients may not have begun yet
  await saved.locator('.lane .client.is-holds').first().click();
  await openPanel(saved, 'Inspector');
  await saved.locator('.code li.here').first().waitFor();
  await saved.locator('.lane .client').first().click();
  await saved.locator('.code li', { hasText: 'def acquire' }).waitFor();
  await saved.context().close();
}

test('a lock is written, run, broken and mended', async () => {
  const { page, complaints } = await open(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(playground.url);
  await page.getByRole('button', { name: 'Your own lock' }).click();
  await editor(page).getByText('Each waiter watches the znode ahead').waitFor();
  await page.getByRole('button', { name: 'Run it' }).click();
  await page.locator('.cm-at').first().waitFor();
  await page.locator('#panel-events, .lane').first().waitFor();
  assert.equal(await page.locator('.lane').count(), 2);
  assert.deepEqual(await violations(page), []);
  await page.locator('.lane .client').first().click();
  await openPanel(page, 'Inspector');
  await page.locator('.code li.here').first().waitFor();
  await page.locator('.code li', { hasText: 'def acquire' }).waitFor();
  await openPanel(page, 'Your lock');
  await page.locator('.lane').evaluateAll((lanes) => lanes.forEach((lane) => lane.setAttribute('data-before', ''))); // a run has lanes of its own
  const [again] = await Promise.all([page.waitForResponse((response) => response.url().endsWith('/run')), page.getByRole('button', { name: 'Restart' }).click()]);
  assert.match((await again.json()).run.lanes[0].source, /Each waiter watches the znode ahead/);

  await page.locator('.lane:first-child:not([data-before]) .client.is-holds').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText(/finished/).first().waitFor();
  await sourceIsSaved(page);

  await write(page, 'def acquire(read):\n    return znode\n\ndef release(znode):\n    pass\n');
  await page.getByRole('button', { name: 'Run it' }).click();
  await page.locator('.editor-said', { hasText: 'line 2, column 12: undefined: znode' }).waitFor();
  await page.locator('.cm-wrong').waitFor();

  await write(page, 'def acquire(read):\n    return 1 + read\n\ndef release(znode):\n    pass\n');
  await page.getByRole('button', { name: 'Run it' }).click();
  await page.locator('.editor-said', { hasText: 'line 2, column 14: unknown binary op: int + bool' }).waitFor();

  await page.reload();
  await page.getByRole('tab', { name: 'Your lock' }).click();
  await editor(page).getByText('return 1 + read').waitFor();

  await editor(page).click();
  for (const key of ['ControlOrMeta+A', 'd', 'e', 'f', 'ControlOrMeta+A', 'x', 'Enter', 'y', 'Shift+Home', 'z']) await page.keyboard.press(key);
  assert.deepEqual(await editor(page).locator('.cm-line').allTextContents(), ['x', 'z']);
  assert.deepEqual(complaints.filter((each) => !/400/.test(each)), [], 'but for the source that was refused');
});
