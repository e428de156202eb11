// The picture in spoken words: for a live region, a few times a minute at most,
// each time only what matters now.

import { titleOf, plural } from './format.js';
import { conflictingBelievers } from '../model/belief.js';
import { newestComplete } from '../model/rounds.js';

/** @import { Round } from '../model/rounds.js' */
/** @import { Lane, View } from '../model/view.js' */

/** The least time between two sentences, in milliseconds. */
export const PAUSE = 15_000;

/**
 * One or two sentences on how each lane stands.
 * @param {View} view
 */
export function narrate(view) {
  if (view.finished) return 'The run is over.';
  return view.lanes.map(narrateLane).join(' ');
}

/** @param {Lane} lane */
function narrateLane(lane) {
  const clients = [...lane.clients.values()];
  const holders = clients.filter((client) => client.state === 'holds').map((client) => client.number);
  const waiters = clients.filter((client) => client.state === 'waiting' || client.state === 'woken').length;
  const crashed = clients.filter((client) => client.state === 'crashed').map((client) => client.number);
  return `${titleOf(lane.info).name}: ${holders.length ? `client ${holders.join(', ')} holds` : 'nobody holds'}, `
    + `${plural(waiters, 'client')} wait${waiters === 1 ? 's' : ''}`
    + costOf(newestComplete(lane.rounds))
    + `${conflictingBelievers(lane).length ? `, clients ${conflictingBelievers(lane).map((client) => client.number).join(' and ')} both believe that they hold` : ''}`
    + `${crashed.length ? `, client ${crashed.join(', ')} has crashed` : ''}.`;
}

/** What the last release cost, or the last end of a session. @param {Round | undefined} round */
function costOf(round) {
  if (!round) return '';
  const what = round.cause === 'release' ? 'the last release' : 'the last end of a session';
  return `, ${what}: ${round.woken} woken, ${round.wasted} in vain`;
}

/** Speaks through a live region, never faster than PAUSE; but what is the last word, at once. */
export class Narrator {
  /** @type {Element} */ #region;
  #last = -Infinity;
  #said = '';

  /** @param {Element} region */
  constructor(region) {
    this.#region = region;
  }

  /**
   * @param {() => string} words
   * @param {number} here performance.now()
   * @param {boolean} [last] nothing may come after it, so it is not put off
   */
  offer(words, here, last = false) {
    if (here - this.#last < PAUSE && !last) return;
    this.#last = here;
    const text = words();
    if (text !== this.#said) this.#region.textContent = this.#said = text;
  }
}
