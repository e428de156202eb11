// The sequence diagram of a run: for each lane, everything that has a place in
// time, over the whole log. It knows nothing of the playhead. It only grows, so
// a longer log is taken up by its new events alone.

import { crashes } from './active-faults.js';
import { createQueue } from './queue.js';
import { reasonOf } from './reason.js';
import { stepBeliefs, stepConflict, stepWrites } from './sequence/beliefs.js';
import { createFrames, forgetFrames, stepFrames } from './sequence/frames.js';
import { createIntervals, overlapping } from './sequence/intervals.js';
import { begin, end, mark } from './sequence/items.js';
import { stepMissing, stepTree, stepWatches } from './sequence/server.js';
import { isBeside } from './tree.js';
import { stepFaults, stepSessions } from './sequence/sessions.js';

/** @import { Event } from '../events.d.ts' */
/** @import { LaneInfo } from '../types.d.ts' */
/** @import { Belief } from './sequence/beliefs.js' */
/** @import { Intervals } from './sequence/intervals.js' */
/** @import { ConflictItem, FaultItem, Item, NoteItem, WatchItem, ZnodeItem } from './sequence/items.js' */
/** @import { Process } from './sequence/sessions.js' */

/**
 * A lane's items, and what is needed to go on.
 * @typedef {object} Diagram
 * @property {LaneInfo} info
 * @property {Intervals<Item>} items
 * @property {number} clients the highest number so far
 * @property {Map<number, string>} guests what those are that are no simulated clients
 * @property {number} slots how many znodes there were at once, at most
 * @property {boolean} counting false once the clients are told to stop
 * @property {import('./sequence/frames.js').Frames} frames
 * @property {Map<string, Belief>} beliefs by client, and by lock where there are several
 * @property {Map<number, Process>} processes
 * @property {Map<string, FaultItem>} faults that can still be healed
 * @property {Map<number, WatchItem>} watches at the server now, by their ids
 * @property {Map<string, ZnodeItem>} znodes at the server now, by path
 * @property {Map<string, number>} owners of every znode so far, by path
 * @property {Map<string, number>} sessions every session granted so far, and its client
 * @property {Map<number, number>} left the newest frame of each client that left the server and did not arrive at once
 * @property {Map<number, string>} missing the last path that each client was told is not there
 * @property {import('./queue.js').Queue} queue
 * @property {Map<string, ConflictItem>} conflicts those that go on, by lock directory
 * @property {NoteItem | undefined} unseen while the observer is away
 */

/**
 * @typedef {object} Sequence
 * @property {Diagram[]} lanes
 * @property {number} seq of the newest event
 * @property {number} at of the newest event, in microseconds of the run
 * @property {(fault: string) => boolean} lasts whether a fault of this name goes on until it is healed
 */

/**
 * An empty sequence of a run's lanes.
 * @param {LaneInfo[]} lanes
 * @param {(fault: string) => boolean} [lasts] as the catalogue says
 * @returns {Sequence}
 */
export const createSequence = (lanes, lasts = () => false) => ({ lanes: lanes.map(createLane), seq: 0, at: 0, lasts });

/**
 * Takes up the events that follow those before. It changes the sequence in
 * place and gives it back.
 * @param {Sequence} sequence
 * @param {Event[]} events
 */
export function extend(sequence, events) {
  for (const event of events) {
    sequence.seq = event.seq;
    sequence.at = event.at;
    for (const lane of sequence.lanes) {
      if (lane.info.name === event.lane) stepLane(lane, event, sequence.lasts);
      else if (!event.lane) stepAll(lane, event, sequence.lasts);
    }
  }
  return sequence;
}

/**
 * The items of a lane that overlap a span of time, in the order in which they
 * begin. It costs what it finds: see intervals.js.
 * @param {Diagram} lane
 * @param {number} from
 * @param {number} to
 */
export const within = (lane, from, to) => overlapping(lane.items, from, to);

/** @param {Sequence} sequence @param {string} name */
export const laneNamed = (sequence, name) => sequence.lanes.find((lane) => lane.info.name === name);

/** @param {LaneInfo} info @returns {Diagram} */
function createLane(info) {
  return {
    info, items: createIntervals(), clients: info.clients ?? 0, guests: new Map(), slots: 0, counting: true,
    frames: createFrames(), beliefs: new Map(), processes: new Map(), faults: new Map(), watches: new Map(),
    znodes: new Map(), owners: new Map(), sessions: new Map(), left: new Map(), missing: new Map(),
    queue: createQueue(info.path ?? '', info.locks), conflicts: new Map(), unseen: undefined,
  };
}

/** @param {Diagram} lane @param {Event} event @param {Sequence['lasts']} lasts */
function stepLane(lane, event, lasts) {
  const { kind } = event;
  if (isBeside(lane.info, event)) return;
  if (kind.startsWith('tree.')) return stepTree(lane, event);
  if (kind === 'check.changed') return checked(lane, event);
  if (kind === 'belief.conflict') return stepConflict(lane, event);
  if (kind === 'account.changed') return stepWrites(lane, event);
  if (!event.client) return;
  lane.clients = Math.max(lane.clients, event.client);
  if (kind === 'note.joined') lane.guests.set(event.client, event.participant ?? 'guest');
  if (kind.startsWith('wire.')) stepFrames(lane, event);
  if (kind.startsWith('fault.')) stepFaults(lane, event, lasts);
  stepSessions(lane, event);
  if (kind === 'lock.enqueued' && event.path) lane.owners.set(event.path, event.client);
  stepWatches(lane, event);
  stepMissing(lane, event);
  stepBeliefs(lane, event);
  if (kind === 'session.closed' || crashes(event)) forgetFrames(lane, event);
}

/** What concerns every lane. @param {Diagram} lane @param {Event} event @param {Sequence['lasts']} lasts */
function stepAll(lane, event, lasts) {
  if (event.kind.startsWith('fault.')) stepFaults(lane, event, lasts);
  if (event.kind.startsWith('tree.')) stepTree(lane, event);
  if (event.kind === 'tree.lost') lane.unseen ??= begin(lane, event, note(event));
  if (event.kind === 'tree.synced' && lane.unseen) {
    end(lane, lane.unseen, event);
    lane.unseen = undefined;
  }
  if (event.kind === 'note.stopping') lane.counting = false;
  if (event.kind === 'note.finished') forgetFrames(lane, event);
  if (event.kind === 'note.stalled') mark(lane, event, note(event));
  if (told.has(event.kind)) mark(lane, event, note(event));
}

/** The notes that a diagram shows. @type {Set<Event['kind']>} */
const told = new Set(/** @type {const} */ (['note.stopping', 'note.finished', 'note.zookeeper', 'note.limited', 'note.truncated']));

/** @param {Event} event */
const note = (event) => ({ type: /** @type {const} */ ('note'), kind: event.kind, reason: reasonOf(event) });

/** @param {Diagram} lane @param {Event} event */
function checked(lane, event) {
  if (event.verdict !== 'violated') return;
  mark(lane, event, { type: /** @type {const} */ ('violation'), check: event.check ?? '', reason: reasonOf(event) });
}
