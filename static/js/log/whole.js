// The view that a state.whole event stands for: all that is so after the events up to it. Who comes
// late goes on from there. The captions and decisive instants before it are not in it.

import { writeOf } from '../model/account.js';
import { createClient } from '../model/client.js';
import { roleOf } from '../model/flights.js';
import { sumUp } from '../model/locks.js';
import { nodeOf } from '../model/queue.js';
import { reasonOf } from '../model/reason.js';
import { createView } from '../model/view.js';

/** @import { Event } from '../events.d.ts' */
/** @import { ActiveFault, Lane as State, Whole } from '../state.d.ts' */
/** @import { LaneInfo } from '../types.d.ts' */
/** @import { ActiveFaults } from '../model/active-faults.js' */
/** @import { Client } from '../model/client.js' */
/** @import { Node } from '../model/queue.js' */
/** @import { Round } from '../model/rounds.js' */
/** @import { Znode } from '../model/tree.js' */
/** @import { Lane, View } from '../model/view.js' */
/** @import { WatchedPart } from '../model/watches.js' */

/** @param {Event} event state.whole @param {LaneInfo[]} lanes @param {number} clients in each @returns {View} */
export function viewOf({ seq, at, state }, lanes, clients) {
  const { counting = false, finished = false, outages, stepNote, held = false, delay, injection, lanes: all } = /** @type {Whole} */ (structuredClone(state)); // the view goes on, and the event stays
  const view = createView(lanes, clients);
  Object.assign(view, { seq, at, counting, finished, outages: faultsOf(outages), stepNote, held, delay, injection: mapOf(injection) });
  view.lanes.forEach((lane, index) => restore(lane, /** @type {State} */ (all[index])));
  return view;
}

/** @param {Lane} lane @param {State} state */
function restore(lane, state) {
  const { sessions, nodes = [], stale = false, synced = 0, tree = {}, watches = [], flights = [], counted, cost, rounds = [], handed, wrong = [], wrongFor, armed = [], checks = {}, locks = [] } = state;
  lane.clients = new Map(state.clients.map((client) => [client.number, clientOf(client)]));
  lane.sessions = mapOf(sessions);
  Object.assign(lane.queue, { nodes: nodes.map(({ client = 0, writer = 0, written = 0, made }) => /** @type {Node} */ ({ ...nodeOf(made, () => 0), client, writer, written })), stale, synced });
  const { znodes = [], gone = [], told = [], known = 0, more } = tree;
  Object.assign(lane.tree, { znodes: new Map(znodes.map((znode) => [znode.path, znodeOf(znode)])), gone, told, known, more: mapOf(more) });
  for (const { client, id, path, on, at, absent = false, fired = false } of watches) {
    lane.watches.set(client, [...lane.watches.get(client) ?? [], { id, path, on: /** @type {WatchedPart} */ (on), at, absent, fired }]);
  }
  for (const flight of flights) {
    const key = `${flight.client}${flight.dir}${flight.frame}`;
    lane.flights.set(key, { key, path: '', role: roleOf(/** @type {Event} */ (/** @type {unknown} */ (flight)), flight.dir), ...flight });
  }
  lane.counters = counted;
  const { wakeups = 0, wasted = 0, unexplained = 0, joining = 0, rounds: complete = 0, roundWakeups = 0, roundWasted = 0 } = cost;
  lane.rounds = { sums: { wakeups, wasted, unexplained, joining, rounds: complete, roundWakeups, roundWasted }, list: rounds.map(roundOf) };
  const { lengths = [], newest = 0, together = 0, stoodStill = 0 } = handed;
  const counts = lengths.map(([, count = 0]) => count);
  lane.handovers = { all: { lengths: lengths.map(([length = 0]) => length), counts }, newest, number: counts.reduce((sum, count) => sum + count, 0), together, longestStandstill: stoodStill };
  lane.falseBeliefs = { since: new Map(wrong.map(({ path, client, at }) => [path, { client, at }])), sums: new Map(Object.entries(wrongFor ?? {}).map(([client, sum]) => [Number(client), sum])) };
  restoreAccount(lane, state);
  lane.armed = new Map(armed.map((each) => [`${each.client} ${each.fault}`, each]));
  lane.checks = new Map(Object.entries(checks).map(([name, event]) => [name, { verdict: event.verdict ?? 'undecided', at: event.at, reason: reasonOf(event) }]));
  if (!locks.length) return;
  lane.locks.forEach((lock, index) => restore(lock, /** @type {State} */ (locks[index])));
  sumUp(lane, lane.locks);
  lane.handovers.newest = newest;
}

/** @param {Lane} lane @param {State} state */
function restoreAccount({ account }, { account: come, used, writes = [], late }) {
  account.used ||= used ?? false;
  if (!come) return;
  const { amount, should, losers = [], accepted = 0, refused = 0, underWay = [] } = come;
  Object.assign(account, { amount, should, losers, accepted, refused, underWay, writes: writes.map(writeOf), late: late && writeOf(late) });
}

/** @param {import('../state.d.ts').Client} client @returns {Client} */
const clientOf = ({ number, participant, name, faults, ...told }) =>
  ({ ...createClient(number, participant, name), .../** @type {Partial<Client>} */ (told), faults: faultsOf(faults) });

/** @param {import('../state.d.ts').Znode} znode @returns {Znode} */
const znodeOf = (znode) => ({ flags: [], session: '', client: 0, data: '', bytes: 0, gone: undefined, ...znode });

/** @param {import('../state.d.ts').Round} round @returns {Round} */
const roundOf = (round) => /** @type {Round} */ ({ client: 0, woken: 0, acquired: 0, wasted: 0, joined: 0, complete: false, seq: 0, ...round });

/** @param {ActiveFault[]} [faults] @returns {ActiveFaults} */
const faultsOf = (faults = []) => new Map(faults.map((each) => [each.fault, { effects: [], ...each }]));

/** @template Value @param {Record<string, Value>} [record] @returns {Map<string, Value>} */
const mapOf = (record = {}) => new Map(Object.entries(record));
