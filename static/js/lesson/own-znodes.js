// The numbers of the reader's own znodes in a line of a lesson. Only a run knows them, so the
// line has a mark: {last} or {last but one} after the beginning of a path. See lessons/act.go.

import { sequenceDigits, sequenceOf } from '../model/queue.js';

/** @import { Lane } from '../model/view.js' */

const MARK = /(\S*)\{(last|last but one)\}/g;

/** What a reader sees of it before there is a number. @param {string} line */
export const shownLine = (line) => line.replace(MARK, '$1…');

/** As much of it as can be typed without one. @param {string} line */
export const typedLine = (line) => line.replace(/\{.*/, '');

/**
 * A line with the numbers, or undefined while the reader has no such znode.
 * @param {string} line @param {string[]} own the reader's znodes, as the console names them, in order
 */
export function filledLine(line, own) {
  let filled = true;
  const numbered = own.filter((path) => Number.isFinite(sequenceOf(path)));
  const found = line.replace(MARK, (mark, /** @type {string} */ begin, /** @type {string} */ which) => {
    const named = numbered.filter((path) => path.startsWith(begin));
    const fits = named.length ? named : numbered.filter((path) => path.startsWith(begin.slice(0, begin.lastIndexOf('/') + 1)));
    const path = fits.at(which === 'last' ? -1 : -2);
    filled &&= path !== undefined;
    return path === undefined ? mark : begin + path.slice(-sequenceDigits);
  });
  return filled ? found : undefined;
}

/** The znodes of a client in the queues of its lane, as its console names them. @param {Lane | undefined} lane @param {number} client */
export function ownZnodes(lane, client) {
  if (!lane || !client) return [];
  const nodes = [lane.queue, ...lane.locks.map(({ queue }) => queue)].flatMap((queue) => queue.nodes);
  return [...new Set(nodes.filter((node) => node.client === client).map(({ path }) => path.slice(lane.tree.root.length)))];
}
