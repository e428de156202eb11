// What a release cost: whom it woke, who of them acquired, and whose wake-up was wasted.
// The server says it (playground/state); here it is kept.

/** @import { Event, Round as Told } from '../events.d.ts' */

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
 * @property {number} joined how many were woken since by clients that joined the queue
 * @property {boolean} complete
 * @property {number} seq the event that says so first, or 0
 */

/**
 * @typedef {object} Rounds
 * @property {Round[]} list the newest
 * @property {Sums} sums
 */

/**
 * @typedef {object} Sums
 * @property {number} wakeups
 * @property {number} wasted of those
 * @property {number} unexplained of those: it is not known what caused them
 * @property {number} joining of those: caused by clients that joined the queue
 * @property {number} rounds how many are complete
 * @property {number} roundWakeups the wake-ups in those
 * @property {number} roundWasted the wasted ones in those
 */

/** Only so many rounds are kept. */
const MOST = 100;

/** @returns {Rounds} */
export const createRounds = () => ({ list: [], sums: { wakeups: 0, wasted: 0, unexplained: 0, joining: 0, rounds: 0, roundWakeups: 0, roundWasted: 0 } });

/** @param {Rounds} rounds @param {Event} event of the lock's directory */
export function keepCost(rounds, { seq, cost = {} }) {
  const { round, wakeups = 0, wasted = 0, unexplained = 0, joining = 0, rounds: complete = 0, roundWakeups = 0, roundWasted = 0 } = cost;
  rounds.sums = { wakeups, wasted, unexplained, joining, rounds: complete, roundWakeups, roundWasted };
  if (round) keepRound(rounds.list, round, seq);
}

/** A round is never changed, so copies of the view have it in common. @param {Round[]} list @param {Told} round @param {number} seq */
function keepRound(list, { change, at, cause, client = 0, woken = 0, acquired = 0, wasted = 0, joined = 0, complete = false }, seq) {
  const known = list.findLastIndex((each) => each.change <= change);
  const before = list[known]?.change === change ? list[known] : undefined;
  /** @type {Round} */
  const round = { change, at, cause: /** @type {Round['cause']} */ (cause), client, woken, acquired, wasted, joined, complete, seq: complete ? before?.seq || seq : 0 };
  if (before) list[known] = round;
  else list.splice(known + 1, 0, round);
  if (list.length > MOST) list.shift();
}

/** The newest complete round. @param {Rounds} rounds */
export const newestComplete = ({ list }) => list.findLast(({ complete }) => complete);

/** The newest round, while it is not complete. @param {Rounds} rounds */
export const underWay = ({ list }) => (list.at(-1)?.complete ? undefined : list.at(-1));

/**
 * How many were woken, and found that they still wait, though no release had woken them. Where
 * newcomers wake others, too, that is not told apart, and it is 0.
 * @param {Rounds} rounds
 */
export function wokenByNoRelease({ list, sums: { wasted, joining, roundWasted } }) {
  const openWasted = list.reduce((sum, round) => sum + (round.complete ? 0 : round.wasted), 0);
  return joining ? 0 : wasted - roundWasted - openWasted;
}

/** How many were woken by clients that joined, since a round or since the start. @param {Rounds} rounds @param {Round | undefined} since */
export const joinedSince = ({ list, sums }, since) =>
  (since ? list.slice(list.indexOf(since)).reduce((sum, { joined }) => sum + joined, 0) : sums.joining);
