// The judgement of the page's room, as all parts of the page see it: whoever starts one,
// and whoever shows it.

import { askJudgement, startJudgement, stopJudgement } from '../source/api.js';

/** @import { JudgementOrder } from '../source/api.js' */
/** @import { Judgement } from '../types.d.ts' */

/** How often a judgement that is under way is looked at, in milliseconds. */
const OFTEN = 1000;

/** @param {Judgement | undefined} judgement */
export const underWay = (judgement) => judgement?.state === 'waiting' || judgement?.state === 'running';

export class Judging {
  /** The newest that is known. @type {Judgement | undefined} */ judgement;
  /** @type {Set<(judgement: Judgement) => void>} */ #listeners = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  /** Calls listener with each state of a judgement, the last of which is not under way. Returns what ends that. @param {(judgement: Judgement) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks how the judgement of the room stands, and again until it has ended. */
  async look() {
    try {
      this.#take(await askJudgement());
    } finally {
      this.#lookLater();
    }
  }

  /** Begins to judge. It fails with the server's sentence, as where the source has an error. @param {JudgementOrder} order */
  async start(order) {
    this.#take(await startJudgement(order));
    this.#lookLater();
  }

  /** Ends the judgement that is under way; what it has found stays. */
  async stop() {
    await stopJudgement();
    await this.look();
  }

  /** @param {Judgement | undefined} judgement */
  #take(judgement) {
    this.judgement = judgement;
    if (judgement) this.#listeners.forEach((listener) => listener(judgement));
  }

  #lookLater() {
    clearTimeout(this.#later);
    if (underWay(this.judgement)) this.#later = setTimeout(() => void this.look().catch(() => {}), OFTEN); // the next look may succeed
  }
}

/** That of the page's room. */
export const judging = new Judging();
