// What axe finds wrong with a page.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** @import { Page } from 'playwright-core' */

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * One line for each finding.
 * @param {Page} page
 * @param {string} [part] a selector: to look at that alone takes less time
 */
export async function violations(page, part) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
  return page.evaluate(async (scope) => {
    // @ts-expect-error axe has been put into the page
    const { violations: found } = await window.axe.run(scope ?? document, { resultTypes: ['violations'] });
    return found.map((/** @type {any} */ each) => `${each.id}: ${each.nodes.map((/** @type {any} */ node) => node.html).join(' ').slice(0, 200)}`);
  }, part);
}
