// What is worth telling of an event: how it was in its lane, whom it concerns, and why.

import { believers, conflictingBelievers } from './belief.js';
import { believes } from './client.js';
import { waitsForItself, waitsForNothing } from './instants.js';
import { nameOf, takenTogether } from './locks.js';
import { hasCode, isBecause, reasonOf } from './reason.js';

/** @import { Event, Kind, Verdict } from '../events.d.ts' */
/** @import { Captions, InLane, Some } from './captions.js' */
/** @import { Client } from './client.js' */
/** @import { Lane } from './view.js' */

/** @typedef {'holds' | 'waits' | ''} Role */
/** How a lane stood before an event; path: of the client's znode; locks: those of several that it held. @typedef {{ role: Role, session: string, verdict: Verdict | undefined, path: string, locks: string[] }} Before */

/** Only so many of the newest lost sessions are kept. */
const MOST_SESSIONS = 200;
/** More clients than these are told by their number alone. */
export const MOST_NAMED = 4;

/** Is shown, and not said. */ export const SHOWN = 0;
/** Is said when there is time. */ export const SAID = 1;
/** Is said in any case. */ export const ALWAYS_SAID = 2;
/** Decides what is to be learned of the run, and is said in any case. */ export const DECISIVE = 3;

/** How much each kind matters. @type {Partial<Record<Kind, number>>} */
export const kinds = {
  'note.started': ALWAYS_SAID,
  'note.joined': ALWAYS_SAID,
  'note.left': SAID,
  'note.refused': SAID,
  'lock.enqueued': SAID,
  'lock.waiting': DECISIVE,
  'lock.acquired': SAID,
  'lock.released': SHOWN,
  'lock.asked': ALWAYS_SAID,
  'lock.gave-up': SAID,
  'lock.lost': ALWAYS_SAID,
  'session.lost': ALWAYS_SAID,
  'fault.injected': ALWAYS_SAID,
  'fault.healed': SAID,
  'program.ended': ALWAYS_SAID,
  'wire.dropped': ALWAYS_SAID,
  'resource.sent': ALWAYS_SAID,
  'resource.refused': ALWAYS_SAID,
  'check.changed': DECISIVE,
  'note.zookeeper': SAID,
  'note.step': SAID,
  'note.fault': ALWAYS_SAID,
  'note.stalled': ALWAYS_SAID,
  'note.limited': ALWAYS_SAID,
  'note.truncated': ALWAYS_SAID,
  'note.finished': DECISIVE,
};

/** A session that is lost so soon after the machine stood still is told with that, in microseconds of the run. */
const SOON = 5_000_000;

/** The events that tell of a lost session: one of it is told as such. */
export const losses = ['tree.deleted', 'session.refused', 'session.lost'];

/** The events that may be told, or change what is told. Most are not of these. */
export const tells = new Set([...Object.keys(kinds), ...losses, 'session.resumed', 'tree.created', 'tree.deleted']);

/** How a lane stands before an event of it; undefined when that is not asked. @param {Lane} lane @param {Event} event @returns {Before | undefined} */
export function stateBefore(lane, event) {
  if (!tells.has(event.kind) || event.kind.startsWith('wire.') || event.kind.startsWith('tree.')) return undefined;
  const client = lane.clients.get(event.client ?? 0);
  const held = lane.locks.filter(({ clients }) => clients.get(event.client ?? 0)?.belief === 'holds');
  return { role: roleOf(client), session: client?.session ?? '', verdict: lane.checks.get(event.check ?? '')?.verdict, path: client?.path ?? '', locks: held.map(nameOf) };
}

/** @typedef {Omit<InLane, 'lane' | 'reason'>} Facts */

