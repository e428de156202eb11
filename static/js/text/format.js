// Numbers and names as people read them.

import { grantedAt } from '../model/belief.js';
import { holdsUnconfirmed } from '../model/client.js';
import { isUnordered, placeOf } from '../model/guests.js';
import { fixed, listed, t, translated } from './language.js';

/** @import { Client, ClientState } from '../model/client.js' */
/** @import { Verdict } from '../events.d.ts' */
/** @import { Lane } from '../model/view.js' */

/**
 * Microseconds as minutes and seconds: 0:41.
 * @param {number} micros
 */
export function clock(micros) {
  const seconds = Math.max(0, Math.floor(micros / 1e6));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * An instant of the run to the millisecond: 0:41.250.
 * @param {number} micros
 */
export const instant = (micros) =>
  `${clock(micros)}.${String(Math.floor(micros / 1000) % 1000).padStart(3, '0')}`;

/**
 * A length of time: 5.2 s, 250 ms, 12 µs.
 * @param {number} micros
 */
export function span(micros) {
  if (micros >= 1e6) return t`${fixed(micros / 1e6, 1)} s`;
  if (micros >= 1e3) return t`${Math.round(micros / 1e3)} ms`;
  return t`${Math.round(micros)} µs`;
}

/**
 * What is left until something is due, always in the same form: 1.0 s, 0.1 s, due.
 * @param {number} micros
 * @param {boolean} [narrow] there is room for three digits: 12s, 1.0
 */
export function countdown(micros, narrow = false) {
  if (micros < 50_000) return t`due`;
  if (!narrow) return t`${fixed(micros / 1e6, 1)} s`;
  return micros < 9_950_000 ? fixed(micros / 1e6, 1) : t`${Math.round(micros / 1e6)}s`;
}

/**
 * A mean with one digit after the point, or a dash when there is none yet.
 * @param {number} value
 */
export const mean = (value) => (Number.isFinite(value) ? fixed(value, value < 100 ? 1 : 0) : '–');

/**
 * Milliseconds out of a Go duration, such as "250ms", "1.5s" or "1m0s".
 * @param {string} duration
 */
export function milliseconds(duration) {
  const units = /** @type {Record<string, number>} */ ({ ns: 1e-6, us: 1e-3, 'µs': 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 });
  let sum = 0;
  for (const [, number, unit] of duration.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)) {
    sum += Number(number) * (units[unit ?? ''] ?? 0);
  }
  return sum;
}

/**
 * A sequence number without its leading zeros, but never fewer than two digits.
 * @param {number} sequence
 */
export const sequence = (sequence) =>
  Number.isFinite(sequence) ? String(sequence).padStart(2, '0') : '?';

/** Who takes part by itself: a guest or a console. @param {Client['participant']} participant */
export const participantWord = (participant) => (participant === 'console' ? t`console` : participant && t`guest`);

/** What a guest calls itself, or what it is. @param {Pick<Client, 'name' | 'participant'>} client */
export const guestName = ({ name, participant }) => name || participantWord(participant);

/** What a check has found. @param {Verdict} verdict */
export const verdictWord = (verdict) => ({ holds: t`holds#check`, violated: t`violated`, undecided: t`undecided` })[verdict];

/** @type {Record<ClientState, string>} */
const words = {
  absent: t`away`, connecting: t`connects`, idle: t`thinks`, enqueued: t`queues`, waiting: t`waits`,
  woken: t`woken`, holds: t`holds`, suspended: t`cut off`, lost: t`lost`, expired: t`expired`, crashed: t`crashed`,
  closed: t`closed`, untold: t`not told`,
};

/** What a holder does, by the mode of its lock; unsure: when it is cut off, or its znode gone. @type {Record<string, { sure: string, unsure: string, believed: string }>} */
const holdWords = {
  '': { sure: words.holds, unsure: t`holds?`, believed: t`it holds` },
  read: { sure: t`reads#holder`, unsure: t`reads?`, believed: t`it reads` },
  write: { sure: t`writes#holder`, unsure: t`writes?`, believed: t`it writes` },
};

/** @param {string} mode "read", "write" or empty @param {'sure' | 'unsure' | 'believed'} [how] */
export const holdWord = (mode, how = 'sure') => (holdWords[mode] ?? holdWords[''])?.[how] ?? '';

/** @param {ClientState} state */
export const stateWord = (state) => words[state];

/** The states of more than one client, where they are another word. @type {Partial<Record<ClientState, string>>} */
const manyWords = { connecting: t`connecting`, idle: t`thinking`, enqueued: t`queueing`, waiting: t`waiting`, holds: t`holding` };

/** What a number of clients do. @param {ClientState} state */
export const manyWord = (state) => manyWords[state] ?? words[state];

/**
 * Where a guest stands, of which only the server tells: at its place in the queue.
 * @param {Pick<Lane, 'info' | 'queue'>} lane @param {Client} client
 */
export function guestWord(lane, client) {
  const place = client.state === 'untold' ? placeOf(lane, client) : 0;
  if (!place) return client.state === 'untold' ? t`not queued` : stateWord(client.state);
  if (isUnordered(lane, place - 1)) return t`may hold`;
  return grantedAt(lane, place - 1) ? lane.info.permits ? t`permit` : t`first` : t`${place - 1} ahead`;
}

/** A client's state; of a holder by the mode of its lock. @param {Client} client */
export const plainWord = ({ state, mode }) => (state === 'holds' ? holdWord(mode) : words[state]);

/**
 * The same; that of a holder is a question when it is cut off, or its znode gone.
 * @param {Client} client
 */
export function clientWord(client) {
  if (holdsUnconfirmed(client)) return holdWord(client.mode, 'unsure');
  if (client.asked && client.state === 'holds') return t`holds, asked`;
  return client.gaveUp && client.state === 'idle' ? t`gave up` : plainWord(client);
}

/**
 * A lane's title in its two parts: "Herd: everyone watches" is a name and what it is about.
 * A scenario of one's own may have none.
 * @param {{ name: string, title: string }} lane
 */
export function titleOf(lane) {
  const [name = '', ...about] = translated(lane.title || lane.name).split(/: |：/);
  return { name, about: about.join(': ') };
}

/**
 * What happened, with the lane that it was in where there are more.
 * @param {{ lane?: string }} event @param {{ info: { name: string, title: string } }[]} lanes @param {string} words
 */
export function inLane({ lane }, lanes, words) {
  const found = lanes.length > 1 ? lanes.find(({ info }) => info.name === lane) : undefined;
  return found ? t`${titleOf(found.info).name}: ${words}` : words;
}

/** What a run is called, or its scenario. @param {{ title?: string, scenario: string }} run */
export const runTitle = ({ title, scenario }) => (title ? translated(title) : scenario);

/** What a run was started with. @param {{ clients: number, delay: string, seed: number }} run */
export const settingsWords = ({ clients, delay, seed }) => t`${clients} clients, delay ${delay}, seed ${seed}`;

/** The letter by which a thread of a client goes. @param {number} thread from 1 */
export const threadName = (thread) => String.fromCharCode(96 + thread);

/** The most clients that are named; more are counted. */
const MOST_NAMED = 4;

/**
 * Clients by name: client 2; clients 2, 3 and 5; 7 clients.
 * @param {number[]} clients
 */
export function clientNames(clients) {
  if (clients.length > MOST_NAMED) return t`${clients.length} client|${clients.length} clients`;
  return clients.length < 2 ? t`client ${clients.join('')}` : t`clients ${listed(clients)}`;
}
