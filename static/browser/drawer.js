// What of the page is out of the way until it is asked for: a panel, and the menu of the line of time.

/** @import { Page } from 'playwright-core' */

/** Opens a panel, unless it is open. @param {Page} page @param {string} name */
export async function openPanel(page, name) {
  const tab = page.getByRole('tab', { name, exact: true });
  if (await tab.getAttribute('aria-selected') !== 'true') await tab.press('Enter');
}

/** Presses what is in the menu of the line of time. @param {Page} page @param {'button' | 'link'} role @param {string} name */
export async function fromMenu(page, role, name) {
  await page.locator('.transport').getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole(role, { name, exact: true }).press('Enter');
}
