// What the server knows: the znodes of the queue, and who watches what.

import { grantedAt } from '../belief.js';
import { sequenceOf, stepQueue } from '../queue.js';
import { partOf } from '../watches.js';
import { begin, end } from './items.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { WatchItem } from './items.js' */
/** @import { Diagram } from '../sequence.js' */

/** @param {Diagram} lane @param {Event} event */
export function stepTree(lane, event) {
  stepQueue(lane.queue, event, (session) => lane.sessions.get(session) ?? 0);
  if (event.kind === 'tree.created') created(lane, event);
  if (event.kind === 'tree.deleted') deleted(lane, event);
  putFirst(lane, event.at);
}

/** @param {Diagram} lane @param {Event} event */
export function stepWatches(lane, event) {
  const { kind, watched } = event;
  const id = watched?.id ?? 0;
  if (kind === 'watch.set') lane.watches.set(id, begin(lane, event, { type: /** @type {const} */ ('watch'), on: partOf(watched), end: /** @type {WatchItem['end']} */ ('') }));
  const watch = lane.watches.get(id);
  if (!watch || (kind !== 'watch.fired' && kind !== 'watch.gone')) return;
  watch.end = kind === 'watch.fired' ? 'fired' : 'gone';
  end(lane, watch, event);
  lane.watches.delete(id);
}

/** Notes what clients are told is not there. @param {Diagram} lane @param {Event} event */
export function stepMissing({ missing, left }, { kind, dir, client = 0, frame = 0, err, path = '' }) {
  if (kind !== 'wire.received' && !(kind === 'wire.held' && dir === 'in')) return;
  if (frame <= (left.get(client) ?? -1)) return; // it was so when it left the server
  if (kind === 'wire.held') left.set(client, frame);
  if (err === 'NoNode') missing.set(client, path);
}

/** @param {Diagram} lane @param {Event} event */
function created(lane, event) {
  const node = lane.queue.nodes.find((each) => each.path === event.path);
  if (!node || lane.znodes.has(node.path)) return;
  if (node.client) lane.owners.set(node.path, node.client);
  lane.znodes.set(node.path, begin(lane, { ...event, client: node.client }, {
    type: /** @type {const} */ ('znode'), slot: freeSlot(lane), sequence: sequenceOf(node.path), mode: node.mode,
    firstFrom: Infinity, cause: '', by: 0,
  }));
}

/** @param {Diagram} lane @param {Event} event */
function deleted(lane, event) {
  const gone = event.path === lane.queue.directory ? [...lane.znodes.values()] : [lane.znodes.get(event.path ?? '')];
  for (const znode of gone) {
    if (!znode) continue;
    znode.cause = event.cause ?? '';
    znode.by = event.client ?? 0;
    lane.znodes.delete(znode.path);
    end(lane, znode, event);
  }
}

/** The lowest place that no znode has. @param {Diagram} lane */
function freeSlot(lane) {
  const taken = new Set([...lane.znodes.values()].map((znode) => znode.slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  lane.slots = Math.max(lane.slots, slot + 1);
  return slot;
}

/**
 * Notes which znodes are where a holder's must be.
 * @param {Diagram} lane
 * @param {number} at
 */
function putFirst(lane, at) {
  for (const [index, node] of lane.queue.nodes.entries()) {
    if (!grantedAt(lane, index)) return;
    const znode = lane.znodes.get(node.path);
    if (znode && Number.isFinite(znode.sequence)) znode.firstFrom = Math.min(znode.firstFrom, at);
  }
}
