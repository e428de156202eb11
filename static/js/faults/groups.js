// The menu of faults: how it groups them, and why one is not possible now.

import { activeFaults } from '../model/active-faults.js';
import { t } from '../text/language.js';

/** @import { App } from '../shell/app.js' */
/** @import { ActiveFaults } from '../model/active-faults.js' */
/** @import { Client } from '../model/client.js' */
/** @import { FaultKind } from '../types.d.ts' */

/** @typedef {{ title: string, lasts: boolean, faults: FaultKind[] }} Group */

/** How long a fault lasts, in seconds; 0 asks for no length. */
export const LENGTHS = [1, 3, 5, 10, 30, 0];

/**
 * The groups of a menu: what lasts, what is done once, and what undoes the rest.
 * @param {FaultKind[]} faults
 * @returns {Group[]}
 */
export function groupsOf(faults) {
  const undoes = (/** @type {FaultKind} */ { name }) => faults.some(({ undoneBy }) => undoneBy === name);
  return [
    { title: t`Lasts`, lasts: true, faults: faults.filter(({ lasts }) => lasts) },
    { title: t`Done once`, lasts: false, faults: faults.filter((fault) => !fault.lasts && !undoes(fault)) },
    { title: t`Undo`, lasts: false, faults: faults.filter(undoes) },
  ].filter((group) => group.faults.length);
}

/**
 * Why no fault at all is possible now, or empty; of a client that is gone, none but
 * that it is started again.
 * @param {App} app
 * @param {Client} [client] left out for the servers
 */
export function refusal(app, client) {
  if (app.run?.state !== 'running') return t`no run is going`;
  if (client?.state === 'crashed') return t`its process is gone`;
  return client?.state === 'closed' ? t`it has closed its session and is gone` : '';
}

/** What is done to a client that is gone, and to no other. */
export const START_AGAIN = 'start-again';

/**
 * Why one fault is not possible now, or empty. What the page cannot know, the
 * server refuses in a sentence.
 * @param {App} app
 * @param {ActiveFaults} faults of the client, or of the servers
 * @param {FaultKind} fault
 * @param {number} now
 * @param {string} [when] the moment to wait for, if any
 */
export function impossible(app, faults, fault, now, when) {
  const { nodes: wanted = 1 } = fault;
  if (fault.name === START_AGAIN) return t`only a client that is gone can be started again`;
  if (when && !fault.arms) return t`it cannot be armed`;
  if (wanted > (app.run?.zookeeper.nodes ?? 1)) return t`it needs ${wanted} servers: start with -nodes ${wanted}`;
  return nothingToUndo(app, faults, fault, now);
}

/** @param {App} app @param {ActiveFaults} faults @param {FaultKind} fault @param {number} now */
function nothingToUndo({ catalogue }, faults, { name }, now) {
  const undoes = [...catalogue.faultsOf('client'), ...catalogue.faultsOf('server')].some(({ undoneBy }) => undoneBy === name);
  const toUndo = activeFaults(faults, catalogue, now).some(({ fault }) => catalogue.fault(fault).undoneBy === name);
  return undoes && !toUndo ? t`no fault is active` : '';
}
