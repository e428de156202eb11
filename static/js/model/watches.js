// The watches that each client has at the server, as the watch.* events tell them.

/** @import { Event } from '../events.d.ts' */

/**
 * What a watch is on: the data of a znode, which its creation and deletion are of, too, its
 * list of children, or, of those that stay when they fire, both, or it with all below it.
 * @typedef {'data' | 'children' | 'persistent' | 'recursive'} WatchedPart
 */

/**
 * @typedef {object} Watch
 * @property {number} id
 * @property {string} path
 * @property {WatchedPart} on
 * @property {number} at when it was set
 * @property {boolean} absent there was no such znode when it was set
 * @property {boolean} fired it has fired, and its notification is under way
 */

/** @typedef {Map<number, Watch[]>} Watches by the client's number */

/** @returns {Watches} */
export const createWatches = () => new Map();

/** @type {Partial<Record<Event['kind'], (own: Watch[], event: Event, id: number) => Watch[]>>} */
const steps = {
  'watch.set': (own, { path = '', at, watched }, id) => [...own, { id, path, on: partOf(watched), at, absent: watched?.absent ?? false, fired: false }],
  'watch.fired': (own, { watched }, id) => (watched?.arrived ? without(own, id) : own.map((watch) => (watch.id === id ? { ...watch, fired: true } : watch))),
  'watch.arrived': (own, { type }, id) => (type ? without(own, id) : own), // else it is the answer
  'watch.gone': (own, _, id) => without(own, id),
};

/** @param {Watches} watches @param {Event} event */
export function stepWatches(watches, event) {
  const { kind, client = 0, watched } = event;
  const step = steps[kind];
  if (!step || !client || !watched?.id) return;
  const own = step(watches.get(client) ?? [], event, watched.id);
  if (own.length) watches.set(client, own);
  else watches.delete(client);
}

/** @param {Watch[]} own @param {number} id */
const without = (own, id) => own.filter((watch) => watch.id !== id);

/** @param {Event['watched']} watched */
export const partOf = (watched) => /** @type {WatchedPart} */ (watched?.on ?? 'data');

/**
 * The clients that watch a path. A watch that has fired watches no more.
 * @param {Watches} watches
 * @param {string} path
 * @returns {number[]}
 */
export function watchersOf(watches, path) {
  return [...watches].filter(([, own]) => own.some((watch) => watch.path === path && !watch.fired)).map(([client]) => client);
}
