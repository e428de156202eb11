// Every event of a run, kept small: texts that come again are kept once.

/** @import { Event } from '../events.d.ts' */

export class EventLog {
  /** @type {Event[]} */ #events = [];
  /** @type {Map<string, string>} */ #texts = new Map();

  get length() {
    return this.#events.length;
  }

  /** When the newest event was recorded, in microseconds of the run; 0 for none. */
  get end() {
    return this.#events.at(-1)?.at ?? 0;
  }

  /** @param {Event[]} events consecutive, following those before */
  append(events) {
    for (const event of events) this.#events.push(this.#shared(event));
  }

  /** @param {number} index from 0; the event there, if it has come */
  event(index) {
    return this.#events[index];
  }

  /**
   * How many events had been recorded by an instant, those of the instant itself
   * included.
   * @param {number} at in microseconds of the run
   */
  countAt(at) {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (/** @type {Event} */ (this.#events[middle]).at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The newest of the first events that pass, oldest first.
   * @param {number} most
   * @param {(event: Event) => boolean} passes
   * @param {number} [count] how many of the events to look at, from the first
   */
  newest(most, passes, count = this.#events.length) {
    /** @type {Event[]} */
    const found = [];
    for (let i = count - 1; i >= 0 && found.length < most; i--) {
      const event = /** @type {Event} */ (this.#events[i]);
      if (passes(event)) found.push(event);
    }
    return found.reverse();
  }

  /**
   * The oldest events that pass, from an index up to another one, which is left out.
   * @param {number} most
   * @param {(event: Event) => boolean} passes
   * @param {number} from
   * @param {number} to
   */
  oldest(most, passes, from, to) {
    /** @type {Event[]} */
    const found = [];
    for (let i = from; i < to && found.length < most; i++) {
      const event = /** @type {Event} */ (this.#events[i]);
      if (passes(event)) found.push(event);
    }
    return found;
  }

  /**
   * The events from an index up to another one, which is left out.
   * @param {number} from
   * @param {number} [to]
   */
  slice(from, to) {
    return this.#events.slice(from, to);
  }

  /** @param {Event} event @returns {Event} */
  #shared(event) {
    const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (event));
    for (const key in own) {
      const value = own[key];
      if (typeof value === 'string') own[key] = this.#share(value);
    }
    return event;
  }

  /** @param {string} text */
  #share(text) {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}
