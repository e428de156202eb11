// What the help says of kept runs. It is loaded when the help is opened, alone.

import { t } from '../text/language.js';

/** @typedef {{ runs: number, bytes: number, restart: boolean }} Keeps the most that a room keeps, and whether that outlasts the program */

/** @param {Keeps} keeps */
function keptSentence({ runs, bytes, restart }) {
  const megabytes = Math.max(1, Math.floor(bytes / 2 ** 20));
  return restart
    ? t`Of the runs before the current one up to ${runs} are kept, in at most ${megabytes} MB; they, and links to a moment of one, are there again when the playground is started again.`
    : t`Of the runs before the current one up to ${runs} are kept, in at most ${megabytes} MB, until the playground ends. Save what you want to have longer; started with -data DIR it keeps them.`;
}

/**
 * Says what becomes of a room's runs, unless the server cannot be asked.
 * @param {HTMLElement} where @param {string} runs their address
 */
export async function tellKept(where, runs) {
  const answer = await fetch(runs).catch(() => undefined);
  if (answer?.ok) where.textContent = keptSentence((await answer.json()).keeps);
}
