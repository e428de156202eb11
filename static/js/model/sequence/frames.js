// Frames between a client and the server, each from where it was sent to where
// it arrived. What passes its link at once begins and ends with one event.

import { flightKey, roleOf } from '../flights.js';
import { begin, end, reopen } from './items.js';

/** @import { Direction, Event } from '../../events.d.ts' */
/** @import { FrameItem } from './items.js' */
/** @import { Diagram } from '../sequence.js' */

/**
 * @typedef {object} Frames
 * @property {Map<string, FrameItem>} open what is under way, by client, direction and number
 * @property {Map<string, FrameItem>} newest the one that ended last, by client and direction
 */

/** @returns {Frames} */
export const createFrames = () => ({ open: new Map(), newest: new Map() });

/** @param {Diagram} lane @param {Event} event */
export function stepFrames(lane, event) {
  switch (event.kind) {
    case 'wire.sent':
      start(lane, event, 'out');
      if (!event.due) finish(lane, event, 'out', 'arrived');
      break;
    case 'wire.held':
      hold(lane, event, event.dir ?? 'out');
      break;
    case 'wire.delivered':
      finish(lane, event, event.dir ?? 'out', 'arrived');
      break;
    case 'wire.received':
      if (!lane.frames.open.has(flightKey(event, 'in'))) start(lane, event, 'in');
      finish(lane, event, 'in', 'arrived');
      break;
    case 'wire.dropped':
      drop(lane, event, event.dir ?? 'out');
  }
}

/**
 * Ends what was under way when nothing more can be told of it: of one client, or of all.
 * @param {Diagram} lane
 * @param {Event} event
 */
export function forgetFrames(lane, event) {
  for (const [key, frame] of lane.frames.open) {
    if (event.client && frame.client !== event.client) continue;
    frame.end = 'unknown';
    end(lane, frame, event);
    lane.frames.open.delete(key);
  }
}

/** @param {Diagram} lane @param {Event} event @param {Direction} dir */
function start(lane, event, dir) {
  const frame = begin(lane, event, {
    type: /** @type {const} */ ('frame'), dir, role: roleOf(event, dir), op: event.op ?? '', frame: event.frame ?? 0,
    leaves: event.at, due: event.due ?? 0, held: false, err: event.err ?? '', end: /** @type {FrameItem['end']} */ (''),
  });
  lane.frames.open.set(flightKey(event, dir), frame);
  return frame;
}

/**
 * The link keeps a frame: until it says when it will arrive, it has not left.
 * @param {Diagram} lane
 * @param {Event} event
 * @param {Direction} dir
 */
function hold(lane, event, dir) {
  const frame = known(lane, event, dir) ?? start(lane, event, dir);
  frame.due = event.due ?? 0;
  frame.held ||= !frame.due;
  if (frame.held) frame.leaves = frame.due ? event.at : Infinity;
}

/** @param {Diagram} lane @param {Event} event @param {Direction} dir */
function drop(lane, event, dir) {
  if (!known(lane, event, dir)) start(lane, event, dir);
  finish(lane, event, dir, 'dropped');
}

/**
 * A frame that is under way, or that was thought to have arrived just now: the
 * log tells that a frame was sent before it tells that the link kept it.
 * @param {Diagram} lane
 * @param {Event} event
 * @param {Direction} dir
 */
function known({ frames, items }, event, dir) {
  const frame = frames.open.get(flightKey(event, dir));
  if (frame) return frame;
  const newest = frames.newest.get(`${event.client}${dir}`);
  if (!newest || newest.frame !== event.frame) return undefined;
  newest.end = '';
  reopen(items, newest);
  frames.open.set(flightKey(event, dir), newest);
  return newest;
}

/** @param {Diagram} lane @param {Event} event @param {Direction} dir @param {FrameItem['end']} how */
function finish(lane, event, dir, how) {
  const key = flightKey(event, dir);
  const frame = lane.frames.open.get(key);
  if (!frame) return;
  frame.end = how;
  frame.leaves = Math.min(frame.leaves, event.at);
  if (event.err) frame.err = event.err;
  end(lane, frame, event);
  lane.frames.open.delete(key);
  lane.frames.newest.set(`${event.client}${dir}`, frame);
}
