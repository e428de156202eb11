// A fold over those events of a log that concern one thing, such as a znode. It goes
// over the log once, and then takes up what comes; it says itself what of it had
// happened by an instant, so going back folds nothing anew.

/** @import { Event } from '../events.d.ts' */
/** @import { EventLog } from './event-log.js' */

/** @template State */
export class LogFold {
  /** @type {EventLog} */ #log;
  /** @type {(event: Event) => boolean} */ #concerns;
  /** @type {(state: State, event: Event) => void} */ #step;
  /** @type {State} */ #state;
  #folded = 0;

  /**
   * @param {EventLog} log that may grow
   * @param {(event: Event) => boolean} concerns
   * @param {State} state before the first event
   * @param {(state: State, event: Event) => void} step changes the state in place
   */
  constructor(log, concerns, state, step) {
    this.#log = log;
    this.#concerns = concerns;
    this.#state = state;
    this.#step = step;
  }

  /** The state after the whole log, as far as it has come. */
  get state() {
    for (; this.#folded < this.#log.length; this.#folded++) {
      const event = /** @type {Event} */ (this.#log.event(this.#folded));
      if (this.#concerns(event)) this.#step(this.#state, event);
    }
    return this.#state;
  }
}