/** What is worth telling of an event; undefined if nothing is. @param {Captions} captions @param {Event} event @param {Lane} lane @param {Before | undefined} before @param {boolean} counting @returns {Facts | undefined} */
export function ofEvent(captions, event, lane, before, counting) {
  const { kind, path = '' } = event;
  const role = before?.role ?? '';
  switch (kind) {
    case 'lock.acquired': return counting ? acquired(captions, lane, event) : undefined;
    case 'lock.released': return counting ? { path, ...ofLocks(lane, event, (lock) => !holdsIn(lock, event)) } : undefined;
    case 'lock.gave-up': return counting && lane.clients.get(event.client ?? 0)?.connection === 'connected' ? {} : undefined;
    case 'lock.waiting': return waitsForever(event, lane);
    case 'lock.enqueued': return queuedUp(captions, lane, event, before);
    case 'lock.lost': return lostWithSession(captions, lane, event, before) ? { path, role, ...stallBefore(captions, event), by: 'client', gaveUp: true } : { path, role, ...ofLocks(lane, event) };
    case 'note.refused': return event.client ? undefined : {}; // who takes part is refused a request, of which the events tell
    case 'note.left': return counting ? {} : undefined;
    case 'wire.dropped': return lane.clients.get(event.client ?? 0)?.faults.has('lose-reply') && event.dir === 'in'
      ? { frame: event.frame ?? 0, op: event.op ?? '' } : undefined;
    case 'fault.healed': return event.fault === 'lose-reply' && counting ? undefined : { role }; // told by the reply that was lost
    case 'check.changed': return turned(event, before) ? { believers: believersOf(captions, lane, event.at) } : undefined;
    case 'fault.injected': return { role, path, locks: before?.locks, unheard: event.fault === 'delete' && role === 'waits' && !watches(lane, event) };
    default: return kind in kinds ? { role, path } : undefined;
  }
}

/** Whether a client watches a znode, or the directory that it is in. @param {Lane} lane @param {Event} event */
const watches = ({ watches, queue }, { client = 0, path }) => (watches.get(client) ?? []).some((watch) => watch.path === path || queue.directories.includes(watch.path));

/** Whether a client believes that it holds one of the locks. @param {Lane} lock @param {Event} event */
const holdsIn = ({ clients }, { client = 0 }) => believes(/** @type {Client} */ (clients.get(client)));

/** Which of several locks something is about. @param {Lane} lane @param {Event} event @param {(lock: Lane) => boolean} [which] of those that it may be about @returns {Facts} */
const ofLocks = (lane, event, which = () => true) =>
  (lane.locks.length ? { locks: takenTogether(lane, event).filter(which).map(nameOf), czxid: event.token ?? 0 } : {});

/**
 * A place in a queue is worth telling with a reason, when it is the second one, and the
 * first time that one transaction makes several.
 * @param {Captions} captions @param {Lane} lane @param {Event} event @param {Before | undefined} before @returns {Facts | undefined}
 */
function queuedUp({ joint }, lane, event, before) {
  const { path = '' } = event;
  const { name } = lane.info;
  if (before?.role === 'waits' && before.path && !lane.queue.nodes.some((node) => node.path === before.path)) return { path, again: true };
  const together = takenTogether(lane, event);
  if (together.length > 1 && (!joint.has(name) || joint.has(`${name} ${event.token}`))) {
    joint.add(name).add(`${name} ${event.token}`);
    return { path, decisive: true, ...ofLocks(lane, event) };
  }
  return reasonOf(event) ? { path } : undefined;
}

/** What a client waits for that will never come. @param {Event} event @param {Lane} lane @returns {Facts | undefined} */
function waitsForever(event, lane) {
  const waitsFor = waitsForItself(event, lane) ? 'itself' : waitsForNothing(event, lane) ? 'nothing' : undefined;
  return waitsFor && { path: event.predecessor ?? '', waitsFor };
}

/**
 * A verdict turns when something is violated, or is no longer what it was. The first time
 * that it holds is no turn; nor is it one that nothing is judged beside a guest, of which
 * nobody is told what it believes.
 * @param {Event} event @param {Before | undefined} before
 */
const turned = (event, before) => event.verdict !== before?.verdict && (event.verdict === 'violated'
  || (before?.verdict ?? 'undecided') !== 'undecided' && !['consoles-untold', 'guests-untold'].some((code) => hasCode(reasonOf(event), code)));

