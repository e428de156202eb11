// Whom and what a decisive instant is about, lane by lane: what has to be in sight for
// the picture to say its point.

import { believers, conflictingBelievers } from './belief.js';
import { locksOf } from './locks.js';

/** @import { Event, InstantName } from '../events.d.ts' */
/** @import { Client } from './client.js' */
/** @import { Lane, View } from './view.js' */

/** @typedef {{ lane: string, clients: number[], paths: string[], account: boolean }} Concern paths: of znodes in the queue */

/** @param {Event} event of the lane @param {Lane} lane @returns {Client[]} */
const self = ({ client = 0 }, { clients }) => [clients.get(client)].filter((each) => each !== undefined);

/** Of more clients than these, those who were woken are a crowd: what matters is who holds. */
const MANY = 16;

/** Who holds, and whom the release before has woken. @param {Lane} lane */
const holdersAndWoken = (lane) => {
  if (lane.clients.size > MANY) return believers(lane);
  const since = lane.rounds.list.findLast(({ complete }) => complete)?.at ?? 0;
  return [...lane.clients.values()].filter((client) => believers(lane).includes(client) || client.wokenAt >= since);
};

/** @param {Lane} lane */
const waiters = ({ clients }) => [...clients.values()].filter(({ state }) => state === 'waiting' || state === 'woken');

/** @type {Record<InstantName, (event: Event, lane: Lane) => Client[]>} */
const concerned = {
  'first-release': (_, lane) => holdersAndWoken(lane),
  'readers-share': (_, lane) => believers(lane),
  asked: (event, lane) => [...believers(lane), ...self(event, lane)],
  overtaken: (_, lane) => believers(lane),
  'gave-up': self,
  'permits-taken': (_, lane) => believers(lane),
  'two-believe': (_, lane) => conflictingBelievers(lane),
  'lost-update': () => [],
  refused: self,
  expired: self,
  stuck: (_, lane) => waiters(lane),
  'waits-for-itself': self,
  'missed-wake-up': self,
  'woken-for-nothing': (_, { clients }) => [...clients.values()].filter(({ state, wokenInVainAt }) => state === 'waiting' && wokenInVainAt >= 0),
};

/** These are about what the lock protects, too. @type {InstantName[]} */
const ofAccount = ['lost-update', 'refused'];
/** These are found in all lanes at once. @type {InstantName[]} */
const ofAllLanes = ['first-release'];

/**
 * @param {InstantName} name
 * @param {Event} event with which it came
 * @param {Lane} lane of that
 * @param {View} view
 * @returns {Concern[]}
 */
export function concernsOf(name, event, lane, view) {
  return (ofAllLanes.includes(name) ? view.lanes : [lane]).map((each) => {
    const clients = [...new Set(concerned[name](event, each).map(({ number }) => number))];
    return {
      lane: each.info.name, clients, account: ofAccount.includes(name) && each.account.used,
      paths: locksOf(each).flatMap(({ queue }) => queue.nodes).filter(({ client }) => clients.includes(client)).map(({ path }) => path),
    };
  });
}

/** @param {Client} client @param {Lane} lane */
const rank = (client, lane) => {
  if (believers(lane).includes(client)) return 1;
  if (client.state === 'woken') return 2;
  return ['crashed', 'lost', 'expired', 'suspended'].includes(client.state) ? 3 : client.path ? 4 : 5;
};

/** The clients of a lane, those first whom the instant is about, then who holds, is woken or is cut off, and waits. @param {Lane} lane @param {{ about: Concern[] }} [instant] @returns {number[]} */
export function byConcern(lane, instant) {
  const about = instant?.about.find((each) => each.lane === lane.info.name)?.clients ?? [];
  const others = [...lane.clients.values()].sort((one, other) => rank(one, lane) - rank(other, lane) || one.path.localeCompare(other.path) || one.number - other.number);
  return [...new Set([...about, ...others.map(({ number }) => number)])];
}
