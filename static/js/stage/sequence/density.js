// Frames that would lie closer than can be told apart are not drawn one upon the
// other: they become one box at their client's row, which says how many they are.

import { linkY } from './rows.js';

/** @import { FrameItem, Item } from '../../model/sequence/items.js' */
/** @import { Time } from './layout.js' */
/** @import { Rows } from './rows.js' */

/**
 * @typedef {object} Crowd
 * @property {number} client
 * @property {number} count
 * @property {number} notifications how many of them are notifications
 * @property {number} most frames in one column
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

const COLUMN = 12;

/** So many frames of one client in a column are told apart: one every two pixels. */
const MOST = COLUMN / 2;

/** So many of all clients: two on every pixel, which cross each other anyway. */
const MOST_OF_ALL = COLUMN * 2;

/**
 * @param {FrameItem[]} frames
 * @param {Rows} rows
 * @param {Time} time
 * @returns {{ crowds: Crowd[], alone: Set<Item> }} alone: those that are drawn each
 */
export function crowd(frames, rows, time) {
  /** @type {Set<Item>} */
  const alone = new Set();
  /** @type {Map<number, Map<number, FrameItem[]>>} */
  const ends = new Map();
  const origin = time.x(0) % COLUMN; // so that columns move with the picture
  for (const frame of frames) {
    const end = frame.dir === 'out' ? frame.from : Math.min(frame.to, time.now);
    put(ends, frame, Math.floor((time.x(end) - origin) / COLUMN));
  }
  const most = Math.max(1, Math.min(MOST, Math.floor(MOST_OF_ALL / rows.clients)));
  const crowds = [...ends].flatMap(([client, columns]) => {
    for (const [column, all] of columns) {
      if (isCrowd(all, most)) continue;
      for (const frame of all) alone.add(frame);
      columns.delete(column);
    }
    return runs(client, columns, rows, origin);
  });
  return { crowds, alone };
}

/**
 * Notifications are counted apart: whom a release wakes must be seen beside the
 * requests that follow at once.
 * @param {FrameItem[]} frames of one client in a column
 * @param {number} most
 */
function isCrowd(frames, most) {
  const notifications = frames.filter((frame) => frame.role === 'notification').length;
  return notifications > most || frames.length - notifications > most;
}

/** @param {Map<number, Map<number, FrameItem[]>>} ends by client @param {FrameItem} frame @param {number} column */
function put(ends, frame, column) {
  let columns = ends.get(frame.client);
  if (!columns) ends.set(frame.client, columns = new Map());
  const all = columns.get(column);
  if (all) all.push(frame);
  else columns.set(column, [frame]);
}

/** Columns side by side are one crowd. @param {number} client @param {Map<number, FrameItem[]>} columns @param {Rows} rows @param {number} origin */
function runs(client, columns, rows, origin) {
  /** @type {Crowd[]} */
  const found = [];
  const height = Math.min(10, rows.row / 3);
  let last = NaN;
  for (const column of [...columns.keys()].sort((a, b) => a - b)) {
    const frames = columns.get(column) ?? [];
    let run = found.at(-1);
    if (!run || column !== last + 1) {
      run = { client, count: 0, notifications: 0, most: 0, x: column * COLUMN + origin, y: linkY(rows, client) - height, width: 0, height };
      found.push(run);
    }
    run.count += frames.length;
    run.most = Math.max(run.most, frames.length);
    run.notifications += frames.filter((frame) => frame.role === 'notification').length;
    run.width += COLUMN;
    last = column;
  }
  return found;
}
