// Every watch that was ever set on one path, by whom and by which request, and how
// it ended. The server has a watch from its answer on; the client knows of it when
// that arrives.

import { endsWatches, fires, removed, setAgain, watchedPart } from '../watches.js';
import { countUpTo } from '../count-up-to.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { Watch as Standing } from '../watches.js' */

/**
 * @typedef {object} PastWatch
 * @property {number} client
 * @property {string} path
 * @property {Standing['on']} on
 * @property {Event | undefined} request by which it was set, as it was sent
 * @property {Event} set the first sign of the answer
 * @property {Event | undefined} known when the client learned that it is set
 * @property {Event | undefined} fired the first sign of the notification
 * @property {Event | undefined} told when the client got it
 * @property {Event | undefined} gone what ended it without a notification: its connection or session went
 * @property {Event | undefined} change what made it fire, as the tree tells
 */

/**
 * @typedef {object} WatchHistory
 * @property {string} path
 * @property {PastWatch[]} all in the order in which they were set
 * @property {Map<number, PastWatch[]>} armed by client, at most one of each kind
 * @property {Map<number, Event>} asked the newest request for a watch, by client and xid
 * @property {Map<number, PastWatch>} answers that are under way, by client and frame
 * @property {Map<number, PastWatch[]>} notifications that are under way, the same
 * @property {PastWatch[]} unexplained the newest that fired, and the tree has not told why
 * @property {Event | undefined} changed the newest change that the tree has told of
 */

/** Takes up that a watch was set or ended. @typedef {(what: 'watched' | 'fired' | 'unwatched', event: Event, watch: PastWatch) => void} Tell */

/** @param {string} path @returns {WatchHistory} */
export const createWatchHistory = (path) => ({
  path, all: [], armed: new Map(), asked: new Map(), answers: new Map(), notifications: new Map(), unexplained: [], changed: undefined,
});

/**
 * Takes up an event that is about the path or a child of it, or that ends watches.
 * @param {WatchHistory} history
 * @param {Event} event
 * @param {Tell} tell
 */
export function stepWatchHistory(history, event, tell) {
  const { kind } = event;
  if (kind.startsWith('tree.')) changed(history, event);
  else if (endsWatches(event)) end(history, event, () => true, 'gone', tell);
  else if (kind === 'wire.sent') asked(history, event, tell);
  else if (event.path === history.path && (kind === 'wire.received' || (kind === 'wire.held' && event.dir === 'in'))) {
    if (event.op === 'notification') notified(history, event, tell);
    else if (event.op === 'removeWatches' && !event.err) end(history, event, ({ on }) => removed(event.mode)(on), 'gone', tell);
    else if (event.watch) answered(history, event, tell);
  }
}

/** Watches are set again by their paths after a new connection. @param {WatchHistory} history @param {Event} event @param {Tell} tell */
function asked(history, event, tell) {
  if (event.watch && event.path === history.path) history.asked.set(keyOf(event, event.xid), event);
  for (const { path, on } of setAgain(event)) if (path === history.path) set(history, event, on, event, tell);
}

/** A reply may arrive when its watch has fired already. @param {WatchHistory} history @param {Event} event @param {Tell} tell */
function answered(history, event, tell) {
  const reply = keyOf(event, event.frame);
  const watch = history.answers.get(reply)
    ?? set(history, event, watchedPart(event.op, event.mode), history.asked.get(keyOf(event, event.xid)), tell);
  if (event.kind === 'wire.held') history.answers.set(reply, watch);
  else {
    watch.known ??= event;
    history.answers.delete(reply);
  }
}

/** @param {WatchHistory} history @param {Event} event @param {PastWatch['on']} on @param {Event | undefined} request @param {Tell} tell */
function set({ path, all, armed }, event, on, request, tell) {
  const client = event.client ?? 0;
  const own = armed.get(client) ?? [];
  const known = own.find((each) => each.on === on);
  if (known) return known;
  /** @type {PastWatch} */
  const watch = {
    client, path, on, request, set: event,
    known: undefined, fired: undefined, told: undefined, gone: undefined, change: undefined,
  };
  armed.set(client, [...own, watch]);
  all.push(watch);
  tell('watched', event, watch);
  return watch;
}

/** @param {WatchHistory} history @param {Event} event @param {Tell} tell */
function notified(history, event, tell) {
  const name = keyOf(event, event.frame);
  const kinds = fires[event.type ?? ''] ?? [];
  let fired = history.notifications.get(name);
  if (!fired) {
    fired = end(history, event, (watch) => kinds.includes(watch.on), 'fired', tell);
    for (const watch of fired) explain(history, watch);
    if (event.kind === 'wire.held') history.notifications.set(name, fired);
  }
  if (event.kind === 'wire.held') return;
  for (const watch of fired) watch.told = event;
  history.notifications.delete(name);
}

/** So many watches at most wait to be explained. */
const UNEXPLAINED = 200;

/** The tree tells of a change about when a watch fires: a little before or after. @param {WatchHistory} history @param {PastWatch} watch */
function explain({ changed: change, unexplained }, watch) {
  if (change && change.at >= watch.set.at && matches(change, watch)) watch.change = change;
  else if (unexplained.push(watch) > UNEXPLAINED) unexplained.shift();
}

/** @param {WatchHistory} history @param {Event} event */
function changed(history, event) {
  history.changed = event;
  if (!history.unexplained.length) return;
  for (const watch of history.unexplained) if (matches(event, watch)) watch.change = event;
  history.unexplained = history.unexplained.filter(({ change }) => !change);
}

/** What of the tree each notification tells of. @type {Record<string, Event['kind'][]>} */
const causes = {
  NodeCreated: ['tree.created'], NodeDeleted: ['tree.deleted'], NodeDataChanged: ['tree.changed'],
  NodeChildrenChanged: ['tree.created', 'tree.deleted'],
};

/** @param {Event} change @param {PastWatch} watch */
function matches(change, { path, fired }) {
  const type = fired?.type ?? '';
  return (causes[type] ?? []).includes(change.kind) && (change.path === path) === (type !== 'NodeChildrenChanged');
}

/** @param {WatchHistory} history @param {Event} event @param {(watch: PastWatch) => boolean} which @param {'fired' | 'gone'} how @param {Tell} tell */
function end({ armed }, event, which, how, tell) {
  const client = event.client ?? 0;
  const own = armed.get(client) ?? [];
  const ended = own.filter(which);
  if (!ended.length) return ended;
  armed.set(client, own.filter((watch) => !ended.includes(watch)));
  for (const watch of ended) {
    watch[how] = event;
    tell(how === 'fired' ? 'fired' : 'unwatched', event, watch);
  }
  return ended;
}

/** A number of a client's own, as one of all. @param {Event} event @param {number} [number] */
const keyOf = ({ client = 0 }, number = 0) => client * 2 ** 32 + (number >>> 0);

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
