// What the tour says: three scenarios, and at each instant of them one idea.

import { t } from '../text/language.js';

/** @import { InstantName } from '../events.d.ts' */

/**
 * @typedef {object} Step
 * @property {string} scenario
 * @property {number} clients
 * @property {'all-wait' | InstantName} at which instant of it the step is about
 * @property {string} before what to look for until it has come
 * @property {string} words
 */

/** @type {Step[]} */
export const steps = [
  {
    scenario: 'herd', clients: 6, at: 'all-wait',
    before: t`Six clients arrive. Each wants the same lock of a real ZooKeeper. A dot is a message under way.`,
    words: t`Each client has made a znode, a numbered entry in ZooKeeper’s tree, below /lock. The client with the lowest number holds the lock; the others wait.`,
  },
  {
    scenario: 'herd', clients: 6, at: 'all-wait', before: '',
    words: t`An arrow is a watch: each client has asked ZooKeeper to tell it when anything below /lock changes.`,
  },
  {
    scenario: 'herd', clients: 6, at: 'first-release',
    before: t`Who is woken when the holder releases the lock? Wait for the first release.`,
    words: t`The holder deleted its znode. All five others were woken, and one of them got the lock: four were woken for nothing. This is the herd effect.`,
  },
  {
    scenario: 'predecessor', clients: 6, at: 'all-wait',
    before: t`The same six clients again. One line of their recipe has changed.`,
    words: t`Now each client watches one znode only: the one ahead of its own.`,
  },
  {
    scenario: 'predecessor', clients: 6, at: 'first-release',
    before: t`Wait for the first release again.`,
    words: t`One client was woken, and it got the lock. With a thousand clients it would be one, too.`,
  },
  {
    scenario: 'two-holders', clients: 3, at: 'two-believe',
    before: t`Three clients pay into one account. The first one to hold the lock stands still for seven seconds, as in a long garbage collection.`,
    words: t`ZooKeeper heard nothing from it, so its session timed out, and another client got the lock. The first one does not know that: two clients believe that they hold it.`,
  },
  {
    scenario: 'two-holders', clients: 3, at: 'lost-update',
    before: t`In a moment the first one goes on, and writes what it had worked out before.`,
    words: t`Its late write has overwritten what the others paid in: that money is lost. No lock alone can prevent this. The lesson on two holders shows what does.`,
  },
];

export const words = {
  name: t`Three minutes`,
  back: t`Back`,
  next: t`Next`,
  leave: t`Leave#minutes`,
  /** @param {string} title */
  lesson: (title) => t`Lesson ${1}: ${title}`,
  /** @param {number} step from 1 @param {number} of */
  place: (step, of) => t`${step} of ${of}`,
};
