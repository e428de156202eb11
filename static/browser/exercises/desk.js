// What the exercises of all lessons have in common: what is before a visitor, and what
// visitors often do and look for.
import assert from 'node:assert/strict';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Hand } from '../hand.js' */

/** @typedef {{ page: Page, hand: Hand, lane: (name: string) => Promise<Locator>, to: (name: string) => Promise<void>, back: (target: Locator) => Promise<void> }} Desk lane turns to a lane, to presses a word of the lesson, back goes back in time to what did not stay */

/**
 * @typedef {object} Exercise
 * @property {string} lesson
 * @property {string} card the title of the run that is started
 * @property {(desk: Desk) => Promise<void>} act
 */

/** What the lane says of its newest release. @param {Locator} lane @param {number} woken @param {number} wasted */
export async function costs(lane, woken, wasted) {
  await lane.locator('.figure.woken strong').getByText(String(woken), { exact: true }).waitFor();
  assert.equal(await lane.locator('.figure.wasted strong').textContent(), String(wasted));
}

/** The row of a client in the panel of beliefs. @param {Page} page @param {string} lane @param {string} words */
export const believer = (page, lane, words) => page.locator('.beliefs section', { has: page.locator('caption', { hasText: lane }) }).locator('tbody tr', { hasText: words });

/** Goes back from mark to mark until something is in sight: who looks late has missed what does not stay. @param {Page} page @param {Hand} hand @param {Locator} target */
export async function goBack(page, hand, target) {
  const press = () => hand.press(page.getByRole('button', { name: 'Previous mark' }));
  const slider = page.getByRole('slider', { name: 'Time' });
  const told = () => slider.getAttribute('aria-valuetext');
  if (await page.locator('#timeline .live[aria-pressed="true"]').count()) await press();
  await page.locator('#timeline .live[aria-pressed="false"]').waitFor({ state: 'attached' });
  for (let before = await told(); !await target.isVisible(); before = await told()) {
    await press();
    await page.waitForFunction((old) => document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') !== old, before);
  }
}

/** Becomes a client, at the console. @param {Page} page @param {Hand} hand @param {Desk['to']} to */
export async function join(page, hand, to) {
  await to('console');
  await hand.press(page.locator('.console-join'));
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
}

/** Types a line once there is a connection, and reads what comes of it. @param {Page} page @param {string} line */
export async function enter(page, line) {
  const prompt = page.locator('.console-line label');
  await prompt.filter({ hasText: '(CONNECTED' }).waitFor();
  const before = await prompt.textContent();
  await page.locator('.console-line input').fill(line);
  await page.keyboard.press('Enter');
  await page.waitForFunction((was) => document.querySelector('.console-line label')?.textContent !== was, before);
}

/** Breaks a client until it is healed. @param {Page} page @param {Hand} hand @param {Locator} client @param {string} fault */
export async function breakLastingly(page, hand, client, fault) {
  await hand.breakClient(client);
  await page.locator('.fault-group select').selectOption('0');
  await hand.press(page.locator(`.fault-item[data-fault="${fault}"]`));
}

/** What a goal of the lesson says. @param {Page} page @param {string} key @param {string} words */
export const told = (page, key, words) => page.locator(`.goal[data-check="${key}"]`, { hasText: words }).waitFor({ state: 'attached' });

/** Becomes a client, and types lines. @param {Desk} desk @param {...string} lines */
export async function typeLines({ page, hand, to }, ...lines) {
  await join(page, hand, to);
  for (const line of lines) await enter(page, line);
}

/** Waits until a goal is met: on a phone it may be out of sight. @param {Page} page @param {string} check */
export const met = (page, check) => page.locator(`.goal[data-check="${check}"][data-state="met"]`).waitFor({ state: 'attached' });

export const crash = '.fault-item[data-fault="crash"]';
