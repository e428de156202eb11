// What stands in a queue as it is drawn: its znodes, and the ghosts of those that somebody
// waits for although they are not there.

import { baseName, sequenceOf } from '../../model/queue.js';
import { inQueue } from '../../model/tree.js';

/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */

/** index: of the znode in the queue; a ghost has no node. @typedef {{ path: string, sequence: number, node: Node | undefined, index: number }} QueuePlace */
/** key: by it the place keeps its elements. @typedef {QueuePlace & { key: number }} KeyedPlace */

/** The keys of what was drawn last of each queue, by path. @type {WeakMap<Lane['info'], Map<string, number>>} */
const drawn = new WeakMap();

/** Those for which there are places, in their order. @param {Lane} lane @param {number} places @returns {KeyedPlace[]} */
export function queuePlaces(lane, places) {
  const shown = shownOf(lane, places);
  const keys = keysOf(shown.map(({ path }) => path), drawn.get(lane.info));
  drawn.set(lane.info, keys);
  return shown.map((place) => ({ ...place, key: keys.get(place.path) ?? 0 }));
}

/**
 * What stays keeps its key. After a jump in time nothing has stayed: then the keys are
 * used again, as making all elements anew would take longer than all else in the picture.
 * @param {string[]} paths @param {Map<string, number>} [before]
 */
export function keysOf(paths, before = new Map()) {
  const stays = paths.some((path) => before.has(path));
  let next = stays ? Math.max(...before.values()) + 1 : 0;
  return new Map(paths.map((path) => [path, before.get(path) ?? next++]));
}

/** @param {Lane} lane @param {number} places @returns {QueuePlace[]} */
function shownOf(lane, places) {
  const { nodes } = lane.queue;
  const all = nodes.map((node, index) => ({ path: node.path, sequence: node.sequence, node, index }));
  if (nodes.length > places) return all.slice(0, places - 2);
  const ghosts = ghostsOf(lane).slice(0, places - nodes.length);
  return ghosts.length ? [...all, ...ghosts].sort((a, b) => a.sequence - b.sequence) : all;
}

/**
 * A watch on what was not there when it was set tells of nothing but its coming. It is
 * drawn for who waits for that, and for guests, of whom nobody knows.
 * @param {Lane} lane @returns {QueuePlace[]}
 */
function ghostsOf({ queue, watches, clients, info }) {
  const there = new Set(queue.nodes.map(({ path }) => path));
  /** @type {Map<string, QueuePlace>} */ const ghosts = new Map();
  for (const [client, own] of watches) {
    const { participant, state, predecessor = '' } = clients.get(client) ?? {};
    for (const { path, absent, fired } of own) {
      if (!absent || fired || there.has(path) || !inQueue(info, path)) continue;
      if (participant || (state === 'waiting' && baseName(predecessor) === baseName(path))) ghosts.set(path, { path, sequence: sequenceOf(path), node: undefined, index: -1 });
    }
  }
  return [...ghosts.values()];
}
