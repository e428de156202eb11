// The lock directory and its znodes as real buttons over their picture: one stop of
// the tab key for each lane, the arrow keys go along the queue.

import { clientWord, plural, sequence, titleOf } from '../text/format.js';
import { html, nothing, repeat } from '../lit.js';
import { watchersOf } from '../model/watches.js';
import { rove, stopHere } from './roving.js';

/** @import { Node } from '../model/queue.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { Layout } from './layout.js' */
/** @import { Subject } from './frame.d.ts' */

/**
 * @param {Lane} lane
 * @param {Layout} at
 * @param {(path: string) => void} inspect
 * @param {Subject | undefined} selection
 */
export function znodeButtons(lane, at, inspect, selection) {
  const { directory, nodes } = lane.queue;
  const shown = nodes.length > at.places ? nodes.slice(0, at.places - 2) : nodes;
  const chosen = selection?.lane === lane.info.name && !selection.client ? selection.path : undefined;
  const button = (/** @type {string} */ path, /** @type {string} */ name, /** @type {string} */ words) => html`<button type="button"
    class=${name} tabindex="-1" title=${path} aria-label=${words} aria-current=${path === chosen ? 'true' : nothing} @click=${() => inspect(path)}></button>`;
  return html`<div class="znode-buttons" role="group" aria-label="Queue of ${titleOf(lane.info).name}: arrow keys go along it" @keydown=${rove} @focusin=${stopHere}>
    ${button(directory, 'on-directory', directoryWords(lane))}
    <div class="on-queue">${repeat(shown, (node) => node.path, (node, index) => button(node.path, 'on-znode', nodeWords(lane, node, index)))}</div>
  </div>`;
}

/** @param {Lane} lane */
const directoryWords = ({ queue, watches }) => `Lock directory, ${plural(queue.nodes.length, 'znode')}${watchedBy(watchersOf(watches, queue.directory))}`;

/** @param {Lane} lane @param {Node} node @param {number} index */
function nodeWords({ clients, watches }, { path, client, sequence: number, mode }, index) {
  const owner = clients.get(client);
  const whose = owner ? ` of client ${client}, which ${owner.path === path ? clientWord(owner) : 'leaves'}` : '';
  return `Znode ${sequence(number)}${mode && ` to ${mode}`}${whose}, ${index ? `place ${index + 1}` : 'head of the queue'}${watchedBy(watchersOf(watches, path))}`;
}

/** @param {number[]} watchers */
const watchedBy = (watchers) => (watchers.length ? `, watched by ${plural(watchers.length, 'client')}` : '');

/** What the style sheet needs to lay the buttons over the picture, in pixels. @param {Layout} at @returns {Record<string, number>} */
export const buttonPlaces = (at) => ({
  '--lane-width': at.width, '--edge': at.edge, '--queue-x': at.queueX, '--bar-top': at.u * 0.625, '--bar': at.directory, '--box-top': at.boxTop, '--box-height': at.boxHeight,
  '--box': at.box, '--pitch': at.pitch,
});
