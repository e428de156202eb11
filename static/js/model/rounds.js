// What a release cost: whom it woke, who of them acquired, and whose wake-up was in vain.
// Counted as in playground/check/rounds.go, so that both say the same.

import { createChanges, firedBy, isPlaced, stepChanges, watchLeft } from './changes.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Cause, Change, Changes, Watched } from './changes.js' */

/**
 * A change that freed the lock, with all whom it woke. It is complete when each of them
 * has acquired, waits again or is gone.
 * @typedef {object} Round
 * @property {number} change its number
 * @property {number} at when the server made it, as far as the log knows
 * @property {'release' | 'end' | 'removed'} cause
 * @property {number} client who released, or whose znode went; 0 when that is not known
 * @property {string} [lock] which, where there are several
 * @property {number} woken
 * @property {number} acquired of those
 * @property {number} wasted of those: they wait again, or gave up
 * @property {number} open how many are to be woken yet, or are woken and undecided
 * @property {number} joined how many were woken since by clients that joined the queue
 * @property {boolean} complete
 * @property {number} seq the event with which it was complete, or 0
 */

/**
 * A client that waits or waited, and its wake-up if it had one.
 * @typedef {object} Wait
 * @property {number} client
 * @property {string} node its own znode
 * @property {Watched | undefined} watch what it waits for; undefined when the log does not tell
 * @property {number} change the number of the change that fired the watch, or 0
 * @property {Cause} cause of that
 * @property {boolean} woken
 * @property {boolean} lapsed its session has ended, and its watch with it
 * @property {'' | 'acquired' | 'wasted' | 'gone'} outcome empty while it is not known
 */

/**
 * @typedef {object} Rounds
 * @property {Changes} changes
 * @property {Round[]} list the newest
 * @property {Map<number, Watched[]>} reads the newest two watches that each client was left with: one may be on its own znode
 * @property {Map<number, Wait>} waits those that are not over, by client
 * @property {Wait[]} unexplained the newest of those that are over, and of which it is not known what woke them
 * @property {Sums} sums
 */

/**
 * @typedef {object} Sums
 * @property {number} wakeups
 * @property {number} wasted of those
 * @property {number} explained of those: it is known what caused them
 * @property {number} joining of those: caused by clients that joined the queue
 * @property {number} rounds how many are complete
 * @property {number} roundWakeups the wake-ups in those
 * @property {number} roundWasted the wasted ones in those
 */

/** Only so many rounds, and as many unexplained wake-ups, are kept. */
const MOST = 100;

/** @param {number} [clients] who has a higher number is a guest @returns {Rounds} */
export const createRounds = (clients = Infinity) => ({
  changes: createChanges(clients), list: [], reads: new Map(), waits: new Map(), unexplained: [],
  sums: { wakeups: 0, wasted: 0, explained: 0, joining: 0, rounds: 0, roundWakeups: 0, roundWasted: 0 },
});

/** @param {Rounds} rounds @param {Event} event of the lane, or of the whole run */
export function stepRounds(rounds, event) {
  const before = rounds.sums.rounds;
  follow(rounds, event);
  const round = rounds.sums.rounds > before ? newestComplete(rounds) : undefined;
  if (round) round.seq = event.seq;
}

/** @param {Rounds} rounds @param {Event} event */
function follow(rounds, event) {
  const { changes } = rounds;
  if (event.kind.startsWith('wire.')) {
    if (!event.zxid) return; // no reply
    const watch = watchLeft(event);
    if (watch) rounds.reads.set(event.client ?? 0, [watch, ...(rounds.reads.get(event.client ?? 0) ?? []).slice(0, 1)]);
    if (stepChanges(changes, event)) review(rounds);
    return;
  }
  const newest = changes.number;
  if (stepChanges(changes, event)) {
    if (changes.number > newest) begin(rounds, /** @type {Change} */ (changes.list.at(-1)));
    lapse(rounds, event);
    review(rounds);
  } else if (event.client) stepWait(rounds, event, event.client);
}

/** The newest complete round. @param {Rounds} rounds */
export const newestComplete = ({ list }) => list.findLast(({ complete }) => complete);

/** The newest round, while it is not complete. @param {Rounds} rounds */
export const underWay = ({ list }) => (list.at(-1)?.complete ? undefined : list.at(-1));

/** How many were woken by clients that joined, since a round or since the start. @param {Rounds} rounds @param {Round | undefined} since */
export const joinedSince = ({ list, sums }, since) =>
  (since ? list.slice(list.indexOf(since)).reduce((sum, { joined }) => sum + joined, 0) : sums.joining);

/** @param {Rounds} rounds @param {Change} change */
function begin({ list }, { number, at, cause, client }) {
  if (cause !== 'release' && cause !== 'end' && cause !== 'removed') return;
  list.push({ change: number, at, cause, client, woken: 0, acquired: 0, wasted: 0, open: 0, joined: 0, complete: false, seq: 0 });
  if (list.length > MOST) list.shift();
}

