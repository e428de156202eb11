// The requests of one client that are not answered yet. A reply does not say what it
// answers but by the request's xid; requests with the same one, as pings have it,
// are answered in their order.

/** @import { Direction, Event } from '../../events.d.ts' */

/**
 * @typedef {object} Requests
 * @property {Map<number, Event[]>} open how each was sent, oldest first, by xid
 * @property {Map<number, Event>} answered the requests whose answers have left the server and not arrived, by the answer's frame
 * @property {number} newest the newest frame that has left the server
 * @property {string} lost the operation that waited when the last connection ended, until there is another one; or empty
 */

/** @returns {Requests} */
export const createRequests = () => ({ open: new Map(), answered: new Map(), newest: 0, lost: '' });

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
  if (directionOf(event) === 'out') return undefined;
  const frame = event.frame ?? 0;
  const request = frame > requests.newest && event.op !== 'notification' ? oldestOf(requests, event.xid ?? 0) : undefined;
  requests.newest = Math.max(requests.newest, frame);
  if (event.kind === 'wire.received') arrived(requests, event, frame);
  else if (request) requests.answered.set(frame, request);
  return request;
}

/** @param {Requests} requests @param {Event} event @param {number} frame */
function arrived(requests, event, frame) {
  requests.answered.delete(frame);
  if (event.op === 'connect') requests.lost = '';
}

/** A new connection knows nothing of the requests of the one before. @param {Requests} requests @param {Event} event */
function sent(requests, event) {
  const { open, answered } = requests;
  if (event.op === 'connect') {
    const op = newestOf(requests);
    if (op !== 'connect') requests.lost ||= op;
    open.clear();
    answered.clear();
  }
  const xid = event.xid ?? 0;
  const same = open.get(xid);
  if (same) same.push(event);
  else open.set(xid, [event]);
  return undefined;
}

/** Takes the oldest request with an xid. @param {Requests} requests @param {number} xid */
function oldestOf({ open }, xid) {
  const same = open.get(xid);
  const request = same?.shift();
  if (!same?.length) open.delete(xid);
  return request;
}

/** The operation of the newest request whose answer has not arrived, pings left out; or empty. @param {Requests} requests */
function newestOf({ open, answered }) {
  /** @type {Event | undefined} */
  let newest;
  for (const request of [...[...open.values()].map(([first]) => first), ...answered.values()]) {
    if (request && request.op !== 'ping' && (!newest || request.seq > newest.seq)) newest = request;
  }
  return newest?.op ?? '';
}

/**
 * The operations whose answers a client may wait for: of the newest request, and
 * while it connects anew, of the one that it has not got the answer to.
 * @param {Requests} requests
 */
export const awaited = (requests) => [newestOf(requests), requests.lost].filter(Boolean);
