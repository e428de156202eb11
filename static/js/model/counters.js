// What a lane cost: counted from its events, until the run is told to stop.

/** @import { Event } from '../events.d.ts' */
/** @import { Client } from './client.js' */

/**
 * The time after a release, or after the end of a session that took a znode with
 * it and woke somebody, and whom it woke.
 * @typedef {object} Round
 * @property {number} at when it began; 0 for the time before the first release
 * @property {'start' | 'release' | 'end'} cause
 * @property {number} client who released, or whose session ended; 0 when that is not known
 * @property {number} woken
 * @property {number} wasted
 */

/**
 * @typedef {object} Counters
 * @property {number} acquisitions
 * @property {number} releases
 * @property {number} wakeups
 * @property {number} wasted
 * @property {number} requests
 * @property {number} notifications
 * @property {Round[]} rounds the newest; the first of all is the time before the first release
 * @property {number} forgotten how many rounds there were before those
 * @property {Round | undefined} ended the end of a session since the newest round, until it wakes somebody
 */

/** Only the newest rounds are kept. */
const MOST_ROUNDS = 100;

/** Requests that keep a session, not a lock. */
const sessionOps = new Set(['ping', 'connect', 'closeSession', 'setWatches', 'auth']);

/** @returns {Counters} */
export const createCounters = () => ({
  acquisitions: 0, releases: 0, wakeups: 0, wasted: 0, requests: 0, notifications: 0,
  rounds: [begin(0, 'start', 0)], forgotten: 0, ended: undefined,
});

/**
 * Counts an event, before the client itself moves on by it.
 * @param {Counters} counters
 * @param {Event} event
 * @param {Client} client
 */
export function count(counters, event, client) {
  switch (event.kind) {
    case 'wire.sent':
      if (!sessionOps.has(event.op ?? '')) counters.requests++;
      break;
    case 'wire.received':
      if (event.op === 'notification') counters.notifications++;
      break;
    case 'lock.woken':
      woken(counters, client);
      break;
    case 'lock.waiting':
    case 'lock.gave-up':
      wasted(counters, client);
      break;
    case 'lock.acquired':
      counters.acquisitions++;
      client.undecided = false;
      break;
    case 'lock.released':
      client.undecided = false;
      counters.releases++;
      open(counters, begin(event.at, 'release', client.number));
      break;
    case 'session.closed':
      client.undecided = false;
      break;
    case 'fault.injected':
      if (event.fault === 'crash' || event.fault === 'close') client.undecided = false;
  }
}

/**
 * Notes that a znode of the queue went with its session: whom that wakes, no
 * release woke.
 * @param {Counters} counters
 * @param {Event} event tree.deleted
 * @param {number} client the owner, or 0
 */
export function countDeletion(counters, event, client) {
  if (event.cause === 'expiry' || event.cause === 'close') counters.ended = begin(event.at, 'end', client);
}

/**
 * The newest round.
 * @param {Counters} counters
 * @returns {Round}
 */
export const latest = (counters) => /** @type {Round} */ (counters.rounds.at(-1));

/**
 * A mean, or NaN when there is nothing to divide by.
 * @param {number} sum
 * @param {number} number
 */
export const per = (sum, number) => (number ? sum / number : NaN);

/** @param {number} at @param {Round['cause']} cause @param {number} client @returns {Round} */
const begin = (at, cause, client) => ({ at, cause, client, woken: 0, wasted: 0 });

/** @param {Counters} counters @param {Round} round */
function open(counters, round) {
  counters.rounds.push(round);
  counters.ended = undefined;
  if (counters.rounds.length <= MOST_ROUNDS) return;
  counters.rounds.shift();
  counters.forgotten++;
}

/** @param {Counters} counters @param {Client} client */
function woken(counters, client) {
  if (counters.ended) open(counters, counters.ended);
  counters.wakeups++;
  latest(counters).woken++;
  client.round = counters.forgotten + counters.rounds.length - 1;
  client.undecided = true;
}

/** @param {Counters} counters @param {Client} client */
function wasted(counters, client) {
  if (!client.undecided) return;
  counters.wasted++;
  const round = counters.rounds[client.round - counters.forgotten];
  if (round) round.wasted++;
  client.undecided = false;
}
