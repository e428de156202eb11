// What the guided start says, step by step. All steps together last half a minute.

import { t } from './language.js';

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} text
 * @property {string} at what it points to, as a selector
 * @property {number} seconds until the next one
 */

/** @type {Step[]} */
export const steps = [
  {
    title: t`This is really happening`, at: '.lanes', seconds: 5,
    text: t`Clients, below, want the same lock of a real ZooKeeper, above. Each dot is a message under way, slowed down for the eye.`,
  },
  {
    title: t`Who holds the lock`, at: '.lane.front .client.is-holds', seconds: 5,
    text: t`It is green, and says so. Its znode, which carries the same shape, is the first in the queue.`,
  },
  {
    title: t`Who waits for what`, at: '.lane.front .queue', seconds: 6,
    text: t`An arrow leads from each waiter to what it watches: the whole directory, or only the znode ahead of it.`,
  },
  {
    title: t`A release, and what it cost`, at: '.lane.front .wake', seconds: 7,
    text: t`Who is woken turns orange. Here it is counted: everyone who watches the directory, but one of those who watch the znode ahead. Only one can get the lock; the others were woken in vain.`,
  },
  {
    title: t`Time is in your hands`, at: '#timeline', seconds: 6,
    text: t`Pause, drag back to the last release, go through it event by event. The run goes on meanwhile; Live brings you back.`,
  },
];

export const words = {
  name: t`Guided start`,
  back: t`Back`,
  next: t`Next`,
  done: t`Done`,
  skip: t`Skip`,
  /** @param {number} step from 1 @param {number} of */
  place: (step, of) => t`${step} of ${of}`,
};