/** @param {Captions} captions @param {Lane} lane @param {Event} event @returns {Facts} */
function acquired({ handed, shared, newest }, lane, event) {
  const { client: number = 0, path = '', mode = '' } = event;
  const taken = takenTogether(lane, event).filter((lock) => holdsIn(lock, event));
  const inThese = (/** @type {(lock: Lane) => Client[]} */ which) =>
    [...new Map(taken.flatMap(which).map((each) => [each.number, each])).values()].filter((each) => each.number !== number).sort((a, b) => a.number - b.number);
  const others = inThese(believers);
  const permitted = lane.info.permits && !conflictingBelievers(lane).length;
  const fellow = (/** @type {Client} */ each) => permitted || (mode === 'read' && each.mode === 'read');
  const { name } = lane.info;
  const fellows = some(others.filter(fellow));
  const first = !handed.has(name) || (fellows.count > 0 && !shared.has(name));
  handed.add(name);
  if (fellows.count) shared.add(name);
  const last = newest.findLast((each) => each.kind === 'lock.acquired' && each.lanes.some((place) => place.lane === name));
  const isTaken = last !== undefined && !permitted && mode !== 'read' && (lane.rounds.list.at(-1)?.at ?? 0) < last.at; // nobody has released it since
  return {
    path, mode, first, fellows, rivals: some(others.filter((each) => !fellow(each))),
    waiting: some(inThese(({ clients }) => [...clients.values()].filter(waits))), ...ofLocks(lane, event, (lock) => taken.includes(lock)), ...(isTaken ? {} : costOf(lane)),
  };
}

/** @param {Client[]} clients @returns {Some} */
const some = (clients) => ({ count: clients.length, first: clients.slice(0, MOST_NAMED).map(({ number }) => number) });

/** Whom that woke which freed the lock last. @param {Lane} lane @returns {Facts} */
export function costOf({ info, rounds }) {
  const round = info.locks ? undefined : rounds.list.at(-1); // of several locks not told
  return round ? { round: round.change, cause: round.cause, freedBy: round.client, woken: round.woken, wasted: round.wasted } : {};
}

/** The loss of a session that has not been told yet. @param {Captions} captions @param {Event} event @param {Lane} lane @param {Before | undefined} before @returns {Facts | undefined} */
export function ofSession(captions, event, lane, before) {
  const { kind, session = '', path = '' } = event;
  if (kind === 'tree.deleted' ? event.cause !== 'expiry' : kind === 'session.lost' && (!before?.session || isBecause(event, 'session-closed', 'session closed'))) return undefined;
  if (!note(captions, lane, session || before?.session || '')) return undefined;
  const client = lane.clients.get(event.client || lane.sessions.get(session) || 0);
  return { path, role: roleOf(client), ...stallBefore(captions, event), by: kind === 'tree.deleted' ? 'server' : kind === 'session.lost' ? 'client' : 'answer' };
}

/** @param {Captions} captions @param {Event} event @returns {Facts} */
const stallBefore = ({ stall }, { at }) => (stall && at - stall.at < SOON ? { stalled: stall.for } : {});

/** Whether a lock was lost because its session was, and that has not been told yet. @param {Captions} captions @param {Lane} lane @param {Event} event @param {Before | undefined} before */
const lostWithSession = (captions, lane, event, before) => isBecause(event, 'session-lost', 'session lost') && note(captions, lane, before?.session ?? '');

/** Notes that a session is over. Says whether that is new. @param {Captions} captions @param {Lane} lane @param {string} session */
function note({ over, handed }, lane, session) {
  if (!session || over.has(session)) return false;
  over.add(session);
  handed.delete(lane.info.name);
  for (const oldest of over) if (over.size > MOST_SESSIONS) over.delete(oldest);
  return true;
}

/** Those who cannot all be right, who has believed longest first. @param {Captions} captions @param {Lane} lane @param {number} now */
function believersOf({ newest }, lane, now) {
  const since = (/** @type {number} */ client) => newest.findLast((each) =>
    each.kind === 'lock.acquired' && each.client === client && each.lanes.some((place) => place.lane === lane.info.name))?.at ?? now;
  return conflictingBelievers(lane).map(({ number }) => ({ client: number, for: now - since(number) })).sort((a, b) => b.for - a.for);
}

/** @param {Client} client */
const waits = ({ belief, ended }) => !ended && (belief === 'enqueued' || belief === 'waiting' || belief === 'woken');

/** @param {Client | undefined} client @returns {Role} */
const roleOf = (client) => (!client ? '' : believes(client) ? 'holds' : waits(client) ? 'waits' : '');
