// What the clients believe, as their recipes tell it: who waits, who was woken,
// who holds, and who holds at the same time.

import { stepAccount } from '../account.js';
import { mostHolders } from '../belief.js';
import { begin, end, mark } from './items.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { Hold, Wait, Woken } from './items.js' */
/** @import { Lane } from '../sequence.js' */

/**
 * @typedef {object} Belief
 * @property {Hold | undefined} hold
 * @property {Wait | undefined} wait
 * @property {Woken | undefined} woken the newest wake-up, until it is known whether it was wasted
 */

/** @returns {Belief} */
const nothing = () => ({ hold: undefined, wait: undefined, woken: undefined });

/** @type {Partial<Record<Event['kind'], (lane: Lane, event: Event, belief: Belief) => void>>} */
const steps = {
  'lock.waiting': waiting,
  'lock.woken': woken,
  'lock.acquired': acquired,
  'lock.released': (lane, event, belief) => released(lane, event, belief, 'released'),
  'lock.lost': (lane, event, belief) => released(lane, event, belief, 'lost'),
  'lock.gave-up': gaveUp,
  'session.closed': forget,
  'fault.injected': (lane, event, belief) => {
    if (event.fault === 'crash' || event.fault === 'close') forget(lane, event, belief);
  },
  'resource.read': (lane, event) => stepAccount(lane.account, event),
  'resource.accepted': written,
  'resource.refused': written,
};

/** @param {Lane} lane @param {Event} event */
export function stepBeliefs(lane, event) {
  const step = steps[event.kind];
  if (!step || !event.client) return;
  for (const key of keysOf(lane, event)) {
    let belief = lane.beliefs.get(key);
    if (!belief) lane.beliefs.set(key, belief = nothing());
    step(lane, event, belief);
  }
}

/** What a client believes of each of several locks is apart. An event that names none is of all. @param {Lane} lane @param {Event} event */
function keysOf({ info, beliefs }, { client, path }) {
  if (!info.locks) return [`${client}`];
  return path ? [`${client} ${directoryOf(path)}`] : [...beliefs.keys()].filter((key) => key.startsWith(`${client} `));
}

/**
 * Notes that a znode went: whoever believes that it holds by it is wrong from now on.
 * @param {Lane} lane
 * @param {Event} event tree.deleted
 */
export function znodeWent({ beliefs }, event) {
  for (const { hold } of beliefs.values()) {
    if (hold && hold.path === event.path && (event.client ?? hold.client) === hold.client) hold.falseFrom = Math.min(hold.falseFrom, event.at);
  }
}

/** @param {Lane} lane @param {Event} event @param {Belief} belief */
function waiting(lane, event, belief) {
  decide(lane, event, belief, true);
  endWait(lane, event, belief);
  const predecessor = event.predecessor ?? '';
  belief.wait = begin(lane, event, {
    type: /** @type {const} */ ('wait'), predecessor, behind: lane.owners.get(predecessor) ?? 0,
    vain: predecessor !== '' && lane.missing.get(event.client ?? 0) === predecessor,
  });
}

/** @param {Lane} lane @param {Event} event @param {Belief} belief */
function woken(lane, event, belief) {
  endWait(lane, event, belief);
  belief.woken = mark(lane, event, { type: /** @type {const} */ ('woken'), wasted: /** @type {boolean | undefined} */ (undefined), decidedAt: Infinity });
}

/** @param {Lane} lane @param {Event} event @param {Belief} belief */
function acquired(lane, event, belief) {
  decide(lane, event, belief, false);
  endWait(lane, event, belief);
  endHold(lane, event, belief, 'ended');
  belief.hold = begin(lane, event, {
    type: /** @type {const} */ ('hold'), mode: event.mode ?? '', token: event.token ?? 0,
    falseFrom: event.path && lane.deleted.get(event.client ?? 0) === event.path ? event.at : Infinity,
    end: /** @type {Hold['end']} */ (''),
  });
  compare(lane, event);
}

/**
 * A loss may be told late, when the client waits or holds again by another znode.
 * @param {Lane} lane
 * @param {Event} event
 * @param {Belief} belief
 * @param {Hold['end']} how
 */
function released(lane, event, belief, how) {
  const { hold } = belief;
  if (hold ? event.path && event.path !== hold.path : event.path && how === 'lost') return;
  if (hold) endHold(lane, event, belief, how);
  else forget(lane, event, belief);
}

/** @param {Lane} lane @param {Event} event @param {Belief} belief */
function gaveUp(lane, event, belief) {
  decide(lane, event, belief, true);
  endWait(lane, event, belief);
}

/** A process that is gone believes nothing. @param {Lane} lane @param {Event} event @param {Belief} belief */
function forget(lane, event, belief) {
  belief.woken = undefined;
  endWait(lane, event, belief);
  endHold(lane, event, belief, 'ended');
}

/**
 * Whether a wake-up was wasted is known by what the client does next. As in the
 * counters, what happens once the clients are told to stop decides nothing.
 * @param {Lane} lane
 * @param {Event} event
 * @param {Belief} belief
 * @param {boolean} wasted
 */
function decide({ counting }, event, belief, wasted) {
  if (belief.woken && counting) Object.assign(belief.woken, { wasted, decidedAt: event.at });
  belief.woken = undefined;
}

/** @param {Lane} lane @param {Event} event @param {Belief} belief */
function endWait(lane, event, belief) {
  if (belief.wait) end(lane, belief.wait, event);
  belief.wait = undefined;
}

/** @param {Lane} lane @param {Event} event @param {Belief} belief @param {Hold['end']} how */
function endHold(lane, event, belief, how) {
  if (!belief.hold) return;
  belief.hold.end = how;
  end(lane, belief.hold, event);
  belief.hold = undefined;
  compare(lane, event);
}

/** Of several locks, those that are held by more than one. @param {Hold[]} holds */
const rivals = (holds) => holds.filter((hold) => holds.some((other) => other !== hold && directoryOf(other.path) === directoryOf(hold.path)));

/** @param {string} path */
const directoryOf = (path) => path.slice(0, path.lastIndexOf('/'));

/** Follows for how long believers exclude each other. @param {Lane} lane @param {Event} event */
function compare(lane, event) {
  const all = [...lane.beliefs.values()].flatMap(({ hold }) => hold ?? []);
  const holds = lane.info.locks ? rivals(all) : all;
  const excluding = holds.length > mostHolders(lane) && !holds.every((hold) => hold.mode === 'read');
  const clients = excluding ? holds.map((hold) => hold.client).sort((a, b) => a - b) : [];
  if (clients.join() === (lane.conflict?.clients ?? []).join()) return;
  if (lane.conflict) end(lane, lane.conflict, event);
  lane.conflict = excluding
    ? begin(lane, { ...event, client: 0, path: '' }, { type: /** @type {const} */ ('conflict'), clients }) : undefined;
}

/** @param {Lane} lane @param {Event} event */
function written(lane, event) {
  stepAccount(lane.account, event);
  const write = lane.account.writes.at(-1);
  if (!write) return;
  const { accepted, stale, token, balance, reason } = write;
  mark(lane, event, { type: /** @type {const} */ ('write'), accepted, stale, token, balance, reason });
}
