// A fold over those events of a log that concern one thing, such as a znode. The
// log is searched for them once; after that, going back folds these few anew.

/** @import { Event } from '../events.d.ts' */
/** @import { EventLog } from './event-log.js' */

/** @template State */
export class LogFold {
  /** @type {EventLog} */ #log;
  /** @type {(event: Event) => boolean} */ #concerns;
  /** @type {() => State} */ #create;
  /** @type {(state: State, event: Event) => void} */ #step;
  /** @type {State} */ #state;
  /** @type {number[]} where the events that concern it are in the log */ #found = [];
  #searched = 0;
  /** How many of those found are folded. */ #folded = 0;

  /**
   * @param {EventLog} log that may grow
   * @param {(event: Event) => boolean} concerns
   * @param {() => State} create the state before the first event
   * @param {(state: State, event: Event) => void} step changes the state in place
   */
  constructor(log, concerns, create, step) {
    this.#log = log;
    this.#concerns = concerns;
    this.#create = create;
    this.#step = step;
    this.#state = create();
  }

  /** The state after the first events of the log. @param {number} count */
  at(count) {
    this.#search(count);
    if (this.#folded > 0 && /** @type {number} */ (this.#found[this.#folded - 1]) >= count) {
      this.#state = this.#create();
      this.#folded = 0;
    }
    for (; this.#folded < this.#found.length; this.#folded++) {
      const index = /** @type {number} */ (this.#found[this.#folded]);
      if (index >= count) break;
      this.#step(this.#state, /** @type {Event} */ (this.#log.event(index)));
    }
    return this.#state;
  }

  /** @param {number} count */
  #search(count) {
    const end = Math.min(count, this.#log.length);
    for (; this.#searched < end; this.#searched++) {
      if (this.#concerns(/** @type {Event} */ (this.#log.event(this.#searched)))) this.#found.push(this.#searched);
    }
  }
}
