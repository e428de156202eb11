// Every event of a run, kept small: texts that come again are kept once. A page that came
// late may not have the first ones yet; what is asked of the log then concerns the others.

import { countUpTo } from '../model/count-up-to.js';

/** @import { Event } from '../events.d.ts' */

export class EventLog {
  /** @type {Event[]} */ #events = [];
  /** @type {Map<string, string>} */ #texts = new Map();
  /** How many events there were before those that are here. */ start = 0;
  /** When the last of them was recorded, in microseconds of the run. */ begin = 0;

  /** How many events the run has had. */
  get length() {
    return this.start + this.#events.length;
  }

  /** When the newest event was recorded, in microseconds of the run; 0 for none. */
  get end() {
    return this.#events.at(-1)?.at ?? this.begin;
  }

  /** Begins after so many events. @param {number} start @param {number} begin when the last of them was recorded */
  beginAfter(start, begin) {
    this.start = start;
    this.begin = begin;
  }

  /** Takes over the events before those that are here. @param {Event[]} events all of them, after as many as come before @param {number} start how many those are @param {number} begin when the last of them was recorded */
  prepend(events, start, begin) {
    this.#events = events.map((event) => this.#shared(event)).concat(this.#events);
    this.beginAfter(start, begin);
  }

  /** @param {Event[]} events consecutive, following those before */
  append(events) {
    for (const event of events) this.#events.push(this.#shared(event));
  }

  /** @param {number} index from 0; the event there, if it has come */
  event(index) {
    return this.#events[index - this.start];
  }

  /**
   * How many events had been recorded by an instant, those of the instant itself
   * included.
   * @param {number} at in microseconds of the run
   */
  countAt(at) {
    return this.start + countUpTo(this.#events, at, (event) => event.at);
  }

  /**
   * The newest of the first events that pass, oldest first.
   * @param {number} most
   * @param {(event: Event) => boolean} passes
   * @param {number} [count] how many of the events to look at, from the first
   */
  newest(most, passes, count = this.length) {
    /** @type {Event[]} */
    const found = [];
    for (let i = count - 1; i >= this.start && found.length < most; i--) {
      const event = /** @type {Event} */ (this.event(i));
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
    for (let i = Math.max(from, this.start); i < to && found.length < most; i++) {
      const event = /** @type {Event} */ (this.event(i));
      if (passes(event)) found.push(event);
    }
    return found;
  }

  /**
   * The events from an index up to another one, which is left out.
   * @param {number} from
   * @param {number} [to]
   */
  slice(from, to = this.length) {
    return this.#events.slice(Math.max(0, from - this.start), Math.max(0, to - this.start));
  }

  /** @param {Event} event @returns {Event} */
  #shared(event) {
    const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (event));
    delete own['state']; // who has all events before it needs none
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

/**
 * The same question, asked once of each event of a log: who goes back and forth in a long
 * log asks it of nearly all events at each frame.
 * @param {(event: Event) => boolean} passes
 */
export function askedOnce(passes) {
  const [YES, NO] = [1, 2];
  let answers = new Uint8Array(4096);
  return (/** @type {Event} */ event) => {
    if (event.seq >= answers.length) {
      const before = answers;
      answers = new Uint8Array(2 * event.seq);
      answers.set(before);
    }
    return (answers[event.seq] ||= passes(event) ? YES : NO) === YES;
  };
}
