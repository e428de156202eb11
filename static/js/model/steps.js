// What the network holds back: each client's outbox and inbox, told from the
// frames that the link holds without saying until when.

/** @import { Direction } from '../events.d.ts' */
/** @import { Flight } from './flights.js' */
/** @import { Lane } from './view.js' */

/** @typedef {{ client: number, out: Flight[], in: Flight[] }} Boxes oldest frame first */

/** What step mode lets pass by itself: sessions live on. */
const through = new Set(['ping', 'connect']);

/**
 * What waits in a lane, for each client.
 * @param {Lane} lane
 * @returns {Boxes[]}
 */
export function boxes(lane) {
  return [...lane.clients.keys()].map((client) => ({ client, out: box(lane, client, 'out'), in: box(lane, client, 'in') }));
}

/** @param {Lane} lane @param {number} client @param {Direction} dir */
const box = (lane, client, dir) => [...lane.flights.values()]
  .filter((flight) => flight.client === client && flight.dir === dir && waits(flight))
  .sort((a, b) => a.frame - b.frame);

/** @param {Flight} flight */
const waits = (flight) => !flight.due && !through.has(flight.op);

/**
 * The place of every waiting frame in its box, from 0, by its key.
 * @param {Lane} lane
 * @returns {Map<string, number>}
 */
export function ranks(lane) {
  const ranked = new Map();
  const counts = new Map();
  const held = [...lane.flights.values()].filter((flight) => !flight.due).sort((a, b) => a.frame - b.frame);
  for (const flight of held) {
    const end = `${flight.client}${flight.dir}`;
    const rank = counts.get(end) ?? 0;
    ranked.set(flight.key, rank);
    counts.set(end, rank + 1);
  }
  return ranked;
}
