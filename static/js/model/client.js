// One client as the log tells it: what it believes, and what was done to it.

import { createActiveFaults, stepActiveFaults } from './active-faults.js';

/** @import { Event } from '../events.d.ts' */
/** @import { ActiveFaults } from './active-faults.js' */

/**
 * @typedef {'absent' | 'connecting' | 'idle' | 'enqueued' | 'waiting' | 'woken' | 'holds'
 *   | 'suspended' | 'lost' | 'expired' | 'crashed' | 'closed'} ClientState
 */

/**
 * @typedef {object} Client
 * @property {number} number
 * @property {ClientState} state
 * @property {number} since when it came into its state, in microseconds of the run
 * @property {string} session as the server granted it, or empty
 * @property {number} grantedAt
 * @property {number} timeout of the session, in milliseconds
 * @property {string} path its znode in the queue, or empty
 * @property {string} predecessor what it watches while it waits, or empty
 * @property {string} mode "read", "write" or empty
 * @property {number} token the fence of what it holds, or 0
 * @property {ClientState} before while it is suspended: what it goes on believing
 * @property {number} contact when the server last heard from it
 * @property {{ frame: number, contact: number }} newest the frame that was counted as contact last, and the contact before it
 * @property {ActiveFaults} faults
 * @property {number} wokenAt when it was last woken, or -1
 * @property {number} wokenInVainAt when it last found that it was woken in vain, or -1
 * @property {number} round which round of its lane woke it, from 0
 * @property {boolean} undecided woken, and not yet known whether that was wasted
 */

/**
 * @param {number} number
 * @returns {Client}
 */
export function createClient(number) {
  return {
    number, state: 'absent', since: 0,
    session: '', grantedAt: 0, timeout: 0,
    path: '', predecessor: '', mode: '', token: 0,
    before: 'absent', contact: 0, newest: { frame: 0, contact: 0 },
    faults: createActiveFaults(),
    wokenAt: -1, wokenInVainAt: -1, round: -1, undecided: false,
  };
}

/** @type {Partial<Record<Event['kind'], (client: Client, event: Event) => void>>} */
const steps = {
  'session.granted': granted,
  'session.resumed': resumed,
  'session.connected': resumed,
  'session.suspended': suspended,
  'session.refused': (client, event) => end(client, 'expired', event.at),
  'session.lost': lost,
  'session.closed': (client, event) => end(client, 'absent', event.at),
  'lock.enqueued': enqueued,
  'lock.waiting': waiting,
  'lock.woken': woken,
  'lock.acquired': acquired,
  'lock.released': (client, event) => leave(client, 'idle', event.at),
  'lock.gave-up': (client, event) => leave(client, client.state === 'expired' ? 'expired' : 'idle', event.at),
  'lock.lost': lostLock,
  'fault.injected': injected,
  'wire.sent': heard,
  'wire.delivered': heard,
  'wire.held': unheard,
};

/**
 * Moves a client on by one event of its own. A process that crashed or was
 * closed believes nothing any more, so only a new session brings it back.
 * @param {Client} client
 * @param {Event} event
 */
export function stepClient(client, event) {
  stepActiveFaults(client.faults, event);
  if (gone(client) && event.kind !== 'session.granted') return;
  steps[event.kind]?.(client, event);
}

/**
 * When the server will give a silent client up, in microseconds of the run.
 * The server rounds up to its next tick, so it may be a little later.
 * @param {Client} client
 */
export const expiryDue = (client) => client.contact + client.timeout * 1000;

/**
 * Whether a client that is cut off still believes that it holds. The server
 * may have given it to another one since; the client has not heard.
 * @param {Client} client
 */
export const holdsUnconfirmed = (client) => client.state === 'suspended' && client.before === 'holds';

/** Whether a visitor has ended the client for good. @param {Client} client */
export const gone = (client) => client.state === 'crashed' || client.state === 'closed';

/** @param {Client} client @param {ClientState} state @param {number} at */
function enter(client, state, at) {
  if (client.state === state) return;
  client.state = state;
  client.since = at;
}

