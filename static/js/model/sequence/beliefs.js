// What the clients believe, as their recipes tell it: who waits, who was woken,
// who holds, and who holds at the same time.

import { writeOf } from '../account.js';
import { endsProcess } from '../active-faults.js';
import { parentOf } from '../tree.js';
import { begin, end, mark } from './items.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { HoldItem, WaitItem, WokenItem } from './items.js' */
/** @import { Diagram } from '../sequence.js' */

/**
 * @typedef {object} Belief
 * @property {HoldItem | undefined} hold
 * @property {WaitItem | undefined} wait
 * @property {WokenItem | undefined} woken the newest wake-up, until it is known whether it was wasted
 */

/** @returns {Belief} */
const nothing = () => ({ hold: undefined, wait: undefined, woken: undefined });

/** @type {Partial<Record<Event['kind'], (lane: Diagram, event: Event, belief: Belief) => void>>} */
const steps = {
  'lock.waiting': waiting,
  'lock.woken': woken,
  'lock.acquired': acquired,
  'lock.released': (lane, event, belief) => released(lane, event, belief, 'released'),
  'lock.lost': (lane, event, belief) => released(lane, event, belief, 'lost'),
  'lock.gave-up': gaveUp,
  'session.closed': forget,
  'program.silent': forget,
  'fault.injected': processEnded,
  'program.ended': processEnded,
  'belief.false': (_, event, { hold }) => {
    if (hold) hold.falseFrom = Math.min(hold.falseFrom, event.at);
  },
  'belief.ended': (_, event, { hold }) => {
    if (hold && !event.wrong) hold.falseFrom = Infinity; // its znode is there
  },
};

/** @param {Diagram} lane @param {Event} event */
export function stepBeliefs(lane, event) {
  const step = steps[event.kind];
  if (!step || !event.client) return;
  for (const key of keysOf(lane, event)) {
    let belief = lane.beliefs.get(key);
    if (!belief) lane.beliefs.set(key, belief = nothing());
    step(lane, event, belief);
  }
}

/** What a client believes of each of several locks is apart. An event that names none is of all. @param {Diagram} lane @param {Event} event */
function keysOf({ info, beliefs }, { client, path }) {
  if (!info.locks) return [`${client}`];
  return path ? [`${client} ${parentOf(path)}`] : [...beliefs.keys()].filter((key) => key.startsWith(`${client} `));
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief */
function waiting(lane, event, belief) {
  decide(lane, event, belief, true);
  endWait(lane, event, belief);
  const predecessor = event.predecessor ?? '';
  belief.wait = begin(lane, event, {
    type: /** @type {const} */ ('wait'), predecessor, behind: lane.owners.get(predecessor) ?? 0,
    forGone: predecessor !== '' && lane.missing.get(event.client ?? 0) === predecessor,
  });
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief */
function woken(lane, event, belief) {
  endWait(lane, event, belief);
  belief.woken = mark(lane, event, { type: /** @type {const} */ ('woken'), wasted: /** @type {boolean | undefined} */ (undefined), decidedAt: Infinity });
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief */
function acquired(lane, event, belief) {
  decide(lane, event, belief, false);
  endWait(lane, event, belief);
  endHold(lane, event, belief, 'ended');
  belief.hold = begin(lane, event, {
    type: /** @type {const} */ ('hold'), mode: event.mode ?? '', token: event.token ?? 0,
    falseFrom: Infinity,
    end: /** @type {HoldItem['end']} */ (''),
  });
}

/**
 * A loss may be told late, when the client waits or holds again by another znode.
 * @param {Diagram} lane
 * @param {Event} event
 * @param {Belief} belief
 * @param {HoldItem['end']} how
 */
function released(lane, event, belief, how) {
  const { hold } = belief;
  if (hold ? event.path && event.path !== hold.path : event.path && how === 'lost') return;
  if (hold) endHold(lane, event, belief, how);
  else forget(lane, event, belief);
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief */
function gaveUp(lane, event, belief) {
  decide(lane, event, belief, true);
  endWait(lane, event, belief);
}

/** A process that is gone believes nothing. @param {Diagram} lane @param {Event} event @param {Belief} belief */
function forget(lane, event, belief) {
  belief.woken = undefined;
  endWait(lane, event, belief);
  endHold(lane, event, belief, 'ended');
}

/**
 * Whether a wake-up was wasted is known by what the client does next. As in the
 * counters, what happens once the clients are told to stop decides nothing.
 * @param {Diagram} lane
 * @param {Event} event
 * @param {Belief} belief
 * @param {boolean} wasted
 */
function decide({ counting }, event, belief, wasted) {
  if (belief.woken && counting) Object.assign(belief.woken, { wasted, decidedAt: event.at });
  belief.woken = undefined;
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief */
function endWait(lane, event, belief) {
  if (belief.wait) end(lane, belief.wait, event);
  belief.wait = undefined;
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief @param {HoldItem['end']} how */
function endHold(lane, event, belief, how) {
  if (!belief.hold) return;
  belief.hold.end = how;
  end(lane, belief.hold, event);
  belief.hold = undefined;
}

/** Clients that exclude each other believe that they hold, or do no more. @param {Diagram} lane @param {Event} event belief.conflict */
export function stepConflict(lane, event) {
  const { conflicts } = lane;
  const { path = '', clients = [] } = event;
  const before = conflicts.get(path);
  if (before) end(lane, before, event);
  conflicts.delete(path);
  if (clients.length) conflicts.set(path, begin(lane, { ...event, path: '' }, { type: /** @type {const} */ ('conflict'), clients }));
}

/** @param {Diagram} lane @param {Event} event account.changed */
export function stepWrites(lane, event) {
  const write = writeOf(event);
  if (!write) return;
  const { accepted, stale, token, balance, reason } = write;
  mark(lane, event, { type: /** @type {const} */ ('write'), accepted, stale, token, balance, reason });
}

/** @param {Diagram} lane @param {Event} event @param {Belief} belief */
function processEnded(lane, event, belief) {
  if (endsProcess(event)) forget(lane, event, belief);
}
