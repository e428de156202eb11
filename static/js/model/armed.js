// The faults that are armed: they wait for a client to come to a moment.

/** @import { Event } from '../events.d.ts' */

/**
 * @typedef {object} Armed
 * @property {number} client whom it is for, or 0: whoever comes first
 * @property {string} fault
 * @property {string} when the moment's name
 */

/** @typedef {Map<string, Armed>} ArmedFaults of a lane, by client and fault */

/** @returns {ArmedFaults} */
export const createArmed = () => new Map();

/** @param {ArmedFaults} armed @param {Event} event */
export function stepArmed(armed, { kind, client = 0, fault = '', when = '' }) {
  const key = `${client} ${fault}`;
  if (kind === 'fault.armed') armed.set(key, { client, fault, when });
  if (kind === 'fault.triggered' || kind === 'fault.disarmed') armed.delete(key);
}

/** Those for a client, or with 0 those for whoever comes first. @param {ArmedFaults} armed @param {number} client */
export const armedFor = (armed, client) => [...armed.values()].filter((each) => each.client === client);
