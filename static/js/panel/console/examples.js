// Lines to begin with: those that fit where the visitor's own client stands. Once it is
// in the queue they name its znode, and the one ahead of it.

import { parentOf } from '../../model/tree.js';
import { t } from '../../text/language.js';

/** @import { Lane } from '../../model/view.js' */

/** @typedef {{ line: string, words: string }} Example words: what it does */

/** @param {Lane | undefined} lane @param {number} client @param {boolean} [noQueue] who is the quickest holds @returns {Example[]} */
export function examples(lane, client, noQueue = false) {
  if (!lane) return [];
  const { nodes, directory } = lane.queue;
  const root = parentOf(directory);
  const inLane = (/** @type {string} */ path) => path.slice(root.length);
  const index = nodes.findIndex((node) => client > 0 && node.client === client && node.session);
  const [own, ahead] = [nodes[index], nodes[index - 1]];
  const isHerd = lane.info.recipe === 'herd'; // there everybody watches the directory
  return [
    ...(own || noQueue ? [] : [{ line: `create -e -s ${inLane(directory)}/lock-`, words: t`queue up` }]),
    { line: `ls ${inLane(directory)}`, words: noQueue ? t`see its znodes` : t`see the queue` },
    ...(own && isHerd ? [{ line: `ls -w ${inLane(directory)}`, words: t`watch the queue` }] : ahead && !noQueue ? [{ line: `stat -w ${inLane(ahead.path)}`, words: t`watch the znode ahead of mine` }] : []),
    ...(own ? [{ line: `delete ${inLane(own.path)}`, words: noQueue ? t`delete it` : ahead ? t`leave the queue` : t`release` }] : []),
  ];
}
