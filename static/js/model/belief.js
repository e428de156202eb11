// Belief beside truth: which clients believe that they hold, whose znode
// is first at the server, and for how long a client was wrong.

import { believes } from './client.js';
import { locksOf } from './locks.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Client } from './client.js' */
/** @import { Node } from './queue.js' */
/** @import { Lane } from './view.js' */

/**
 * Times of false belief: a client believes that it holds, and its znode is gone.
 * Counted as playground/check/falsebelief.go does.
 * @typedef {object} FalseBeliefs
 * @property {Map<number, string>} deleted by client: its newest znode that went
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
 * @property {'yes' | 'no' | 'under way' | 'not known' | 'not told'} agree
 * @property {number} wrong how long it has believed falsely, in microseconds
 */

/** @returns {FalseBeliefs} */
export const createFalseBeliefs = () => ({ deleted: new Map(), since: new Map(), sums: new Map() });

/** The clients of a lane that believe that they hold. @param {Lane} lane */
export const believers = (lane) => [...lane.clients.values()].filter(({ number }) =>
  locksOf(lane).some(({ clients }) => clients.has(number) && believes(/** @type {Client} */ (clients.get(number)))));

/** How many that exclude each other may hold at once. @param {{ info: Lane['info'] }} lane */
export const mostHolders = ({ info }) => info.permits || 1;

/**
 * Those of the believers who cannot all be right: more than there may be, and not all
 * of them readers. Of several locks, those of each.
 * @param {Lane} lane
 * @returns {Client[]}
 */
export function conflictingBelievers(lane) {
  if (lane.locks.length) return [...new Set(lane.locks.flatMap(conflictingBelievers))];
  const all = believers(lane);
  return all.length > mostHolders(lane) && !all.every((client) => client.mode === 'read') ? all : [];
}

/**
 * Notes that a znode went whose owner believes that it holds.
 * @param {FalseBeliefs} all
 * @param {Map<number, Client>} clients
 * @param {Event} event tree.deleted
 */
export function beginFalseBelief(all, clients, event) {
  if (event.client) all.deleted.set(event.client, event.path ?? '');
  for (const client of clients.values()) {
    if (client.path === event.path && believes(client) && (event.client ?? client.number) === client.number) begin(all, client, event.at);
  }
}

/** A client has a new znode, maybe by a name that it had before. @param {FalseBeliefs} all @param {Map<number, Client>} clients @param {Event} event tree.created */
export function endFalseBelief(all, clients, { client: number = 0, path }) {
  const client = clients.get(number);
  if (all.deleted.get(number) === path) all.deleted.delete(number);
  if (!client || client.path !== path) return;
  all.since.delete(number);
  client.znodeGone = false;
}

/**
 * A client has moved on: its false belief ends when it has learned better, and begins
 * when it acquires by a znode that is gone.
 * @param {FalseBeliefs} all
 * @param {Client} client
 * @param {Event} event
 */
export function stepFalseBelief(all, client, { kind, at, path }) {
  if (kind === 'lock.acquired' && path && all.deleted.get(client.number) === path) begin(all, client, at);
  const since = all.since.get(client.number);
  if (since === undefined || believes(client)) return;
  all.since.delete(client.number);
  client.znodeGone = false;
  all.sums.set(client.number, (all.sums.get(client.number) ?? 0) + at - since);
}

/** @param {FalseBeliefs} all @param {Client} client @param {number} at */
function begin(all, client, at) {
  all.since.set(client.number, at);
  client.znodeGone = true;
}

/** How long a client has believed falsely so far. @param {FalseBeliefs} all @param {number} client @param {number} now */
export function falseBeliefOf(all, client, now) {
  const since = all.since.get(client);
  return (all.sums.get(client) ?? 0) + (since === undefined ? 0 : Math.max(0, now - since));
}

/** The same of all clients of a lane. @param {Lane} lane @param {number} now */
export const falseBeliefInAll = (lane, now) =>
  [...lane.clients.keys()].reduce((sum, client) => sum + falseBeliefOf(lane.falseBeliefs, client, now), 0);

/** Belief and truth of every client, where it has to do with several locks of each. @param {Lane} lane @param {number} now @returns {Row[]} */
export const rows = (lane, now) => [...lane.clients.keys()].flatMap((client) => {
  const own = lane.locks.filter(({ clients, queue }) => clients.get(client)?.belief !== 'idle' || queue.nodes.some((node) => node.client === client));
  return (own.length ? own : [lane]).map((lock) => row(lock, /** @type {Client} */ (lock.clients.get(client)), now));
});

/** @param {Lane} lane @param {Client} client @param {number} now @returns {Row} */
function row(lane, client, now) {
  const { nodes } = lane.queue;
  const index = nodes.findIndex((node) => (client.path ? node.path === client.path : node.client === client.number));
  const node = nodes[index]?.session ? nodes[index] : undefined; // one that stays by itself is nobody's
  const holds = believes(client);
  const granted = node !== undefined && grantedAt(lane, index);
  const told = granted || !holds || !nodes[index] || node;
  const agree = client.participant ? 'not told' : !told ? 'not known' : holds === granted ? 'yes' : holds ? 'no' : 'under way';
  return { client, holds, node, place: index + 1, granted, agree, wrong: falseBeliefOf(lane.falseBeliefs, client.number, now) };
}

/** A holder is at the head, or one of the first where there are permits; a reader has none but readers ahead. @param {Pick<Lane, 'info' | 'queue'>} lane @param {number} index */
export const grantedAt = ({ info, queue: { nodes } }, index) =>
  index < mostHolders({ info }) || nodes.slice(0, index + 1).every((node) => node.mode === 'read');
