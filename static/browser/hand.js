// A visitor's hand, at a human pace: a mouse, the keys of a keyboard, or a finger on a
// phone. It does nothing that such a visitor could not do.
import assert from 'node:assert/strict';

/** @import { BrowserContextOptions, Locator, Page } from 'playwright-core' */

/** @typedef {'mouse' | 'keyboard' | 'phone'} Way */

/** What passes between two acts, in milliseconds. */
const PACE = 250;

const desk = { viewport: { width: 1440, height: 900 } };
/** The page that each has before it. @type {Record<Way, BrowserContextOptions>} */
export const screens = { mouse: desk, keyboard: desk, phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } };

export class Hand {
  /** @type {Page} */ #page;
  /** @type {Way} */ #way;

  /** @param {Page} page @param {Way} way */
  constructor(page, way) {
    this.#page = page;
    this.#way = way;
  }

  /** Presses what is there to be pressed, once it is. @param {Locator} target */
  async press(target) {
    if (this.#way === 'phone') await this.#turnToSide(target);
    await this.#page.waitForTimeout(PACE);
    await target.waitFor();
    if (this.#way === 'mouse') await target.click();
    else if (this.#way === 'phone') await target.tap();
    else await this.#enter(target);
  }

  /** A phone shows the lesson or the lanes; a question lies over both. @param {Locator} target */
  async #turnToSide(target) {
    await target.waitFor({ state: 'attached' });
    if (await target.evaluate((element) => element.closest('dialog') !== null)) return;
    const side = await target.evaluate((element) => (element.closest('#lesson') ? '.to-lesson' : '.to-lanes'));
    await this.#page.locator('#dock button').first().waitFor();
    const turn = this.#page.locator('#dock').locator(side);
    if (!await turn.isVisible()) return;
    await this.#page.waitForTimeout(PACE);
    await turn.tap();
  }

  /** @param {Locator} target */
  async #enter(target) {
    const element = await target.elementHandle(); // another may be the first that fits, a moment later
    assert.ok(element, 'it is there');
    await element.focus();
    assert.ok(await element.evaluate((each) => each === document.activeElement), 'it takes the focus');
    await this.#page.keyboard.press('Enter');
  }

  /** Opens the menu of one client. @param {Locator} client */
  async breakClient(client) {
    if (this.#way === 'phone') {
      await this.press(client.locator('.token'));
      return this.press(this.#page.locator('.subject .break'));
    }
    await this.#page.waitForTimeout(PACE);
    if (this.#way === 'mouse') return this.#pointAndPress(client);
    await client.locator('.token').focus();
    return this.press(client.locator('.break'));
  }

  /** Its button is there as long as the mouse points at the client, which may move away from under it. @param {Locator} client */
  async #pointAndPress(client) {
    for (let tries = 1; ; tries++) {
      await client.hover();
      await this.#page.waitForTimeout(PACE);
      const pressed = await client.locator('.break').click({ timeout: 2000 }).then(() => true, () => false);
      if (pressed) return;
      assert.ok(tries < 5, 'a client stays under the mouse');
    }
  }

  /** Shows a znode in full: by the keyboard the first of its queue alone. @param {Locator} lane @param {Locator} znode */
  async pressZnode(lane, znode) {
    if (this.#way !== 'keyboard') return this.press(znode);
    await this.#page.waitForTimeout(PACE);
    await lane.locator('.znode-buttons [tabindex="0"]').focus();
    await this.#page.keyboard.press('Home');
    await this.#page.keyboard.press('ArrowRight');
    await this.#page.keyboard.press('Enter');
  }

  /** Brings a lane into sight where only one is shown. @param {Locator} lane @param {string} name */
  async turnTo(lane, name) {
    if (!await lane.isVisible()) await this.press(this.#page.locator('.lane-tabs').getByRole('button', { name, exact: true, includeHidden: true }));
    await lane.waitFor();
  }
}
