// Things that last, in the order in which they begin, so that a window of time
// finds those that overlap it without looking at the others. Beginnings are in
// order, so the last that can overlap is found by bisection. For the rest, the
// latest end is kept of every 32 intervals, of every 32 of these, and so on: a
// block that ended before the window is passed over whole, and one with a single
// long interval in it is not.

import { countUpTo } from '../count-up-to.js';

/** @typedef {{ from: number, to: number }} Interval to: Infinity while it is open */

/**
 * @template {Interval} T
 * @typedef {object} Intervals
 * @property {T[]} all in the order in which they begin
 * @property {number[][]} ends the latest end of each block, the smallest blocks first
 */

/** So many intervals, or blocks, are a block. */
const SIZE = 32;

/** @template {Interval} T @returns {Intervals<T>} */
export const createIntervals = () => ({ all: [], ends: [[]] });

/**
 * Adds an interval that begins no earlier than those before it. Gives its index.
 * @template {Interval} T
 * @param {Intervals<T>} intervals
 * @param {T} interval
 */
export function add(intervals, interval) {
  const index = intervals.all.push(interval) - 1;
  moveEnd(intervals, index);
  return index;
}

/**
 * Takes up that the end of an interval has changed.
 * @template {Interval} T
 * @param {Intervals<T>} intervals
 * @param {number} index
 */
export function moveEnd({ all, ends }, index) {
  let block = Math.floor(index / SIZE);
  let latest = latestOf(block, all.length, (at) => /** @type {T} */ (all[at]).to);
  for (let level = 0; ; level++) {
    const row = ends[level] ??= [];
    if (row[block] === latest) return;
    row[block] = latest;
    if (row.length === 1) return;
    block = Math.floor(block / SIZE);
    latest = latestOf(block, row.length, (at) => row[at] ?? -Infinity);
  }
}

/**
 * The intervals that overlap a span of time, its ends included, in order.
 * @template {Interval} T
 * @param {Intervals<T>} intervals
 * @param {number} from
 * @param {number} to
 * @returns {T[]}
 */
export function overlapping({ all, ends }, from, to) {
  const end = countUpTo(all, to, (interval) => interval.from);
  /** @type {T[]} */
  const found = [];
  /** @param {number} level @param {number} block */
  const visit = (level, block) => {
    if ((ends[level]?.[block] ?? -Infinity) < from || block * SIZE ** (level + 1) >= end) return;
    const first = block * SIZE;
    for (let at = first; at < first + SIZE; at++) level ? visit(level - 1, at) : take(at);
  };
  /** @param {number} at */
  const take = (at) => {
    const interval = all[at];
    if (interval && at < end && interval.to >= from) found.push(interval);
  };
  const top = ends.length - 1;
  for (let block = 0; block < (ends[top]?.length ?? 0); block++) visit(top, block);
  return found;
}

/** @param {number} block @param {number} length @param {(index: number) => number} endOf */
function latestOf(block, length, endOf) {
  let latest = -Infinity;
  const last = Math.min(length, (block + 1) * SIZE);
  for (let at = block * SIZE; at < last; at++) latest = Math.max(latest, endOf(at));
  return latest;
}
