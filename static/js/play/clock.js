// The run's clock, as far as the page can know it: what the server last said,
// plus the time since. It never runs backwards within a run.

/** Events come in batches; the page shows the run so much later, so that none is missing from what it shows. */
const LAG = 60_000;

export class Clock {
  #offset = -Infinity;
  #stopped = -1;
  #paused = -1;
  /** All that has come is the present: a recording. */ #ended = false;
  /** More of a recording is being read. */ reading = false;

  /**
   * Learns that the run's clock has reached an instant.
   * @param {number} at microseconds of the run
   * @param {number} here performance.now(), in milliseconds
   */
  observe(at, here) {
    if (this.#paused >= 0) this.#goOn(here);
    this.#offset = Math.max(this.#offset, at - here * 1000);
  }

  /**
   * Stands still until the clock is observed again: nobody knows what it shows.
   * @param {number} here performance.now()
   */
  pause(here) {
    this.#paused = this.now(here);
  }

  /** @param {number} here */
  #goOn(here) {
    this.#offset = this.#paused - here * 1000;
    this.#paused = -1;
  }

  /**
   * Stops at an instant: the run is over.
   * @param {number} at
   */
  stop(at) {
    this.#stopped = at;
  }

  /**
   * Stops at an instant: the run is over and nothing comes any more, so nothing is shown late.
   * @param {number} at
   */
  end(at) {
    this.stop(at);
    this.#ended = true;
    this.reading = false;
  }

  /** A recording has been read up to an instant; there is more. @param {number} at */
  reach(at) {
    this.end(at);
    this.reading = true;
  }

  /** Whether the run is over. */
  get stopped() {
    return this.#stopped >= 0;
  }

  /** @param {number} here performance.now() @returns {number} microseconds of the run */
  now(here) {
    return this.#stopped >= 0 ? this.#stopped : this.#running(here);
  }

  /** The instant that the page shows as the present. @param {number} here performance.now() */
  shown(here) {
    if (this.#ended) return this.#stopped;
    const shown = Math.max(0, this.#running(here) - LAG);
    return this.#stopped >= 0 ? Math.min(this.#stopped, shown) : shown;
  }

  /** As if the run were not over. @param {number} here */
  #running(here) {
    if (this.#paused >= 0) return this.#paused;
    return Number.isFinite(this.#offset) ? Math.max(0, this.#offset + here * 1000) : 0;
  }
}
