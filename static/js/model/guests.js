// Guests: programs and people at consoles that take part beside the simulated clients.
// They come and go, and a number that one has left is another's later.

import { grantedAt } from './belief.js';
import { createClient } from './client.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Client } from './client.js' */
/** @import { Node } from './queue.js' */
/** @import { Lane } from './view.js' */

/** The simulated clients of a lane. @param {Lane} lane */
export const simulated = (lane) => [...lane.clients.values()].filter(({ participant }) => !participant);

/** A guest takes part from here on; the clients stay in the order of their numbers. @param {Lane} lane @param {Event} event */
export function join({ clients }, { client: number = 0, participant = 'guest', name = '' }) {
  const later = [...clients].filter(([each]) => each > number);
  for (const [each] of later) clients.delete(each);
  clients.set(number, createClient(number, participant, name));
  for (const [each, client] of later) clients.set(each, client);
}

/** It takes part no more: what is left of it is nobody's. @param {Lane} lane @param {number} number */
export function leave(lane, number) {
  lane.clients.delete(number);
  lane.watches.delete(number);
  for (const [session, client] of lane.sessions) if (client === number) lane.sessions.delete(session);
  for (const node of lane.queue.nodes) if (node.client === number) node.client = 0;
}

/** The locks whose queue is of numbered znodes alone. */
export const numbered = ['herd', 'mutex', 'rw', 'timed', 'revocable', 'reentrant', 'gozookeeper'];

/** Whether a znode has no place in the queue: it has no number, or the lock is the text of one znode. @param {Pick<Lane, 'info'>} lane @param {Pick<Node, 'sequence'>} node */
export const isStray = ({ info }, { sequence }) => info.recipe === 'flag' || sequence === Infinity && numbered.includes(info.recipe);

/**
 * The place of a guest's znode in the queue from 1, as the server has it, or 0.
 * @param {Pick<Lane, 'info' | 'queue'>} lane @param {Client} client
 */
export const placeOf = (lane, client) => lane.queue.nodes.findIndex((node) => node.session !== '' && node.client === client.number && !isStray(lane, node)) + 1;

/** Whether a znode stands in no order, as it has no number: kazoo's semaphore makes one for each permit. @param {Pick<Lane, 'queue'>} lane @param {number} index */
export const isUnordered = ({ queue }, index) => queue.nodes[index]?.sequence === Infinity;

/** Whether a guest may hold by a znode, as far as the server tells. @param {Pick<Lane, 'info' | 'queue'>} lane @param {number} index */
export const mayHold = (lane, index) => !isStray(lane, lane.queue.nodes[index] ?? { sequence: 0 }) && (isUnordered(lane, index) || grantedAt(lane, index));
