// A lane's tree as lines, each of one znode: those beside the queues, those that are gone
// since a moment ago, those that are not there and yet watched, and in one line each what
// the run has made for itself.

import { baseName } from '../../model/queue.js';
import { GONE_SHOWN, inQueue, parentOf } from '../../model/tree.js';

/** @import { Told, Znode } from '../../model/tree.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Watch } from '../../model/watches.js' */

/** @typedef {{ client: number, watch: Watch }} Watching */

/**
 * @typedef {object} Line
 * @property {string} path
 * @property {string} name the last part of the path; the root is "/"
 * @property {number} level from 1
 * @property {'znode' | 'gone' | 'ghost' | 'made' | 'queued' | 'root' | 'more'} kind
 * @property {Znode | undefined} znode
 * @property {Watching[]} watches of guests, that stand or have just fired
 * @property {number} watchers how many of the lane's own clients watch it
 * @property {Told[]} told notifications of a moment ago that no watch is left of
 * @property {number} children how many there are below it
 * @property {boolean | undefined} open whether they are shown; undefined if it has none
 * @property {number} count of those that a line with the rest stands for
 * @property {boolean} counted and they cannot be shown one by one
 */

/** @typedef {Omit<Line, 'level' | 'open' | 'count' | 'counted'> & { below: Entry[] }} Entry */

/** What a visitor has opened, all of it or the first, or closed. @typedef {Map<string, 'all' | 'first' | 'closed'>} Folds */

/** So long it is shown that a watch has fired, in microseconds of the run. */
const TOLD_SHOWN = 2_500_000;
/** Up to so many lines all are shown; of more, so many of each znode's children. */
const MOST_LINES = 13;
const FIRST = 5;

/** @param {Lane} lane @param {number} now @param {Folds} folds @returns {Line[]} */
export function linesOf(lane, now, folds) {
  const entries = entriesOf(lane, now);
  const root = /** @type {Entry} */ (entries.get(lane.tree.root));
  const small = entries.size <= MOST_LINES;
  /** @type {Line[]} */ const lines = [];
  const add = (/** @type {Entry} */ { below, ...entry }, /** @type {number} */ level) => {
    const fold = folds.get(entry.path) ?? (small ? 'all' : level > 2 ? 'closed' : 'first');
    const counted = lane.tree.more.get(entry.path) ?? 0;
    const open = below.length + counted ? fold !== 'closed' : undefined;
    lines.push({ ...entry, level, open, count: 0, counted: false });
    if (!open) return;
    const sorted = below.sort(inOrder);
    const shown = fold === 'all' || sorted.length <= FIRST + 1 ? sorted : sorted.filter((each, index) => index < FIRST || matters(each));
    for (const each of shown) add(each, level + 1);
    const rest = sorted.length - shown.length;
    if (rest + counted) lines.push({ ...blank(`${entry.path}/…`), kind: 'more', level: level + 1, open: undefined, count: rest + counted, counted: rest === 0 });
  };
  add(root, 1);
  return lines;
}

/** What goes, and what is watched, is not folded away. @param {Entry} entry */
const matters = ({ kind, watches, told }) => kind === 'gone' || kind === 'ghost' || watches.length > 0 || told.length > 0;

/** What the run has made first, then by name, numbers by their value. @param {Entry} a @param {Entry} b */
const inOrder = (a, b) => Number(b.kind === 'made') - Number(a.kind === 'made') || (a.name < b.name ? -1 : 1);

/** @param {string} path @returns {Entry} */
const blank = (path) => ({ path, name: baseName(path), kind: 'ghost', znode: undefined, watches: [], watchers: 0, told: [], children: 0, below: [] });

/** @param {Lane} lane @param {number} now @returns {Map<string, Entry>} */
function entriesOf(lane, now) {
  const { tree, info, queue } = lane;
  /** @type {Map<string, Entry>} */ const all = new Map();
  const entry = (/** @type {string} */ path) => {
    let one = all.get(path);
    if (one) return one;
    all.set(path, one = blank(path));
    if (path === tree.root) Object.assign(one, { name: '/', kind: 'root' });
    else if (inQueue(info, path)) one.kind = 'queued';
    if (path !== tree.root) entry(parentOf(path)).below.push(one);
    return one;
  };
  entry(tree.root);
  for (const directory of queue.directories) {
    if (!directory.startsWith(`${tree.root}/`)) continue;
    const count = queue.nodes.filter(({ path }) => parentOf(path) === directory).length;
    for (let path = directory; path.length > tree.root.length; path = parentOf(path)) entry(path).kind = 'made';
    entry(directory).children = count;
  }
  if (info.account === 'guard') entry(`${tree.root}/account`).kind = 'made';
  for (const znode of tree.znodes.values()) {
    if (znode.gone && now - znode.gone.at > GONE_SHOWN) continue;
    Object.assign(entry(znode.path), { znode, kind: znode.gone ? 'gone' : 'znode' });
  }
  addWatches(lane, now, entry);
  for (const one of all.values()) if (one.kind !== 'made') one.children = one.below.length;
  return all;
}

/** @param {Lane} lane @param {number} now @param {(path: string) => Entry} entry */
function addWatches({ tree, info, clients, watches }, now, entry) {
  const within = (/** @type {string} */ path) => (path === tree.root || path.startsWith(`${tree.root}/`)) && !inQueue(info, path);
  for (const [client, own] of watches) {
    const guest = clients.get(client)?.participant;
    for (const watch of own) {
      if (!within(watch.path)) continue;
      if (guest) entry(watch.path).watches.push({ client, watch });
      else if (!watch.fired) entry(watch.path).watchers++;
    }
  }
  for (const told of tree.told) {
    if (now - told.at > TOLD_SHOWN || now < told.at || !within(told.path)) continue;
    const { watches: standing, told: fired } = entry(told.path);
    if (!standing.some(({ client, watch }) => client === told.client && watch.fired)) fired.push(told);
  }
}

