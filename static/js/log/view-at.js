// The view of a run at any instant: a fold over the first events of its log. Going
// on folds what comes next; going back starts from the last checkpoint before.
// A checkpoint is a copy of the view: 20 KB and 0.3 ms for two lanes of 12 clients, and the
// more clients, the more. So a bounded number is kept, the longer the log, the farther apart.

import { copyView } from '../model/copy.js';
import { apply } from '../model/view.js';

/** @import { View } from '../model/view.js' */
/** @import { EventLog } from './event-log.js' */

/** More checkpoints than this are thinned to half: a seek in a million events folds 4,000 at most. */
export const MOST_CHECKPOINTS = 512;
/** The same where there are many clients, so that they take no more memory. */
export const FEWEST_CHECKPOINTS = 64;
/** How many clients all checkpoints hold together, unless they are the fewest. */
const ALL_CLIENTS = 40_000;
/** Going on by fewer events than this costs less than a copy. */
const WORTH_A_COPY = 1000;
/** At first a checkpoint is made after this many events. */
const FIRST_SPACING = 256;

export class ViewAt {
  /** @type {View} */ view;
  /** How many events are folded into the view. */ count = 0;

  /** @type {EventLog} */ #log;
  /** @type {{ count: number, view: View }[]} in order, the first where the log begins */ #checkpoints;
  /** Where the checkpoint before the view is. */ #before;
  #spacing = FIRST_SPACING;
  #most;

  /**
   * @param {EventLog} log that may grow
   * @param {View} view after as many events as come before those of the log
   */
  constructor(log, view) {
    this.#log = log;
    this.view = view;
    this.count = this.#before = log.start;
    this.#checkpoints = [{ count: log.start, view: copyView(view) }];
    const clients = view.lanes.reduce((sum, lane) => sum + lane.clients.size, 1);
    this.#most = Math.max(FEWEST_CHECKPOINTS, Math.min(MOST_CHECKPOINTS, Math.floor(ALL_CLIENTS / clients)));
  }

  /** How many checkpoints there are. */
  get checkpoints() {
    return this.#checkpoints.length;
  }

  /** The log begins earlier by now. @param {View} view before its first event */
  prepend(view) {
    this.#checkpoints.unshift({ count: view.seq, view });
  }

  /**
   * Makes the view that of the first events of the log. Going on changes it in
   * place; going back, or far on, replaces it.
   * @param {number} count
   */
  moveTo(count) {
    const start = this.#startFor(count);
    if (start) {
      this.view = copyView(start.view);
      this.count = this.#before = start.count;
    }
    while (this.count < count) {
      const event = this.#log.event(this.count);
      if (!event) return;
      apply(this.view, event);
      this.count++;
      if (this.count >= this.#before + this.#spacing) this.#remember();
    }
  }

  /** The checkpoint to start from, or undefined to go on from here. @param {number} count */
  #startFor(count) {
    const start = this.#checkpoints.findLast((each) => each.count <= count);
    return start && (count < this.count || start.count > this.count + WORTH_A_COPY) ? start : undefined;
  }

  /** Makes a checkpoint, unless one is near. */
  #remember() {
    const index = this.#checkpoints.findLastIndex((each) => each.count <= this.count);
    this.#before = this.#checkpoints[index]?.count ?? 0;
    if (this.count < this.#before + this.#spacing) return;
    this.#before = this.count;
    this.#checkpoints.splice(index + 1, 0, { count: this.count, view: copyView(this.view) });
    if (this.#checkpoints.length <= this.#most) return;
    this.#checkpoints = this.#checkpoints.filter((_, index) => index % 2 === 0);
    this.#spacing *= 2;
  }
}
