// The requests of one client, and which reply answers which. A reply does not say
// what it answers but by the request's xid; requests with the same one, as pings have
// it, are answered in their order.

/** @import { Direction, Event } from '../../events.d.ts' */

/**
 * @typedef {object} Requests
 * @property {Map<number, Event[]>} open how each was sent, oldest first, by xid
 * @property {number} newest the newest frame that has left the server
 */

/** @returns {Requests} */
export const createRequests = () => ({ open: new Map(), newest: 0 });

/** The way of the frame that a wire event tells of. @param {Event} event @returns {Direction} */
export const directionOf = (event) => event.dir ?? (event.kind === 'wire.received' ? 'in' : 'out');

/** Whether an event tells of one client's frames. @param {Event} event @param {string} lane @param {number} client */
export const isTraffic = (event, lane, client) =>
  event.client === client && event.lane === lane && event.kind.startsWith('wire.') && event.kind !== 'wire.undecoded';

/**
 * Takes up an event of the client's frames. Gives the request, as it was sent, when
 * the event is the first sign of its answer.
 * @param {Requests} requests
 * @param {Event} event
 * @returns {Event | undefined}
 */
export function stepRequests(requests, event) {
  if (event.kind === 'wire.sent') return sent(requests, event);
  const frame = event.frame ?? 0;
  if (directionOf(event) === 'out' || frame <= requests.newest) return undefined;
  requests.newest = frame;
  return event.op === 'notification' ? undefined : answered(requests, event.xid ?? 0);
}

/** A new connection knows nothing of the requests of the one before. @param {Requests} requests @param {Event} event */
function sent({ open }, event) {
  if (event.op === 'connect') open.clear();
  const xid = event.xid ?? 0;
  const same = open.get(xid);
  if (same) same.push(event);
  else open.set(xid, [event]);
  return undefined;
}

/** @param {Requests} requests @param {number} xid */
function answered({ open }, xid) {
  const same = open.get(xid);
  const request = same?.shift();
  if (!same?.length) open.delete(xid);
  return request;
}

/** So many events of the log are looked back over, and so many answered requests of the client. */
const BACK = 20_000;
const ANSWERED = 20;

/**
 * The operations whose answers a client waits for, pings left out: of the newest
 * request, and while it connects anew, of the one that it has not got the answer to.
 * @param {(index: number) => Event | undefined} eventAt the log
 * @param {number} count how many of its events had happened
 * @param {string} lane
 * @param {number} client
 * @returns {string[]}
 */
export function awaited(eventAt, count, lane, client) {
  /** @type {string[]} */
  const found = [];
  /** @type {Set<number>} the requests that have got their answers */
  let got = new Set();
  for (let index = count - 1, answers = 0; index >= Math.max(0, count - BACK) && answers < ANSWERED; index--) {
    const event = eventAt(index);
    if (!event || !isTraffic(event, lane, client) || event.op === 'ping' || event.op === 'notification') continue;
    const xid = event.xid ?? 0;
    if (event.kind === 'wire.received') got.add(xid);
    if (event.kind !== 'wire.sent') continue;
    if (got.has(xid)) answers++;
    else found.push(event.op ?? '');
    if (event.op !== 'connect' ? !got.has(xid) : got.has(xid)) return found;
    if (event.op === 'connect') got = new Set();
  }
  return found;
}
