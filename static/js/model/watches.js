// Who watches what, read from the wire: a reply to a request that asked for a watch sets
// one, a notification uses it up. Both are so at the server when the frame leaves it.

import { crashes } from './active-faults.js';

/** @import { Event } from '../events.d.ts' */

/**
 * What a watch is on: the data of a znode, which its creation and deletion are of, too, its
 * list of children, or, of those that stay when they fire, both, or it with all below it.
 * @typedef {'data' | 'children' | 'persistent' | 'recursive'} WatchedPart
 */

/**
 * @typedef {object} Watch
 * @property {string} path
 * @property {WatchedPart} on
 * @property {number} at when it was set
 * @property {boolean} absent there was no such znode when it was set
 * @property {boolean} fired it has fired, and its notification is under way
 */

/** @typedef {Map<number, Watch[]>} Watches by the client's number */

/** @returns {Watches} */
export const createWatches = () => new Map();

/** Notifications and the kinds of watch that each uses up. */
export const fires = /** @type {Record<string, WatchedPart[]>} */ ({
  NodeCreated: ['data'],
  NodeDataChanged: ['data'],
  NodeChildrenChanged: ['children'],
  NodeDeleted: ['data', 'children'],
});

/** What a request that asks for a watch leaves one on. @param {string} [op] @param {string} [mode] of an addWatch @returns {WatchedPart} */
export function watchedPart(op, mode) {
  if (op === 'addWatch') return mode === 'recursive' ? mode : 'persistent';
  return op === 'getChildren' ? 'children' : 'data';
}

/** Which watches of a path a removeWatches is about. @param {string} [mode] @returns {(on: WatchedPart) => boolean} */
export const removed = (mode) => (on) => mode === 'any' || on === mode;

/** When the server has no watches of a client any more, or has none yet. @type {Set<Event['kind']>} */
const ends = new Set(/** @type {const} */ (['session.granted', 'session.resumed', 'session.refused', 'session.closed']));

/** Whether an event ends every watch of a client: they go with its connection, and it sets them again with the next. @param {Event} event */
export const endsWatches = (event) => ends.has(event.kind) || crashes(event);

/**
 * What a client sets again after a new connection. The request counts and not its reply:
 * notifications come in between.
 * @param {Event} event
 */
export const setAgain = ({ kind, op, ops = [] }) => (op === 'setWatches' && kind === 'wire.sent'
  ? ops.map((each) => ({ path: each.path ?? '', on: watchedPart(each.op, each.flags), absent: each.op === 'exists' })) : []);

/**
 * @param {Watches} watches
 * @param {Event} event
 */
export function stepWatches(watches, event) {
  const { client = 0, path = '', kind, op, mode, at } = event;
  if (endsWatches(event)) watches.delete(client);
  for (const again of setAgain(event)) set(watches, client, { ...again, at, fired: false }, false);
  const leaves = kind === 'wire.held' && event.dir === 'in';
  if (!leaves && kind !== 'wire.received') return;
  if (op === 'notification') notified(watches, event, client);
  else if (op === 'removeWatches' && !event.err) drop(watches, client, (watch) => watch.path === path && removed(mode)(watch.on));
  else if (event.watch) set(watches, client, { path, on: watchedPart(op, mode), at, absent: event.err === 'NoNode', fired: false }, leaves);
}

/**
 * The clients that watch a path. A watch that has fired watches no more.
 * @param {Watches} watches
 * @param {string} path
 * @returns {number[]}
 */
export function watchersOf(watches, path) {
  return [...watches].filter(([, own]) => own.some((watch) => watch.path === path && !watch.fired)).map(([client]) => client);
}

/**
 * A reply that leaves the server, or that arrives. One that was held on its way changes
 * nothing when it arrives: the watch may have fired since.
 * @param {Watches} watches @param {number} client @param {Watch} watch @param {boolean} leaves
 */
function set(watches, client, watch, leaves) {
  const own = watches.get(client) ?? [];
  if (own.some(({ path, on, fired }) => path === watch.path && on === watch.on && !(leaves && fired))) return;
  watches.set(client, [...own, watch]);
}

/** @param {Watches} watches @param {number} client @param {(watch: Watch) => boolean} which */
function drop(watches, client, which) {
  const own = watches.get(client);
  if (own) watches.set(client, own.filter((watch) => !which(watch)));
}

/**
 * The server forgets a watch when it fires; the client learns of it when the
 * notification arrives. Between the two the watch is shown as fired.
 * @param {Watches} watches
 * @param {Event} event
 * @param {number} client
 */
function notified(watches, event, client) {
  const kinds = fires[event.type ?? ''] ?? [];
  const hit = (watches.get(client) ?? []).filter((watch) => watch.path === event.path && kinds.includes(watch.on));
  if (event.kind === 'wire.held') for (const watch of hit) watch.fired = true;
  const used = hit.some(({ fired }) => fired) ? hit.filter(({ fired }) => fired) : hit; // another may have been set since
  if (event.kind === 'wire.received' && used.length) drop(watches, client, (watch) => used.includes(watch));
}
