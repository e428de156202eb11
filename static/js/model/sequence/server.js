// What the server knows: the znodes of the queue, from the tree, and who watches
// what, from the wire.

import { grantedAt } from '../belief.js';
import { sequenceOf, stepQueue } from '../queue.js';
import { endsWatches, fires, removed, setAgain, watchedPart } from '../watches.js';
import { znodeWent } from './beliefs.js';
import { begin, end } from './items.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { Watch } from './items.js' */
/** @import { Lane } from '../sequence.js' */

/** @param {Lane} lane @param {Event} event */
export function stepTree(lane, event) {
  stepQueue(lane.queue, event, (session) => lane.sessions.get(session) ?? 0);
  if (event.kind === 'tree.created') created(lane, event);
  if (event.kind === 'tree.deleted') deleted(lane, event);
  putFirst(lane, event.at);
}

/** What a reply, a notification, or the end of a connection does to watches. @param {Lane} lane @param {Event} event */
export function stepWatches(lane, event) {
  const client = event.client ?? 0;
  if (endsWatches(event)) endWatches(lane, event, () => true, 'gone');
  for (const { path, on } of setAgain(event)) setWatch(lane, event, path, on);
  if (event.kind !== 'wire.received' && !(event.kind === 'wire.held' && event.dir === 'in')) return;
  const frame = event.frame ?? 0;
  if (frame <= (lane.left.get(client) ?? -1)) return; // what it did at the server was done when it left there
  if (event.kind === 'wire.held') lane.left.set(client, frame);
  if (event.op === 'notification') {
    const kinds = fires[event.type ?? ''] ?? [];
    endWatches(lane, event, (watch) => watch.path === event.path && kinds.includes(watch.on), 'fired');
    return;
  }
  if (event.err === 'NoNode') lane.missing.set(client, event.path ?? '');
  if (event.op === 'removeWatches' && !event.err) endWatches(lane, event, ({ path, on }) => path === event.path && removed(event.mode)(on), 'gone');
  if (event.watch) setWatch(lane, event, event.path ?? '', watchedPart(event.op, event.mode));
}

/** @param {Lane} lane @param {Event} event */
function created(lane, event) {
  const node = lane.queue.nodes.find((each) => each.path === event.path);
  if (!node || lane.znodes.has(node.path)) return;
  if (node.client) lane.owners.set(node.path, node.client);
  if (lane.deleted.get(node.client) === node.path) lane.deleted.delete(node.client); // a name that it had before
  lane.znodes.set(node.path, begin(lane, { ...event, client: node.client }, {
    type: /** @type {const} */ ('znode'), slot: freeSlot(lane), sequence: sequenceOf(node.path), mode: node.mode,
    firstFrom: Infinity, cause: '', by: 0,
  }));
}

/** @param {Lane} lane @param {Event} event */
function deleted(lane, event) {
  znodeWent(lane, event);
  const gone = event.path === lane.queue.directory ? [...lane.znodes.values()] : [lane.znodes.get(event.path ?? '')];
  for (const znode of gone) {
    if (!znode) continue;
    znode.cause = event.cause ?? '';
    znode.by = event.client ?? 0;
    lane.deleted.set(znode.client, znode.path);
    lane.znodes.delete(znode.path);
    end(lane, znode, event);
  }
}

/** The lowest place that no znode has. @param {Lane} lane */
function freeSlot(lane) {
  const taken = new Set([...lane.znodes.values()].map((znode) => znode.slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  lane.slots = Math.max(lane.slots, slot + 1);
  return slot;
}

/**
 * Notes which znodes are where a holder's must be.
 * @param {Lane} lane
 * @param {number} at
 */
function putFirst(lane, at) {
  for (const [index, node] of lane.queue.nodes.entries()) {
    if (!grantedAt(lane, index)) return;
    const znode = lane.znodes.get(node.path);
    if (znode && Number.isFinite(znode.sequence)) znode.firstFrom = Math.min(znode.firstFrom, at);
  }
}

/** @param {Lane} lane @param {Event} event @param {string} path @param {Watch['on']} on */
function setWatch(lane, event, path, on) {
  const key = `${event.client} ${on} ${path}`;
  if (lane.watches.has(key)) return;
  lane.watches.set(key, begin(lane, { ...event, path }, {
    type: /** @type {const} */ ('watch'), on, end: /** @type {Watch['end']} */ (''),
  }));
}

/** @param {Lane} lane @param {Event} event @param {(watch: Watch) => boolean} which @param {Watch['end']} how */
function endWatches(lane, event, which, how) {
  for (const [key, watch] of lane.watches) {
    if (watch.client !== event.client || !which(watch)) continue;
    watch.end = how;
    end(lane, watch, event);
    lane.watches.delete(key);
  }
}
