// At each decisive instant of each scenario, in every size of the window, those are in
// sight whom it is about, and nothing lies over them.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openScene, scenes, sizes, standAt } from './decisive.js';
import { launch } from './launch.js';

/** @import { Browser } from 'playwright-core' */
/** @import { Concern } from '../js/model/concerns.js' */

/** @type {Browser} */ let browser;
/** @type {string} */ let folder;
before(async () => { [browser, folder] = await Promise.all([launch(), mkdtemp(join(tmpdir(), 'decisive-'))]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

const all = scenes();

test('the recorded runs have decisive instants, each of somebody or something', () => {
  assert.ok(all.flatMap(({ instants }) => instants).length >= 23);
  for (const { name, instants } of all) {
    for (const { name: instant, about } of instants) {
      assert.ok(about.length && about.every(({ clients, account }) => clients.length || account), `${name}, ${instant}: ${JSON.stringify(about)}`);
    }
  }
});

/** What of those is not in sight, or lies under something else. @param {Concern[]} about @returns {string[]} */
function hidden(about) {
  const caption = document.querySelector('#caption')?.getBoundingClientRect();
  const [top, bottom] = [caption?.bottom ?? 0, innerHeight];
  return about.flatMap(({ lane, clients, paths, account }) => [
    ...clients.map((client) => `.client[data-client="${client}"] .token`), ...paths.map((path) => `[data-path="${path}"]`),
    ...(account ? ['.account .balance', '.account .verdict'] : []),
  ].flatMap((selector) => {
    const part = document.querySelector(`.lane[data-lane="${lane}"] ${selector}`);
    const box = part?.getBoundingClientRect();
    if (!part || !box) return [`${lane} ${selector}: is not there`];
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (box.top < top - 1 || box.bottom > bottom + 1 || box.left < 0 || box.right > innerWidth) return [`${lane} ${selector}: ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${Math.round(top)} to ${bottom}`];
    return found && (part.contains(found) || found.contains(part)) && found !== document.body ? [] : [`${lane} ${selector}: lies under ${found?.tagName}.${found?.className}`];
  }));
}

for (const scene of all) {
  test(`${scene.name}: ${scene.instants.map(({ name }) => name).join(', ')}`, async () => {
    const { page, complaints } = await openScene(browser, folder, scene);
    for (const size of sizes) {
      for (const instant of scene.instants) {
        await standAt(page, scene, instant, size);
        assert.deepEqual(await page.evaluate(hidden, instant.about), [], `${instant.name} at ${size.width}x${size.height}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${instant.name}: ${size.width} is wide enough`);
      }
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test('where two believe, both are in the sequence diagram, in every size', async () => {
  const scene = all.find(({ name }) => name === 'two-holders');
  const instant = scene?.instants.find(({ name }) => name === 'two-believe');
  assert.ok(scene && instant);
  const { page } = await openScene(browser, folder, scene);
  await page.keyboard.press('q');
  await page.locator('.sequence-area canvas').first().waitFor();
  for (const size of sizes) {
    await standAt(page, scene, instant, size);
    await page.keyboard.press('q'); // the moment is a link to the picture
    await page.locator('.sequence-area').first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.sequence-lane').length === 1 && !document.querySelector('.sequence-head button'), undefined, { timeout: 5000 });
  }
  await page.context().close();
});
