// The changes of a lock directory in the order in which the server made them, and which
// of them fired a watch. Counted as in playground/check/changes.go, so that both say the same.
//
// A read that leaves a watch says by its zxid which changes it had seen: the first change
// after that fires the watch. A change's own zxid is told by the tree event, by servers
// before 3.9 only by the reply to the request that made it. The end of a session has no reply:
// its zxid lies between those that are known around it. Where that is not enough, the
// number of children that the read had found tells, or the cause stays unknown.

import { sequenceOf } from './queue.js';

/** @import { Event } from '../events.d.ts' */

/**
 * Why a znode came, went or was changed. A release is the deletion by the client that held
 * by it, or what that client wrote into it to release a lock that is a flag; an end
 * that of the session of a client that held, or was first in the queue; removed is such a
 * znode that was deleted from outside. These three free the lock. Unknown is what happened
 * while the observer was away.
 * @typedef {'release' | 'end' | 'removed' | 'join' | 'other' | 'unknown'} Cause
 */

/**
 * @typedef {object} Change
 * @property {number} number from 1
 * @property {'created' | 'deleted' | 'changed' | 'unseen'} kind unseen: all that happened while the observer was away
 * @property {string} path
 * @property {number} at when the log told it
 * @property {Cause} cause
 * @property {number} client who made it, or whose session ended; 0 when that is not known
 * @property {number} after its zxid is greater than this
 * @property {number} upTo and at most this; Infinity while that is not known
 * @property {number} before how many children there were before it
 * @property {number} children and after it
 * @property {boolean} placed its own zxid is known, or will never be
 */

/**
 * @typedef {object} Changes
 * @property {Change[]} list the newest
 * @property {number} number of the newest
 * @property {number} clients who has a higher number is a guest
 * @property {boolean} away the observer is away: what it finds when it is back has no order
 * @property {number} known every change up to this zxid is in the list, or was
 * @property {number} forgotten the greatest zxid that one may have had that is not in the list any more
 * @property {string[]} nodes the children, in the order in which they came
 * @property {Map<string, number>} held the znodes by which clients hold, and who has released but not gone yet, or 0
 * @property {Map<string, number>} early the zxids of changes that the log has not told yet
 */

/**
 * A watch as its read left it.
 * @typedef {object} Watched
 * @property {string} path
 * @property {'children' | 'data'} on
 * @property {number} zxid the newest change that the server had made
 * @property {number} state how many children it found; of a znode, 1 when it was there
 */

/** Only the newest changes are kept. */
const MOST_CHANGES = 100;
/** Only so many zxids wait for their changes. */
const MOST_EARLY = 100;

/** @param {number} clients who has a higher number is a guest @returns {Changes} */
export const createChanges = (clients) => ({ clients, list: [], number: 0, away: false, known: 0, forgotten: 0, nodes: [], held: new Map(), early: new Map() });

/**
 * @param {Changes} changes
 * @param {Event} event
 * @returns {boolean} whether more is known now of a change
 */
export function stepChanges(changes, event) {
  const { zxid = 0 } = event;
  switch (event.kind) {
    case 'lock.acquired':
    case 'lock.released':
      if (event.path) changes.held.set(event.path, event.kind === 'lock.released' ? event.client ?? 0 : 0);
      return false;
    case 'wire.held':
    case 'wire.received':
      return replied(changes, event);
    case 'tree.created':
      add(changes, event, 'created', causeOfCreation(event));
      return true;
    case 'tree.deleted':
      add(changes, event, 'deleted', causeOfDeletion(changes, event));
      return true;
    case 'tree.changed':
      changed(changes, event);
      return true;
    case 'tree.lost':
      if (!changes.away) add(changes, event, 'unseen', 'unknown');
      changes.away = true;
      return true;
    case 'tree.synced':
      changes.away = false;
      if (!zxid) return false;
      changes.known = Math.max(changes.known, zxid);
      limit(changes.list, changes.list.findLastIndex(({ at }) => at <= (event.sent ?? 0)) + 1, zxid); // later ones may be newer
      return true;
    default:
      return false;
  }
}

/** The watch that a reply has left, if it has. @param {Event} event @returns {Watched | undefined} */
export function watchLeft({ kind, op, watch, path = '', zxid = 0, children = 0, err }) {
  if (kind !== 'wire.received' || !watch || !zxid) return undefined;
  if (op === 'getChildren') return { path, on: 'children', zxid, state: children };
  return op === 'getData' || op === 'exists' ? { path, on: 'data', zxid, state: err ? 0 : 1 } : undefined;
}

/**
 * The change that fired a watch; undefined while none has, or while it is not known which.
 * @param {Changes} changes
 * @param {Watched} watch
 */
