// The clients of a lane: real buttons, each with a shape, a number and its state.

import { clientWord, guestName, guestWord, manyWord, participantWord } from '../../text/format.js';
import { html, keyed, nothing, repeat, svg } from '../../lit.js';
import { armedFor } from '../../model/armed.js';
import { holdsUnconfirmed, isSilent } from '../../model/client.js';
import { t } from '../../text/language.js';
import { armedWords } from './fault-marks.js';
import { linkEnd } from './crowd.js';
import { clientFaultWords, linkClass, linkMarks, marksView } from './fault-marks.js';
import { recent } from './queue-view.js';
import { glyph, shapeName } from '../../ui/shapes.js';
import { waitsView } from './waits.js';

/** @import { Client } from '../../model/client.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Crowd, Group } from './crowd.js' */
/** @import { Drawing } from './lane-view.js' */
/** @import { Layout } from './layout.js' */

/**
 * @typedef {object} ClientActions what a visitor can do to clients
 * @property {(client: number) => void} inspect
 * @property {(client: number) => boolean} chosen whether it is what the inspector shows
 * @property {(client: number, anchor: Element) => void} [breakIt] opens the menu of faults; a recording has none
 * @property {(client: number) => boolean} [opened] whether that menu is open
 */

/** @param {Lane} lane @param {Layout} at @param {Crowd | undefined} crowd @param {Catalogue} catalogue */
export function linksView(lane, at, crowd, catalogue) {
  if (!at.roomy) return nothing;
  const drawn = crowd ? crowd.drawn.filter((client) => client !== undefined) : [...lane.clients.values()];
  return drawn.map((client) => {
    const { x, y } = linkEnd(lane, at, client.number, crowd);
    return svg`<path class="link is-${linkState(client)} ${linkClass(client, catalogue)}"
      d="M${x} ${at.serverBottom}V${y}"></path>${linkMarks(client, x, y, at, catalogue)}`;
  });
}

/** What the line to the server shows: that of a holder says nothing of what it believes. @param {Client} client */
const linkState = (client) => (holdsUnconfirmed(client) ? client.connection : client.state);

/** @param {Lane} lane @param {Drawing} drawing @param {ClientActions} actions */
export function clientsView(lane, drawing, actions) {
  if (drawing.crowd) return crowdView(lane, drawing.crowd, drawing, actions);
  return html`<ol class="clients ${drawing.at.roomy ? 'roomy' : 'compact'} ${drawing.at.small ? 'small' : ''}">
    ${repeat(lane.clients.values(), (client) => client.number, (client, index) => clientView(lane, client, index, drawing, actions))}
  </ol>`;
}

/**
 * The clients that are drawn of too many, each in a place that stays where it is
 * while clients move up, and the counts of the others.
 * @param {Lane} lane @param {Crowd} crowd @param {Drawing} drawing @param {ClientActions} actions
 */
function crowdView(lane, crowd, drawing, actions) {
  const choose = () => drawing.pick((count) => t`${count} client in the lane|${count} clients in the lane`, [...lane.clients.keys()]);
  return html`<ol class="clients roomy">${crowd.drawn.map((client, index) => (client ? clientView(lane, client, index, drawing, actions)
    : html`<li class="client"><button type="button" class="token choose" aria-haspopup="dialog" @click=${choose}>${t`Choose a client…`}</button></li>`))}
  </ol>${waitsView(lane, drawing.at, drawing.now)}<ul class="crowd">${repeat(crowd.groups, ({ state }) => state, (group) => groupView(group, drawing.pick))}</ul>`;
}

/** @param {Group} group @param {Drawing['pick']} pick */
function groupView({ state, clients }, pick) {
  const word = manyWord(state);
  const what = (/** @type {number} */ count) => t`${count} client ${word}|${count} clients ${word}`;
  return html`<li class="group is-${state}"><button type="button" class="tool" aria-haspopup="dialog" aria-disabled=${String(!clients.length)}
    @click=${() => clients.length && pick(what, clients)}><strong>${clients.length ? `+${clients.length}` : '0'}</strong> ${word}</button></li>`;
}

/**
 * A new word gets a new element: an old one would move, as it is centred.
 * @param {Lane} lane @param {Client} client @param {number} index @param {Drawing} drawing @param {ClientActions} actions
 */
function clientView(lane, client, index, { at, now, catalogue, extras }, actions) {
  const armed = armedFor(lane.armed, client.number);
  const size = at.shape;
  const { participant } = client;
  const [above, says] = extras.lockWords?.(lane, client, word(client, now)) ?? [at.roomy ? guestName(client) : '', isSilent(client) ? guestWord(lane, client) : word(client, now)];
  const below = index < at.columns ? '' : 'below';
  return html`<li class="client ${clientClass(client, now)} ${below} ${actions.opened?.(client.number) ? 'is-open' : ''}" data-client=${client.number}>
    ${marksView(client, armed, catalogue, now, at.roomy)}
    <button type="button" class="token" aria-current=${actions.chosen(client.number) ? 'true' : nothing} @click=${() => actions.inspect(client.number)}>
      <svg width=${size} height=${size} aria-hidden="true">${glyph(client.number, size / 2, size / 2, size * 0.92, client.participant !== '')}${overlay(client, size)}</svg>
      <span class="unseen">${t`Client ${client.number}, ${shapeName(client.number)}`}${client.name ? t`, ${client.name}` : ''}${isSilent(client) ? t`, a ${participantWord(participant)}, which tells nothing of what it believes` : ''}${t`, `}</span>
      ${[above, says].map((words) => (words ? keyed(words, html`<span class=${at.roomy ? 'state' : 'unseen'}>${words}</span> `) : nothing))}
      <span class="unseen">${clientFaultWords(client, catalogue, now).map((each) => t`, ${each}`)}${armed.map((each) => t`, armed: ${armedWords(each, catalogue)}`)}</span>
    </button>
    ${at.roomy ? html`<span class="faults">${breakButton(client, actions)}</span>` : nothing}
  </li>`;
}

/** @param {Client} client @param {number} now */
function clientClass(client, now) {
  const justWoken = client.state !== 'idle' && recent(client.wokenAt, now) ? ' is-just-woken' : '';
  const paused = client.faults.has('pause') ? ' is-paused' : '';
  return `is-${client.state}${client.participant ? ' is-guest' : ''}${holdsUnconfirmed(client) ? ' is-unconfirmed' : ''}${justWoken}${paused}${wasted(client, now) ? ' is-wasted' : ''}`;
}

/** @param {Client} client @param {number} now */
const wasted = (client, now) => client.state === 'waiting' && recent(client.wokenInVainAt, now);

/** @param {Client} client @param {number} now */
const word = (client, now) => (wasted(client, now) ? t`no use#client` : clientWord(client));

/** What a fault of the process draws over the client's shape. @type {Record<string, string>} */
const overlays = { crashed: 'M-10-10L-5.5-5.5M5.5 5.5L10 10M10-10L5.5-5.5M-5.5 5.5L-10 10', paused: 'M-10-9V9M10-9V9' };

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
    aria-label=${t`Break client ${client.number}…`} @click=${open}>${t`Break…`}</button>`;
}
