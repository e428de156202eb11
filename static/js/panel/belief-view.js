// Belief beside truth, for all clients at once.

import { clientWord, sequence, span, titleOf } from '../text/format.js';
import { html, nothing } from '../lit.js';
import { conflictingBelievers, rows, falseBeliefInAll } from '../model/belief.js';
import { gone } from '../model/client.js';
import { clientFaultWords } from '../view/fault-marks.js';

/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { Row } from '../model/belief.js' */
/** @import { Client } from '../model/client.js' */
/** @import { Lane } from '../model/view.js' */

/** @param {Lane[]} lanes @param {number} now @param {Catalogue} catalogue */
export const beliefView = (lanes, now, catalogue) => html`<div class="beliefs">${lanes.map((lane) => laneView(lane, now, catalogue))}</div>`;

/** @param {Lane} lane @param {number} now @param {Catalogue} catalogue */
function laneView(lane, now, catalogue) {
  return html`<section><table class="data-table belief">
    <caption>${titleOf(lane.info).name} <span class=${falseBeliefInAll(lane, now) ? 'wrong' : ''}>${sumOf(lane, now)}</span></caption>
    <thead><tr><th scope="col">Client</th><th scope="col">Believes</th><th scope="col">Server has</th>
      <th scope="col">Agree?</th><th scope="col">Wrong for</th></tr></thead>
    <tbody>${rows(lane, now).map((row) => rowView(row, now, catalogue))}</tbody>
  </table>${conflictView(lane)}</section>`;
}

/** @param {Lane} lane @param {number} now */
function sumOf(lane, now) {
  const wrong = falseBeliefInAll(lane, now);
  return wrong ? `false belief: ${span(wrong)} in all` : 'no false belief so far';
}

/** @param {Row} row @param {number} now @param {Catalogue} catalogue */
function rowView(row, now, catalogue) {
  const { client, agree } = row;
  return html`<tr class=${agree === 'no' ? 'wrong' : ''}>
    <th scope="row">${client.number}</th>
    <td>${believed(row)}${clientFaultWords(client, catalogue, now).map((each) => html` <span class="short">${each}</span>`)}</td>
    <td>${truth(row)}</td>
    <td class="agree"><span aria-hidden="true">${{ yes: '=', no: '≠', 'under way': '…', 'not known': '?', 'not told': '?' }[agree]}</span> ${agree}</td>
    <td>${row.wrong ? span(row.wrong) : '–'}</td></tr>`;
}

/** @param {Row} row */
function believed({ client, holds }) {
  if (gone(client)) return `nothing: ${client.state}`;
  if (client.participant) return `not told, as of a ${client.participant}`;
  return holds ? 'it holds' : clientWord(client);
}

/** @param {Row} row */
function truth({ node, place, granted }) {
  if (!node) return place ? 'a znode that is nobody\'s' : 'no znode';
  return `znode ${sequence(node.sequence)}, ${granted ? 'holds' : `${place - 1} ahead`}`;
}

/** Who cannot both be right, as a sentence. @param {Lane} lane */
function conflictView(lane) {
  const names = namesOfConflicting(lane);
  return names ? html`<p class="conflict"><strong>${names} believe</strong> that they hold the lock.</p>` : nothing;
}

/** @param {Lane} lane */
function namesOfConflicting(lane) {
  const all = conflictingBelievers(lane);
  return all.length ? `Clients ${all.map((/** @type {Client} */ { number }) => number).join(' and ')}` : '';
}