/** Nobody will wake a client whose session has ended, unless its notification is under way. @param {Rounds} rounds @param {Event} event */
function lapse(rounds, { kind, cause, path, client = 0 }) {
  const wait = rounds.waits.get(client);
  const ends = kind === 'tree.deleted' && (cause === 'expiry' || cause === 'close');
  if (ends && wait && wait.node === path && !wait.woken) move(rounds, wait, { lapsed: true });
}

/** Looks again at what was not known. @param {Rounds} rounds */
function review(rounds) {
  for (const wait of rounds.waits.values()) explain(rounds, wait);
  rounds.unexplained = rounds.unexplained.filter((wait) => !explain(rounds, wait));
  for (const round of rounds.list) close(rounds, round);
}

/** @param {Rounds} rounds @param {Wait} wait @returns {boolean} whether it is known what woke the client, or will */
function explain(rounds, wait) {
  const change = !wait.change && wait.watch && firedBy(rounds.changes, wait.watch);
  if (change) move(rounds, wait, { change: change.number, cause: change.cause });
  return wait.change > 0;
}

/** @param {Rounds} rounds @param {Event} event @param {number} client */
function stepWait(rounds, event, client) {
  switch (event.kind) {
    case 'lock.waiting':
      end(rounds, client, 'wasted');
      wait(rounds, event, client);
      break;
    case 'lock.woken':
      woken(rounds, event, client);
      break;
    case 'lock.acquired':
      end(rounds, client, 'acquired');
      break;
    case 'lock.gave-up':
      end(rounds, client, 'wasted');
      break;
    case 'lock.lost':
      if (!event.path || event.path === rounds.waits.get(client)?.node) end(rounds, client, 'gone'); // else it is told late, of a former znode
      break;
    case 'lock.released':
    case 'session.closed':
      end(rounds, client, 'gone');
      break;
    case 'fault.injected':
      if (event.fault === 'crash' || event.fault === 'close') end(rounds, client, 'gone');
  }
}

/** @param {Rounds} rounds @param {Event} event @param {number} client */
function wait(rounds, { path = '', predecessor }, client) {
  const watch = rounds.reads.get(client)?.find((read) => read.path === predecessor);
  /** @type {Wait} */
  const begun = { client, node: path, watch, change: 0, cause: 'unknown', woken: false, lapsed: false, outcome: '' };
  rounds.waits.set(client, begun);
  explain(rounds, begun);
}

/** @param {Rounds} rounds @param {Event} event @param {number} client */
function woken(rounds, event, client) {
  if (rounds.waits.get(client)?.woken !== false) { // it was not told that it waits
    end(rounds, client, 'gone');
    wait(rounds, { ...event, predecessor: undefined }, client);
  }
  rounds.sums.wakeups++;
  move(rounds, /** @type {Wait} */ (rounds.waits.get(client)), { woken: true, lapsed: false });
}

/** @param {Rounds} rounds @param {number} client @param {Wait['outcome']} outcome */
function end(rounds, client, outcome) {
  const wait = rounds.waits.get(client);
  if (!wait) return;
  rounds.waits.delete(client);
  if (wait.woken && outcome === 'wasted') rounds.sums.wasted++;
  move(rounds, wait, { outcome });
  if (!wait.woken || wait.change) return;
  rounds.unexplained.push(wait);
  if (rounds.unexplained.length > MOST) rounds.unexplained.shift();
}

/** Changes what is known of a wait, and the figures that it is counted in. @param {Rounds} rounds @param {Wait} wait @param {Partial<Wait>} known */
function move(rounds, wait, known) {
  tally(rounds, wait, -1);
  Object.assign(wait, known);
  tally(rounds, wait, 1);
}

/** @param {Rounds} rounds @param {Wait} wait @param {1 | -1} sign */
function tally({ sums, list, changes }, { change, cause, woken, lapsed, outcome }, sign) {
  if (!change) return;
  if (woken && cause !== 'unknown') sums.explained += sign;
  if (cause === 'join' && woken) {
    sums.joining += sign;
    const before = list.findLast((round) => round.change < change);
    if (before) before.joined += sign;
  }
  const round = list.findLast((each) => each.change === change);
  if (!round) return;
  reopen(sums, round);
  round.open += outcome || lapsed ? 0 : sign;
  if (woken) round.woken += sign;
  if (woken && outcome === 'acquired') round.acquired += sign;
  if (woken && outcome === 'wasted') round.wasted += sign;
  close({ sums, changes }, round);
}

/** Somebody whom it woke is known late. @param {Sums} sums @param {Round} round */
function reopen(sums, round) {
  if (!round.complete) return;
  round.complete = false;
  sums.rounds--;
  sums.roundWakeups -= round.woken;
  sums.roundWasted -= round.wasted;
}

/** @param {Pick<Rounds, 'sums' | 'changes'>} rounds @param {Round} round */
function close({ sums, changes }, round) {
  if (round.complete || round.open || !isPlaced(changes, round.change)) return;
  round.complete = true;
  sums.rounds++;
  sums.roundWakeups += round.woken;
  sums.roundWasted += round.wasted;
}
