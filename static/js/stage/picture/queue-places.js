// What stands in a queue as it is drawn: its znodes, and the ghosts of those that somebody
// waits for although they are not there.

import { baseName, sequenceOf } from '../../model/queue.js';
import { inQueue } from '../../model/tree.js';

/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */

/** index: of the znode in the queue; a ghost has no node. @typedef {{ path: string, sequence: number, node: Node | undefined, index: number }} Standing */

/** Those for which there are places, in their order. @param {Lane} lane @param {number} places @returns {Standing[]} */
export function standing(lane, places) {
  const { nodes } = lane.queue;
  const all = nodes.map((node, index) => ({ path: node.path, sequence: node.sequence, node, index }));
  if (nodes.length > places) return all.slice(0, places - 2);
  const ghosts = ghostsOf(lane).slice(0, places - nodes.length);
  return ghosts.length ? [...all, ...ghosts].sort((a, b) => a.sequence - b.sequence) : all;
}

/**
 * A watch on what was not there when it was set tells of nothing but its coming. It is
 * drawn for who waits for that, and for guests, of whom nobody knows.
 * @param {Lane} lane @returns {Standing[]}
 */
function ghostsOf({ queue, watches, clients, info }) {
  const there = new Set(queue.nodes.map(({ path }) => path));
  /** @type {Map<string, Standing>} */ const ghosts = new Map();
  for (const [client, own] of watches) {
    const { participant, state, predecessor = '' } = clients.get(client) ?? {};
    for (const { path, absent, fired } of own) {
      if (!absent || fired || there.has(path) || !inQueue(info, path)) continue;
      if (participant || (state === 'waiting' && baseName(predecessor) === baseName(path))) ghosts.set(path, { path, sequence: sequenceOf(path), node: undefined, index: -1 });
    }
  }
  return [...ghosts.values()];
}
