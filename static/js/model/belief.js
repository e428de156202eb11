// Belief beside truth: which clients believe that they hold, whose znode
// is first at the server, and for how long a client was wrong.

import { believes, isSilent } from './client.js';
import { locksOf } from './locks.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Client } from './client.js' */
/** @import { Node } from './queue.js' */
/** @import { Lane } from './view.js' */

/**
 * Times of false belief: a client believes that it holds, and its znode is gone.
 * @typedef {object} FalseBeliefs
 * @property {Map<string, { client: number, at: number }>} since by its znode: whose goes on, and from when
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
export const createFalseBeliefs = () => ({ since: new Map(), sums: new Map() });

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

/** @param {FalseBeliefs} all @param {Client} client @param {Event} event of it */
export function stepFalseBelief({ since, sums }, client, { kind, at, path = '', wrong = 0 }) {
  if (kind === 'belief.false') since.set(path, { client: client.number, at });
  else if (kind === 'belief.ended') {
    since.delete(path);
    sums.set(client.number, (sums.get(client.number) ?? 0) + wrong);
  } else return;
  client.znodeGone = kind === 'belief.false';
}

/** How long a client has believed falsely so far. @param {FalseBeliefs} all @param {number} client @param {number} now */
export const falseBeliefOf = ({ since, sums }, client, now) => [...since.values()].filter((each) => each.client === client)
  .reduce((sum, { at }) => sum + Math.max(0, now - at), sums.get(client) ?? 0);

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
  const known = lane.queue.synced > client.since || [...lane.falseBeliefs.since.values()].some((each) => each.client === client.number);
  const agree = isSilent(client) ? 'not told' : !told ? 'not known' : holds === granted ? 'yes' : holds && known ? 'no' : 'under way';
  return { client, holds, node, place: index + 1, granted, agree, wrong: falseBeliefOf(lane.falseBeliefs, client.number, now) };
}

/** A holder is at the head, or one of the first where there are permits; a reader has none but readers ahead. @param {Pick<Lane, 'info' | 'queue'>} lane @param {number} index */
export const grantedAt = ({ info, queue: { nodes } }, index) =>
  index < mostHolders({ info }) || nodes.slice(0, index + 1).every((node) => node.mode === 'read');
