// One client or one znode in full: what the client believes beside what the
// server knows.

import { countdown, instant, plural, sequence, span, stateWord, titleOf } from '../text/format.js';
import { html, nothing } from '../lit.js';
import { expiryDue, gone, holdsUnconfirmed } from '../model/client.js';
import { watchersOf } from '../model/watches.js';
import { breakButton } from '../view/client-view.js';
import { clientFaultWords } from '../view/fault-marks.js';
import { glyph, shapeName } from '../view/shapes.js';
import { targetName, watched } from './words-view.js';

/** @import { Client } from '../model/client.js' */
/** @import { Node } from '../model/queue.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { ClientActions } from '../view/client-view.js' */
/** @import { Frame, Subject } from '../view/frame.d.ts' */

/** @typedef {(subject: Subject) => void} Select */

/**
 * @param {Frame} frame
 * @param {Select} select
 * @param {(lane: Lane) => ClientActions} actionsOf
 */
export function inspectorView(frame, select, actionsOf) {
  const subject = frame.selection;
  const picker = pickerView(frame, select);
  const lane = frame.view.lanes.find((each) => each.info.name === subject?.lane);
  if (!lane || !subject) {
    return html`<div class="inspector"><div class="subject">${picker}
      <p class="hint">Pick a client or a znode here, or in the picture.</p></div></div>`;
  }
  return html`<div class="inspector">${subject.path
    ? nodeView(lane, subject.path, picker)
    : clientView(lane, subject.client, frame, actionsOf(lane), picker)}</div>`;
}

/** @param {Frame} frame @param {Select} select */
function pickerView(frame, select) {
  /** @param {Event} event */
  const pick = (event) => {
    const [lane = '', client = '', path = ''] = /** @type {HTMLSelectElement} */ (event.target).value.split(' ');
    select({ lane, client: Number(client), path });
  };
  return html`<label class="field"><span>Show</span><select @change=${pick}>
    <option value="" .selected=${!frame.selection} disabled>choose</option>
    ${frame.view.lanes.map((lane) => html`<optgroup label=${titleOf(lane.info).name}>
      ${[...lane.clients.keys()].map((client) => option(frame, lane, client, '', `client ${client}`))}
      ${lane.queue.nodes.map((node) => option(frame, lane, 0, node.path, `znode ${sequence(node.sequence)}`))}
    </optgroup>`)}
  </select></label>`;
}

/** @param {Frame} frame @param {Lane} lane @param {number} client @param {string} path @param {string} text */
function option(frame, lane, client, path, text) {
  const subject = frame.selection;
  const chosen = subject?.lane === lane.info.name && subject.client === client && subject.path === path;
  return html`<option value="${lane.info.name} ${client} ${path}" .selected=${chosen}>${text}</option>`;
}

/** @param {Lane} lane @param {number} number @param {Frame} frame @param {ClientActions} actions @param {unknown} picker */
function clientView(lane, number, frame, actions, picker) {
  const { at: now, catalogue } = frame;
  const client = lane.clients.get(number);
  if (!client) return nothing;
  const node = lane.queue.nodes.find((each) => each.client === number);
  return html`
    <div class="subject">${picker}
      <h3><svg width="28" height="28" aria-hidden="true">${glyph(number, 14, 14, 25)}</svg>
        Client ${number} <span>${shapeName(number)}, ${titleOf(lane.info).name}</span></h3>
      ${breakButton(client, actions)}
      <p class="note">${clientFaultWords(client, catalogue, now).join('; ')}</p>
    </div>
    <div class="both">
      <section><h4>The client believes</h4>${beliefView(lane, client, now)}</section>
      <section><h4>The server knows</h4><dl>
        ${fact('Znode', node ? `${sequence(node.sequence)}, since ${instant(node.createdAt)}` : 'none')}
        ${fact('Watches', watched(lane, number))}
        ${fact('Session age', age(client, now))}
        ${fact('Timeout', expiry(client, now))}</dl></section>
    </div>`;
}

/** @param {Lane} lane @param {Client} client @param {number} now */
function beliefView(lane, client, now) {
  if (gone(client)) return html`<p class="hint">nothing: ${client.state === 'crashed' ? 'the process is gone' : 'it has closed its session'}</p>`;
  return html`<dl>
    ${fact('State', belief(client, span(Math.max(0, now - client.since))))}
    ${fact('Session', client.session || 'none')}
    ${fact('Waits for', client.predecessor ? targetName(lane, client.predecessor) : '–')}
    ${fact('Token', client.token || '–')}</dl>`;
}

/** @param {Client} client @param {string} since */
const belief = (client, since) => (holdsUnconfirmed(client)
  ? `holds, as far as it knows; cut off for ${since}` : `${stateWord(client.state)}, for ${since}`);

/** @param {Client} client @param {number} now */
function age(client, now) {
  if (!client.grantedAt) return '–';
  const over = !client.session || (client.state === 'crashed' && expiryDue(client) <= now);
  return over ? 'ended' : span(now - client.grantedAt);
}

/** @param {Client} client @param {number} now */
function expiry(client, now) {
  if (!client.timeout) return '–';
  const timeout = span(client.timeout * 1000);
  if (client.state !== 'crashed') return timeout;
  const left = expiryDue(client) - now;
  return left > 0 ? `${timeout}, ends in ${countdown(left)}` : `${timeout}, has run out`;
}

/** @param {Lane} lane @param {string} path @param {unknown} picker */
function nodeView(lane, path, picker) {
  const index = lane.queue.nodes.findIndex((each) => each.path === path);
  const node = lane.queue.nodes[index];
  if (!node) return html`<div class="subject">${picker}<p class="hint">The znode ${shortName(path)} has been deleted.</p></div>`;
  const watchers = watchersOf(lane.watches, path);
  return html`<div class="subject">${picker}<h3>Znode ${sequence(node.sequence)} <span>${titleOf(lane.info).name}</span></h3></div>
    <h4>The server knows</h4><dl>
      ${fact('Path', node.path)}
      ${fact('Place', place(index, lane.queue.nodes))}
      ${fact('Owner', node.client ? `client ${node.client}, session ${node.session}` : node.session || 'none')}
      ${fact('Created', instant(node.createdAt))}
      ${fact('Watched by', watchers.length ? `${plural(watchers.length, 'client')}: ${watchers.join(', ')}` : 'nobody')}</dl>`;
}

/** @param {number} index @param {Node[]} nodes */
const place = (index, nodes) => (index ? `${index + 1} of ${nodes.length}` : `head of ${nodes.length}`);

/** @param {string} path */
const shortName = (path) => path.slice(path.lastIndexOf('/') + 1);

/** @param {string} name @param {unknown} value */
const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
