// What a lane did, counted from its events until the run is told to stop. What its
// releases cost is counted in rounds.js.

/** @import { Event } from '../events.d.ts' */

/**
 * @typedef {object} Counters
 * @property {number} acquisitions
 * @property {number} releases
 * @property {number} requests
 * @property {number} notifications
 */

/** Requests that keep a session, not a lock. */
const sessionOps = new Set(['ping', 'connect', 'closeSession', 'setWatches', 'auth', 'HELLO', 'PING']);

/** @returns {Counters} */
export const createCounters = () => ({ acquisitions: 0, releases: 0, requests: 0, notifications: 0 });

/** @param {Counters} counters @param {Event} event of a client */
export function count(counters, event) {
  switch (event.kind) {
    case 'wire.sent':
      if (!sessionOps.has(event.op ?? '')) counters.requests++;
      break;
    case 'wire.received':
      if (event.op === 'notification') counters.notifications++;
      break;
    case 'lock.acquired':
      counters.acquisitions++;
      break;
    case 'lock.released':
      counters.releases++;
  }
}
