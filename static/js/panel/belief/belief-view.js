// Belief beside truth, for all clients at once.

import { clientWord, holdWord, participantWord, sequence, span, stateWord, titleOf } from '../../text/format.js';
import { listed, parts, t } from '../../text/language.js';
import { html, nothing } from '../../lit.js';
import { conflictingBelievers, rows, falseBeliefInAll } from '../../model/belief.js';
import { gone, isSilent } from '../../model/client.js';
import { clientFaultWords } from '../../stage/picture/fault-marks.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Row } from '../../model/belief.js' */
/** @import { Client } from '../../model/client.js' */
/** @import { Lane } from '../../model/view.js' */

/** @param {Lane[]} lanes @param {number} now @param {Catalogue} catalogue */
export const beliefView = (lanes, now, catalogue) => html`<div class="beliefs">${lanes.map((lane) => laneView(lane, now, catalogue))}</div>`;

/** @param {Lane} lane @param {number} now @param {Catalogue} catalogue */
function laneView(lane, now, catalogue) {
  return html`<section><table class="data-table belief">
    <caption>${titleOf(lane.info).name} <span class=${falseBeliefInAll(lane, now) ? 'wrong' : ''}>${sumOf(lane, now)}</span></caption>
    <thead><tr><th scope="col">${t`Client`}</th><th scope="col">${t`Believes`}</th><th scope="col">${t`Server has`}</th>
      <th scope="col">${t`Agree?`}</th><th scope="col">${t`Wrong for`}</th></tr></thead>
    <tbody>${rows(lane, now).map((row) => rowView(row, now, catalogue))}</tbody>
  </table>${conflictView(lane)}</section>`;
}

/** @param {Lane} lane @param {number} now */
function sumOf(lane, now) {
  const wrong = falseBeliefInAll(lane, now);
  return wrong ? t`false belief: ${span(wrong)} in all` : t`no false belief so far`;
}

/** Whether belief and truth agree, in a mark and in words. @type {Record<Row['agree'], { mark: string, words: string }>} */
const agreement = {
  'yes': { mark: '=', words: t`yes` }, 'no': { mark: '≠', words: t`no` }, 'under way': { mark: '…', words: t`under way` },
  'not known': { mark: '?', words: t`not known` }, 'not told': { mark: '?', words: t`not told` },
};

/** @param {Row} row @param {number} now @param {Catalogue} catalogue */
function rowView(row, now, catalogue) {
  const { client, agree } = row;
  return html`<tr class=${agree === 'no' ? 'wrong' : ''}>
    <th scope="row">${client.number}</th>
    <td>${believed(row)}${clientFaultWords(client, catalogue, now).map((each) => html` <span class="short">${each}</span>`)}</td>
    <td>${truth(row)}</td>
    <td class="agree"><span aria-hidden="true">${agreement[agree].mark}</span> ${agreement[agree].words}</td>
    <td>${row.wrong ? span(row.wrong) : '–'}</td></tr>`;
}

/** @param {Row} row */
function believed({ client, holds }) {
  if (gone(client)) return t`nothing: ${stateWord(client.state)}`;
  if (isSilent(client)) return t`nobody can see: it is a ${participantWord(client.participant)}`;
  return holds ? holdWord(client.mode, 'believed') : clientWord(client);
}

/** @param {Row} row */
function truth({ node, place, granted }) {
  if (!node) return place ? t`a znode that is nobody's` : t`no znode`;
  return granted ? t`znode ${sequence(node.sequence)}, ${holdWord(node.mode)}` : t`znode ${sequence(node.sequence)}, ${place - 1} ahead`;
}

/** Who cannot both be right, as a sentence. @param {Lane} lane */
function conflictView(lane) {
  const names = namesOfConflicting(lane);
  return names ? html`<p class="conflict">${parts`${html`<strong>${t`${names} believe`}</strong>`} that they hold the lock.`}</p>` : nothing;
}

/** @param {Lane} lane */
function namesOfConflicting(lane) {
  const all = conflictingBelievers(lane);
  return all.length ? t`Clients ${listed(all.map((/** @type {Client} */ { number }) => number))}` : '';
}
