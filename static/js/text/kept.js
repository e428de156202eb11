// What becomes of the runs of a room.

/** @typedef {{ runs: number, bytes: number, restart: boolean }} Keeps the most that a room keeps, and whether that outlasts the program */

/** @param {Keeps} keeps */
export function keptSentence({ runs, bytes, restart }) {
  const most = `Of the runs before the current one up to ${runs} are kept, in at most ${Math.max(1, Math.floor(bytes / 2 ** 20))} MB`;
  return restart
    ? `${most}; they, and links to a moment of one, are there again when the playground is started again.`
    : `${most}, until the playground ends. Save what you want to have longer; started with -data DIR it keeps them.`;
}
