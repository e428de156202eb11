// Hand-overs of a lock, as queue.changed tells them: how long it was free from a release
// to the next acquisition by a client that was waiting.

import { countUpTo } from './count-up-to.js';

/** @import { Event } from '../events.d.ts' */

/**
 * How often each length of time has come. Lengths are kept to a thousandth, so that
 * there are few of them however long a run is.
 * @typedef {object} Histogram
 * @property {number[]} lengths in microseconds, the shortest first
 * @property {number[]} counts of each
 */

/**
 * @typedef {object} Handovers
 * @property {Histogram} all
 * @property {number} newest the length of the newest, as it is kept; 0 for none
 * @property {number} number of all
 * @property {number} together the most clients that have held at once
 * @property {number} longestStandstill the longest such time that is over, in microseconds
 */

/** Lengths below this many microseconds are kept as they are. */
const EXACT = 2048;
/** Longer ones are kept as one hour. */
const LONGEST = 3600e6;

/** @returns {Histogram} */
export const createHistogram = () => ({ lengths: [], counts: [] });

/** @returns {Handovers} */
export const createHandovers = () => ({ all: createHistogram(), newest: 0, number: 0, together: 0, longestStandstill: 0 });

/** @param {Handovers} handovers @param {Event} event */
export function stepHandovers(handovers, { queue }) {
  if (!queue) return;
  const { handedOver = 0, together = 0, stoodStill = 0 } = queue;
  handovers.together = together;
  handovers.longestStandstill = stoodStill;
  if (!handedOver) return;
  handovers.newest = kept(Math.min(handedOver, LONGEST));
  handovers.number++;
  add(handovers.all, handovers.newest, 1);
}

/** The greatest length that counts as the same. @param {number} length */
function kept(length) {
  let unit = 1;
  while (length >= EXACT * unit) unit *= 2;
  return Math.floor(length / unit) * unit + unit - 1;
}

/** @param {Histogram} histogram @param {number} length @param {number} count */
export function add({ lengths, counts }, length, count) {
  const shorter = countUpTo(lengths, length - 1, Number);
  if (lengths[shorter] === length) counts[shorter] = /** @type {number} */ (counts[shorter]) + count;
  else {
    lengths.splice(shorter, 0, length);
    counts.splice(shorter, 0, count);
  }
}

/** Adds all of another one, or takes it away. @param {Histogram} histogram @param {Histogram} other @param {1 | -1} [sign] */
export function addAll(histogram, other, sign = 1) {
  other.lengths.forEach((length, index) => add(histogram, length, sign * (other.counts[index] ?? 0)));
}

/**
 * The smallest length that at least so many percent do not exceed, or NaN when there
 * is none.
 * @param {Histogram} histogram
 * @param {number} percent
 */
export function percentile({ lengths, counts }, percent) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(total * percent / 100);
  const index = counts.findIndex((count) => (left -= count) <= 0 && count > 0);
  return lengths[index] ?? NaN;
}
