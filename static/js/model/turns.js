// Whose turn it is among guests: what they believe nobody knows, but that the znode of
// one is first by the server's order is a fact.

import { believers, grantedAt, mostHolders } from './belief.js';
import { gone, isSilent } from './client.js';
import { numbered } from './guests.js';

/** @import { Lane } from './view.js' */
/** @import { Node } from './queue.js' */

/** The locks that whoever is first in the queue has, whoever that is. */
const queues = [...numbered, 'semaphore'];

/** The znodes of guests by which they have the lock, in the order of the queue. One of a former session gives nobody anything. @param {Pick<Lane, 'info' | 'queue' | 'clients' | 'locks'>} lane @returns {Node[]} */
export function turns({ info, queue, clients, locks }) {
  if (locks.length || queue.stale || !queues.includes(info.recipe)) return [];
  return queue.nodes.filter((node, index) => {
    const client = clients.get(node.client);
    return client && isSilent(client) && !gone(client) && node.session && node.session === client.session && Number.isFinite(node.sequence) && grantedAt({ info, queue }, index);
  });
}

/** Whether others believe that they hold, so that a client whose turn it is would be one too many. @param {Lane} lane @param {Node} node by which it is its turn */
export const isDisputed = (lane, { client, mode }) =>
  believers(lane).filter(({ number, mode: other }) => number !== client && !(mode === 'read' && other === 'read')).length >= mostHolders(lane);
