// Every event of the run, kept small: texts that come again are kept once.

/** @import { Event } from '../events.d.ts' */

export class EventStore {
  /** @type {Event[]} */ #events = [];
  /** @type {Map<string, string>} */ #texts = new Map();

  get length() {
    return this.#events.length;
  }

  /** @param {Event[]} events consecutive, following those before */
  append(events) {
    for (const event of events) this.#events.push(this.#shared(event));
  }

  /**
   * The newest events that pass, oldest first.
   * @param {number} most
   * @param {(event: Event) => boolean} passes
   */
  newest(most, passes) {
    /** @type {Event[]} */
    const found = [];
    for (let i = this.#events.length - 1; i >= 0 && found.length < most; i--) {
      const event = /** @type {Event} */ (this.#events[i]);
      if (passes(event)) found.push(event);
    }
    return found.reverse();
  }

  /**
   * The events from an index on.
   * @param {number} index
   */
  from(index) {
    return this.#events.slice(index);
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
