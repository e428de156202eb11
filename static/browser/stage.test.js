// The stage stays where it is: panels take no room from the lanes, events move nothing,
// and the visitor's own sizes are kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPanel } from './drawer.js';
import { launch, moving, open } from './launch.js';
import { busyComparison, Playground } from './playground.js';
import { outOfSight, unreadable } from './sight.js';

/** @import { Browser, Page } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => {
  [playground, browser] = await Promise.all([Playground.start(), launch()]);
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms' });
});
after(async () => { await browser?.close(); await playground?.stop(); });

const desks = [{ width: 1440, height: 900 }, { width: 1920, height: 1080 }];

/** A page on which the run is seen. @param {import('playwright-core').BrowserContextOptions} options */
async function watch(options) {
  const opened = await open(browser, options);
  await opened.page.goto(playground.page);
  await opened.page.locator('.lane .client.is-holds').first().waitFor();
  return opened;
}

/** The names of the panels. @param {Page} page */
const tabs = (page) => page.getByRole('tab').allTextContents();

for (const viewport of desks) {
  test(`at ${viewport.width}x${viewport.height} the lanes and the timeline stay in sight, whichever panel is open, or none`, async () => {
    const { page } = await watch({ viewport });
    assert.equal(await page.locator('[role=tab][aria-selected="true"]').count(), 0, 'no panel is open by itself');
    for (const name of ['', ...await tabs(page)]) {
      if (name) await openPanel(page, name);
      assert.deepEqual(await outOfSight(page, ['.lane h2 > *', '.wake', '.picture .server', '.lane .token', '#timeline', '#panel-tabs', '#views', ...(name ? ['#panels'] : [])]), [], name);
      assert.equal(await page.locator('#stage').evaluate((stage) => stage.scrollHeight - stage.clientHeight), 0, `${name}: the stage need not scroll`);
    }
    await page.context().close();
  });
}

test('at 1440x900 so do those of 16, 32 and 50 clients, and none of them is cut', async () => {
  const { page } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]) });
  for (const clients of [16, 32, 50]) {
    await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms', clients });
    await page.locator(`.lane:last-child .client[data-client="${clients}"]`).waitFor();
    for (const name of ['', 'Events']) {
      if (name) await openPanel(page, name);
      assert.deepEqual(await outOfSight(page, ['.lane h2 > *', '.wake', '.picture .server', '#timeline', ...(name ? ['#panels'] : ['.lane .token', '.lane .meters'])]), [], `${clients} clients, ${name}`);
      assert.equal(await page.locator('#stage').evaluate((stage) => stage.scrollHeight - stage.clientHeight), 0, `${clients} clients, ${name}: the stage need not scroll`);
      assert.deepEqual(await page.evaluate(unreadable), [], `${clients} clients, ${name}`);
    }
    await page.keyboard.press('e');
  }
  await page.context().close();
  await playground.call('POST', 'run', { scenario: 'herd-vs-predecessor', delay: '50ms' });
});

test('a panel opens by its tab, and closes by that, by its own button and by Escape, which gives the focus back', async () => {
  const { page, complaints } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]) });
  const [tab, panels] = [page.getByRole('tab', { name: 'Belief' }), page.locator('#panels')];
  for (const close of [() => tab.click(), () => page.getByRole('button', { name: 'Close the panel' }).click(), () => page.keyboard.press('a'), () => page.keyboard.press('Escape')]) {
    await tab.click();
    await panels.waitFor();
    assert.equal(await tab.getAttribute('aria-selected'), 'true');
    await page.locator('#panel-belief').focus();
    await close();
    await panels.waitFor({ state: 'hidden' });
    assert.equal(await tab.getAttribute('aria-selected'), 'false');
    assert.ok(await tab.evaluate((each) => each === document.activeElement), 'the tab has the focus');
  }
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.getByRole('tab', { name: 'Console' }).evaluate((each) => each === document.activeElement));
  assert.ok(await panels.isHidden(), 'arrows open none');
  await page.keyboard.press('Enter');
  await panels.waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

/** How much higher the head of a lane is with its checks than without them. */
function higherByChecks() {
  return [...document.querySelectorAll('.lane-head')].map((head) => {
    const checks = /** @type {HTMLElement} */ (head.querySelector('.checks'));
    const height = head.getBoundingClientRect().height;
    checks.style.display = 'none';
    const without = head.getBoundingClientRect().height;
    checks.style.display = '';
    return height - without;
  });
}

test('checks come into the head of a lane, in one later than in the other, and move nothing', async () => {
  const { page } = await watch({ viewport: { width: 1280, height: 900 } });
  await page.waitForFunction(() => [...document.querySelectorAll('.lane-head')].every((head) => head.querySelector('.checks')));
  assert.deepEqual(await page.evaluate(higherByChecks), [0, 0]);
  await page.context().close();
});

test('nothing jumps while a run streams, in any panel', async (context) => {
  const { page } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]), ...moving });
  const moved = [];
  for (const name of ['', ...await tabs(page)]) {
    if (name) await openPanel(page, name);
    if (name === 'Your lock') await page.locator('.cm-content').waitFor(); // the editor is loaded when it is first opened
    await outOfSight(page, []); // all is drawn
    const shifts = await page.evaluate(watchShifts, 1000);
    context.diagnostic(`${name}: ${shifts.length} shifts`);
    moved.push(...shifts.map((shift) => `${name}: ${shift}`));
  }
  assert.equal([...new Set(moved)].slice(0, 12).join('\n'), '');
  await page.context().close();
});