export function firedBy({ list, known, forgotten }, watch) {
  /** @type {Change | undefined} the earliest that came after the read for sure */ let first;
  /** @type {Change[]} those that came before it or after */ const unsure = [];
  let index = list.length - 1;
  for (; index >= 0; index--) {
    const change = /** @type {Change} */ (list[index]);
    if (change.upTo <= watch.zxid) break;
    if (!concerns(change, watch)) continue;
    if (change.after >= watch.zxid) first = change;
    else unsure.unshift(change);
  }
  if (index < 0 && forgotten > watch.zxid) return undefined;
  if (!unsure.length) return first;
  // One that is not told yet, or never, may come between.
  if (known < watch.zxid || unsure.some(({ kind }) => kind === 'unseen')) return undefined;
  const last = /** @type {Change} */ (unsure.at(-1));
  const found = [...unsure.map((change) => stateBefore(change, watch)), stateAfter(last, watch)];
  const fitting = [...unsure, first].filter((_, place) => found[place] === watch.state);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether the log is whole beyond a change, so that what it fired can be known. @param {Changes} changes @param {number} number */
export function isPlaced({ list }, number) {
  const change = list[number - (list[0]?.number ?? 0)];
  return !change || change.upTo < Infinity;
}

/** @param {Change} change @param {Watched} watch */
function concerns({ kind, path }, watch) {
  if (watch.on === 'children') return kind !== 'changed';
  return path === watch.path || (kind === 'unseen' && sequenceOf(watch.path) === Infinity); // a number is never used again
}

/** What a read would have found before a change. @param {Change} change @param {Watched} watch */
const stateBefore = ({ kind, before }, { on }) => (on === 'children' ? before : Number(kind !== 'created'));

/** And after it. @param {Change} change @param {Watched} watch */
const stateAfter = ({ kind, children }, { on }) => (on === 'children' ? children : Number(kind !== 'deleted'));

/** @param {Event} event @returns {Cause} */
function causeOfCreation({ cause }) {
  if (cause === 'unseen') return 'unknown';
  return cause === 'client' ? 'join' : 'other';
}

/** Asked before the znode is taken out. @param {Changes} changes @param {Event} event @returns {Cause} */
function causeOfDeletion({ nodes, held, early, clients }, { path = '', cause, client = 0 }) {
  const freed = held.has(path);
  const atHead = path === nodes.find((node) => sequenceOf(node) < Infinity);
  if (cause === 'client' || (cause === 'unseen' && early.has(`deleted ${path}`))) {
    return freed || (atHead && client > clients) ? 'release' : 'other'; // a guest does not tell that it holds
  }
  if (cause === 'unseen') return 'unknown';
  if (!freed && !atHead) return 'other';
  return cause === 'outsider' ? 'removed' : 'end';
}

/** @param {Changes} changes @param {Event} event */
function changed(changes, event) {
  const { path = '' } = event;
  const client = sequenceOf(path) < Infinity ? 0 : changes.held.get(path) ?? 0; // a znode in a queue is written into to tell or to ask something
  add(changes, { ...event, client }, 'changed', client ? 'release' : 'other');
  if (client) changes.held.delete(path);
}

/** @param {Changes} changes @param {Event} event @param {Change['kind']} kind @param {Cause} cause */
function add(changes, { path = '', at, client = 0, zxid = 0 }, kind, cause) {
  const { list, nodes, held, early, known, away } = changes;
  const key = `${kind} ${path}`;
  const told = zxid || (early.get(key) ?? 0);
  const before = nodes.length;
  early.delete(key);
  if (kind === 'created' && !nodes.includes(path)) nodes.push(path);
  if (kind === 'deleted') {
    held.delete(path);
    const index = nodes.indexOf(path);
    if (index >= 0) nodes.splice(index, 1);
  }
  list.push({ number: ++changes.number, kind, path, at, cause, client, after: known, upTo: Infinity, before, children: nodes.length, placed: away });
  if (told && !away) place(changes, list.length - 1, told);
  if (list.length > MOST_CHANGES) forget(changes);
}

/** @param {Changes} changes */
function forget(changes) {
  const { upTo } = /** @type {Change} */ (changes.list.shift());
  changes.forgotten = Math.max(changes.forgotten, upTo < Infinity ? upTo : changes.known);
}

/** The change that a request makes. @type {Record<string, Change['kind']>} */
const made = { create: 'created', delete: 'deleted', setData: 'changed' };

/** Takes the zxid of a change from the reply to its request, when that leaves the server or when it arrives. @param {Changes} changes @param {Event} event */
function replied(changes, { kind, op, dir, path = '', zxid = 0, err }) {
  const what = made[op ?? ''];
  if (!what || err || zxid <= changes.forgotten || (kind === 'wire.held' && dir !== 'in')) return false;
  const index = changes.list.findLastIndex((change) => change.kind === what && change.path === path && change.after < zxid && zxid <= change.upTo);
  if (index >= 0) return place(changes, index, zxid);
  const { early } = changes;
  early.set(`${what} ${path}`, zxid);
  if (early.size > MOST_EARLY) early.delete(/** @type {string} */ (early.keys().next().value));
  return false;
}

/** Notes the zxid of a change: those before it have lower ones, those after it higher ones. @param {Changes} changes @param {number} index @param {number} zxid */
function place(changes, index, zxid) {
  const { list } = changes;
  const change = /** @type {Change} */ (list[index]);
  if (change.placed) return false;
  Object.assign(change, { after: zxid - 1, upTo: zxid, placed: true });
  limit(list, index, zxid - 1);
  for (const later of list.slice(index + 1)) later.after = Math.max(later.after, zxid);
  changes.known = Math.max(changes.known, zxid);
  return true;
}

/** @param {Change[]} list @param {number} end of those that are limited @param {number} zxid the greatest that they can have */
function limit(list, end, zxid) {
  for (let index = end - 1; index >= 0; index--) {
    const change = /** @type {Change} */ (list[index]);
    if (change.upTo <= zxid) return;
    change.upTo = zxid;
  }
}
