// One frame from its first event to its last, and what belongs to it: the request
// that it answers, or its answer.

import { createRequests, directionOf, stepRequests } from './requests.js';

/** @import { Direction, Event } from '../../events.d.ts' */
/** @import { Requests } from './requests.js' */

/** @typedef {{ dir: Direction, frame: number }} FrameName of one client */

/**
 * @typedef {object} FrameHistory
 * @property {FrameName} name
 * @property {Event[]} events its own, in order
 * @property {Event[]} request what it answers, as far as it has come
 * @property {Event[]} answer its answer, the same
 * @property {Requests} requests
 */

/** @param {FrameName} name @returns {FrameHistory} */
export const createFrameHistory = (name) => ({ name, events: [], request: [], answer: [], requests: createRequests() });

/** Takes up an event of the client's frames. @param {FrameHistory} history @param {Event} event */
export function stepFrameHistory(history, event) {
  const { name, events, answer } = history;
  const request = stepRequests(history.requests, event);
  if (isOf(event, name)) {
    events.push(event);
    if (request) history.request = [request];
  }
  const answers = answer[0] ? isOf(event, nameOf(answer[0])) : request && name.dir === 'out' && request.frame === name.frame;
  if (answers) answer.push(event);
}

/** A frame as it was after an event of the log. @param {FrameHistory} history @param {number} seq @returns {FrameHistory} */
export function frameUpTo(history, seq) {
  const by = (/** @type {Event[]} */ events) => events.filter((event) => event.seq <= seq);
  return { ...history, events: by(history.events), request: by(history.request), answer: by(history.answer) };
}

/** @param {Event} event @returns {FrameName} */
const nameOf = (event) => ({ dir: directionOf(event), frame: event.frame ?? 0 });

/** @param {Event} event @param {FrameName} name */
const isOf = (event, { dir, frame }) => event.frame === frame && directionOf(event) === dir;

/**
 * @typedef {object} Journey of a frame, in microseconds of the run
 * @property {number} left when it was sent, or left the server
 * @property {number | undefined} arrived when it reached the other end; undefined while that has not been told
 * @property {number} ended when it was last told of
 * @property {boolean} dropped it was lost with its connection
 * @property {number | undefined} heldSince when the link began to keep it without end
 * @property {number | undefined} freedAt when the link let it go
 */

/**
 * What the events of a frame say of its way. A link that carries a frame at once
 * does not tell of its arrival at the server; nothing is known of it then but that
 * it was sent.
 * @param {Event[]} events
 * @returns {Journey | undefined}
 */
export function journeyOf(events) {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return undefined;
  const held = events.find((event) => event.kind === 'wire.held' && !event.due);
  const freed = held && events.find((event) => event.seq > held.seq && (event.kind !== 'wire.held' || event.due));
  const atOnce = events.length === 1 && first.kind === 'wire.sent' && !first.due;
  const arrived = last.kind === 'wire.received' || last.kind === 'wire.delivered' || atOnce;
  return {
    left: first.at, ended: last.at, arrived: arrived ? last.at : undefined, dropped: last.kind === 'wire.dropped',
    heldSince: held?.at, freedAt: freed?.at,
  };
}
