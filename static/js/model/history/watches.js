// Every watch that was ever set on one path, by whom and by which request, and how
// it ended. The server has a watch from its answer on; the client knows of it when
// that arrives.

import { fires } from '../watches.js';

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
 * @property {Map<string, PastWatch>} armed by client and kind
 * @property {Map<string, Event>} asked the newest request for a watch, by client and xid
 * @property {Map<string, PastWatch>} answers that are under way, by client and frame
 * @property {Map<string, PastWatch[]>} notifications that are under way, the same
 * @property {PastWatch[]} unexplained the newest that fired, and the tree has not told why
 * @property {Event | undefined} changed the newest change that the tree has told of
 */

/** @param {string} path @returns {WatchHistory} */
export const createWatchHistory = (path) => ({
  path, all: [], armed: new Map(), asked: new Map(), answers: new Map(), notifications: new Map(), unexplained: [], changed: undefined,
});

/** When the server has no watches of a client any more. @type {Set<Event['kind']>} */
const ends = new Set(/** @type {const} */ (['session.granted', 'session.resumed', 'session.refused', 'session.closed']));

/** Whether an event ends every watch of a client. @param {Event} event */
export const endsWatches = (event) => ends.has(event.kind) || event.fault === 'crash';

/**
 * Takes up an event that is about the path or a child of it, or that ends watches.
 * Gives the watches that it sets or ends.
 * @param {WatchHistory} history
 * @param {Event} event
 * @returns {PastWatch[]}
 */
export function stepWatchHistory(history, event) {
  if (event.kind.startsWith('tree.')) return changed(history, event);
  if (endsWatches(event)) return end(history, event, () => true, 'gone');
  if (event.kind === 'wire.sent') return asked(history, event);
  const arrives = event.kind === 'wire.received';
  if (event.path !== history.path || (!arrives && !(event.kind === 'wire.held' && event.dir === 'in'))) return [];
  if (event.op === 'notification') return notified(history, event, arrives);
  return event.watch ? answered(history, event, arrives) : [];
}

/** Watches are set again by their paths after a new connection. @param {WatchHistory} history @param {Event} event */
function asked(history, event) {
  if (event.watch && event.path === history.path) history.asked.set(`${event.client} ${event.xid}`, event);
  if (event.op !== 'setWatches') return [];
  return (event.ops ?? []).flatMap(({ op, path }) => (path === history.path ? set(history, event, kindOf(op), event) : []));
}

/** A reply may arrive when its watch has fired already. @param {WatchHistory} history @param {Event} event @param {boolean} arrives */
function answered(history, event, arrives) {
  const reply = `${event.client} ${event.frame}`;
  const on = kindOf(event.op);
  let watch = history.answers.get(reply);
  /** @type {PastWatch[]} */
  let made = [];
  if (!watch) {
    made = set(history, event, on, history.asked.get(`${event.client} ${event.xid}`));
    watch = made[0] ?? history.armed.get(`${event.client} ${on}`);
  }
  if (watch && arrives) watch.known ??= event;
  if (watch && !arrives) history.answers.set(reply, watch);
  else history.answers.delete(reply);
  return made;
}

/** @param {WatchHistory} history @param {Event} event @param {PastWatch['on']} on @param {Event | undefined} request */
function set({ path, all, armed }, event, on, request) {
  const key = `${event.client} ${on}`;
  if (armed.has(key)) return [];
  /** @type {PastWatch} */
  const watch = {
    client: event.client ?? 0, path, on, request, set: event,
    known: undefined, fired: undefined, told: undefined, gone: undefined, change: undefined,
  };
  armed.set(key, watch);
  all.push(watch);
  return [watch];
}

/** @param {WatchHistory} history @param {Event} event @param {boolean} arrives */
function notified(history, event, arrives) {
  const name = `${event.client} ${event.frame}`;
  const before = history.notifications.get(name);
  const kinds = fires[event.type ?? ''] ?? [];
  const fired = before ? [] : end(history, event, (watch) => kinds.includes(watch.on), 'fired');
  for (const watch of fired) explain(history, watch);
  if (arrives) for (const watch of before ?? fired) watch.told = event;
  if (arrives) history.notifications.delete(name);
  else if (!before) history.notifications.set(name, fired);
  return fired;
}

/** So many watches at most wait to be explained. */
const UNEXPLAINED = 200;

/** The tree tells of a change about when a watch fires: a little before or after. @param {WatchHistory} history @param {PastWatch} watch */
function explain({ changed: change, unexplained }, watch) {
  if (change && change.at >= watch.set.at && matches(change, watch)) watch.change = change;
  else if (unexplained.push(watch) > UNEXPLAINED) unexplained.shift();
}

/** @param {WatchHistory} history @param {Event} event @returns {PastWatch[]} */
function changed(history, event) {
  history.changed = event;
  for (const watch of history.unexplained) if (matches(event, watch)) watch.change = event;
  history.unexplained = history.unexplained.filter(({ change }) => !change);
  return [];
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

/** @param {WatchHistory} history @param {Event} event @param {(watch: PastWatch) => boolean} which @param {'fired' | 'gone'} how */
function end({ armed }, event, which, how) {
  const ended = [];
  for (const [key, watch] of armed) {
    if (watch.client !== event.client || !which(watch)) continue;
    watch[how] = event;
    armed.delete(key);
    ended.push(watch);
  }
  return ended;
}

/** @param {string} [op] @returns {PastWatch['on']} */
const kindOf = (op) => (op === 'getChildren' ? 'children' : 'data');

/**
 * A client's watch: the last that was set by an event of the log or before it, or
 * simply the last.
 * @param {WatchHistory} history
 * @param {number} client
 * @param {PastWatch['on']} on
 * @param {number} [seq]
 */
export const watchOf = ({ all }, client, on, seq = Infinity) =>
  all.findLast((watch) => watch.client === client && watch.on === on && watch.set.seq <= seq);
