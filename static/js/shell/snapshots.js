// What a page hands in while a run grows long: what its events come to. Who comes late goes
// on from that, and need not load all events first. The page folds the run for this once
// more: its own view stands where the visitor does.

import { handIn, Refused } from './api.js';
import { writeSnapshot } from '../log/snapshot.js';
import { apply } from '../model/view.js';

/** @import { App } from './app.js' */
/** @import { View } from '../model/view.js' */
/** @import { Playback } from '../play/playback.js' */

/** After so many events there is another snapshot: who comes late loads that many at most, some 300 KB. */
const APART = 10_000;
/** So many events are folded at a time, so that the picture does not stop. */
const PIECE = 2000;

export class Snapshots {
  /** @type {App} */ #app;
  /** Of the run that is folded. @type {Playback | undefined} */ #playback;
  /** @type {View | undefined} */ #view;
  #count = 0;
  /** The newest event that is in the newest snapshot. */ #newest = 0;
  #busy = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Looks after events have come whether another snapshot is due. */
  look() {
    const { playback, run } = this.#app;
    if (playback !== this.#playback) this.#turnTo(playback);
    if (!this.#view) return;
    const events = playback.log.slice(this.#count, this.#count + PIECE);
    for (const event of events) apply(this.#view, event);
    this.#count += events.length;
    if (run && !this.#busy && this.#count >= this.#newest + APART && this.#count === playback.log.length) void this.#send(run.id, this.#view);
  }

  /** Begins where the visitor stands. @param {Playback} playback */
  #turnTo(playback) {
    this.#playback = playback;
    this.#view = structuredClone(playback.view);
    this.#count = playback.count;
    this.#newest = playback.log.start;
  }

  /** @param {string} run @param {View} view */
  async #send(run, view) {
    this.#newest = this.#count;
    this.#busy = true;
    try {
      await handIn({ run, seq: view.seq, view: writeSnapshot(view) });
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure; // else the run is another by now, or the next one is taken
    } finally {
      this.#busy = false;
    }
  }
}
