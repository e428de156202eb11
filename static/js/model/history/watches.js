// Every watch that was ever set on one path, by whom and by which request, and how
// it ended, as the watch.* events tell it. The server has a watch from its answer on; the
// client knows of it when that arrives.

import { countUpTo } from '../count-up-to.js';
import { partOf } from '../watches.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { WatchedPart } from '../watches.js' */

/**
 * @typedef {object} PastWatch
 * @property {number} id
 * @property {number} client
 * @property {string} path
 * @property {WatchedPart} on
 * @property {Event | undefined} request by which it was set, as it was sent
 * @property {Event} set the first sign of the answer, or the request if it was set again
 * @property {Event | undefined} known when the client learned that it is set
 * @property {Event | undefined} fired the first sign of the notification
 * @property {Event | undefined} told when the client got it
 * @property {Event | undefined} gone what ended it without a notification: its connection or session went
 * @property {Event | undefined} change what made it fire, as the tree tells
 */

/** Gives the event of that number. @typedef {(seq: number) => Event | undefined} EventAt */

/**
 * @typedef {object} WatchHistory
 * @property {string} path
 * @property {EventAt} eventAt
 * @property {PastWatch[]} all in the order in which they were set
 * @property {Map<number, PastWatch>} byId those that may go on
 */

/** Takes up that a watch was set or ended. @typedef {(what: 'watched' | 'fired' | 'unwatched', event: Event, watch: PastWatch) => void} Tell */

/** @param {string} path @param {EventAt} eventAt @returns {WatchHistory} */
export const createWatchHistory = (path, eventAt) => ({ path, eventAt, all: [], byId: new Map() });

/**
 * Takes up an event that is about the path.
 * @param {WatchHistory} history
 * @param {Event} event
 * @param {Tell} tell
 */
export function stepWatchHistory(history, event, tell) {
  const { kind, path, watched } = event;
  if (!watched || path !== history.path) return;
  const { byId, eventAt } = history;
  if (kind === 'watch.set') return set(history, event, tell);
  if (kind === 'watch.caused') {
    for (const id of watched.fired ?? []) explain(byId.get(id), watched, eventAt);
    return;
  }
  const watch = byId.get(watched.id ?? 0);
  if (!watch) return;
  const cause = causeOf(event, eventAt);
  if (kind === 'watch.arrived') {
    if (event.type) watch.told = cause;
    else watch.known = cause;
  } else if (kind === 'watch.fired') {
    watch.fired = cause;
    if (watched.arrived) watch.told = cause;
    explain(watch, watched, eventAt);
    tell('fired', cause, watch);
  } else if (kind === 'watch.gone') {
    watch.gone = cause;
    tell('unwatched', cause, watch);
  }
}

/** What a watch.* event follows from: it stands right after that. @param {Event} event @param {EventAt} eventAt @returns {Event} */
function causeOf(event, eventAt) {
  let cause = event;
  for (let seq = event.seq - 1; cause.watched && seq > 0; seq--) cause = eventAt(seq) ?? cause;
  return cause;
}

/** @param {WatchHistory} history @param {Event} event @param {Tell} tell */
function set({ path, eventAt, all, byId }, event, tell) {
  const { id = 0, request, arrived } = event.watched ?? {};
  const cause = causeOf(event, eventAt);
  /** @type {PastWatch} */
  const watch = {
    id, client: event.client ?? 0, path, on: partOf(event.watched), request: request ? eventAt(request) : undefined, set: cause,
    known: arrived && request !== cause.seq ? cause : undefined, fired: undefined, told: undefined, gone: undefined, change: undefined,
  };
  byId.set(id, watch);
  all.push(watch);
  tell('watched', cause, watch);
}

/** @param {PastWatch | undefined} watch @param {NonNullable<Event['watched']>} watched @param {EventAt} eventAt */
function explain(watch, { change }, eventAt) {
  if (watch && change) watch.change = eventAt(change);
}

/** A watch as it was after an event of the log. @param {PastWatch} watch @param {number} seq @returns {PastWatch} */
export function watchUpTo(watch, seq) {
  const by = (/** @type {Event | undefined} */ event) => (event && event.seq <= seq ? event : undefined);
  const { known, fired, told, gone, change } = watch;
  return { ...watch, known: by(known), fired: by(fired), told: by(told), gone: by(gone), change: by(fired) && by(change) };
}

/** How many watches had been set by then. @param {WatchHistory} history @param {number} seq */
export const setBy = ({ all }, seq) => countUpTo(all, seq, (watch) => watch.set.seq);

/** The watches that the server had then. @param {WatchHistory} history @param {number} seq */
export function armedAt(history, seq) {
  const armed = [];
  for (let index = 0, count = setBy(history, seq); index < count; index++) {
    const watch = /** @type {PastWatch} */ (history.all[index]);
    const end = watch.fired ?? watch.gone;
    if (!end || end.seq > seq) armed.push(watch);
  }
  return armed;
}

/**
 * A client's watch: the last that was set by an event of the log or before it.
 * @param {WatchHistory} history
 * @param {number} client
 * @param {PastWatch['on']} on
 * @param {number} seq
 */
export function watchOf(history, client, on, seq) {
  for (let index = setBy(history, seq) - 1; index >= 0; index--) {
    const watch = /** @type {PastWatch} */ (history.all[index]);
    if (watch.client === client && watch.on === on) return watch;
  }
  return undefined;
}
