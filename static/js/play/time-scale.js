// Where an instant of the run lies on a line as wide as the run. Half of the width
// is shared out by time, half by events: so every event keeps apart from the next
// one, in a burst too, and quiet times stay wide.

/** @import { EventLog } from '../log/event-log.js' */

export class TimeScale {
  /** @type {EventLog} */ #log;
  /** @type {number} */ #end;
  /** @type {number} */ #count;

  /**
   * @param {EventLog} log
   * @param {number} end the last instant of the line, in microseconds of the run
   */
  constructor(log, end) {
    this.#log = log;
    this.#end = Math.max(1, Math.round(end));
    this.#count = log.countAt(this.#end);
  }

  /** The last instant of the line. */
  get end() {
    return this.#end;
  }

  /** Where an instant lies, from 0 to 1. @param {number} at */
  x(at) {
    return this.place(at, this.#countAt(at));
  }

  /** Before the log begins, when nobody knows better, the events are taken to lie evenly. @param {number} at */
  #countAt(at) {
    const { begin, start } = this.#log;
    return at < begin ? start * at / begin : this.#log.countAt(at);
  }

  /** Where the log begins: the part before that has not been loaded. */
  get begin() {
    return this.#log.start ? this.x(this.#log.begin) : 0;
  }

  /** The same, where it is known how many events have happened. @param {number} at @param {number} count */
  place(at, count) {
    const byTime = at / this.#end;
    const byEvents = this.#count ? count / this.#count : byTime;
    return Math.min(1, Math.max(0, (byTime + byEvents) / 2));
  }

  /** The instant at a place, to a microsecond. @param {number} x from 0 to 1 */
  at(x) {
    let [low, high] = [0, this.#end];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.x(middle) <= x) low = middle;
      else high = middle;
    }
    return x >= 1 ? this.#end : low;
  }
}
