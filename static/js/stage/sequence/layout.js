// What of a lane is drawn where: every item of a window as a line, a box or a
// point, and frames too close to be told apart as one box that counts them.

import { baseName } from '../../model/queue.js';
import { crowd } from './density.js';
import { barY, linkY, slotY, topOf } from './rows.js';

/** @import { FrameItem, Item } from '../../model/sequence/items.js' */
/** @import { Crowd } from './density.js' */
/** @import { Rows } from './rows.js' */

/**
 * A way from point to point.
 * @typedef {{ shape: 'line', item: Item, points: [number, number][] }} Line
 */

/** @typedef {{ shape: 'box', item: Item, x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ shape: 'point', item: Item, x: number, y: number }} Point */
/** @typedef {Line | Box | Point} Placed */

/**
 * @typedef {object} Layout
 * @property {Placed[]} placed what is drawn last comes last
 * @property {Crowd[]} crowds
 */

/**
 * @typedef {object} Time
 * @property {(at: number) => number} x an instant's place in pixels
 * @property {number} now the end of what is known: open items are drawn up to it
 */

/** What lies under what. @type {Item['type'][]} */
const order = ['note', 'conflict', 'fault', 'znode', 'disconnected', 'gone', 'wait', 'watch', 'hold', 'frame', 'session', 'write', 'woken', 'violation'];

const rank = new Map(order.map((type, index) => [type, index]));

/**
 * @param {Item[]} items
 * @param {Rows} rows
 * @param {Time} time
 * @param {boolean} pings whether they are shown
 * @returns {Layout}
 */
export function place(items, rows, time, pings) {
  const shown = items.filter((item) => (!item.client || rows.place.has(item.client) || item.type === 'znode') && (pings || item.type !== 'frame' || item.role !== 'ping'));
  const frames = /** @type {FrameItem[]} */ (shown.filter((item) => item.type === 'frame'));
  const { crowds, alone } = crowd(frames, rows, time);
  /** @type {Placed[][]} */
  const layers = order.map(() => []);
  const taken = new Set();
  for (const item of shown) {
    if (item.type === 'frame' && !alone.has(item)) continue;
    const placed = placeOne(item, rows, time);
    if (hidden(placed, taken)) continue;
    layers[rank.get(item.type) ?? 0]?.push(placed);
  }
  return { placed: layers.flat(), crowds };
}

/** Marks and short bars of one kind that are closer than this lie upon each other. */
const UPON = 6;

/**
 * Whether something would be drawn upon another of its kind, so that nobody could
 * tell the two apart. What is wrong is never hidden by what is not.
 * @param {Placed} placed
 * @param {Set<string>} taken
 */
function hidden(placed, taken) {
  const { item } = placed;
  if (placed.shape === 'line' || (placed.shape === 'box' && placed.width >= UPON)) return false;
  const kind = item.type === 'woken' ? item.wasted : item.type === 'session' ? item.change : item.type === 'write' ? item.accepted && !item.stale
    : item.type === 'hold' ? item.falseFrom < item.to : item.type === 'wait' ? item.forGone : item.type === 'znode' ? item.cause : '';
  const key = `${item.type} ${kind} ${placed.y} ${Math.floor(placed.x / UPON)}`;
  if (taken.has(key)) return true;
  taken.add(key);
  return false;
}

/** @param {Item} item @param {Rows} rows @param {Time} time @returns {Placed} */
function placeOne(item, rows, time) {
  switch (item.type) {
    case 'frame': return { shape: 'line', item, points: frameWay(item, rows, time) };
    case 'hold': return bar(item, barY(rows, item.client), rows.bar, rows, time);
    case 'wait': return bar(item, barY(rows, item.client), 5, rows, time);
    case 'disconnected': case 'gone': return bar(item, barY(rows, item.client), 2, rows, time);
    case 'watch': return bar(item, barY(rows, item.client) + rows.bar / 2 + 3, 3, rows, time);
    case 'znode': return { ...bar(item, 0, rows.slot - 2, rows, time), y: slotY(rows, item.slot) };
    case 'fault': return item.client ? clientRow(item, rows, time) : band(item, rows.serverTop, rows.server, rows, time);
    case 'conflict': return conflictBand(item, item.clients, rows, time);
    case 'note': return band(item, rows.serverTop, rows.axis, rows, time);
    case 'violation': return { shape: 'line', item, points: [[time.x(item.from), 0], [time.x(item.from), rows.axis]] };
    case 'session': case 'write': case 'woken': return { shape: 'point', item, x: time.x(item.from), y: barY(rows, item.client) };
  }
}

/**
 * The way of a frame: it waits at its beginning while the link holds it, then
 * crosses. One that is under way is drawn as far as it has come, one that was
 * dropped half of the way.
 * @param {FrameItem} frame
 * @param {Rows} rows
 * @param {Time} time
 * @returns {[number, number][]}
 */
