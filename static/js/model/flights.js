// Frames that are on their way between a client and the server.

import { crashes } from './active-faults.js';

/** @import { Direction, Event } from '../events.d.ts' */

/**
 * @typedef {object} Flight
 * @property {string} key
 * @property {number} client
 * @property {Direction} dir
 * @property {'request' | 'reply' | 'notification' | 'ping'} role
 * @property {string} op
 * @property {string} path
 * @property {number} frame its number in its direction
 * @property {number} sent when it set off, in microseconds of the run
 * @property {number} due when it will arrive; 0 while the link holds it
 */

/** @typedef {Map<string, Flight>} Flights */

/** @returns {Flights} */
export const createFlights = () => new Map();

/** A frame that ended without an event of its own is forgotten after this long. */
const FORGET_AFTER = 2_000_000;
/** How many events of the run apart the forgotten are looked for. */
const SWEPT_EVERY = 1000;

/**
 * @param {Flights} flights
 * @param {Event} event
 */
export function stepFlights(flights, event) {
  if (event.seq % SWEPT_EVERY === 0) sweep(flights, event.at);
  switch (event.kind) {
    case 'wire.sent':
      if (event.due) start(flights, event, 'out');
      break;
    case 'wire.held':
      start(flights, event, event.dir ?? 'out');
      break;
    case 'wire.delivered':
    case 'wire.dropped':
      flights.delete(flightKey(event, event.dir ?? 'out'));
      break;
    case 'wire.received':
      flights.delete(flightKey(event, 'in'));
      break;
    case 'session.closed':
    case 'note.left':
    case 'fault.injected':
    case 'program.ended':
      if (event.kind !== 'fault.injected' || crashes(event)) clear(flights, event.client ?? 0);
  }
}

/**
 * Forgets the frames that must have arrived long ago.
 * @param {Flights} flights
 * @param {number} now
 */
function sweep(flights, now) {
  for (const [key, flight] of flights) if (isForgotten(flight, now)) flights.delete(key);
}

/** Whether a frame must have arrived long ago. @param {Flight} flight @param {number} now */
export const isForgotten = (flight, now) => flight.due > 0 && flight.due + FORGET_AFTER < now;

/**
 * How far a frame has come, from 0 to 1. One that is due stays at the end until the
 * log tells that it has arrived.
 * @param {Flight} flight
 * @param {number} now
 */
export function progress(flight, now) {
  if (!flight.due) return 0;
  return Math.min(1, Math.max(0, (now - flight.sent) / Math.max(1, flight.due - flight.sent)));
}

/** One for each frame that is under way. @param {Event} event @param {Direction} dir */
export const flightKey = (event, dir) => `${event.client}${dir}${event.frame}`;

/** @param {Flights} flights @param {Event} event @param {Direction} dir */
function start(flights, event, dir) {
  const key = flightKey(event, dir);
  const sent = flights.get(key)?.sent ?? event.at;
  flights.set(key, {
    key, dir, sent,
    client: event.client ?? 0,
    role: roleOf(event, dir),
    op: event.op ?? '',
    path: event.path ?? '',
    frame: event.frame ?? 0,
    due: event.due ?? 0,
  });
}

/**
 * What a frame is, from its event and the way it goes.
 * @param {Event} event
 * @param {Direction} dir
 * @returns {Flight['role']}
 */
export function roleOf(event, dir) {
  if (event.op === 'notification') return 'notification';
  if (event.op === 'ping') return 'ping';
  return dir === 'out' ? 'request' : 'reply';
}

/** @param {Flights} flights @param {number} client */
function clear(flights, client) {
  for (const [key, flight] of flights) if (flight.client === client) flights.delete(key);
}
