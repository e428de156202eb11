// What the menu of faults asks of the server.

import { disarmFaults, injectFault, place, setInjection } from '../source/api.js';

/** @import { App } from '../shell/app.js' */
/** @import { argumentsOf } from '../text/catalogue.js' */

/** Shows the present, and asks. @param {App} app @param {() => Promise<unknown>} request */
function ask(app, request) {
  void app.standing.go({ live: true }, 'viewer');
  return app.try(request);
}

/**
 * Injects a fault into a client, or arms it for a moment.
 * @param {App} app
 * @param {{ lane: string, client: number }} target lane: empty for each; client: 0 is whoever comes first
 * @param {string} fault
 * @param {ReturnType<typeof argumentsOf>} given its parameters
 * @param {string} when the moment's name, empty for now
 */
export function injectIntoClient(app, target, fault, given, when) {
  return ask(app, () => injectFault(place.room, { ...target, fault, ...given, ...(when && { when }) }));
}

/** Injects a fault into the servers. @param {App} app @param {string} fault @param {ReturnType<typeof argumentsOf>} given */
export function injectIntoServers(app, fault, given) {
  return ask(app, () => injectFault(place.room, { fault, ...given }));
}

/** Disarms an armed fault. @param {App} app @param {string} lane @param {number} client @param {string} fault */
export function disarm(app, lane, client, fault) {
  return ask(app, () => disarmFaults(place.room, { lane, client, fault }));
}

/** Changes which faults come again and again. @param {App} app @param {string} fault @param {number} seconds from one to the next, 0 for none */
export function injectAgain(app, fault, seconds) {
  return ask(app, () => setInjection(place.room, { [fault]: `${seconds}s` }));
}