export function frameWay(frame, rows, { x, now }) {
  const ends = [linkY(rows, frame.client), rows.server];
  const [start = 0, goal = 0] = frame.dir === 'out' ? ends : ends.reverse();
  /** @type {[number, number][]} */
  const way = [[x(frame.from), start]];
  const leaves = Math.min(frame.leaves, now);
  if (leaves > frame.from) way.push([x(leaves), start]);
  if (frame.leaves > now) return way;
  const to = Math.min(frame.to, now);
  way.push([x(to), start + (goal - start) * partOf(frame, now)]);
  return way;
}

/** How much of its way a frame is drawn. @param {FrameItem} frame @param {number} now */
function partOf(frame, now) {
  if (frame.end === 'arrived') return 1;
  if (frame.end) return 0.5;
  return frame.due > frame.leaves ? Math.min(1, (now - frame.leaves) / (frame.due - frame.leaves)) : 0;
}

/** @param {Item} item @param {number} middle @param {number} height @param {Rows} rows @param {Time} time @returns {Box} */
const bar = (item, middle, height, rows, time) => band(item, middle - height / 2, middle + height / 2, rows, time);

/** @param {Item} item @param {Rows} rows @param {Time} time */
function clientRow(item, rows, time) {
  const top = topOf(rows, item.client);
  return band(item, top, top + rows.row, rows, time);
}

/** From the first of the clients to the last. @param {Item} item @param {number[]} clients @param {Rows} rows @param {Time} time */
function conflictBand(item, clients, rows, time) {
  const tops = clients.filter((client) => rows.place.has(client)).map((client) => topOf(rows, client));
  return tops.length ? band(item, Math.min(...tops), Math.max(...tops) + rows.row, rows, time) : band(item, rows.server, rows.server, rows, time);
}

/**
 * A box over the time of an item, as far as it is in sight.
 * @param {Item} item
 * @param {number} top
 * @param {number} bottom
 * @param {Rows} rows
 * @param {Time} time
 * @returns {Box}
 */
function band(item, top, bottom, rows, time) {
  const from = Math.max(rows.left - 20, time.x(item.from));
  const to = Math.min(rows.right + 20, time.x(Math.min(item.to, Math.max(time.now, item.from))));
  return { shape: 'box', item, x: from, y: top, width: Math.max(0, to - from), height: bottom - top };
}

/** How far from what is drawn a pointer still means it, in pixels. */
const REACH = 7;

/**
 * The item at a point: the nearest of those in reach, and of equals the one that
 * lies on top.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {Item | undefined}
 */
export function hit({ placed }, x, y) {
  let [found, nearest] = [/** @type {Item | undefined} */ (undefined), REACH];
  for (const each of placed) {
    const distance = distanceTo(each, x, y) + (wide.has(each.item.type) ? REACH - 1 : 0);
    if (distance <= nearest) [found, nearest] = [each.item, distance];
  }
  return found;
}

/** The crowd of frames at a point. @param {Layout} layout @param {number} x @param {number} y */
export const crowdAt = ({ crowds }, x, y) =>
  crowds.find((each) => x >= each.x && x <= each.x + each.width && y >= each.y - 2 && y <= each.y + each.height + 2);

/** What lies behind everything else is meant only where nothing else is. @type {Set<Item['type']>} */
const wide = new Set(/** @type {const} */ (['note', 'conflict', 'fault']));

/** @param {Placed} placed @param {number} x @param {number} y */
function distanceTo(placed, x, y) {
  if (placed.shape === 'point') return Math.hypot(placed.x - x, placed.y - y) - 4;
  if (placed.shape === 'box') {
    const besides = Math.max(placed.x - x, 0, x - placed.x - placed.width);
    return Math.hypot(besides, Math.max(placed.y - y, 0, y - placed.y - placed.height));
  }
  let least = Infinity;
  for (let at = 1; at < placed.points.length; at++) {
    const [from, to] = [placed.points[at - 1], placed.points[at]];
    if (from && to) least = Math.min(least, distanceToLine(from, to, x, y));
  }
  return least;
}

/** @param {[number, number]} from @param {[number, number]} to @param {number} x @param {number} y */
function distanceToLine([x1, y1], [x2, y2], x, y) {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  const part = length ? Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length)) : 0;
  return Math.hypot(x1 + part * (x2 - x1) - x, y1 + part * (y2 - y1) - y);
}

/** Whether an item is about what is selected. @param {Item} item @param {Selection | undefined} selection */
export function isAbout(item, selection) {
  if (!selection) return false;
  if (selection.frame) return item.type === 'frame' && item.frame === selection.frame && item.dir === selection.dir && item.client === selection.client;
  if (selection.watch) {
    return item.type === 'watch' && item.client === selection.client && item.path === selection.path && item.on === selection.watch
      && item.seq === (selection.seq ?? item.seq);
  }
  if (selection.path) return item.path === selection.path || (item.type === 'wait' && baseName(item.predecessor) === baseName(selection.path));
  return item.client !== 0 && item.client === selection.client;
}

/** As in the page's Subject. @typedef {{ client?: number, path?: string, frame?: number, dir?: 'in' | 'out', watch?: import('../../model/watches.js').WatchedPart, seq?: number }} Selection */
