// Where the visitor is in the run. Live, that is the present; pausing, playing and
// scrubbing move the visitor alone, and the world goes on.

/** @import { EventLog } from '../log/event-log.js' */
/** @import { Clock } from './clock.js' */

/** @typedef {'live' | 'paused' | 'playing'} Mode */
/** @typedef {{ at: number, count: number }} Instant at: in microseconds of the run; count: how many of its events have happened */

/** How fast a recorded moment can be played. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class Playhead {
  /** @type {Mode} */ mode = 'live';
  speed = 1;
  /** The visitor has gone to where it stands; the run has not brought it there. */ sought = false;

  /** @type {Clock} */ #clock;
  /** @type {EventLog} */ #log;
  /** Where it stands while it is paused, and where playing began. */ #at = 0;
  /** How many events have happened there at most: it may stand between those of one instant. */ #count = Infinity;
  /** When playing began: performance.now(). */ #began = 0;
  /** How fast it is played now. */ #rate = 1;
  /** A way to where the log does not reach: to be gone once the events of then are here, which are those from an instant on. @type {{ at: number, go: (here: number) => void } | undefined} */ wanted;

  /** @param {Clock} clock the run's @param {EventLog} log */
  constructor(clock, log) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Where it is now. Playing ends at the present: live while the run goes on, and
   * paused when it is over. It waits for what is being read.
   * @param {number} here performance.now()
   * @returns {Instant}
   */
  instant(here) {
    if (this.mode === 'paused') return { at: this.#at, count: Math.min(this.#count, this.#log.countAt(this.#at)) };
    const present = this.present(here);
    if (this.mode === 'live') return this.#instantAt(present);
    const at = this.#at + (here - this.#began) * 1000 * this.#rate;
    if (at < present) return this.#instantAt(at);
    if (this.#clock.reading) [this.#at, this.#began] = [present, here];
    else if (this.#clock.stopped) this.#stand(present);
    else this.mode = 'live';
    return this.#instantAt(present);
  }

  /** The latest instant that can be shown. @param {number} here performance.now() */
  present(here) {
    return this.#clock.shown(here);
  }

  /** Stands still: what happened just before and comes late is not shown. @param {number} here performance.now() */
  pause(here) {
    const { at, count } = this.instant(here);
    this.#stand(at, count);
  }

  /** Goes on from where it stands; from the beginning, if that is the end of a run that is over. @param {number} here performance.now() @param {number} [rate] how fast this time */
  play(here, rate = this.speed) {
    const { at } = this.instant(here);
    const again = this.#clock.stopped && at >= this.present(here);
    this.#stand(again ? this.#log.begin : at);
    if (again && this.#log.start) {
      const go = (/** @type {number} */ later) => {
        this.#stand(0);
        this.play(later, rate);
      };
      this.wanted = { at: 0, go };
    }
    this.#began = here;
    this.#rate = rate;
    this.mode = 'playing';
  }

  /** @param {number} speed 1 is as fast as it was @param {number} here performance.now() */
  setSpeed(speed, here) {
    const playing = this.mode === 'playing';
    if (playing) this.pause(here);
    this.speed = speed;
    if (playing) this.play(here);
  }

  live() {
    this.mode = 'live';
    this.sought = false;
    this.wanted = undefined;
  }

  /**
   * Stands at an instant, or at the present if that is later.
   * @param {number} at
   * @param {number} here performance.now()
   * @param {number} [count] how many events have happened there, at most
   */
  seek(at, here, count) {
    const present = this.present(here);
    this.#stand(Math.max(this.#log.begin, Math.min(at, present)), count);
    if (at < this.#log.begin || (at > present && this.#clock.reading)) this.wanted = { at, go: (later) => this.seek(at, later, count) };
  }

  /** Stands right after an event that has come. @param {number} index of the event, from 0 */
  seekEvent(index) {
    const event = this.#log.event(index);
    const before = index < this.#log.start;
    if (before || (!event && this.#clock.reading)) {
      this.#stand(before ? this.#log.begin : this.#log.end);
      this.wanted = { at: 0, go: () => this.seekEvent(index) };
    }
    if (!event) return;
    this.#stand(event.at, index + 1);
    this.sought = true;
  }

  /** @param {number} at @param {number} [count] */
  #stand(at, count = Infinity) {
    this.mode = 'paused';
    this.sought = false;
    this.wanted = undefined;
    this.#at = at;
    this.#count = count;
  }

  /** @param {number} at @returns {Instant} */
  #instantAt(at) {
    return { at, count: this.#log.countAt(at) };
  }
}
