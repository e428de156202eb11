// What to try after a run, by its scenario: the lessons' runs in their order, with the
// settings that they have there.

import { t } from '../text/language.js';

/** @typedef {{ scenario: string, clients: number, delay: string, seed: number, title: string, words: string }} Next words: a sentence that says why */

/** The most clients of a comparison after which there is nothing to try with more. */
const FEW = 15;

/** @param {string} scenario @param {number} clients @param {string} delay @param {number} seed @param {string} title @param {string} words @returns {Next} */
const next = (scenario, clients, delay, seed, title, words) => ({ scenario, clients, delay, seed, title, words });

const crash = next('ephemeral-crash', 5, '250ms', 3, t`A holder crashes`, t`What if the holder never comes to release the lock?`);

/** @type {Record<string, Next>} */
export const nexts = {
  'herd': next('predecessor', 8, '250ms', 7, t`Watch the one ahead`, t`See the same eight clients when each of them watches one znode.`),
  'predecessor': next('herd-vs-predecessor', 8, '250ms', 7, t`Herd against predecessor`, t`See both locks side by side, with the same clients.`),
  'herd-vs-predecessor': next('herd-vs-predecessor', 16, '100ms', 7, t`Sixteen clients`, t`Twice as many clients: guess first what a release costs then in each lane.`),
  'ephemeral-crash': next('read-write', 9, '250ms', 6, t`Readers and writers`, t`Waking many can be right: see readers share the lock.`),
  'read-write': next('writer-leaves', 6, '150ms', 1, t`A writer that waits leaves`, t`One of those who wait leaves: see who is woken for it.`),
  'writer-leaves': next('two-holders', 3, '50ms', 5, t`Two holders`, t`See a lock without a fault let two clients in.`),
  'revocation': next('ephemeral-crash', 5, '250ms', 3, t`A holder crashes`, t`This holder listens. What about one that is gone?`),
  'by-hand': next('herd-vs-predecessor', 8, '250ms', 7, t`Herd against predecessor`, t`Now that you have watched by hand: see what it costs where everybody watches everything.`),
  'timed-lock': next('ephemeral-crash', 5, '250ms', 3, t`A holder crashes`, t`Here all who hold come back. What if one does not?`),
  'lost-place': next('timeouts', 3, '100ms', 1, t`Three time limits`, t`Take a place in this queue yourself, and see who gives up.`),
  'timeouts': next('ephemeral-crash', 5, '250ms', 3, t`A holder crashes`, t`Here all who hold come back. What if one does not?`),
  'several-locks': next('multi-lock', 4, '100ms', 1, t`Two locks as one`, t`See clients that want both.`),
  'multi-lock': next('deadlock', 2, '100ms', 1, t`Two locks, two orders`, t`See what comes of it when each takes one after the other.`),
  'deadlock': next('multi-lock', 4, '100ms', 1, t`Two locks as one`, t`See both taken in one transaction.`),
  'downgrade': next('two-holders', 3, '50ms', 5, t`Two holders`, t`See a lock without a fault let two clients in.`),
  'semaphore': next('two-holders', 3, '50ms', 5, t`Two holders`, t`Here three may hold at once. See a lock for one let two clients in.`),
  'two-holders': next('two-holders-fenced', 3, '50ms', 5, t`Two holders, and a fence`, t`See the same late write when the account has a fence.`),
  'two-holders-fenced': next('stores', 3, '50ms', 5, t`Three stores, the same faults`, t`Would a database or a cache do as well? Break all three at once.`),
  'delayed-write': next('guarded-account', 3, '50ms', 5, t`An account in ZooKeeper`, t`See an account that asks for no number.`),
  'guarded-account': next('stores', 3, '50ms', 5, t`Three stores, the same faults`, t`Would a database or a cache do as well? Break all three at once.`),
  'late-write': next('stores', 3, '50ms', 5, t`Three stores, the same faults`, t`Would a database or a cache do as well? Break all three at once.`),
  'leader-loss': next('stores', 3, '50ms', 5, t`Three stores, the same faults`, t`Would a database or a cache do as well? Break all three at once.`),
  'stores': next('flag-deadlock', 3, '50ms', 3, t`A flag, and a queue`, t`See what breaks when a lock itself has a flaw.`),
  'reentrant': next('lost-reply', 2, '50ms', 2, t`The reply that was lost`, t`See what a client does that never hears that its znode was made.`),
  'no-queue': next('lost-reply', 2, '50ms', 2, t`The reply that was lost`, t`See what a client does that never hears that its znode was made.`),
  'flag-deadlock': next('lost-reply', 2, '50ms', 2, t`The reply that was lost`, t`See what a client does that never hears that its znode was made.`),
  'lost-reply': next('lost-wakeup', 2, '50ms', 1, t`The wake-up that was missed`, t`See a release that falls between a look and a watch.`),
  'repeated-delete': next('lost-wakeup', 2, '50ms', 1, t`The wake-up that was missed`, t`See a release that falls between a look and a watch.`),
  'bad-luck': next('own-node', 3, '50ms', 5, t`A waiter without a znode`, t`See a waiter that has lost its place and does not notice.`),
  'lost-wakeup': next('own-node', 3, '50ms', 5, t`A waiter without a znode`, t`See a waiter that has lost its place and does not notice.`),
  'own-node': next('expired-holder', 3, '50ms', 4, t`A holder that does not listen`, t`See a holder that does not hear that its session has ended.`),
  'expired-holder': next('dying-session', 3, '50ms', 14, t`The znode of another session`, t`See a client find a znode that will not stay.`),
  'dying-session': next('herd-vs-predecessor', 8, '250ms', 7, t`Herd against predecessor`, t`Back to the first comparison: break its holders, and see how both locks go on.`),
};

/** What to try after a run; undefined after one of no lesson. @param {{ scenario: string, clients: number }} run @returns {Next | undefined} */
export const nextOf = ({ scenario, clients }) => (scenario === 'herd-vs-predecessor' && clients > FEW ? crash : Object.hasOwn(nexts, scenario) ? nexts[scenario] : undefined);
