// The view is a fold over the log: view = events.reduce(apply, createView(run)).
// Nothing else changes it, so the same events always give the same picture.

import { createAccount, stepAccount } from './account.js';
import { createArmed, stepArmed } from './armed.js';
import { createActiveFaults, stepActiveFaults } from './active-faults.js';
import { createFalseBeliefs, stepFalseBelief } from './belief.js';
import { stateBefore } from './caption-facts.js';
import { createCaptions, stepCaptions, stepRunCaptions } from './captions.js';
import { createClient, stepClient } from './client.js';
import { join, leave } from './guests.js';
import { count, createCounters } from './counters.js';
import { createFlights, stepFlights } from './flights.js';
import { createHandovers, stepHandovers } from './handovers.js';
import { findInstants } from './instants.js';
import { concerned, lockOf, sumUp } from './locks.js';
import { createQueue, stepData, stepQueue } from './queue.js';
import { reasonOf } from './reason.js';
import { createRounds, keepCost } from './rounds.js';
import { createTree, isBeside, stepTold, stepTree } from './tree.js';
import { createWatches, stepWatches } from './watches.js';

/** @import { Event, InstantName, Reason, Verdict } from '../events.d.ts' */
/** @import { LaneInfo } from '../types.d.ts' */
/** @import { Account } from './account.js' */
/** @import { ActiveFaults } from './active-faults.js' */
/** @import { ArmedFaults } from './armed.js' */
/** @import { FalseBeliefs } from './belief.js' */
/** @import { Captions } from './captions.js' */
/** @import { Client } from './client.js' */
/** @import { DecisiveInstant } from './instants.js' */

/** @typedef {{ verdict: Verdict, at: number, reason: Reason | undefined }} Finding reason: as it was when the verdict changed */

/**
 * @typedef {object} Lane
 * @property {LaneInfo} info
 * @property {Map<number, Client>} clients
 * @property {Map<string, number>} sessions every session granted so far, and its client
 * @property {import('./queue.js').Queue} queue
 * @property {import('./tree.js').Tree} tree the znodes beside its queues
 * @property {import('./watches.js').Watches} watches
 * @property {import('./flights.js').Flights} flights
 * @property {import('./counters.js').Counters} counters
 * @property {import('./rounds.js').Rounds} rounds what its releases cost
 * @property {import('./handovers.js').Handovers} handovers
 * @property {FalseBeliefs} falseBeliefs how long clients believed falsely
 * @property {Account} account what the lock protects
 * @property {ArmedFaults} armed the faults that wait for a client to come to a moment
 * @property {Lane[]} locks its lock directories, each as a lane, where it has several
 * @property {Map<string, Finding>} checks by name, what each has found so far
 */

/**
 * @typedef {object} View
 * @property {Lane[]} lanes
 * @property {number} seq of the newest event
 * @property {number} at of the newest event, in microseconds of the run
 * @property {boolean} counting false once the clients are told to stop
 * @property {boolean} finished
 * @property {ActiveFaults} outages the faults of the servers
 * @property {Captions} captions what happened, to be told
 * @property {Reason | undefined} stepNote what step mode said last
 * @property {boolean} held the network is held: each frame waits until it is delivered by hand
 * @property {number | undefined} delay how long the links carry each frame each way, in microseconds;
 *   undefined while that has not been told, as in older recordings
 * @property {Map<string, number>} injection the faults that come again and again, by name, and the time from one to
 *   the next on average, in milliseconds
 * @property {InstantName[]} sought the decisive instants that have not come yet
 * @property {DecisiveInstant[]} instants those that have
 */

/**
 * An empty view of a run's lanes.
 * @param {LaneInfo[]} lanes
 * @param {number} clients in each lane
 * @param {InstantName[]} [decisive] what instants to look for
 * @returns {View}
 */
export function createView(lanes, clients, decisive = []) {
  return {
    lanes: lanes.map((info) => createLane(info, clients)),
    seq: 0, at: 0, counting: true, finished: false, outages: createActiveFaults(), captions: createCaptions(),
    stepNote: undefined, held: false, delay: undefined, injection: new Map(), sought: decisive, instants: [],
  };
}

/**
 * Applies one event. It changes the view in place and gives it back.
 * @param {View} view
 * @param {Event} event
 */
