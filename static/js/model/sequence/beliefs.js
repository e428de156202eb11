// What the clients believe, as their recipes tell it: who waits, who was woken,
// who holds, and who holds at the same time.

import { writeOf } from '../account.js';
import { endsProcess } from '../active-faults.js';
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
    if (endsProcess(event)) forget(lane, event, belief);
  },
  'belief.false': (_, event, { hold }) => {
    if (hold) hold.falseFrom = Math.min(hold.falseFrom, event.at);
  },
  'belief.ended': (_, event, { hold }) => {
    if (hold && !event.wrong) hold.falseFrom = Infinity; // its znode is there
  },
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
    falseFrom: Infinity,
    end: /** @type {Hold['end']} */ (''),
  });
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
}

/** @param {string} path */
const directoryOf = (path) => path.slice(0, path.lastIndexOf('/'));

/** Clients that exclude each other believe that they hold, or do no more. @param {Lane} lane @param {Event} event belief.conflict */
export function stepConflict(lane, event) {
  const { conflicts } = lane;
  const { path = '', clients = [] } = event;
  const before = conflicts.get(path);
  if (before) end(lane, before, event);
  conflicts.delete(path);
  if (clients.length) conflicts.set(path, begin(lane, { ...event, path: '' }, { type: /** @type {const} */ ('conflict'), clients }));
}

/** @param {Lane} lane @param {Event} event account.changed */
export function stepWrites(lane, event) {
  const write = writeOf(event);
  if (!write) return;
  const { accepted, stale, token, balance, reason } = write;
  mark(lane, event, { type: /** @type {const} */ ('write'), accepted, stale, token, balance, reason });
}