test('nor does anything at the first release', async () => {
  await playground.call('POST', 'run', { scenario: { ...busyComparison, hold: { min: '8s', max: '8s' } }, delay: '50ms' }); // so long that a slow page sees the first of it
  const { page } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]), ...moving });
  const details = page.locator('.wake-detail');
  assert.ok((await details.allInnerTexts()).every((words) => words.startsWith('no release yet')));
  assert.deepEqual(await page.evaluate(watchShifts, 10_000), []);
  assert.match(await details.first().innerText(), / released/);
  await page.context().close();
});

/** What has moved outside of the panels in a time, without the visitor's doing. @param {number} [milliseconds] @returns {Promise<string[]>} */
function watchShifts(milliseconds = 2000) {
  /** @type {string[]} */ const shifts = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of /** @type {any[]} */ (list.getEntries())) {
      for (const { node, previousRect: from, currentRect: to } of entry.hadRecentInput ? [] : entry.sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (element?.closest('#panels')) continue;
        shifts.push(`${element?.closest('[id]')?.id} ${element?.tagName}.${element?.className} "${element?.textContent?.trim().slice(0, 40)}" by ${Math.round(to.x - from.x)}, ${Math.round(to.y - from.y)}`);
      }
    }
  });
  observer.observe({ type: 'layout-shift' });
  return new Promise((done) => { setTimeout(() => { observer.disconnect(); done(shifts); }, milliseconds); });
}

/** The height of the panels, in pixels. @param {Page} page */
const panelHeight = (page) => page.locator('#panels').evaluate((panels) => panels.getBoundingClientRect().height);

test('the edge of the panels is moved by the pointer and by keys, kept over a reload, and put back by a double click', async () => {
  const { page, complaints } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]) });
  const edge = page.getByRole('separator', { name: 'Height of the details' });
  await openPanel(page, 'Events');
  const usual = await panelHeight(page);
  const box = await edge.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 50, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 50, box.y - 60, { steps: 5 });
  await page.mouse.up();
  const dragged = await panelHeight(page);
  assert.ok(Math.abs(dragged - usual - 60) < 16, `${usual} to ${dragged}`);
  assert.equal(Number(await edge.getAttribute('aria-valuenow')), Math.round(dragged / 9));
  await edge.focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowDown');
  const pressed = await panelHeight(page);
  assert.ok(Math.abs(dragged - pressed - 3 * 18) < 4, `${dragged} to ${pressed}`);

  await openPanel(page, 'In words');
  assert.ok(Math.abs(await panelHeight(page) - usual) < 2, 'each panel has a height of its own');
  await page.reload();
  await page.locator('.lane .client').first().waitFor();
  await openPanel(page, 'Events');
  assert.ok(Math.abs(await panelHeight(page) - pressed) < 2, 'kept over a reload');

  await page.keyboard.press('Home');
  await edge.focus();
  await page.keyboard.press('End');
  assert.deepEqual(await outOfSight(page, ['.lane h2 > b', '.figure', '.picture .server', '#timeline', '#panel-tabs']), [], 'however large the panel');
  await edge.dblclick();
  assert.ok(Math.abs(await panelHeight(page) - usual) < 2, 'put back');
  assert.equal(await page.evaluate(() => localStorage.getItem('panel-height-events')), null);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the edge of the lesson is the same', async () => {
  const { page } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]) });
  const edge = page.getByRole('separator', { name: 'Width of the lesson' });
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await edge.getAttribute('aria-valuenow'), '24');
  await page.reload();
  await page.locator('.lane .client').first().waitFor();
  assert.equal(await page.locator('#lesson').evaluate((lesson) => lesson.getBoundingClientRect().width), 24 * 16);
  await edge.dblclick();
  assert.equal(await edge.getAttribute('aria-valuenow'), '22');
  await page.context().close();
});

test('the timeline is painted in the colours of the theme, also after that changes', async () => {
  const { page } = await watch({ colorScheme: 'light' });
  const axis = () => page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#timeline canvas'));
    const [red = 0, green = 0, blue = 0] = canvas.getContext('2d')?.getImageData(0, canvas.height - 12, 1, 1).data ?? [];
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  });
  assert.equal(await axis(), '#d5dae1');
  await page.keyboard.press('t');
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  assert.equal(await axis(), '#303946');
  await page.keyboard.press('t');
  assert.equal(await axis(), '#d5dae1');
  await page.context().close();
});

/** How much higher the verdict of an account becomes by words that are as long as three clients can make them. */
function higherByWords() {
  return [...document.querySelectorAll('.account')].map((account) => {
    const verdict = /** @type {HTMLElement} */ (account.querySelector('.verdict'));
    const height = verdict.getBoundingClientRect().height;
    account.classList.add('corrupted');
    verdict.textContent = '✗ should be 1280, is 1260: 20 of clients 1, 2 and 3 lost';
    return verdict.getBoundingClientRect().height - height;
  });
}

test('what is lost has its room beside two other lanes from the start', async () => {
  const { page } = await watch({ viewport: /** @type {typeof desks[number]} */ (desks[0]) });
  await playground.call('POST', 'run', { scenario: 'stores' });
  await page.locator('.account').nth(2).waitFor();
  assert.deepEqual(await page.evaluate(higherByWords), [0, 0, 0]);
  await page.context().close();
});
