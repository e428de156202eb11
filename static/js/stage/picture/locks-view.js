// A lane with several lock directories: their queues side by side, and at each client
// which locks it has and waits for.

import { html, nothing, svg } from '../../lit.js';
import { nameOf } from '../../model/locks.js';
import { t } from '../../text/language.js';
import { layout, nodeX } from './layout.js';
import { queueView } from './queue-view.js';
import { colourOf } from '../../ui/shapes.js';
import { buttonPlaces, znodeButtons } from './znode-buttons.js';

/** @import { Client } from '../../model/client.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Subject } from '../../play/shown.d.ts' */
/** @import { Layout } from './layout.js' */
/** @import { InspectWatch } from './watch-arrows.js' */

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
  return [lane.locks.map((lock, index) => svg`<g transform="translate(${leftOf(part, index)} 0)">${queueView(lock, part, now, undefined, inspect)}</g>`), tiesView(lane, part)];
}

/** Under the queues: which znodes of a client one transaction has made. @param {Lane} lane @param {Layout} part */
function tiesView({ locks, clients }, part) {
  const { u } = part;
  const tied = [...clients.keys()].map((number) => ({ number, places: placesOf(locks, number) })).filter(({ places }) => places.length > 1);
  if (!tied.length) return nothing;
  const bottom = part.boxTop + part.boxHeight;
  const apart = (part.serverBottom - bottom) / (tied.length + 1);
  const middle = leftOf(part, 1) - (GAP * u) / 2;
  return svg`<g class="ties">
    ${tied.map(({ number, places }, index) => {
      const x = places.map(({ lock, place }) => leftOf(part, lock) + nodeX(part, place) + part.box / 2);
      const y = bottom + apart * (index + 1);
      return svg`<path class=${colourOf(number)} fill="none" stroke="var(--own)" stroke-width="2" d="M${x[0]} ${y}H${x.at(-1)}${x.map((each) => `M${each} ${bottom + 1}V${y}`).join('')}"></path>`;
    })}
    <rect fill="var(--surface)" stroke="var(--line-strong)" x=${middle - 3.75 * u} y=${part.serverBottom - 0.95 * u} width=${7.5 * u} height=${1.1 * u} rx=${u / 4}></rect>
    <text fill="var(--ink)" font-size="11" x=${middle} y=${part.serverBottom - u / 8} text-anchor="middle">${t`in one transaction`}</text>
  </g>`;
}

/** Where a client's znodes are that one transaction made. @param {Lane[]} locks @param {number} number */
function placesOf(locks, number) {
  const newest = Math.max(...locks.map(({ clients }) => clients.get(number)?.czxid ?? 0));
  return locks.flatMap(({ clients, queue: { nodes } }, lock) => {
    const client = clients.get(number);
    const place = nodes.findIndex(({ path }) => path === client?.path);
    return newest && client?.czxid === newest && place >= 0 ? [{ lock, place }] : [];
  });
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

/**
 * What stands at a client: which locks it has, and its word, with the lock that it waits
 * for. Undefined where there is one lock.
 * @param {Lane} lane @param {Client} client @param {string} word @returns {[string, string] | undefined}
 */
export function lockWords({ locks }, { number, state, participant, ended }, word) {
  if (!locks.length || participant) return undefined;
  const those = (/** @type {(client: Client) => boolean} */ which) => locks.filter(({ clients }) => which(/** @type {Client} */ (clients.get(number)))).map(nameOf);
  const held = those(({ belief }) => belief === 'holds');
  const [wanted, ...more] = those(({ belief }) => waiting.includes(belief));
  const having = held.join(' + ');
  if (!wanted) return having ? [word, state === 'holds' ? having : ended ? t`had ${having}` : t`has ${having}`] : ['', word];
  if (!having && !more.length) return [word, t`for ${wanted}#lock`];
  return [having ? t`has ${having}` : t`has none`, t`${word}: ${more.length > 1 ? t`all` : more.length ? t`both` : wanted}`];
}

const waiting = ['enqueued', 'waiting', 'woken'];
