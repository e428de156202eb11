// What the help says of kept runs. It is loaded when the help is opened, alone.

import { keptSentence } from '../text/kept.js';

/**
 * Says what becomes of a room's runs, unless the server cannot be asked.
 * @param {HTMLElement} where @param {string} runs their address
 */
export async function tellKept(where, runs) {
  const answer = await fetch(runs).catch(() => undefined);
  if (answer?.ok) where.textContent = keptSentence((await answer.json()).keeps);
}
