// The znodes of a lane beside its queues: what guests make, as the tree events tell it.
// So many are kept one by one, and of the others only how many there are.

import { baseName } from './queue.js';

/** @import { Event } from '../events.d.ts' */
/** @import { LaneInfo } from '../types.d.ts' */
/** @import { Lane } from './view.js' */

/**
 * @typedef {object} Znode
 * @property {string} path
 * @property {string[]} flags of the create that made it
 * @property {string} session its ephemeral owner, or empty
 * @property {number} client who made it, or 0
 * @property {string} data if it is short text that everybody may read
 * @property {number} bytes of its data
 * @property {number} createdAt
 * @property {number} changedAt when its data changed, or -1
 * @property {Gone | undefined} gone
 */

/** How a znode went; by: the client that deleted it, or whose session ended. @typedef {{ path: string, at: number, cause: string, by: number }} Gone */

/** @typedef {{ client: number, path: string, type: string, frame: number, at: number }} Told a notification on its way to a client, or that came */

/**
 * @typedef {object} Tree
 * @property {string} root the znode that guests of the lane see as "/"
 * @property {Map<string, Znode>} znodes by path, those that went last, too
 * @property {Gone[]} gone those that went last, oldest first
 * @property {number} known how many are there of those kept one by one
 * @property {Told[]} told the notifications to guests of watches beside the queues, the newest last
 * @property {Map<string, number>} more how many are only counted, by the path of the nearest kept one above
 */

/** So many are kept one by one: a copy of the view has them all. */
const MOST = 300;
/** So many of those that are gone are kept, and so long, in microseconds of the run. */
const MOST_GONE = 20;
const GONE_FOR = 10_000_000;
/** So many notifications are kept. */
const MOST_TOLD = 12;
/** So long it is shown that a znode has gone. */
export const GONE_SHOWN = 8_000_000;

/** @param {LaneInfo} info @returns {Tree} */
export const createTree = (info) => ({ root: info.root || parentOf(info.path ?? ''), znodes: new Map(), gone: [], told: [], known: 0, more: new Map() });

/** @param {string} path */
export const parentOf = (path) => path.slice(0, path.lastIndexOf('/'));

/** Whether a path is of a znode in one of a lane's queues. @param {LaneInfo} info @param {string} path */
export const inQueue = ({ path: directory = '', locks }, path) => (locks?.length ? locks : [directory]).includes(parentOf(path)) && baseName(path) !== '';

const changes = new Set(['tree.created', 'tree.deleted', 'tree.changed']);

/** Whether an event of a lane is of a znode beside its queues; as playground/event/run.go has it. @param {LaneInfo} info @param {Event} event */
export const isBeside = (info, { kind, path = '' }) => changes.has(kind) && !info.store && !inQueue(info, path);

/** Applies a change of a znode beside the queues. @param {Tree} tree @param {Event} event @param {(session: string) => number} ownerOf */
export function stepTree(tree, event, ownerOf) {
  forget(tree, event.at);
  if (event.kind === 'tree.created') created(tree, event, ownerOf);
  else if (event.kind === 'tree.deleted') deleted(tree, event);
  else changed(tree, event);
}

/** Takes up a notification to a guest: as it leaves the server, and as it arrives. @param {LaneInfo} info @param {Tree} tree @param {Event} event */
export function stepTold(info, { told }, { kind, op, dir, client = 0, path = '', type = '', frame = 0, at }) {
  if (op !== 'notification' || inQueue(info, path) || (kind !== 'wire.received' && !(kind === 'wire.held' && dir === 'in'))) return;
  const known = told.find((each) => each.client === client && each.frame === frame);
  if (known) known.at = at;
  else if (told.push({ client, path, type, frame, at }) > MOST_TOLD) told.shift();
}

/** @param {Tree} tree @param {Event} event @param {(session: string) => number} ownerOf */
function created(tree, { path = '', flags = '', session = '', client = 0, data = '', bytes = 0, at }, ownerOf) {
  const before = tree.znodes.get(path);
  if (before && !before.gone) return;
  if (tree.known >= MOST) return count(tree, path, 1);
  tree.known++;
  tree.znodes.set(path, {
    path, session, data, bytes, flags: flags.split('+').filter(Boolean), client: client || ownerOf(session), createdAt: at, changedAt: -1, gone: undefined,
  });
}

/** @param {Tree} tree @param {Event} event */
function deleted(tree, { path = '', cause = '', client = 0, by = 0, at }) {
  const znode = tree.znodes.get(path);
  if (!znode || znode.gone) return count(tree, path, -1);
  tree.known--;
  const gone = { path, at, cause, by: cause === 'client' ? by || client : client || znode.client };
  tree.znodes.set(path, { ...znode, gone });
  tree.gone.push(gone);
}

/** @param {Tree} tree @param {Event} event */
function changed(tree, { path = '', data = '', bytes = 0, at }) {
  const znode = tree.znodes.get(path);
  if (znode && !znode.gone) tree.znodes.set(path, { ...znode, data, bytes, changedAt: at });
}

/** @param {Tree} tree @param {string} path @param {number} change */
function count({ root, znodes, more }, path, change) {
  let above = parentOf(path);
  while (above.length > root.length && !isThere(znodes.get(above))) above = parentOf(above);
  const counted = (more.get(above) ?? 0) + change;
  if (counted > 0) more.set(above, counted);
  else more.delete(above);
}

/** @param {Znode | undefined} znode */
const isThere = (znode) => znode !== undefined && !znode.gone;

/** Forgets those that went long ago, unless they have come again. @param {Tree} tree @param {number} now */
function forget({ znodes, gone }, now) {
  while (gone.length && (gone.length > MOST_GONE || now - /** @type {Gone} */ (gone[0]).at > GONE_FOR)) {
    const oldest = /** @type {Gone} */ (gone.shift());
    if (znodes.get(oldest.path)?.gone?.at === oldest.at) znodes.delete(oldest.path);
  }
}

/** Whether there is anything of a lane's tree beside the queues. @param {Lane} lane @param {number} now */
export function hasTree(lane, now) {
  const { tree, info, clients, watches } = lane;
  if (info.store) return false;
  if (tree.known || tree.gone.some(({ at }) => now - at < GONE_SHOWN)) return true;
  for (const [client, own] of watches) {
    if (clients.get(client)?.participant && own.some(({ path }) => !inQueue(info, path))) return true;
  }
  return false;
}
