// The clients of a lane: real buttons, each with a shape, a number and its state.

import { clientWord, stateWord } from '../format.js';
import { html, nothing, repeat, svg } from '../lit.js';
import { clientPoint } from './layout.js';
import { recent } from './queue-view.js';
import { glyph, shapeName } from './shapes.js';

/** @import { Client } from '../model/client.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { Layout } from './layout.js' */

/**
 * @typedef {object} Hands what a visitor can do to clients
 * @property {(client: number) => void} inspect
 * @property {(client: number, fault: 'crash' | 'expire') => void} strike
 * @property {(client: Client) => string} refusal why neither fault is possible now, or empty
 */

/** Above this many clients only their states are counted. */
const DRAWN = 50;

/** @param {Lane} lane @param {Layout} at */
export function linksView(lane, at) {
  if (!at.roomy) return nothing;
  return [...lane.clients.values()].map((client, index) => {
    const { x, y } = clientPoint(at, index);
    return svg`<path class="link is-${client.state}" d="M${x} ${at.serverBottom}V${y}"></path>`;
  });
}

/** @param {Lane} lane @param {Layout} at @param {number} now @param {Hands} hands */
export function clientsView(lane, at, now, hands) {
  const clients = [...lane.clients.values()];
  if (clients.length > DRAWN) return aggregateView(clients);
  return html`<ol class="clients ${at.roomy ? 'roomy' : 'compact'}">
    ${repeat(clients, (client) => client.number, (client, index) => clientView(client, index, at, now, hands))}
  </ol>`;
}

/** @param {Client} client @param {number} index @param {Layout} at @param {number} now @param {Hands} hands */
function clientView(client, index, at, now, hands) {
  const size = at.u * (at.roomy ? 2 : 1.5);
  const below = index < at.columns ? '' : 'below';
  return html`<li class="client ${clientClass(client, now)} ${below}" data-client=${client.number}>
    <button type="button" class="token" @click=${() => hands.inspect(client.number)}>
      <svg width=${size} height=${size} aria-hidden="true">${glyph(client.number, size / 2, size / 2, size * 0.92)}</svg>
      <span class="unseen">Client ${client.number}, ${shapeName(client.number)}, </span>
      <span class=${at.roomy ? 'state' : 'unseen'}>${word(client, now)}</span>
    </button>
    ${at.roomy ? faultButtons(client, hands) : nothing}
  </li>`;
}

/** @param {Client} client @param {number} now */
function clientClass(client, now) {
  const rung = recent(client.wokenAt, now) ? ' is-rung' : '';
  return `is-${client.state}${rung}${vain(client, now) ? ' is-vain' : ''}`;
}

/** @param {Client} client @param {number} now */
const vain = (client, now) => client.state === 'waiting' && recent(client.vainAt, now);

/** @param {Client} client @param {number} now */
const word = (client, now) => (vain(client, now) ? 'in vain' : clientWord(client));

/**
 * Crash and expire, with the reason when they cannot be done.
 * @param {Client} client
 * @param {Hands} hands
 */
export function faultButtons(client, hands) {
  const refusal = hands.refusal(client);
  /** @param {'crash' | 'expire'} fault @param {string} title */
  const button = (fault, title) => html`<button type="button" class="fault" title=${refusal || title}
    aria-label="${fault} client ${client.number}${refusal && `, not possible: ${refusal}`}"
    aria-disabled=${refusal ? 'true' : 'false'}
    @click=${() => refusal || hands.strike(client.number, fault)}>${fault}</button>`;
  return html`<span class="faults">
    ${button('crash', 'Kill the process')}
    ${button('expire', 'Expire the session')}
  </span>`;
}

/** @param {Client[]} clients */
function aggregateView(clients) {
  const counts = new Map();
  for (const { state } of clients) counts.set(state, (counts.get(state) ?? 0) + 1);
  return html`<ul class="aggregate">${[...counts].map(([state, count]) =>
    html`<li class="is-${state}"><strong>${count}</strong> ${stateWord(state)}</li>`)}</ul>`;
}
