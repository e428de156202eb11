// A lane with several lock directories: their queues side by side, and at each client
// which locks it has and waits for.

import { html, nothing, svg } from '../lit.js';
import { believes } from '../model/client.js';
import { baseName } from '../model/queue.js';
import { layout } from './layout.js';
import { queueView } from './queue-view.js';
import { buttonPlaces, znodeButtons } from './znode-buttons.js';

/** @import { Client } from '../model/client.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { Subject } from './frame.d.ts' */
/** @import { Layout } from './layout.js' */
/** @import { InspectWatch } from './queue-view.js' */

/** Between two queues, in units of the type's size. */
const GAP = 0.5;

/** Where one of some queues is: as high as they all are, in its part of the width. @param {Lane} lane @param {Layout} at @returns {Layout} */
function partOf(lane, at) {
  const count = lane.locks.length;
  const { width, queueX, pitch, box, places } = layout((at.width - (count - 1) * GAP * at.u) / count, at.u, lane.clients.size);
  return { ...at, width, queueX, pitch, box, places, roomy: false };
}

/** @param {Layout} part @param {number} index */
const leftOf = (part, index) => index * (part.width + GAP * part.u);

/** @param {Lane} lane @param {Layout} at @param {number} now @param {InspectWatch} inspect */
export function locksView(lane, at, now, inspect) {
  const part = partOf(lane, at);
  return lane.locks.map((lock, index) => svg`<g transform="translate(${leftOf(part, index)} 0)">${queueView(lock, part, now, undefined, inspect)}</g>`);
}

/** @param {Lane} lane @param {Layout} at @param {(path: string) => void} inspect @param {Subject | undefined} selection */
export function lockButtons(lane, at, inspect, selection) {
  const part = partOf(lane, at);
  return lane.locks.map((lock) => html`<div class="lock-buttons">${znodeButtons(lock, part, inspect, selection)}</div>`);
}

/** Lays the buttons over the picture, once they are there. @param {Element} root @param {Lane} lane @param {Layout} at */
export function placeLocks(root, lane, at) {
  const part = partOf(lane, at);
  for (const [index, element] of [...root.querySelectorAll('.lock-buttons')].entries()) {
    const { style } = /** @type {HTMLElement} */ (element);
    Object.assign(style, { position: 'absolute', top: '0', left: `${leftOf(part, index)}px` });
    for (const [name, length] of Object.entries(buttonPlaces(part))) style.setProperty(name, `${length}px`);
  }
}

/** Which locks a client has while it waits for another. @param {Lane} lane @param {Client} client */
export function lockWords({ locks }, { number, predecessor, state }) {
  if (state === 'holds' || !predecessor) return nothing;
  const held = locks.filter(({ clients }) => believes(/** @type {Client} */ (clients.get(number))));
  return held.length ? html`<span class="state">has ${held.map(({ queue }) => baseName(queue.directory)).join(' + ')}</span>` : nothing;
}
