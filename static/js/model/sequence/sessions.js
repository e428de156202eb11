// What became of the clients' sessions and connections, and which faults they
// or the servers were under.

import { endsProcess, startsAgain } from '../active-faults.js';
import { begin, end, mark } from './items.js';
import { reasonOf } from '../reason.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { DisconnectedItem, GoneItem, SessionItem } from './items.js' */
/** @import { Diagram } from '../sequence.js' */

/**
 * @typedef {object} Process
 * @property {number} granted how many sessions it has had
 * @property {boolean} ended its session is over, and the log has said so
 * @property {DisconnectedItem | undefined} disconnected
 * @property {GoneItem | undefined} gone
 */

/** @param {Diagram} lane @param {Event} event */
export function stepSessions(lane, event) {
  const process = processOf(lane, event.client ?? 0);
  if (event.kind === 'wire.sent' && event.op === 'closeSession') process.ended = true;
  if (!event.kind.startsWith('session.')) return;
  if (event.kind === 'session.suspended') suspended(lane, event, process);
  else reconnected(lane, event, process);
  if (event.kind === 'session.granted') granted(lane, event, process);
  const change = changes[event.kind];
  const told = change === 'lost' && process.ended;
  const { session = '' } = event;
  if (change && !told) mark(lane, event, { type: /** @type {const} */ ('session'), change, again: process.granted > 1, session, reason: reasonOf(event) });
  process.ended ||= change === 'refused' || change === 'lost' || change === 'closed';
}

/** @type {Partial<Record<Event['kind'], SessionItem['change']>>} */
const changes = {
  'session.granted': 'granted', 'session.resumed': 'resumed', 'session.refused': 'refused',
  'session.lost': 'lost', 'session.closed': 'closed',
};

/**
 * Whether a fault lasts is known by its name; one that has a length, or is healed,
 * has lasted whatever its name.
 * @param {Diagram} lane
 * @param {Event} event
 * @param {(fault: string) => boolean} lasts
 */
export function stepFaults(lane, event, lasts) {
  const name = event.fault ?? '';
  const key = `${event.client ?? 0} ${event.server ?? ''} ${name}`;
  const known = lane.faults.get(key);
  if (event.kind === 'fault.healed' && known) {
    end(lane, known, event);
    lane.faults.delete(key);
  }
  const gone = endsProcess(event);
  if (event.kind !== 'fault.injected' && !gone) return;
  if (gone) processGone(lane, event, name);
  if (startsAgain(event)) processBegins(lane, event);
  const own = { type: /** @type {const} */ ('fault'), fault: name, server: event.server ?? '', reason: reasonOf(event) };
  const fault = event.for || lasts(name) ? begin(lane, event, own) : mark(lane, event, own);
  if (!gone) lane.faults.set(key, fault);
}

/** @param {Diagram} lane @param {number} client */
function processOf({ processes }, client) {
  let process = processes.get(client);
  if (!process) processes.set(client, process = { granted: 0, ended: false, disconnected: undefined, gone: undefined });
  return process;
}

/** @param {Diagram} lane @param {Event} event @param {Process} process */
function suspended(lane, event, process) {
  if (process.ended || process.gone) return;
  process.disconnected ??= begin(lane, event, { type: /** @type {const} */ ('disconnected') });
}

/** @param {Diagram} lane @param {Event} event @param {Process} process */
function reconnected(lane, event, process) {
  if (process.disconnected) end(lane, process.disconnected, event);
  process.disconnected = undefined;
}

/** @param {Diagram} lane @param {Event} event @param {Process} process */
function granted(lane, event, process) {
  if (event.session) lane.sessions.set(event.session, event.client ?? 0);
  processBegins(lane, event);
  process.ended = false;
  process.granted++;
}

/** @param {Diagram} lane @param {Event} event */
function processBegins(lane, event) {
  const process = processOf(lane, event.client ?? 0);
  if (process.gone) end(lane, process.gone, event);
  process.gone = undefined;
}

/** Nothing that a fault did outlives the process. @param {Diagram} lane @param {Event} event @param {string} fault */
function processGone(lane, event, fault) {
  const process = processOf(lane, event.client ?? 0);
  reconnected(lane, event, process);
  process.gone ??= begin(lane, event, { type: /** @type {const} */ ('gone'), fault });
  for (const [key, each] of lane.faults) {
    if (each.client !== event.client) continue;
    if (each.to === Infinity) end(lane, each, event);
    lane.faults.delete(key);
  }
}
