// A page that comes late to a long run shows the present at once, from the newest state in its log;
// what was before comes when it is asked for, and no more of it than is needed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { hastyComparison, Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** Long enough for states, and soon over: what came on without end would leave a busy page ever further behind. All clients connect before the last state. */
const long = { ...hastyComparison, arrive: '0s', turns: 12 };

/** All numbers of the run, as they are at its end. @param {Page} page */
async function numbersOf(page) {
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('tab', { name: 'Numbers' }).click();
  await page.locator('.numbers-table td.now').first().waitFor();
  return page.locator('.numbers-table td.now').allInnerTexts();
}

test('a late page shows the present, and on demand all that was before', async () => {
  const { page: first } = await open(browser);
  await first.goto(playground.page);
  await playground.call('POST', 'run', { scenario: long, clients: 30, delay: '0s' });
  while ((await playground.call('GET', 'summary')).events < 27_000) await setTimeout(100);
  await playground.call('DELETE', 'run');
  await first.locator('.result').waitFor({ timeout: 60_000 });

  const { page: late, complaints } = await open(browser);
  await late.goto(playground.page);
  const notice = late.locator('#earlier');
  await notice.getByText(/^The first [\d,]+ events of this run are not loaded/).waitFor();
  await late.locator('.result').waitFor();
  assert.deepEqual(await late.locator('.result-lane').allInnerTexts(), await first.locator('.result-lane').allInnerTexts());
  assert.deepEqual(await violations(late), []);
  for (const page of [first, late]) await page.keyboard.press('Escape');

  const { runs: [run] } = await playground.call('GET', 'runs');
  const text = await (await fetch(`${playground.url}/api/rooms/main/events`)).text();
  const [before, last] = text.trim().split('\n').map((line) => JSON.parse(line)).filter(({ state }) => state).slice(-2);
  await notice.getByText(`The first ${last.seq.toLocaleString('en')} events`).waitFor();
  const at = Math.floor((before.at + last.at) / 2);
  await late.evaluate((hash) => { location.hash = hash; }, `run=${run.id}&at=${at}`);
  await notice.getByText(`The first ${before.seq.toLocaleString('en')} events`).waitFor();
  await late.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === wanted, String(Math.round(at / 1000)));

  await late.getByRole('slider', { name: 'Time' }).press('Home');
  await late.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '0');
  await notice.waitFor({ state: 'hidden' });
  assert.deepEqual(await numbersOf(late), await numbersOf(first));

  await late.reload(); // rows that are looked for come from before what is loaded, part by part
  await notice.getByText(/are not loaded/).waitFor();
  for (const page of [first, late]) {
    await page.keyboard.press('Escape'); // the result
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByLabel('Filter the events').fill('is connected');
  }
  await notice.waitFor({ state: 'hidden' });
  const newest = async (/** @type {Page} */ page) => (await page.locator('#panel-events li').allInnerTexts()).slice(-12);
  assert.equal((await newest(first)).length, 12);
  assert.deepEqual(await newest(late), await newest(first));

  await late.reload(); // a panel that needs all events loads them by itself
  await notice.getByText(/are not loaded/).waitFor();
  await late.getByRole('button', { name: 'Sequence' }).click();
  await notice.waitFor({ state: 'hidden' });
  await late.locator('#sequence canvas').first().waitFor();
  assert.deepEqual(complaints, []);
  for (const page of [first, late]) await page.context().close();
});
