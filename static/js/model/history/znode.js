// One znode, or a lock directory, as far as the log tells: who made it, who watched
// it, how it changed, and who deleted it. It stays known after it is gone.

import { countUpTo } from '../count-up-to.js';
import { createWatchHistory, stepWatchHistory } from './watches.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { EventAt, PastWatch, WatchHistory } from './watches.js' */

/**
 * Something that happened to it: an event, and the watch that the event sets or ends.
 * @typedef {{ what: 'created' | 'deleted' | 'changed' | 'written' | 'child' | 'unseen', event: Event }
 *   | { what: 'watched' | 'fired' | 'unwatched', event: Event, watch: PastWatch }} Happening
 */

/**
 * What is known of it after an event.
 * @typedef {object} ZnodeState
 * @property {number} seq the event's number
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
 */

/**
 * @typedef {object} ZnodeHistory
 * @property {string} path
 * @property {Happening[]} happenings in the log's order
 * @property {ZnodeState[]} states the same, the first before the first event
 * @property {Map<number, Event>} requests for it to be made, by client
 * @property {WatchHistory} watches
 */

/** @type {ZnodeState} */
const unknown = {
  seq: 0, created: undefined, asked: undefined, made: undefined, entered: undefined, told: undefined, deleted: undefined,
  changed: undefined, changes: 0, written: 0, came: 0, went: 0, children: 0, unseen: false,
};

/** @param {string} path @param {EventAt} eventAt @returns {ZnodeHistory} */
export const createZnodeHistory = (path, eventAt) =>
  ({ path, happenings: [], states: [unknown], requests: new Map(), watches: createWatchHistory(path, eventAt) });

/** What was known after an event of the log. @param {ZnodeHistory} history @param {number} seq */
export const stateAt = ({ states }, seq) => states[countUpTo(states, seq, (state) => state.seq) - 1] ?? unknown;

/** How many things had happened by then. @param {ZnodeHistory} history @param {number} seq */
export const happenedBy = ({ happenings }, seq) => countUpTo(happenings, seq, ({ event }) => event.seq);

/**
 * Tells which events concern a znode. What a path has to do with it is worked out
 * once for each path.
 * @param {string} lane
 * @param {string} path
 * @returns {(event: Event) => boolean}
 */
export function concernsZnode(lane, path) {
  /** @type {Map<string, boolean>} */
  const near = new Map();
  return (event) => {
    if (event.lane !== lane) return event.kind === 'tree.lost';
    const other = event.path;
    if (other === undefined) return asks(event, path);
    let known = near.get(other);
    if (known === undefined) near.set(other, known = other === path || isChild(path, other) || isAskedAs(path, other));
    return known;
  };
}

/** @param {string} path @param {string} other */
const isChild = (path, other) =>
  other.length > path.length + 1 && other.charAt(path.length) === '/' && other.startsWith(path) && other.indexOf('/', path.length + 1) < 0;

/** How many digits the server adds to the name of a sequential znode. */
const DIGITS = 10;

/** Whether a request for a path may make a znode. @param {string} path @param {string} asked */
const isAskedAs = (path, asked) => asked === path || (asked.length === path.length - DIGITS && path.startsWith(asked));

/** Whether an event is of a request to make the znode, alone or in a transaction. @param {Event} event @param {string} znode */
const asks = ({ op, path, ops }, znode) =>
  [{ op, path }, ...(op === 'multi' ? ops ?? [] : [])].some((each) => each.op === 'create' && isAskedAs(znode, each.path ?? ''));

/** Takes up an event that concerns the znode. @param {ZnodeHistory} history @param {Event} event */
export function stepZnodeHistory(history, event) {
  const { path } = history;
  const { kind } = event;
  if (kind === 'tree.lost') unseen(history, event);
  else if (event.path === path) own[kind]?.(history, event);
  else if (event.path !== undefined && isChild(path, event.path)) stepChild(history, event);
  if (kind === 'wire.sent' && asks(event, path)) history.requests.set(event.client ?? 0, event);
  stepWatchHistory(history.watches, event, (what, by, watch) => history.happenings.push({ what, event: by, watch }));
}

/** @type {Partial<Record<Event['kind'], (history: ZnodeHistory, event: Event) => void>>} */
const own = {
  'tree.created': created,
  'tree.deleted': (history, event) => happened(history, 'deleted', event, { deleted: event }),
  'tree.changed': (history, event) => happened(history, 'changed', event, { changed: event, changes: newest(history).changes + 1 }),
  'lock.enqueued': (history, event) => learned(history, event, { entered: event }),
  'wire.held': answered,
  'wire.received': answered,
};

/** @param {ZnodeHistory} history */
const newest = ({ states }) => /** @type {ZnodeState} */ (states.at(-1));

/** @param {ZnodeHistory} history @param {Event} event @param {Partial<ZnodeState>} news */
const learned = (history, { seq }, news) => history.states.push({ ...newest(history), ...news, seq });

/**
 * @param {ZnodeHistory} history
 * @param {'created' | 'deleted' | 'changed' | 'written' | 'child' | 'unseen'} what
 * @param {Event} event
 * @param {Partial<ZnodeState>} news
 */
function happened(history, what, event, news) {
  learned(history, event, news);
  history.happenings.push({ what, event });
}

/** The tree may tell later than the reply that it is there. @param {ZnodeHistory} history @param {Event} event */
function created(history, event) {
  const { deleted, made, entered } = newest(history);
  const since = (/** @type {Event | undefined} */ reply) => (reply && reply.seq > (deleted?.seq ?? 0) ? reply : undefined);
  happened(history, 'created', event, {
    ...unknown, created: event, asked: history.requests.get(event.client ?? 0), made: since(made), entered: since(entered), unseen: event.cause === 'unseen',
  });
}

/** A reply tells the transaction of what it did, and may have the stat. @param {ZnodeHistory} history @param {Event} event */
function answered(history, event) {
  const { op, zxid = 0, stat } = event;
  if (event.dir === 'out' || event.err) return;
  const { made, deleted, written } = newest(history);
  if (stat) learned(history, event, { told: event });
  if (op === 'create' && !(made && made.seq > (deleted?.seq ?? 0))) learned(history, event, { made: event });
  if (op === 'setData' && zxid > written) happened(history, 'written', event, { written: zxid });
}

/** @param {ZnodeHistory} history @param {Event} event */
function stepChild(history, event) {
  const { kind, op, zxid = 0 } = event;
  const { came, went, children } = newest(history);
  if (kind === 'tree.created') happened(history, 'child', event, { came: came + 1, children: Math.max(children, zxid) });
  if (kind === 'tree.deleted') happened(history, 'child', event, { went: went + 1, children: Math.max(children, zxid) });
  const answers = (op === 'create' || op === 'delete') && !event.err && (kind === 'wire.received' || (kind === 'wire.held' && event.dir === 'in'));
  if (answers && zxid > children) learned(history, event, { children: zxid });
}

/** @param {ZnodeHistory} history @param {Event} event */
function unseen(history, event) {
  if (!newest(history).deleted) happened(history, 'unseen', event, { unseen: true });
}
