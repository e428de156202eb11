// Breaks clients as a visitor with a keyboard does: by the menu of each.
import assert from 'node:assert/strict';

/** @import { Page } from 'playwright-core' */

/**
 * Opens a client's menu, and gives its items by the name of their fault.
 * @param {Page} page
 * @param {number} client
 * @param {string} [lane] the only one, if left out
 */
export async function openMenu(page, client, lane) {
  const place = lane ? `.lane[data-lane="${lane}"] ` : '';
  const button = page.locator(`${place}.client[data-client="${client}"] .break`);
  await button.focus();
  await button.press('Enter');
  await page.locator('.fault-menu:popover-open').waitFor();
}

/**
 * Does a fault to a client by the arrow keys and Enter.
 * @param {Page} page
 * @param {number} client
 * @param {string} fault
 * @param {{ lane?: string, seconds?: number, when?: string }} [options]
 */
export async function inject(page, client, fault, { lane, seconds, when } = {}) {
  await openMenu(page, client, lane);
  if (when) await page.locator('.fault-when select').selectOption(when);
  if (seconds !== undefined) await page.locator('.fault-group select').selectOption(String(seconds));
  await page.keyboard.press('Home');
  await goTo(page, fault);
  await page.keyboard.press('Enter');
  await page.locator('.fault-menu:popover-open').waitFor({ state: 'detached' });
}

/** Moves down to a fault's item. @param {Page} page @param {string} fault */
export async function goTo(page, fault) {
  await page.locator('.fault-item').first().focus();
  const items = await page.locator('.fault-item').count();
  for (let step = 0; step < items; step++) {
    if (await page.locator('.fault-item:focus').getAttribute('data-fault') === fault) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`the menu has no ${fault}`);
}