export function apply(view, event) {
  view.seq = event.seq;
  view.at = event.at;
  if (event.kind === 'note.stopping') view.counting = false;
  if (event.kind === 'note.finished') finish(view);
  if (event.kind === 'note.step') step(view, event);
  if (event.kind === 'note.delay') view.delay = event.delay ?? 0;
  if (event.kind === 'note.injection') inject(view, event);
  if (!event.client) stepActiveFaults(view.outages, event);
  if (!event.lane) stepRunCaptions(view.captions, event);
  for (const lane of view.lanes) {
    if (event.lane && lane.info.name !== event.lane) continue;
    if (isBeside(lane.info, event)) {
      stepTree(lane.tree, event, ownerIn(lane));
      return view;
    }
    stepLocks(lane, event, view.counting);
    if (event.lane) stepWithCaptions(view, lane, event);
    else if (!lane.info.store) stepQueue(lane.queue, event, nobody);
  }
  findInstants(view, event);
  return view;
}

/** @param {Lane} lane @param {Event} event @param {boolean} counting */
function stepLocks(lane, event, counting) {
  const { rounds, handovers } = lockOf(lane, event.path ?? '') ?? lane;
  if (event.kind === 'cost.changed') keepCost(rounds, event);
  if (event.kind === 'queue.changed') stepHandovers(handovers, event);
  if (!lane.locks.length) return;
  const locks = concerned(lane, event.path ?? '');
  for (const lock of locks) {
    if (event.lane) stepLane(lock, event, counting);
    else stepQueue(lock.queue, event, nobody);
  }
  sumUp(lane, locks);
}

/** What concerns every lane in ZooKeeper names no owner. */
const nobody = () => 0;

/** @param {LaneInfo} info @param {number} clients @returns {Lane} */
function createLane(info, clients) {
  /** @type {Lane} */
  const lane = {
    info,
    clients: new Map(),
    sessions: new Map(),
    queue: createQueue(info.path ?? '', info.locks),
    locks: (info.locks ?? []).map((path) => createLane({ ...info, path, locks: [] }, clients)),
    tree: createTree(info),
    watches: createWatches(),
    flights: createFlights(),
    counters: createCounters(),
    rounds: createRounds(),
    handovers: createHandovers(),
    falseBeliefs: createFalseBeliefs(),
    account: createAccount(info.account),
    armed: createArmed(),
    checks: new Map(),
  };
  for (let n = 1; n <= (info.clients ?? clients); n++) lane.clients.set(n, createClient(n));
  return lane;
}

/** @param {View} view @param {Lane} lane @param {Event} event */
function stepWithCaptions({ captions, counting }, lane, event) {
  const before = stateBefore(lane, event);
  stepLane(lane, event, counting);
  stepCaptions(captions, event, lane, before, counting);
}

/** @param {Lane} lane @param {Event} event @param {boolean} counting */
function stepLane(lane, event, counting) {
  if (event.kind.startsWith('tree.')) return stepQueue(lane.queue, event, ownerIn(lane));
  if (event.kind === 'check.changed') lane.checks.set(event.check ?? '', { verdict: event.verdict ?? 'undecided', at: event.at, reason: reasonOf(event) });
  stepArmed(lane.armed, event);
  if (!event.client) return;
  if (event.kind === 'note.joined') join(lane, event);
  if (counting) count(lane.counters, event);
  const client = clientOf(lane, event.client);
  if (!client) return;
  if (event.kind === 'session.granted' && event.session) lane.sessions.set(event.session, event.client);
  stepClient(client, event);
  stepAccount(lane.account, event);
  stepFalseBelief(lane.falseBeliefs, client, event);
  stepWatches(lane.watches, event);
  if (client.participant) stepTold(lane.info, lane.tree, event);
  stepData(lane.queue, event);
  stepFlights(lane.flights, event);
  if (event.kind === 'note.left') leave(lane, event.client);
}

/** Whose a session is. @param {Lane} lane @returns {(session: string) => number} */
const ownerIn = ({ sessions }) => (session) => sessions.get(session) ?? 0;

/** A number beyond those of the simulated clients is a guest's, as long as that is there. @param {Lane} lane @param {number} number */
function clientOf(lane, number) {
  let client = lane.clients.get(number);
  if (!client && number <= (lane.info.clients ?? number)) lane.clients.set(number, client = createClient(number));
  return client;
}

/** @param {View} view @param {Event} event */
function inject({ injection }, { fault = '', every = 0 }) {
  if (every) injection.set(fault, every);
  else injection.delete(fault);
}

/** @param {View} view @param {Event} event */
function step(view, event) {
  view.stepNote = reasonOf(event);
  view.held = event.held ?? false;
}

/** @param {View} view */
function finish(view) {
  view.finished = true;
  for (const lane of view.lanes) lane.flights.clear();
}
