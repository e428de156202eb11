// The faults of a client, or of the servers, that are active or have just been
// injected. Read from the log; the catalogue says which of them last.

/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { Effect, Event } from '../events.d.ts' */

/**
 * @typedef {object} ActiveFault
 * @property {string} fault its name
 * @property {number} since in microseconds of the run
 * @property {number} until when it heals by itself, 0 when it does not
 * @property {Effect[]} effects
 */

/** @typedef {Map<string, ActiveFault>} ActiveFaults by name: injected and not healed since */

/** What is noted when lose-reply has lost a reply: no fault of the catalogue. */
export const REPLY_LOST = 'reply-lost';

/** How long a fault that does not last stays visible, in microseconds of the run. */
const SHOWN_FOR = 4_000_000;

/** Whether a fault of that effect is injected with an event, or a program ends as if by one. @param {Event} event @param {Effect} effect */
export const injects = ({ kind, effects = [] }, effect) => (kind === 'fault.injected' || kind === 'program.ended') && effects.includes(effect);

/** Whether a client's process ends with an event. @param {Event} event */
export const endsProcess = (event) => injects(event, 'ends-process');

/** Whether it ends without a word to the server. @param {Event} event */
export const crashes = (event) => injects(event, 'leaves-session');

/** Whether a client has a new process with an event. @param {Event} event */
export const startsAgain = (event) => injects(event, 'starts-process');

/** @returns {ActiveFaults} */
export const createActiveFaults = () => new Map();

/**
 * Follows one event of a client, or of the servers.
 * @param {ActiveFaults} faults
 * @param {Event} event
 */
export function stepActiveFaults(faults, event) {
  const fault = event.fault ?? '';
  if (endsProcess(event) || startsAgain(event)) faults.clear();
  if (event.kind === 'fault.injected') faults.set(fault, injected(fault, event));
  if (event.kind === 'fault.healed') faults.delete(fault);
  if (event.kind === 'wire.dropped' && event.dir === 'in' && faults.has('lose-reply')) {
    faults.set(REPLY_LOST, injected(REPLY_LOST, event));
  }
}

/**
 * The faults to be shown: those that go on, and for a while those that were
 * done once.
 * @param {ActiveFaults} faults
 * @param {Catalogue} catalogue
 * @param {number} now
 */
export const activeFaults = (faults, catalogue, now) =>
  [...faults.values()].filter((each) => goesOn(each, catalogue) || now - each.since < SHOWN_FOR);

/** @param {ActiveFault} active @param {Catalogue} catalogue */
function goesOn({ fault, until }, catalogue) {
  const { lasts, endless } = catalogue.fault(fault);
  return lasts && (until > 0 || endless === true);
}

/** Whether the server hears nothing of a client because of its faults. @param {ActiveFaults} faults */
export const silenced = (faults) => [...faults.values()].some(({ effects }) => effects.includes('silences'));

/** @param {string} fault @param {Event} event @returns {ActiveFault} */
const injected = (fault, event) => ({
  fault, since: event.at, until: event.for ? event.at + event.for * 1000 : 0, effects: event.effects ?? [],
});