/**
 * A step of the recipe. A client that is cut off goes on waiting or holding
 * as far as it knows, and is shown as cut off until it is connected again.
 * @param {Client} client
 * @param {ClientState} state
 * @param {number} at
 */
function believe(client, state, at) {
  if (client.state === 'suspended') client.before = state;
  else enter(client, state, at);
}

/** @param {Client} client @param {ClientState} state @param {number} at */
function leave(client, state, at) {
  believe(client, state, at);
  client.path = client.predecessor = client.mode = '';
  client.token = 0;
}

/** A loss may be told late, of a former znode. @param {Client} client @param {Event} event */
function lostLock(client, event) {
  if (event.path && client.path && event.path !== client.path) return;
  leave(client, client.state === 'expired' ? 'expired' : 'lost', event.at);
}

/** @param {Client} client @param {ClientState} state @param {number} at */
function end(client, state, at) {
  enter(client, state, at);
  leave(client, state, at);
  client.session = '';
  client.wokenAt = client.wokenInVainAt = -1;
}

/** @param {Client} client @param {Event} event */
function granted(client, event) {
  end(client, 'idle', event.at);
  client.session = event.session ?? '';
  client.timeout = event.timeout ?? client.timeout;
  client.grantedAt = client.contact = event.at;
}

/** @param {Client} client @param {Event} event */
function resumed(client, event) {
  if (client.state === 'suspended') enter(client, client.before, event.at);
  if (client.state === 'connecting' || client.state === 'absent') enter(client, 'idle', event.at);
}

/** @param {Client} client @param {Event} event */
function suspended(client, event) {
  if (client.state === 'suspended' || !client.session) return;
  client.before = client.state;
  enter(client, 'suspended', event.at);
}

/** A session that the server has refused, or that the client closed, is over already. @param {Client} client @param {Event} event */
function lost(client, event) {
  if (client.state !== 'expired' && client.state !== 'absent') end(client, 'lost', event.at);
}

/** @param {Client} client @param {Event} event */
function enqueued(client, event) {
  believe(client, 'enqueued', event.at);
  client.path = event.path ?? '';
  client.mode = event.mode ?? '';
}

/** @param {Client} client @param {Event} event */
function waiting(client, event) {
  if (client.state === 'woken') client.wokenInVainAt = event.at;
  believe(client, 'waiting', event.at);
  client.predecessor = event.predecessor ?? '';
}

/** @param {Client} client @param {Event} event */
function woken(client, event) {
  believe(client, 'woken', event.at);
  client.wokenAt = event.at;
}

/** @param {Client} client @param {Event} event */
function acquired(client, event) {
  believe(client, 'holds', event.at);
  client.predecessor = '';
  client.path = event.path ?? client.path;
  client.token = event.token ?? 0;
}

/** @param {Client} client @param {Event} event */
function injected(client, event) {
  if (event.fault === 'crash') enter(client, 'crashed', event.at);
  if (event.fault === 'close') end(client, 'closed', event.at);
}

/**
 * Notes when the server last heard from the client. A frame that carries a due
 * time is still under way and is counted when it is delivered.
 * @param {Client} client
 * @param {Event} event
 */
function heard(client, event) {
  if (event.op === 'closeSession') end(client, 'absent', event.at);
  if (event.op === 'connect' && client.state === 'absent') enter(client, 'connecting', event.at);
  const arrived = event.kind === 'wire.delivered' ? event.dir !== 'in' : !event.due;
  if (!arrived) return;
  client.newest = { frame: event.frame ?? 0, contact: client.contact };
  client.contact = event.at;
}

/**
 * Takes back that the server has heard a frame: the link holds it. This follows
 * the frame's wire.sent at once, which cannot know.
 * @param {Client} client
 * @param {Event} event
 */
function unheard(client, event) {
  if (event.dir === 'in' || event.due || event.frame !== client.newest.frame) return;
  client.contact = client.newest.contact;
  client.newest.frame = 0;
}
