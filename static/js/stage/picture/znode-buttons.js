// The lock directory and its znodes as real buttons over their picture: one stop of
// the tab key for each lane, the arrow keys go along the queue.

import { clientWord, sequence, titleOf } from '../../text/format.js';
import { t } from '../../text/language.js';
import { modeWords } from '../../text/naming.js';
import { html, nothing, repeat } from '../../lit.js';
import { watchersOf } from '../../model/watches.js';
import { queuePlaces } from './queue-places.js';
import { rove, stopHere } from '../../ui/roving.js';

/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Layout } from './layout.js' */
/** @import { Subject } from '../../play/shown.d.ts' */

/**
 * @param {Lane} lane
 * @param {Layout} at
 * @param {(path: string) => void} inspect
 * @param {Subject | undefined} selection
 */
export function znodeButtons(lane, at, inspect, selection) {
  const { directory } = lane.queue;
  const chosen = selection?.lane === lane.info.name && !selection.client ? selection.path : undefined;
  const button = (/** @type {string} */ path, /** @type {string} */ name, /** @type {string} */ words) => html`<button type="button"
    class=${name} tabindex="-1" data-path=${path} title=${`${words}\n${path}`} aria-label=${words} aria-current=${path === chosen ? 'true' : nothing} @click=${() => inspect(path)}></button>`;
  return html`<div class="znode-buttons" role="group" aria-label=${t`Queue of ${titleOf(lane.info).name}: arrow keys go along it`} @keydown=${rove} @focusin=${stopHere}>
    ${button(directory, 'on-directory', directoryWords(lane))}
    <div class="on-queue">${repeat(queuePlaces(lane, at.places), ({ key }) => key, ({ path, node, index, sequence: number }) => button(path, 'on-znode', node ? nodeWords(lane, node, index)
      : t`Znode ${sequence(number)}, which is not there${watchedBy(watchersOf(lane.watches, path))}`))}</div>
  </div>`;
}

/** @param {Lane} lane */
const directoryWords = ({ queue, watches }) => {
  const [count, watched] = [queue.nodes.length, watchedBy(watchersOf(watches, queue.directory))];
  return t`Lock directory, ${count} znode${watched}|Lock directory, ${count} znodes${watched}`;
};

/** @param {Lane} lane @param {Node} node @param {number} index */
function nodeWords({ clients, watches }, { path, session, client, writer, sequence: number, mode }, index) {
  const owner = session ? clients.get(client) : undefined;
  const whose = owner ? t` of client ${client}, which ${owner.path === path ? clientWord(owner) : t`leaves`}` : writer ? t` with the text of client ${writer}` : '';
  return t`Znode ${sequence(number)}${modeWords(mode)}${whose}, ${index ? t`place ${index + 1}` : t`head of the queue`}${watchedBy(watchersOf(watches, path))}`;
}

/** @param {number[]} watchers */
const watchedBy = (watchers) => (watchers.length ? t`, watched by ${watchers.length} client|, watched by ${watchers.length} clients` : '');

/** What the style sheet needs to lay the buttons over the picture, in pixels. @param {Layout} at @returns {Record<string, number>} */
export const buttonPlaces = (at) => ({
  '--lane-width': at.width, '--edge': at.edge, '--queue-x': at.queueX, '--bar-top': at.u * 0.625, '--bar': at.directory, '--box-top': at.boxTop, '--box-height': at.boxHeight,
  '--box': at.box, '--pitch': at.pitch,
});
