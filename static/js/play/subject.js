// What can be chosen in the picture, the lists and the diagram, and shown in the
// inspector.

import { directionOf } from '../model/history/requests.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Item } from '../model/sequence/items.js' */
/** @import { WatchedPart } from '../model/watches.js' */
/** @import { Subject } from './shown.d.ts' */

/** @param {string} lane @param {number} client @returns {Subject} */
export const clientSubject = (lane, client) => ({ lane, client, path: '' });

/** A znode, or a lock directory. @param {string} lane @param {string} path @returns {Subject} */
export const znodeSubject = (lane, path) => ({ lane, client: 0, path });

/**
 * A client's watch on a path: the last that was set, or the last by an event of the log.
 * @param {string} lane
 * @param {{ client: number, path: string, on: WatchedPart }} watch
 * @param {number} [seq]
 * @returns {Subject}
 */
export const watchSubject = (lane, { client, path, on }, seq) => ({ lane, client, path, watch: on, ...(seq && { seq }) });

/** @param {Event} event of the wire @returns {Subject} */
export const frameSubject = (event) =>
  ({ lane: event.lane ?? '', client: event.client ?? 0, path: '', frame: event.frame ?? 0, dir: directionOf(event) });

/** What an event is about; undefined when it is about the whole run. @param {Event} event @returns {Subject | undefined} */
export function subjectOf(event) {
  const { kind, lane, client, path } = event;
  if (!lane) return undefined;
  if (kind.startsWith('wire.') && event.frame) return frameSubject(event);
  if (kind.startsWith('tree.') && path) return znodeSubject(lane, path);
  return client ? clientSubject(lane, client) : undefined;
}

/** The same of an item of the sequence diagram. @param {string} lane @param {Item | { type: 'client', client: number }} item @returns {Subject | undefined} */
export function subjectOfItem(lane, item) {
  if (item.type === 'frame') return { lane, client: item.client, path: '', frame: item.frame, dir: item.dir };
  if (item.type === 'watch') return watchSubject(lane, item, item.seq);
  if (item.type === 'znode') return znodeSubject(lane, item.path);
  return item.client ? clientSubject(lane, item.client) : undefined;
}

/** @param {string} [name] @returns {name is WatchedPart} */
const isPart = (name = '') => ['data', 'children', 'persistent', 'recursive'].includes(name);

/** What a key is of; undefined if it is none. @param {string} key @returns {Subject | undefined} */
export function subjectOfKey(key) {
  const [lane = '', client, path = '', dir, frame, watch, seq] = key.split(' ');
  /** @type {Subject} */
  const subject = {
    lane, client: Number(client), path,
    ...((dir === 'in' || dir === 'out') && { dir }), ...(frame && { frame: Number(frame) }),
    ...(isPart(watch) && { watch }), ...(seq && { seq: Number(seq) }),
  };
  return lane && keyOf(subject) === key ? subject : undefined;
}

/** The same for the same subject, and for no other. @param {Subject | undefined} subject */
export const keyOf = (subject) =>
  (subject ? [subject.lane, subject.client, subject.path, subject.dir ?? '', subject.frame ?? '', subject.watch ?? '', subject.seq ?? ''].join(' ') : '');
