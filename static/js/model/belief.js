// Belief beside truth: who takes the lock for its own, whom the server takes
// for its holder, and for how long somebody was wrong.

import { holdsUnheard } from './client.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Client } from './client.js' */
/** @import { Node } from './queue.js' */
/** @import { Lane } from './view.js' */

/**
 * Times of false belief: a client holds in its own mind, and its znode is gone.
 * @typedef {object} Errors
 * @property {Map<number, number>} since by client: when its znode went
 * @property {Map<number, number>} sums by client: the times that are over, in microseconds
 */

/**
 * @typedef {object} Row
 * @property {Client} client
 * @property {boolean} holds it believes that it holds
 * @property {Node | undefined} node its znode, as the server has it
 * @property {number} place of its znode in the queue from 1, or 0
 * @property {boolean} granted its znode is where a holder's must be
 * @property {'yes' | 'no' | 'under way'} agree
 * @property {number} wrong how long it has believed falsely, in microseconds
 */

/** @returns {Errors} */
export const createErrors = () => ({ since: new Map(), sums: new Map() });

/** Whether a client takes the lock for its own. @param {Client} client */
export const believes = (client) => client.state === 'holds' || holdsUnheard(client);

/** The clients of a lane that take the lock for their own. @param {Lane} lane */
export const believers = (lane) => [...lane.clients.values()].filter(believes);

/**
 * Those of the believers who cannot all be right: more than one, and not all
 * of them readers.
 * @param {Lane} lane
 */
export function rivals(lane) {
  const all = believers(lane);
  return all.length > 1 && !all.every((client) => client.mode === 'read') ? all : [];
}

/**
 * Notes that a znode went whose owner believes that it holds.
 * @param {Errors} errors
 * @param {Map<number, Client>} clients
 * @param {Event} event tree.deleted
 */
export function loseNode(errors, clients, event) {
  for (const client of clients.values()) {
    if (client.path === event.path && believes(client)) errors.since.set(client.number, event.at);
  }
}

/**
 * Ends the false belief of a client that has learned better, after it moved on.
 * @param {Errors} errors
 * @param {Client} client
 * @param {number} at
 */
export function learn(errors, client, at) {
  const since = errors.since.get(client.number);
  if (since === undefined || believes(client)) return;
  errors.since.delete(client.number);
  errors.sums.set(client.number, (errors.sums.get(client.number) ?? 0) + at - since);
}

/** How long a client has believed falsely so far. @param {Errors} errors @param {number} client @param {number} now */
export function wrongFor(errors, client, now) {
  const since = errors.since.get(client);
  return (errors.sums.get(client) ?? 0) + (since === undefined ? 0 : Math.max(0, now - since));
}

/** The same of all clients of a lane. @param {Lane} lane @param {number} now */
export const wrongInAll = (lane, now) =>
  [...lane.clients.keys()].reduce((sum, client) => sum + wrongFor(lane.errors, client, now), 0);

/** Belief and truth of every client. @param {Lane} lane @param {number} now @returns {Row[]} */
export const rows = (lane, now) => [...lane.clients.values()].map((client) => row(lane, client, now));

/** @param {Lane} lane @param {Client} client @param {number} now @returns {Row} */
function row(lane, client, now) {
  const { nodes } = lane.queue;
  const index = nodes.findIndex((node) => (client.path ? node.path === client.path : node.client === client.number));
  const node = nodes[index];
  const holds = believes(client);
  const granted = node !== undefined && grantedAt(nodes, index);
  const agree = holds === granted ? 'yes' : holds ? 'no' : 'under way';
  return { client, holds, node, place: index + 1, granted, agree, wrong: wrongFor(lane.errors, client.number, now) };
}

/** A holder is at the head; a reader has none but readers ahead. @param {Node[]} nodes @param {number} index */
const grantedAt = (nodes, index) =>
  index === 0 || nodes.slice(0, index + 1).every((node) => node.mode === 'read');
