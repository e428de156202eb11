// What has been done to a client, or to the servers, and still lasts or has
// just happened. Read from the log alone.

/** @import { Event } from '../events.d.ts' */

/**
 * @typedef {object} ActiveFault
 * @property {string} fault
 * @property {number} since in microseconds of the run
 * @property {number} until when it heals by itself, 0 when nobody knows
 * @property {string} why what the server said of it
 */

/** @typedef {Map<string, ActiveFault>} ActiveFaults those that last, by their fault's name */

/** Faults that last until they are healed; the others happen once. */
const lasting = new Set(['pause', 'partition', 'partition-out', 'partition-in', 'slow', 'lose-reply']);

/** Faults that keep the server from hearing of the client. */
const silencing = ['pause', 'partition', 'partition-out'];

/** How long what happens once stays visible, in microseconds of the run. */
export const MEMORY = 4_000_000;

/** @returns {ActiveFaults} */
export const createActiveFaults = () => new Map();

/**
 * Follows one event of a client. Returns what has happened to it once, or
 * undefined.
 * @param {ActiveFaults} faults
 * @param {Event} event
 * @returns {ActiveFault | undefined}
 */
export function stepActiveFaults(faults, event) {
  if (event.kind === 'fault.injected') return injected(faults, event);
  if (event.kind === 'fault.healed') return healed(faults, event);
  return event.kind === 'wire.dropped' ? dropped(faults, event) : undefined;
}

/**
 * Follows a fault of the servers.
 * @param {ActiveFaults} outages
 * @param {Event} event without a client
 */
export function stepOutages(outages, event) {
  const fault = event.fault ?? '';
  if (event.kind === 'fault.healed') heal(outages, fault);
  if (event.kind !== 'fault.injected') return;
  if (fault === 'heal-servers') outages.clear();
  else if (event.for || fault === 'lose-quorum') outages.set(fault, activeFault(event));
}

/** Whether the server hears nothing of a client because of what was done to it. @param {ActiveFaults} faults */
export const silenced = (faults) => silencing.some((fault) => faults.has(fault));

/** @param {ActiveFaults} faults @param {Event} event */
function injected(faults, event) {
  const fault = event.fault ?? '';
  if (fault === 'crash' || fault === 'close' || fault === 'heal') faults.clear();
  if (!lasting.has(fault)) return fault === 'heal' ? undefined : activeFault(event);
  faults.set(fault, activeFault(event));
  return undefined;
}

/** A trap that has sprung is remembered; any other healed fault is over. @param {ActiveFaults} faults @param {Event} event */
function healed(faults, event) {
  heal(faults, event.fault ?? '');
  return undefined;
}

/** @param {ActiveFaults} faults @param {string} fault */
function heal(faults, fault) {
  if (!fault || fault.startsWith('heal')) faults.clear();
  else faults.delete(fault);
}

/** A reply that died while the trap was set has sprung it. @param {ActiveFaults} faults @param {Event} event */
function dropped(faults, event) {
  if (event.dir !== 'in' || !faults.delete('lose-reply')) return undefined;
  return { ...activeFault(event), fault: 'lost-reply' };
}

/** @param {Event} event @returns {ActiveFault} */
const activeFault = (event) => ({
  fault: event.fault ?? '', since: event.at, why: event.why ?? '',
  until: event.for ? event.at + event.for * 1000 : 0,
});
