// A learner who mends the locks of a lesson in the editor: has each judged as it is, and
// then as it should be.
import assert from 'node:assert/strict';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Hand } from '../hand.js' */

/** How long the trials of a lock may take, in milliseconds. */
const PATIENCE = 240_000;

export class Mender {
  /** @type {Page} */ #page;
  /** @type {Hand} */ #hand;

  /** @param {Page} page @param {Hand} hand */
  constructor(page, hand) {
    this.#page = page;
    this.#hand = hand;
  }

  /** The challenges of the lesson that is shown, by their names, in order. @returns {Promise<string[]>} */
  names() {
    return this.#page.locator('.lesson .challenge').evaluateAll((all) => all.map((each) => /** @type {HTMLElement} */ (each).dataset['challenge'] ?? ''));
  }

  /** Has a lock judged as the challenge gives it, and hears what is wrong with it. @param {string} name */
  async fail(name) {
    const challenge = this.#challenge(name);
    await this.#hand.press(challenge.locator('.challenge-ways button').first());
    await this.#editor.waitFor({ state: 'attached' });
    await this.#judge(challenge);
    await challenge.locator('.goal-see').waitFor({ state: 'attached', timeout: PATIENCE });
    assert.equal(await challenge.getAttribute('data-state'), 'not-yet', `${name}: as it is given`);
    assert.ok(await challenge.locator('.challenge-hint').isVisible(), `${name}: there is a hint now`);
  }

  /** Writes the lock anew, which mends it. What a busy machine has spoilt is judged once more. Gives how often it was judged. @param {string} name @param {string} source */
  async meet(name, source) {
    const challenge = this.#challenge(name);
    await this.#hand.press(challenge.locator('.challenge-ways button').first());
    await this.#hand.press(this.#editor);
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.insertText(source);
    const met = challenge.and(this.#page.locator('[data-state=met]'));
    const refuted = challenge.locator('.goal-see');
    for (const times of [1, 2]) {
      await this.#judge(challenge);
      await refuted.waitFor({ state: 'detached' });
      await met.or(refuted).first().waitFor({ state: 'attached', timeout: PATIENCE });
      if (await met.count()) return times;
    }
    return assert.fail(`${name} is not met: ${await challenge.locator('.goal-why').textContent()}`);
  }

  /** @param {Locator} challenge */
  async #judge(challenge) {
    await this.#hand.press(challenge.locator('.challenge-ways button:not([disabled])').nth(1));
  }

  get #editor() {
    return this.#page.locator('.cm-content');
  }

  /** @param {string} name */
  #challenge(name) {
    return this.#page.locator(`.challenge[data-challenge="${name}"]`);
  }
}
