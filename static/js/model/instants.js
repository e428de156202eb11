// The instants of a run that show what it is about: when two believe, when a write is
// refused. A scenario names those that are decisive for it, and each is found when it
// comes for the first time.

import { believers } from './belief.js';
import { concernsOf } from './concerns.js';
import { wokenByNoRelease } from './rounds.js';

/** @import { Event, InstantName } from '../events.d.ts' */
/** @import { Concern } from './concerns.js' */
/** @import { Lane, View } from './view.js' */

/** @typedef {{ name: InstantName, at: number, seq: number, lane: string, about: Concern[] }} DecisiveInstant seq and at: of the event with which it came */

/** @param {Event} event @param {Lane} lane */
const nodeAhead = ({ predecessor }, { queue }) => queue.nodes.find(({ path }) => path === predecessor);

/** A client waits for a znode of its own; one that stays without a session is nobody's. @param {Event} event of it @param {Lane} lane */
export function waitsForItself(event, lane) {
  const ahead = event.kind === 'lock.waiting' ? nodeAhead(event, lane) : undefined;
  return ahead !== undefined && ahead.session !== '' && ahead.client === event.client;
}

/** A check has found what it looks for. @param {string} name @returns {(event: Event) => boolean} */
const violated = (name) => ({ kind, check, verdict }) => kind === 'check.changed' && check === name && verdict === 'violated';

/** The instants that an event alone tells of. @satisfies {Partial<Record<InstantName, (event: Event) => boolean>>} */
export const told = {
  'two-believe': violated('belief'),
  'lost-update': violated('fenced-account'),
  refused: (/** @type {Event} */ { account }) => account?.write !== undefined && !account.write.accepted,
  expired: (/** @type {Event} */ { kind, cause }) => kind === 'tree.deleted' && cause === 'expiry',
  stuck: violated('progress'),
};

/**
 * Whether it is such an instant, after an event of a lane.
 * @type {Record<InstantName, (event: Event, lane: Lane, view: View) => boolean>}
 */
const finders = {
  'first-release': (_, __, { lanes }) => lanes.every(({ rounds }) => rounds.list.some(({ complete, woken }) => complete && woken > 0)),
  'readers-share': ({ kind }, lane) => kind === 'lock.acquired' && readersShare(lane),
  asked: ({ kind }) => kind === 'lock.asked',
  overtaken: violated('fifo'),
  'gave-up': ({ kind }, _, { counting }) => kind === 'lock.gave-up' && counting,
  'permits-taken': ({ kind }, lane) => kind === 'lock.acquired' && believers(lane).length === lane.info.permits,
  ...told,
  'waits-for-itself': waitsForItself,
  'missed-wake-up': waitsForNothing,
  'woken-for-nothing': (_, lane) => !lane.info.permits && wokenByNoRelease(lane.rounds) > 1 && ![...lane.clients.values()].some(({ state }) => state === 'woken'),
};

/**
 * Notes what an event brought of what the view looks for, after everything else was
 * changed by it.
 * @param {View} view
 * @param {Event} event
 */
export function findInstants(view, event) {
  if (!view.sought.length) return;
  const lane = view.lanes.find(({ info }) => info.name === event.lane);
  if (!lane) return;
  const found = view.sought.filter((name) => finders[name]?.(event, lane, view));
  if (!found.length) return;
  view.sought = view.sought.filter((name) => !found.includes(name));
  view.instants = [...view.instants, ...found.map((name) => ({ name, at: event.at, seq: event.seq, lane: lane.info.name, about: concernsOf(name, event, lane, view) }))];
}

/** @param {Lane} lane */
function readersShare(lane) {
  const all = believers(lane);
  return all.length > 1 && all.every(({ mode }) => mode === 'read');
}

/**
 * A client waits for a znode that is gone, by a watch that was set after that. That the znode is not
 * in the queue is no proof: what others were told of it may come into the log later.
 * @param {Event} event of it
 * @param {Lane} lane
 */
export function waitsForNothing(event, lane) {
  const { kind, client = 0, predecessor } = event;
  return kind === 'lock.waiting' && predecessor !== lane.queue.directory && !nodeAhead(event, lane)
    && (lane.watches.get(client) ?? []).some(({ path, absent, fired }) => path === predecessor && absent && !fired);
}
