// What part of a run is in sight, in the diagrams of all lanes alike, and what moves it.

import { around, follow, FOLLOWED, keepInSight, pan, whole, zoom } from './window.js';

/** @import { DiagramFrame } from './lane.js' */
/** @import { Window } from './window.js' */

export class Sight {
  /** Nothing before a diagram is drawn first. @type {Window | undefined} */ window;
  /** Whether it moves with the playhead. */ follows = true;
  /** Whether heartbeats are shown. */ pings = false;
  #span = FOLLOWED;
  /** @type {() => void} */ #changed;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Another run is looked at. */
  forget() {
    this.window = undefined;
  }

  /** What is in sight where the visitor stands. @param {DiagramFrame} frame @returns {Window} */
  at(frame) {
    const end = endOf(frame);
    const window = this.window ?? (frame.live ? follow(whole(end), end, this.#span) : around(frame.at, end));
    this.window = !this.follows ? window : frame.live ? follow(window, end, this.#span) : keepInSight(window, frame.at, end);
    return this.window;
  }

  /** Looks at another part of the run, as the visitor asks. @param {Window} window @param {boolean} [following] */
  look(window, following = false) {
    if (window === this.window) return;
    this.window = window;
    this.follows = following;
    this.#changed();
  }

  /** Shows less or more, around an instant, or else around the playhead when it is in sight. @param {DiagramFrame} frame @param {number} factor @param {number} [instant] */
  zoom(frame, factor, instant) {
    if (!this.window) return;
    const { from, to } = this.window;
    const seen = frame.at >= from && frame.at <= to;
    const zoomed = zoom(this.window, frame.scale, factor, instant ?? (seen ? frame.at : (from + to) / 2));
    this.#span = Math.max(1000, zoomed.to - zoomed.from);
    this.look(zoomed, this.follows && seen);
  }

  /** @param {DiagramFrame} frame @param {number} part of what is in sight */
  pan(frame, part) {
    if (this.window) this.look(pan(this.window, frame.scale, part));
  }

  /** The whole run, also while it goes on. @param {DiagramFrame} frame */
  fit(frame) {
    this.#span = Infinity;
    this.look(whole(endOf(frame)), this.follows);
  }

  /** Turns to an instant, when it is not in sight. @param {DiagramFrame} frame @param {number} instant */
  turnTo(frame, instant) {
    if (this.window) this.look(keepInSight(this.window, instant, endOf(frame)));
  }

  /** @param {'follows' | 'pings'} name */
  toggle(name) {
    this[name] = !this[name];
    if (this.window) this.#span = this.window.to - this.window.from;
    this.#changed();
  }
}

/** @param {DiagramFrame} frame */
const endOf = ({ sequence, at }) => Math.max(sequence.at, at);
