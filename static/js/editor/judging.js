// The judgement of the page's room, as all parts of the page see it: whoever starts one,
// and whoever shows it.

import { askJudgement, startJudgement, stopJudgement } from '../source/api.js';

/** @import { JudgementOrder } from '../source/api.js' */
/** @import { Judgement } from '../types.d.ts' */

/** When to look again where the stream does not tell, in milliseconds. */
const LATER = 1000;

/** @param {Judgement | undefined} judgement */
export const underWay = (judgement) => judgement?.state === 'waiting' || judgement?.state === 'running';

export class Judging {
  /** The newest that is known. @type {Judgement | undefined} */ judgement;
  /** @type {Set<(judgement: Judgement) => void>} */ #listeners = new Set();
  /** Whether this page has started it. */ own = false;
  /** What the stream has told of last. */ #seq = 0;
  /** Whether it goes on telling. */ #live = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;
  /** Looks so far. */ #looks = 0;

  /** Calls listener with each state of a judgement, the last of which is not under way. Returns what ends that. @param {(judgement: Judgement) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks how the judgement of the room stands. */
  async look() {
    const look = ++this.#looks;
    const judgement = await askJudgement();
    if (look === this.#looks) this.#take(judgement); // no later one is under way
  }

  /** Looks when the stream has told of a change, or again and again while there is none. @param {number} seq the newest change @param {boolean} live whether the stream goes on telling */
  learn(seq, live) {
    this.#live = live;
    if (seq !== this.#seq) this.#lookAgain();
    else if (!live && underWay(this.judgement)) this.#lookLater();
    this.#seq = seq;
  }

  #lookAgain() {
    void this.look().then(() => { if (!this.#live && underWay(this.judgement)) this.#lookLater(); }, () => this.#lookLater());
  }

  #lookLater() {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#lookAgain();
    }, LATER);
  }

  /** Begins to judge. It fails with the server's sentence, as where the source has an error. @param {JudgementOrder} order */
  async start(order) {
    this.#take(await startJudgement(order));
    this.own = true;
  }

  /** Ends the judgement that is under way; what it has found stays. */
  async stop() {
    await stopJudgement();
    await this.look();
  }

  /** @param {Judgement | undefined} judgement */
  #take(judgement) {
    if (underWay(judgement) && !underWay(this.judgement)) this.own = false; // unless it is this page that has started it
    this.judgement = judgement;
    if (judgement) this.#listeners.forEach((listener) => listener(judgement));
  }
}

/** That of the page's room. */
export const judging = new Judging();
