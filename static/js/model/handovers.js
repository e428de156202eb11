// Hand-overs of a lock: the time from a release after which somebody else can hold to the next
// acquisition by a client that was waiting. Counted as the server counts them, so that
// both say the same (playground/check/counters.go).

import { countUpTo } from './count-up-to.js';
import { sequenceOf } from './queue.js';

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
 * @property {Set<number>} waiting the clients that wait
 * @property {Map<number, string>} holders the clients that hold, and by which znode
 * @property {number} clients who has a higher number is a guest
 * @property {Set<string>} guests the guests' znodes in the queue
 * @property {number} released when a release let somebody else hold, or 0
 * @property {number} together the most clients that have held at once
 * @property {number | undefined} standsSince since when nobody has held though clients wait
 * @property {number} longestStandstill the longest such time that is over, in microseconds
 */

/** Lengths below this many microseconds are kept as they are. */
const EXACT = 2048;
/** Longer ones are kept as one hour. */
const LONGEST = 3600e6;

/** @returns {Histogram} */
export const createHistogram = () => ({ lengths: [], counts: [] });

/** @param {number} [clients] who has a higher number is a guest @returns {Handovers} */
export const createHandovers = (clients = Infinity) =>
  ({ clients, guests: new Set(), all: createHistogram(), newest: 0, number: 0, waiting: new Set(), holders: new Map(), released: 0, together: 0, standsSince: undefined, longestStandstill: 0 });

/** @param {Handovers} handovers @param {Event} event of a client, or of the tree @param {number} [most] so many may hold at once */
export function stepHandovers(handovers, event, most = 1) {
  follow(handovers, event, most);
  const { holders, waiting, guests, standsSince } = handovers;
  handovers.together = Math.max(handovers.together, holders.size);
  const stands = !holders.size && waiting.size > 0 && !guests.size; // a guest may hold, and does not tell
  if (!stands && standsSince !== undefined) handovers.longestStandstill = Math.max(handovers.longestStandstill, event.at - standsSince);
  handovers.standsSince = stands ? standsSince ?? event.at : undefined;
}

/** @param {Handovers} handovers @param {Event} event of a client @param {number} most */
function follow(handovers, event, most) {
  const client = event.client ?? 0;
  const { holders, waiting, guests } = handovers;
  switch (event.kind) {
    case 'tree.created':
      if (client <= handovers.clients || sequenceOf(event.path ?? '') === Infinity) break;
      guests.add(event.path ?? ''); // it may hold next, and does not tell: then the time to the next acquisition is no hand-over
      handovers.released = 0;
      break;
    case 'tree.deleted':
      guests.delete(event.path ?? '');
      break;
    case 'lock.waiting':
      waiting.add(client);
      break;
    case 'lock.acquired':
      if (waiting.has(client) && handovers.released) note(handovers, event.at - handovers.released);
      handovers.released = 0;
      waiting.delete(client);
      holders.set(client, event.path ?? '');
      break;
    case 'lock.released':
      leave(handovers, client);
      if (holders.size < most && !guests.size) handovers.released = event.at;
      break;
    case 'lock.lost':
      if (!event.path || event.path === (holders.get(client) ?? '')) leave(handovers, client); // else it is told late, of a former znode
      break;
    case 'lock.gave-up':
    case 'session.closed':
      leave(handovers, client);
      break;
    case 'fault.injected':
      if (event.fault === 'crash' || event.fault === 'close') leave(handovers, client);
  }
}

/** @param {Handovers} handovers @param {number} client */
function leave({ holders, waiting }, client) {
  holders.delete(client);
  waiting.delete(client);
}

/** @param {Handovers} handovers @param {number} length */
function note(handovers, length) {
  handovers.newest = kept(Math.min(Math.max(length, 1), LONGEST));
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
