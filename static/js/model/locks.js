// A lane with several lock directories: each is a lane of its own, of which the whole is
// the sum. Counted as playground/state/directories.go does.

import { addAll, createHistogram } from './handovers.js';
import { baseName } from './queue.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Lane } from './view.js' */

/** The lock directories of a lane, each as a lane: itself where it has one. @param {Lane} lane */
export const locksOf = (lane) => (lane.locks.length ? lane.locks : [lane]);

/** The lock directory that a path is of or in; undefined where it may be any. @param {Lane} lane @param {string} path */
export const lockOf = ({ locks }, path) => locks.find(({ queue: { directory } }) => path === directory || path.startsWith(`${directory}/`));

/** What a lock is called. @param {Lane} lock */
export const nameOf = ({ queue: { directory } }) => baseName(directory);

/**
 * The locks in which a client has a znode that was made by the same transaction as that of
 * an event, which is one of them. Where there is one lock, that.
 * @param {Lane} lane @param {Event} event
 */
export function takenTogether(lane, { client = 0, path = '', token }) {
  const one = lockOf(lane, path) ?? lane;
  return lane.locks.length ? lane.locks.filter((lock) => lock === one || (token && lock.clients.get(client)?.czxid === token)) : [one];
}

/** What an event may be about: all of its lock directories unless it names one. @param {Lane} lane @param {string} path */
export function concerned(lane, path) {
  const one = lockOf(lane, path);
  return one ? [one] : lane.locks;
}

/** Sums up what its lock directories have come to. @param {Lane} lane @param {Lane[]} changed those that an event concerned */
export function sumUp(lane, changed) {
  const { locks, rounds, handovers } = lane;
  for (const lock of changed) for (const round of lock.rounds.list) round.lock ??= nameOf(lock);
  rounds.list = locks.flatMap((lock) => lock.rounds.list).sort((a, b) => a.at - b.at);
  for (const name of /** @type {(keyof typeof rounds.sums)[]} */ (Object.keys(rounds.sums))) rounds.sums[name] = sum(locks.map((lock) => lock.rounds.sums[name]));
  const each = locks.map((lock) => lock.handovers);
  const number = sum(each.map((one) => one.number));
  if (number > handovers.number) {
    handovers.all = createHistogram();
    for (const { all } of each) addAll(handovers.all, all);
    handovers.newest = changed[0]?.handovers.newest ?? 0;
  }
  handovers.number = number;
  handovers.together = Math.max(...each.map((one) => one.together));
  handovers.longestStandstill = Math.max(...each.map((one) => one.longestStandstill));
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
