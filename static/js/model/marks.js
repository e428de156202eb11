// The moments of a run that a visitor looks for: acquisitions, releases, faults,
// violated checks, lost sessions, and what is decisive for the run.

/** @import { Event } from '../events.d.ts' */

/** @typedef {'acquired' | 'released' | 'fault' | 'lost' | 'violated' | 'decisive'} MarkKind in the order in which they matter, the last most */

/**
 * @typedef {object} Mark
 * @property {number} index of its event in the log, from 0
 * @property {number} at in microseconds of the run
 * @property {MarkKind} kind
 * @property {string} lane empty for all
 * @property {number} client 0 for none
 */

/** @type {Partial<Record<Event['kind'], MarkKind>>} */
const kinds = {
  'lock.acquired': 'acquired',
  'lock.released': 'released',
  'fault.injected': 'fault',
  'fault.healed': 'fault',
  'program.ended': 'fault',
  'session.refused': 'lost',
  'session.lost': 'lost',
  'lock.lost': 'lost',
};

/** @param {Event} event @returns {MarkKind | undefined} */
export function markOf(event) {
  if (event.kind === 'check.changed') return event.verdict === 'violated' ? 'violated' : undefined;
  if (event.kind === 'check.violation') return 'violated';
  if (event.kind === 'tree.deleted') return event.cause === 'expiry' ? 'lost' : undefined;
  return kinds[event.kind];
}

/**
 * Adds the marks of events that follow those before. When the clients are told to stop
 * each of them ends its session: that is no loss.
 * @param {Mark[]} marks
 * @param {Event[]} events
 * @param {number} [end] the number of the event that told them
 */
export function addMarks(marks, events, end = Infinity) {
  for (const event of events) {
    const kind = markOf(event);
    if (kind && !(event.kind === 'session.lost' && event.seq > end)) marks.push({ index: event.seq - 1, at: event.at, kind, lane: event.lane ?? '', client: event.client ?? 0 });
  }
}

/**
 * The next mark after an event, or the one before it.
 * @param {Mark[]} marks in order
 * @param {number} index of the event, from 0
 * @param {1 | -1} direction
 * @param {MarkKind[]} [wanted] those kinds only
 */
export function neighbour(marks, index, direction, wanted) {
  const passes = (/** @type {Mark} */ mark) =>
    (direction > 0 ? mark.index > index : mark.index < index) && (!wanted || wanted.includes(mark.kind));
  return direction > 0 ? marks.find(passes) : marks.findLast(passes);
}
