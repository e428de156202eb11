// What a sequence diagram shows of a lane: each item has a beginning and an end
// in the time of the run, and the events that it was read from.

import { add, moveEnd } from './intervals.js';

/** @import { Direction, Event, Kind, Reason } from '../../events.d.ts' */
/** @import { Flight } from '../flights.js' */
/** @import { Intervals } from './intervals.js' */
/** @import { Diagram } from '../sequence.js' */

/**
 * @typedef {object} Span
 * @property {number} from in microseconds of the run
 * @property {number} to the same; Infinity while it is open
 * @property {number} seq the event that began it
 * @property {number} endSeq the event that ended it, 0 while it is open
 * @property {number} client 0 when it is about ZooKeeper, or everybody
 * @property {string} path the znode that it is about, or empty
 * @property {number} index its place in the lane
 */

/**
 * A frame on its way. It leaves late when the link held it; it is under way
 * from then on.
 * @typedef {Span & { type: 'frame', dir: Direction, role: Flight['role'], op: string, frame: number,
 *   leaves: number, due: number, held: boolean, err: string, end: '' | 'arrived' | 'dropped' | 'unknown' }} FrameItem
 */

/**
 * A client believes that it holds. Its belief is false from when its znode is
 * gone on; Infinity when it never is.
 * @typedef {Span & { type: 'hold', mode: string, token: number, falseFrom: number,
 *   end: '' | 'released' | 'lost' | 'ended' }} HoldItem
 */

/**
 * A client waits. It waits behind a client, or for a change of the directory:
 * then behind is 0. It is for one that is gone when the server had already answered that
 * the znode it waits for is not there.
 * @typedef {Span & { type: 'wait', behind: number, predecessor: string, forGone: boolean }} WaitItem
 */

/** Two or more clients that exclude each other believe that they hold. @typedef {Span & { type: 'conflict', clients: number[] }} ConflictItem */

/**
 * A watch, as the server has it: from its answer until it fires or goes with the
 * connection.
 * @typedef {Span & { type: 'watch', on: import('../watches.js').WatchedPart, end: '' | 'fired' | 'gone' }} WatchItem
 */

/**
 * A znode of the queue, as the server has it, and from when it is first of those
 * that exclude it; Infinity when it never is.
 * @typedef {Span & { type: 'znode', slot: number, sequence: number, mode: string, firstFrom: number, cause: string, by: number }} ZnodeItem
 */

/** A client, or with client 0 the servers, under a fault. @typedef {Span & { type: 'fault', fault: string, server: string, reason: Reason | undefined }} FaultItem */

/** A client without a connection, as it knows. @typedef {Span & { type: 'disconnected' }} DisconnectedItem */

/** A process that is gone, until it has a session again. @typedef {Span & { type: 'gone', fault: string }} GoneItem */

/**
 * A waiter is woken. Whether that was wasted is known by what it does next; Infinity
 * while it is not.
 * @typedef {Span & { type: 'woken', wasted: boolean | undefined, decidedAt: number }} WokenItem
 */

/**
 * The session begins or ends, as the server or the client tells; again when the
 * client had one before.
 * @typedef {Span & { type: 'session', change: 'granted' | 'resumed' | 'refused' | 'lost' | 'closed', again: boolean, session: string, reason: Reason | undefined }} SessionItem
 */

/** A write to the resource that the lock protects. @typedef {Span & { type: 'write', accepted: boolean, stale: boolean, token: number, balance: number, reason: Reason | undefined }} WriteItem */

/** A check finds that what it asserts is not so. @typedef {Span & { type: 'violation', check: string, reason: Reason | undefined }} ViolationItem */

/** Something about the whole run. @typedef {Span & { type: 'note', kind: Kind, reason: Reason | undefined }} NoteItem */

/**
 * @typedef {FrameItem | HoldItem | WaitItem | ConflictItem | WatchItem | ZnodeItem | FaultItem | DisconnectedItem | GoneItem | WokenItem | SessionItem | WriteItem
 *   | ViolationItem | NoteItem} Item
 */

/**
 * An item that begins with an event and goes on.
 * @template {object} Own
 * @param {Diagram} lane
 * @param {Event} event
 * @param {Own} own what is special about it
 * @returns {Span & Own}
 */
export function begin(lane, event, own) {
  /** @type {Span & Own} */
  const item = {
    from: event.at, to: Infinity, seq: event.seq, endSeq: 0,
    client: event.client ?? 0, path: event.path ?? '', index: lane.items.all.length, ...own,
  };
  add(lane.items, /** @type {Item} */ (/** @type {unknown} */ (item)));
  return item;
}

/**
 * @param {Diagram} lane
 * @param {Span} item
 * @param {Event} event
 */
export function end(lane, item, event) {
  item.to = event.at;
  item.endSeq = event.seq;
  moveEnd(lane.items, item.index);
}

/** Takes back that an item has ended. @param {Intervals<Item>} items @param {Span} item */
export function reopen(items, item) {
  item.to = Infinity;
  item.endSeq = 0;
  moveEnd(items, item.index);
}

/**
 * An item that is one instant.
 * @template {object} Own
 * @param {Diagram} lane
 * @param {Event} event
 * @param {Own} own
 * @returns {Span & Own}
 */
export function mark(lane, event, own) {
  const item = begin(lane, event, own);
  end(lane, item, event);
  return item;
}
