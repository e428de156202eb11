// The children of a lock directory, in the order of their sequence numbers.

/** @import { Event } from '../events.d.ts' */

/**
 * @typedef {object} Node
 * @property {string} path
 * @property {string} name
 * @property {number} sequence the number that the server gave it; Infinity for a stray
 * @property {'' | 'read' | 'write'} mode
 * @property {string} session its ephemeral owner, or empty
 * @property {number} client the owner's number, or 0 when it is none of ours
 * @property {number} writer whose text is in it, as the server has answered; 0 while it is empty, or nobody has written since it was made
 * @property {number} written the transaction that wrote that
 * @property {number} createdAt
 * @property {Event} made the event that told of it
 */

/**
 * @typedef {object} Queue
 * @property {string} directory of several the first
 * @property {string[]} directories
 * @property {Node[]} nodes ordered, head first
 * @property {boolean} stale the observer is away: the tree may have changed
 * @property {number} synced what the server had done until then is known, in microseconds of the run
 */

/**
 * @param {string} directory
 * @param {string[]} [directories] where there are several
 * @returns {Queue}
 */
export const createQueue = (directory, directories = []) =>
  ({ directory, directories: directories.length ? directories : [directory], nodes: [], stale: false, synced: 0 });

/** Whether the playground hears of the server of a lane. A store that is none of ZooKeeper's says nothing of it. @param {{ info: { store?: string }, queue: Queue }} lane */
export const isHeard = ({ info, queue }) => Boolean(info.store) || !queue.stale;

/**
 * Applies a tree event. The owner is the client that the server names, or else
 * the one that holds the session.
 * @param {Queue} queue
 * @param {Event} event
 * @param {(session: string) => number} ownerOf
 */
export function stepQueue(queue, event, ownerOf) {
  if (event.kind === 'tree.lost') queue.stale = true;
  if (event.kind === 'tree.synced') [queue.stale, queue.synced] = [false, event.sent ?? 0];
  const path = event.path ?? '';
  if (event.kind === 'tree.deleted') remove(queue, path);
  if (event.kind === 'tree.created' && queue.directories.some((directory) => isChild(directory, path))) insert(queue, nodeOf(event, ownerOf));
}

/**
 * Applies an answer to a write: its text is in the znode from then on. The tree events
 * tell that a znode has changed, but not by whom.
 * @param {Queue} queue
 * @param {Event} event
 */
export function stepData(queue, event) {
  if (event.kind !== 'wire.received' || event.op !== 'setData' || event.err) return;
  const node = queue.nodes.find(({ path }) => path === event.path);
  const { zxid = 0, client = 0, stat } = event;
  if (node && zxid > node.written) Object.assign(node, { written: zxid, writer: stat?.dataLength ? client : 0 });
}

/** So many digits the server adds to the name of a sequential znode. */
export const sequenceDigits = 10;

/**
 * The number at the end of a sequential znode's name: its last ten digits.
 * @param {string} name
 */
export function sequenceOf(name) {
  const digits = /\d{10}$/.exec(name);
  return digits ? Number(digits[0]) : Infinity;
}

/**
 * The last part of a path.
 * @param {string} path
 */
export const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);

/**
 * @param {string} directory
 * @param {string} path
 */
function isChild(directory, path) {
  const slash = path.lastIndexOf('/');
  return path.slice(0, slash) === directory && slash < path.length - 1;
}

/**
 * @param {Event} event
 * @param {(session: string) => number} ownerOf
 * @returns {Node}
 */
export function nodeOf(event, ownerOf) {
  const path = event.path ?? '';
  const name = baseName(path);
  const session = event.session ?? '';
  return {
    path, name, session,
    sequence: sequenceOf(name),
    mode: modeOf(name),
    client: event.client || ownerOf(session),
    writer: 0,
    written: 0,
    createdAt: event.at,
    made: event,
  };
}

/**
 * @param {string} name
 * @returns {Node['mode']}
 */
function modeOf(name) {
  if (name.includes('__READ__')) return 'read';
  return name.includes('__WRIT__') ? 'write' : '';
}

/** @param {Queue} queue @param {Node} node */
function insert(queue, node) {
  remove(queue, node.path);
  let index = queue.nodes.length;
  while (index > 0 && /** @type {Node} */ (queue.nodes[index - 1]).sequence > node.sequence) index--;
  queue.nodes.splice(index, 0, node);
}

/** @param {Queue} queue @param {string} path */
function remove(queue, path) {
  if (path === queue.directory) queue.nodes.length = 0;
  const index = queue.nodes.findIndex((node) => node.path === path);
  if (index >= 0) queue.nodes.splice(index, 1);
}
