// One client as the log tells it: what it believes, and what was done to it.

import { crashes, createActiveFaults, endsProcess, startsAgain, stepActiveFaults } from './active-faults.js';

/** @import { Event, Participant } from '../events.d.ts' */
/** @import { ActiveFaults } from './active-faults.js' */

/** @typedef {'idle' | 'enqueued' | 'waiting' | 'woken' | 'holds' | 'lost'} Belief of the lock, as the recipe told it last */
/** @typedef {'absent' | 'connecting' | 'connected' | 'suspended' | 'lost' | 'expired'} Connection and session, as the client knows them */
/** @typedef {Belief | Exclude<Connection, 'connected'> | 'untold' | 'crashed' | 'closed'} ClientState untold: what it believes nobody knows */

/**
 * @typedef {object} Client
 * @property {number} number
 * @property {Participant | ''} participant what a guest is, which tells nothing of what it believes; empty for a simulated client
 * @property {string} name what a guest calls itself, or empty
 * @property {boolean} tells a guest tells what it believes
 * @property {ClientState} state as it is drawn; see stateOf
 * @property {number} since when it came into its state, in microseconds of the run
 * @property {Belief} belief
 * @property {Connection} connection
 * @property {'' | 'crashed' | 'closed'} ended how a visitor has ended its process
 * @property {string} session as the server granted it, or empty
 * @property {number} grantedAt
 * @property {number} timeout of the session, in milliseconds
 * @property {string} path its znode in the queue, or empty
 * @property {string} predecessor what it watches while it waits, or empty
 * @property {string} mode "read", "write" or empty
 * @property {number[]} threads of its process, those that queue up in it for the lock: the first goes to ZooKeeper
 * @property {boolean} znodeGone the server has deleted the znode by which it believes that it holds
 * @property {number} token the fence of what it holds, or 0
 * @property {number} czxid of the transaction that made its newest znode in a queue, or 0
 * @property {boolean} held it has held the lock
 * @property {number} contact when the server last heard from it
 * @property {{ frame: number, contact: number }} newest the frame that was counted as contact last, and the contact before it
 * @property {{ session: string, until: number }} left its former session, which it did not close, or empty, and when
 *   the server will end that
 * @property {ActiveFaults} faults
 * @property {boolean} asked it is asked to give up the lock that it holds
 * @property {boolean} gaveUp it stopped waiting for the lock, and has not asked for it since
 * @property {number} line of its program's source at which it is, or 0
 * @property {string} wrote what its program has written last, or empty
 * @property {number} wokenAt when it was last woken, or -1
 * @property {number} wokenInVainAt when it last had a wasted wake-up, or -1
 */

/**
 * @param {number} number
 * @param {Client['participant']} [participant]
 * @param {string} [name]
 * @returns {Client}
 */
export function createClient(number, participant = '', name = '') {
  return {
    number, participant, name, tells: false, state: 'absent', since: 0, belief: 'idle', connection: 'absent', ended: '',
    session: '', grantedAt: 0, timeout: 0,
    path: '', predecessor: '', mode: '', threads: [], znodeGone: false, token: 0, czxid: 0, held: false,
    contact: 0, newest: { frame: 0, contact: 0 },
    left: { session: '', until: 0 }, faults: createActiveFaults(),
    asked: false, gaveUp: false, line: 0, wrote: '', wokenAt: -1, wokenInVainAt: -1,
  };
}

/** @type {Partial<Record<Event['kind'], (client: Client, event: Event) => void>>} */
const steps = {
  'session.granted': granted,
  'session.resumed': resumed,
  'session.connected': connected,
  'session.suspended': suspended,
  'session.refused': (client) => endSession(client, 'expired'),
  'session.lost': lost,
  'session.closed': closed,
  'lock.enqueued': enqueued,
  'lock.waiting': waiting,
  'lock.woken': woken,
  'lock.acquired': acquired,
  'lock.asked': (client) => { client.asked = true; },
  'lock.released': (client, event) => leave(client, event, 'idle'),
  'lock.lost': (client, event) => leave(client, event, 'lost'),
  'lock.gave-up': (client) => {
    stop(client, 'idle');
    client.gaveUp = true;
  },
  'lock.local-queued': (client, { thread = 0 }) => { client.threads = [...client.threads, thread]; },
  'lock.local-left': (client, { thread }) => { client.threads = client.threads.filter((each) => each !== thread); },
  'fault.injected': injected,
  'program.ended': injected,
  'program.tells': (client) => { client.tells = true; },
  'program.silent': (client) => {
    client.tells = false;
    stop(client, 'idle');
  },
  'program.at': (client, { line = 0 }) => { client.line = line; },
  'program.wrote': (client, { reason, why }) => { client.wrote = String(reason?.args?.['text'] ?? why ?? ''); },
  'wire.sent': heard,
  'wire.delivered': heard,
  'wire.held': unheard,
};

/**
 * Moves a client on by one event of its own. A process that crashed or was
 * closed believes nothing any more, so only a new process or session brings it back.
 * @param {Client} client
 * @param {Event} event
 */
export function stepClient(client, event) {
  stepActiveFaults(client.faults, event);
  if (gone(client) && event.kind !== 'session.granted' && !startsAgain(event)) return;
  steps[event.kind]?.(client, event);
  const state = stateOf(client);
  if (state === client.state) return;
  client.state = state;
  client.since = event.at;
}

