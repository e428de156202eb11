// The clients of a lane: real buttons, each with a shape, a number and its state.

import { clientWord, stateWord } from '../text/format.js';
import { html, keyed, nothing, repeat, svg } from '../lit.js';
import { clientFaultWords, linkClass, linkMarks, marksView } from './fault-marks.js';
import { clientPoint } from './layout.js';
import { recent } from './queue-view.js';
import { glyph, shapeName } from './shapes.js';

/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { Client } from '../model/client.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { Layout } from './layout.js' */

/**
 * @typedef {object} ClientActions what a visitor can do to clients
 * @property {(client: number) => void} inspect
 * @property {(client: number) => boolean} chosen whether it is what the inspector shows
 * @property {(client: number, anchor: Element) => void} [breakIt] opens the menu of faults; a recording has none
 * @property {(client: number) => boolean} [opened] whether that menu is open
 */

/** Above this many clients only their states are counted. */
const DRAWN = 50;

/** @param {Lane} lane @param {Layout} at */
export function linksView(lane, at) {
  if (!at.roomy) return nothing;
  return [...lane.clients.values()].map((client, index) => {
    const { x, y } = clientPoint(at, index);
    return svg`<path class="link is-${client.state} ${linkClass(client)}"
      d="M${x} ${at.serverBottom}V${y}"></path>${linkMarks(client, x, y, at)}`;
  });
}

/** @param {Lane} lane @param {Layout} at @param {number} now @param {ClientActions} actions @param {Catalogue} catalogue */
export function clientsView(lane, at, now, actions, catalogue) {
  const clients = [...lane.clients.values()];
  if (clients.length > DRAWN) return aggregateView(clients);
  return html`<ol class="clients ${at.roomy ? 'roomy' : 'compact'}">
    ${repeat(clients, (client) => client.number, (client, index) => clientView(client, index, at, now, actions, catalogue))}
  </ol>`;
}

/**
 * A new word gets a new element: an old one would move, as it is centred.
 * @param {Client} client @param {number} index @param {Layout} at @param {number} now @param {ClientActions} actions @param {Catalogue} catalogue
 */
function clientView(client, index, at, now, actions, catalogue) {
  const size = at.shape;
  const below = index < at.columns ? '' : 'below';
  return html`<li class="client ${clientClass(client, now)} ${below}" data-client=${client.number}>
    ${marksView(client, catalogue, now, at.roomy)}
    <button type="button" class="token" aria-current=${actions.chosen(client.number) ? 'true' : nothing} @click=${() => actions.inspect(client.number)}>
      <svg width=${size} height=${size} aria-hidden="true">${glyph(client.number, size / 2, size / 2, size * 0.92)}${overlay(client, size)}</svg>
      <span class="unseen">Client ${client.number}, ${shapeName(client.number)}, </span>
      ${keyed(word(client, now), html`<span class=${at.roomy ? 'state' : 'unseen'}>${word(client, now)}</span>`)}
      <span class="unseen">${clientFaultWords(client, catalogue, now).map((each) => `, ${each}`)}</span>
    </button>
    ${at.roomy ? html`<span class="faults">${breakButton(client, actions)}</span>` : nothing}
  </li>`;
}

/** @param {Client} client @param {number} now */
function clientClass(client, now) {
  const justWoken = recent(client.wokenAt, now) ? ' is-just-woken' : '';
  const paused = client.faults.has('pause') ? ' is-paused' : '';
  return `is-${client.state}${justWoken}${paused}${wasted(client, now) ? ' is-woken-in-vain' : ''}`;
}

/** @param {Client} client @param {number} now */
const wasted = (client, now) => client.state === 'waiting' && recent(client.wokenInVainAt, now);

/** @param {Client} client @param {number} now */
const word = (client, now) => (wasted(client, now) ? 'in vain' : clientWord(client));

/** What a fault of the process draws over the client's shape. @type {Record<string, string>} */
const overlays = { crashed: 'M-10-10L10 10M10-10L-10 10', paused: 'M-10-9V9M10-9V9' };

/** @param {Client} client @param {number} size */
function overlay(client, size) {
  const shape = overlays[client.faults.has('pause') ? 'paused' : client.state];
  return shape ? svg`<path class="overlay" transform="translate(${size / 2} ${size / 2}) scale(${size / 23})" d=${shape}></path>` : nothing;
}

/**
 * Opens the menu of what can be done to a client, where anything can.
 * @param {Client} client
 * @param {ClientActions} actions
 */
export function breakButton(client, { breakIt, opened }) {
  if (!breakIt) return nothing;
  const open = (/** @type {Event} */ event) => breakIt(client.number, /** @type {Element} */ (event.currentTarget));
  return html`<button type="button" class="break" aria-haspopup="dialog" aria-expanded=${String(opened?.(client.number) ?? false)}
    aria-label="Break client ${client.number}…" @click=${open}>Break…</button>`;
}

/** @param {Client[]} clients */
function aggregateView(clients) {
  const counts = new Map();
  for (const { state } of clients) counts.set(state, (counts.get(state) ?? 0) + 1);
  return html`<ul class="aggregate">${[...counts].map(([state, count]) =>
    html`<li class="is-${state}"><strong>${count}</strong> ${stateWord(state)}</li>`)}</ul>`;
}
