// What to try after a run, by its scenario: the lessons' runs in their order, with the
// settings that they have there.

/** @typedef {{ scenario: string, clients: number, delay: string, seed: number, title: string, words: string }} Next words: a sentence that says why */

/** The most clients of a comparison after which there is nothing to try with more. */
const FEW = 15;

/** @param {string} scenario @param {number} clients @param {string} delay @param {number} seed @param {string} title @param {string} words @returns {Next} */
const next = (scenario, clients, delay, seed, title, words) => ({ scenario, clients, delay, seed, title, words });

const crash = next('ephemeral-crash', 5, '250ms', 3, 'A holder crashes', 'What if the holder never comes to release the lock?');

/** @type {Record<string, Next>} */
export const nexts = {
  'herd': next('predecessor', 8, '250ms', 7, 'Watch the one ahead', 'See the same eight clients when each of them watches one znode.'),
  'predecessor': next('herd-vs-predecessor', 8, '250ms', 7, 'Herd against predecessor', 'See both locks side by side, with the same clients.'),
  'herd-vs-predecessor': next('herd-vs-predecessor', 16, '100ms', 7, 'Sixteen clients', 'Twice as many clients: guess first what a release costs then in each lane.'),
  'ephemeral-crash': next('read-write', 9, '250ms', 6, 'Readers and writers', 'Waking many can be right: see readers share the lock.'),
  'read-write': next('two-holders', 3, '50ms', 5, 'Two holders', 'See a lock without a fault let two clients in.'),
  'revocation': next('ephemeral-crash', 5, '250ms', 3, 'A holder crashes', 'This holder listens. What about one that is gone?'),
  'by-hand': next('herd-vs-predecessor', 8, '250ms', 7, 'Herd against predecessor', 'Now that you have watched by hand: see what it costs where everybody watches everything.'),
  'timed-lock': next('ephemeral-crash', 5, '250ms', 3, 'A holder crashes', 'Here all who hold come back. What if one does not?'),
  'lost-place': next('timeouts', 3, '100ms', 1, 'Three time limits', 'Take a place in this queue yourself, and see who gives up.'),
  'timeouts': next('ephemeral-crash', 5, '250ms', 3, 'A holder crashes', 'Here all who hold come back. What if one does not?'),
  'several-locks': next('multi-lock', 4, '100ms', 1, 'Two locks as one', 'See clients that want both.'),
  'multi-lock': next('deadlock', 2, '100ms', 1, 'Two locks, two orders', 'See what comes of it when each takes one after the other.'),
  'deadlock': next('multi-lock', 4, '100ms', 1, 'Two locks as one', 'See both taken in one transaction.'),
  'downgrade': next('two-holders', 3, '50ms', 5, 'Two holders', 'See a lock without a fault let two clients in.'),
  'semaphore': next('two-holders', 3, '50ms', 5, 'Two holders', 'Here three may hold at once. See a lock for one let two clients in.'),
  'two-holders': next('two-holders-fenced', 3, '50ms', 5, 'Two holders, and a fence', 'See the same late write when the account has a fence.'),
  'two-holders-fenced': next('stores', 3, '50ms', 5, 'Three stores, the same faults', 'Would a database or a cache do as well? Break all three at once.'),
  'stores': next('flag-deadlock', 3, '50ms', 3, 'A flag that nobody takes down', 'See what breaks when a lock itself has a flaw.'),
  'reentrant': next('lost-reply', 2, '50ms', 2, 'The reply that was lost', 'See what a client does that never hears that its znode was made.'),
  'no-queue': next('lost-reply', 2, '50ms', 2, 'The reply that was lost', 'See what a client does that never hears that its znode was made.'),
  'flag-deadlock': next('lost-reply', 2, '50ms', 2, 'The reply that was lost', 'See what a client does that never hears that its znode was made.'),
  'lost-reply': next('lost-wakeup', 2, '50ms', 1, 'The wake-up that was missed', 'See a release that falls between a look and a watch.'),
  'lost-wakeup': next('own-node', 3, '50ms', 5, 'A waiter without a znode', 'See a waiter that has lost its place and does not notice.'),
  'own-node': next('expired-holder', 3, '50ms', 4, 'A holder that does not listen', 'See a holder that does not hear that its session has ended.'),
  'expired-holder': next('dying-session', 3, '50ms', 14, 'The znode of another session', 'See a client find a znode that will not stay.'),
  'dying-session': next('herd-vs-predecessor', 8, '250ms', 7, 'Herd against predecessor', 'Back to the first comparison: break its holders, and see how both locks go on.'),
};

/** What to try after a run; undefined after one of no lesson. @param {{ scenario: string, clients: number }} run @returns {Next | undefined} */
export const nextOf = ({ scenario, clients }) => (scenario === 'herd-vs-predecessor' && clients > FEW ? crash : nexts[scenario]);