/**
 * What matters most of a client. Who believes that it holds is a holder, whatever
 * became of its session: only its recipe can say that it has stopped.
 * @param {Client} client
 * @returns {ClientState}
 */
function stateOf({ participant, tells, ended, belief, connection }) {
  if (ended) return ended;
  if (participant && !tells && connection === 'connected') return 'untold';
  return belief === 'holds' || connection === 'connected' ? belief : connection;
}

/**
 * When the server will give a silent client up, in microseconds of the run.
 * The server rounds up to its next tick, so it may be a little later.
 * @param {Client} client
 */
export const expiryDue = (client) => client.contact + client.timeout * 1000;

/** Whether a client believes that it holds the lock. @param {Client} client */
export const believes = ({ belief, ended }) => belief === 'holds' && !ended;

/**
 * Whether a client believes that it holds without a connection, or by a znode that is
 * gone. The server may have given the lock to another one since; the client has not
 * heard, or does not listen.
 * @param {Client} client
 */
export const holdsUnconfirmed = (client) => believes(client) && (client.connection !== 'connected' || client.znodeGone);

/** Whether nobody is told what it believes. @param {Pick<Client, 'participant' | 'tells'>} client */
export const isSilent = ({ participant, tells }) => participant !== '' && !tells;

/** Whether a visitor has ended the client for good. @param {Client} client */
export const gone = (client) => client.ended !== '';

/** It neither waits nor holds any more. @param {Client} client @param {'idle' | 'lost'} belief */
function stop(client, belief) {
  client.belief = belief;
  client.asked = client.gaveUp = false;
  client.path = client.predecessor = client.mode = '';
  client.token = 0;
}

/**
 * The end of a hold. It may be told late, of a former znode.
 * @param {Client} client
 * @param {Event} event
 * @param {'idle' | 'lost'} belief
 */
function leave(client, event, belief) {
  if (event.path && client.path && event.path !== client.path) return;
  stop(client, belief);
}

/** The session is over, as far as the client knows. @param {Client} client @param {Connection} connection */
function endSession(client, connection) {
  client.connection = connection;
  client.session = '';
  client.wokenAt = client.wokenInVainAt = -1;
}

/** The process is done with the lock. @param {Client} client */
function closed(client) {
  endSession(client, 'absent');
  stop(client, 'idle');
  client.threads = [];
}

/** @param {Client} client @param {Event} event */
function granted(client, event) {
  if (client.ended || client.belief === 'lost') stop(client, 'idle');
  else if (client.session) leaveSession(client);
  client.ended = '';
  endSession(client, 'connected');
  client.session = event.session ?? '';
  client.timeout = event.timeout ?? client.timeout;
  client.grantedAt = client.contact = event.at;
}

/**
 * The server has taken the session back. A client that had given it up has it again, and
 * asks for the lock anew.
 * @param {Client} client
 * @param {Event} event
 */
function resumed(client, event) {
  if (client.connection === 'lost' && client.belief === 'lost') stop(client, 'idle');
  client.connection = 'connected';
  client.session = event.session ?? client.session;
}

/** What the client says of its connection: it may be late, when the session is over. @param {Client} client */
function connected(client) {
  if (client.connection !== 'lost' && client.connection !== 'expired') client.connection = 'connected';
}

/** @param {Client} client */
function suspended(client) {
  if (client.connection === 'connected') client.connection = 'suspended';
}

/** A session that the server has refused, or that the client closed, is over already. @param {Client} client */
function lost(client) {
  if (client.connection !== 'expired' && client.connection !== 'absent') endSession(client, 'lost');
}

/** @param {Client} client @param {Event} event */
function enqueued(client, event) {
  client.belief = 'enqueued';
  client.gaveUp = false;
  client.path = event.path ?? '';
  client.mode = event.mode ?? '';
  client.czxid = event.token ?? 0;
}

/** @param {Client} client @param {Event} event */
function waiting(client, event) {
  if (client.belief === 'woken') client.wokenInVainAt = event.at;
  client.belief = 'waiting';
  client.predecessor = event.predecessor ?? '';
}

/** @param {Client} client @param {Event} event */
function woken(client, event) {
  client.belief = 'woken';
  client.wokenAt = event.at;
}

/** @param {Client} client @param {Event} event */
function acquired(client, event) {
  client.belief = 'holds';
  client.held = true;
  client.predecessor = '';
  client.path = event.path ?? client.path;
  client.mode = event.mode ?? client.mode;
  client.token = event.token ?? 0;
}

/** @param {Client} client @param {Event} event */
function injected(client, event) {
  if (crashes(event)) client.ended = 'crashed';
  else if (endsProcess(event)) {
    closed(client);
    client.ended = 'closed';
  }
  if (startsAgain(event)) begin(client);
}

/** Nobody uses its session any more, which goes on until it times out. @param {Client} client */
function leaveSession(client) {
  client.left = { session: client.session, until: expiryDue(client) };
}

/** A new process, after one that crashed. @param {Client} client */
function begin(client) {
  leaveSession(client);
  closed(client);
  client.ended = '';
  client.connection = 'connecting';
}

/**
 * Notes when the server last heard from the client. A frame that carries a due
 * time is still under way and is counted when it is delivered.
 * @param {Client} client
 * @param {Event} event
 */
function heard(client, event) {
  if (event.op === 'closeSession') endSession(client, 'absent');
  if (event.op === 'connect' && client.connection === 'absent') client.connection = 'connecting';
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
