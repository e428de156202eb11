// One znode, or a lock directory, as far as the log tells: who made it, who watched
// it, how it changed, and who deleted it. It stays known after it is gone.

import { createWatchHistory, endsWatches, stepWatchHistory } from './watches.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { PastWatch, WatchHistory } from './watches.js' */

/**
 * Something that happened to it: an event, or the watch that the event sets or ends.
 * @typedef {{ what: 'created' | 'deleted' | 'changed' | 'written' | 'child' | 'unseen', event: Event }
 *   | { what: 'watched' | 'fired' | 'unwatched', event: Event, watch: PastWatch }} Happening
 */

/**
 * @typedef {object} ZnodeHistory
 * @property {string} path
 * @property {Happening[]} happenings in the log's order
 * @property {Event | undefined} created the newest, as the tree tells
 * @property {Event | undefined} asked the request that made it, as it was sent
 * @property {Event | undefined} made the reply to that
 * @property {Event | undefined} entered its client takes its place in the queue with it
 * @property {Event | undefined} told the newest reply with its stat
 * @property {Event | undefined} deleted undefined while it is there
 * @property {Event | undefined} changed its newest change
 * @property {number} changes of its data
 * @property {number} written the newest transaction that wrote its data
 * @property {number} came children that were created
 * @property {number} went children that were deleted
 * @property {number} children the newest transaction that changed the list of children
 * @property {boolean} unseen the observer was away since it is there: some changes may not have been told
 * @property {Map<string, Event>} requests for it to be made, by client
 * @property {WatchHistory} watches
 */

/** @param {string} path @returns {ZnodeHistory} */
export const createZnodeHistory = (path) => ({
  path, happenings: [], created: undefined, asked: undefined, made: undefined, entered: undefined, told: undefined, deleted: undefined,
  changed: undefined, changes: 0, written: 0, came: 0, went: 0, children: 0, unseen: false,
  requests: new Map(), watches: createWatchHistory(path),
});

/**
 * Whether an event concerns a znode.
 * @param {Event} event
 * @param {string} lane
 * @param {string} path
 */
export function concernsZnode(event, lane, path) {
  if (event.lane !== lane) return event.kind === 'tree.lost';
  if (event.path === path || endsWatches(event)) return true;
  if (event.op === 'setWatches') return event.ops?.some((each) => each.path === path) ?? false;
  return event.path !== undefined && (isChild(path, event.path) || isAskedFor(event, path));
}

/** @param {string} path @param {string} other */
const isChild = (path, other) =>
  other.length > path.length + 1 && other.charAt(path.length) === '/' && other.startsWith(path) && other.indexOf('/', path.length + 1) < 0;

/** How many digits the server adds to the name of a sequential znode. */
const DIGITS = 10;

/** Whether an event is a request that may have made a znode. @param {Event} event @param {string} path */
const isAskedFor = ({ kind, op, path: asked = '' }, path) =>
  kind === 'wire.sent' && op === 'create' && (asked === path || (asked.length === path.length - DIGITS && path.startsWith(asked)));

/** Takes up an event that concerns the znode. @param {ZnodeHistory} history @param {Event} event */
export function stepZnodeHistory(history, event) {
  const { path } = history;
  if (event.kind === 'tree.lost') unseen(history, event);
  else if (event.path !== undefined && isChild(path, event.path)) stepChild(history, event);
  else if (isAskedFor(event, path)) history.requests.set(String(event.client), event);
  else own[event.kind]?.(history, event);
  for (const watch of stepWatchHistory(history.watches, event)) {
    const what = watch.gone === event ? 'unwatched' : watch.fired === event ? 'fired' : 'watched';
    history.happenings.push({ what, event, watch });
  }
}

/** @type {Partial<Record<Event['kind'], (history: ZnodeHistory, event: Event) => void>>} */
const own = {
  'tree.created': created,
  'tree.deleted': (history, event) => {
    history.deleted = event;
    history.happenings.push({ what: 'deleted', event });
  },
  'tree.changed': (history, event) => {
    history.changed = event;
    history.changes++;
    history.happenings.push({ what: 'changed', event });
  },
  'lock.enqueued': (history, event) => { history.entered = event; },
  'wire.held': answered,
  'wire.received': answered,
};

/** The tree may tell later than the reply that it is there. @param {ZnodeHistory} history @param {Event} event */
function created(history, event) {
  const gone = history.deleted?.seq ?? 0;
  const made = (history.made?.seq ?? 0) > gone ? history.made : undefined;
  const entered = (history.entered?.seq ?? 0) > gone ? history.entered : undefined;
  Object.assign(history, {
    created: event, asked: history.requests.get(String(event.client)), made, entered, told: undefined, deleted: undefined,
    changed: undefined, changes: 0, written: 0, came: 0, went: 0, children: 0, unseen: event.cause === 'unseen',
  });
  history.happenings.push({ what: 'created', event });
}

/** A reply tells the transaction of what it did. @param {ZnodeHistory} history @param {Event} event */
function answered(history, event) {
  if (event.dir === 'out' || event.err) return;
  const { op, zxid = 0 } = event;
  if (event.stat) history.told = event;
  if (op === 'create' && !(history.made && history.made.seq > (history.deleted?.seq ?? 0))) history.made = event;
  if (op !== 'setData' || zxid <= history.written) return;
  history.written = zxid;
  history.happenings.push({ what: 'written', event });
}

/** @param {ZnodeHistory} history @param {Event} event */
function stepChild(history, event) {
  const { kind, op, zxid = 0 } = event;
  const told = kind === 'tree.created' || kind === 'tree.deleted';
  const answered = (op === 'create' || op === 'delete') && !event.err && (kind === 'wire.received' || (kind === 'wire.held' && event.dir === 'in'));
  if (told || answered) history.children = Math.max(history.children, zxid);
  if (!told) return;
  if (kind === 'tree.created') history.came++;
  else history.went++;
  history.happenings.push({ what: 'child', event });
}

/** @param {ZnodeHistory} history @param {Event} event */
function unseen(history, event) {
  if (history.deleted) return;
  history.unseen = true;
  history.happenings.push({ what: 'unseen', event });
}
