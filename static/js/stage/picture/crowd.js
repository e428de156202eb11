// A lane of more clients than can be drawn: a few of them each in a place of its own,
// and the rest counted by their states. Every one can be chosen, and is drawn then.

import { believes } from '../../model/client.js';
import { clientPoint } from './layout.js';

/** @import { Client, ClientState } from '../../model/client.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Layout } from './layout.js' */

/** @typedef {{ state: ClientState, clients: number[] }} Group those of one state that are not drawn */

/**
 * @typedef {object} Crowd
 * @property {(Client | undefined)[]} drawn by their places; the last one is for the client that was chosen
 * @property {Map<number, number>} places by client
 * @property {Group[]} groups
 */

/** Always counted, so that the others stay where they are. @type {ClientState[]} */
const usual = ['waiting', 'woken', 'enqueued', 'idle'];
/** Counted where there are any. @type {ClientState[]} */
const others = ['holds', 'untold', 'connecting', 'absent', 'suspended', 'lost', 'expired', 'crashed', 'closed'];

/** The most that are drawn because they are guests. */
const MOST_GUESTS = 2;
/** The most that are drawn because of their faults. */
const MOST_FAULTY = 2;

/**
 * Who is drawn: those that believe that they hold, some guests, some with faults, and then the
 * queue from its head on.
 * @param {Lane} lane
 * @param {number} count of places
 * @param {number} chosen client, or 0
 * @returns {Crowd}
 */
export function crowdOf({ clients, queue }, count, chosen) {
  const rest = [...clients.values()].filter(({ number }) => number !== chosen);
  const inQueue = queue.nodes.flatMap(({ client }) => (client && client !== chosen ? clients.get(client) ?? [] : []));
  const faulty = rest.filter(({ faults }) => faults.size > 0).slice(0, MOST_FAULTY);
  const guests = rest.filter(({ participant }) => participant).slice(0, MOST_GUESTS);
  const first = [...new Set([...rest.filter(believes), ...guests, ...faulty, ...inQueue, ...rest])].slice(0, count - 1);
  const drawn = [...first, clients.get(chosen)];
  const places = new Map(drawn.flatMap((client, place) => (client ? [[client.number, place]] : [])));
  return { drawn, places, groups: groupsOf(rest.filter(({ number }) => !places.has(number))) };
}

/** @param {Client[]} clients @returns {Group[]} */
function groupsOf(clients) {
  /** @type {Map<ClientState, number[]>} */
  const byState = new Map(usual.map((state) => [state, []]));
  for (const { state, number } of clients) {
    const group = byState.get(state);
    if (group) group.push(number);
    else byState.set(state, [number]);
  }
  return [...usual, ...others].flatMap((state) => {
    const numbers = byState.get(state);
    return numbers ? [{ state, clients: numbers }] : [];
  });
}

/** Spreads the clients of a crowd over its width: neighbours come far apart. */
const GOLDEN = 0.618034;

/**
 * The end of a client's link. The clients stand in the order of their numbers; those of
 * guests need not follow one another.
 * @param {Pick<Lane, 'clients'>} lane
 * @param {Layout} at
 * @param {number} client from 1
 * @param {Crowd} [crowd]
 */
export function linkEnd({ clients }, at, client, crowd) {
  if (!crowd) return clientPoint(at, client <= clients.size && !clients.get(client)?.participant ? client - 1 : [...clients.keys()].indexOf(client));
  const place = crowd.places.get(client);
  if (place !== undefined) return clientPoint(at, place);
  return { x: at.crowdX + 0.5 * at.u + ((client * GOLDEN) % 1) * (at.width - at.crowdX - at.u), y: at.clientsTop };
}

/** The ends of the classes of waits, in microseconds. */
export const WAITS = [100_000, 1_000_000, 10_000_000, 60_000_000, Infinity];
/**
 * How many clients of a queue have waited how long, by the classes of WAITS: from when the
 * znode was made by which a client waits.
 * @param {Pick<Lane, 'clients' | 'queue'>} lane
 * @param {number} now
 */
export function waitsOf({ clients, queue }, now) {
  const counts = WAITS.map(() => 0);
  for (const { client, createdAt } of queue.nodes) {
    const owner = clients.get(client);
    if (!owner || believes(owner)) continue;
    const found = WAITS.findIndex((end) => now - createdAt < end);
    counts[found] = /** @type {number} */ (counts[found]) + 1;
  }
  return counts;
}
