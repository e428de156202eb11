// Who watches what, read from the wire: a reply to a request that asked for a watch sets
// one, a notification uses it up. Both are so at the server when the frame leaves it.

/** @import { Event } from '../events.d.ts' */

/**
 * @typedef {object} Watch
 * @property {string} path
 * @property {'data' | 'children'} on
 * @property {number} at when it was set
 * @property {boolean} fired it has fired, and its notification is under way
 */

/** @typedef {Map<number, Watch[]>} Watches by the client's number */

/** @returns {Watches} */
export const createWatches = () => new Map();

/** Notifications and the kinds of watch that each uses up. */
export const fires = /** @type {Record<string, Watch['on'][]>} */ ({
  NodeCreated: ['data'],
  NodeDataChanged: ['data'],
  NodeChildrenChanged: ['children'],
  NodeDeleted: ['data', 'children'],
});

/** Sessions whose watches are gone, or that begin with none. */
const ends = new Set(['session.granted', 'session.refused', 'session.lost', 'session.closed']);

/**
 * @param {Watches} watches
 * @param {Event} event
 */
export function stepWatches(watches, event) {
  const client = event.client ?? 0;
  if (ends.has(event.kind)) watches.delete(client);
  if (event.op === 'notification') notified(watches, event, client);
  else if (event.watch) setWatch(watches, event, client);
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
 * @param {Watches} watches @param {Event} event @param {number} client
 */
function setWatch(watches, event, client) {
  const leaves = event.kind === 'wire.held' && event.dir === 'in';
  if (!leaves && event.kind !== 'wire.received') return;
  const on = event.op === 'getChildren' ? 'children' : 'data';
  const path = event.path ?? '';
  const own = watches.get(client) ?? [];
  if (own.some((watch) => watch.path === path && watch.on === on && !(leaves && watch.fired))) return;
  watches.set(client, [...own, { path, on, at: event.at, fired: false }]);
}

/**
 * The server forgets a watch when it fires; the client learns of it when the
 * notification arrives. Between the two the watch is shown as fired.
 * @param {Watches} watches
 * @param {Event} event
 * @param {number} client
 */
function notified(watches, event, client) {
  const own = watches.get(client);
  const kinds = fires[event.type ?? ''] ?? [];
  if (!own) return;
  const hit = own.filter((watch) => watch.path === event.path && kinds.includes(watch.on));
  if (event.kind === 'wire.held') for (const watch of hit) watch.fired = true;
  const used = hit.some(({ fired }) => fired) ? hit.filter(({ fired }) => fired) : hit; // another may have been set since
  if (event.kind === 'wire.received') watches.set(client, own.filter((watch) => !used.includes(watch)));
}
