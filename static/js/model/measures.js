// What is measured of a lane, each measure in one place: out of the lane at an instant,
// from the start of the run or from an earlier instant on.

import { believers } from './belief.js';
import { addAll, createHistogram, percentile } from './handovers.js';

/** @import { Counters } from './counters.js' */
/** @import { Histogram } from './handovers.js' */
/** @import { Sums as RoundSums } from './rounds.js' */
/** @import { Lane } from './view.js' */

/** @typedef {Pick<Counters & RoundSums, 'roundWakeups' | 'roundWasted' | 'rounds' | 'joining' | 'requests' | 'notifications' | 'acquisitions'>} Sums */

/**
 * A lane at an instant, as far as it is measured.
 * @typedef {object} Numbers
 * @property {Sums} sums
 * @property {Histogram} handovers
 * @property {number} queue how many znodes
 * @property {number} believers how many clients
 */

/**
 * @typedef {{ kind: 'ratio', of: keyof Sums, per: keyof Sums } | { kind: 'sum', of: keyof Sums }
 *   | { kind: 'percentile', percent: number } | { kind: 'level', of: 'queue' | 'believers' }} Measure
 */

/** @typedef {'wakeups' | 'wasted' | 'joining' | 'requests' | 'notifications' | 'median' | 'p99' | 'queue' | 'believers' | 'acquisitions'} MeasureName */

/** In the order in which they are shown. @type {Record<MeasureName, Measure>} */
export const measures = {
  wakeups: { kind: 'ratio', of: 'roundWakeups', per: 'rounds' },
  wasted: { kind: 'ratio', of: 'roundWasted', per: 'rounds' },
  joining: { kind: 'ratio', of: 'joining', per: 'acquisitions' },
  requests: { kind: 'ratio', of: 'requests', per: 'acquisitions' },
  notifications: { kind: 'ratio', of: 'notifications', per: 'acquisitions' },
  median: { kind: 'percentile', percent: 50 },
  p99: { kind: 'percentile', percent: 99 },
  queue: { kind: 'level', of: 'queue' },
  believers: { kind: 'level', of: 'believers' },
  acquisitions: { kind: 'sum', of: 'acquisitions' },
};

export const measureNames = /** @type {MeasureName[]} */ (Object.keys(measures));

/** @param {Lane} lane @returns {Sums} */
export const sumsOf = ({ counters, rounds: { sums } }) => ({
  roundWakeups: sums.roundWakeups, roundWasted: sums.roundWasted, rounds: sums.rounds, joining: sums.joining,
  requests: counters.requests, notifications: counters.notifications, acquisitions: counters.acquisitions,
});

/** @param {Lane} lane @returns {Numbers} */
export const numbersOf = (lane) => ({
  sums: sumsOf(lane), handovers: lane.handovers.all, queue: lane.queue.nodes.length, believers: believers(lane).length,
});

/**
 * The value of a measure, or NaN when there is nothing to measure. Lengths are in
 * microseconds. A level is that of the instant, whatever it is counted from.
 * @param {MeasureName} name
 * @param {Numbers} now
 * @param {Pick<Numbers, 'sums'> & Partial<Numbers>} [since] counts only what came after that; hand-overs
 *   that it leaves out have been taken away already
 */
export function valueOf(name, now, since) {
  const measure = measures[name];
  const grown = (/** @type {keyof Sums} */ sum) => now.sums[sum] - (since?.sums[sum] ?? 0);
  switch (measure.kind) {
    case 'ratio': return grown(measure.per) > 0 ? grown(measure.of) / grown(measure.per) : NaN;
    case 'sum': return grown(measure.of);
    case 'percentile': return percentile(since?.handovers ? difference(now.handovers, since.handovers) : now.handovers, measure.percent);
    case 'level': return now[measure.of];
  }
}

/** @param {Histogram} now @param {Histogram} since */
function difference(now, since) {
  const histogram = createHistogram();
  addAll(histogram, now);
  addAll(histogram, since, -1);
  return histogram;
}
