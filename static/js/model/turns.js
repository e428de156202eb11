// Whose turn it is among guests: what they believe nobody knows, but that the znode of
// one is first by the server's order is a fact.

import { grantedAt } from './belief.js';
import { isSilent } from './client.js';

/** @import { Lane } from './view.js' */
/** @import { Node } from './queue.js' */

/** The locks that whoever is first in the queue has, whoever that is. */
const queues = ['herd', 'mutex', 'rw', 'semaphore', 'timed', 'revocable', 'reentrant', 'gozookeeper'];

/** The znodes of guests by which they have the lock, in the order of the queue. @param {Pick<Lane, 'info' | 'queue' | 'clients' | 'locks'>} lane @returns {Node[]} */
export function turns({ info, queue, clients, locks }) {
  if (locks.length || queue.stale || !queues.includes(info.recipe)) return [];
  return queue.nodes.filter((node, index) =>
    node.session && Number.isFinite(node.sequence) && isSilent(clients.get(node.client) ?? { participant: '', tells: false }) && grantedAt({ info, queue }, index));
}
