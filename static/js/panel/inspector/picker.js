// Everything of a run that can be inspected now, as one list to choose from.

import { html } from '../../lit.js';
import { locksOf } from '../../model/locks.js';
import { baseName } from '../../model/queue.js';
import { guestName, sequence, titleOf } from '../../text/format.js';
import { watchTarget } from '../../text/history.js';
import { t } from '../../text/language.js';
import { clientSubject, keyOf, watchSubject, znodeSubject } from '../../play/subject.js';
import { targetName } from '../words/words-view.js';

/** @import { Lane } from '../../model/view.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */

/** @typedef {{ subject: Subject, words: string }} Choice */

/** @param {Shown} frame @param {(subject: Subject) => void} select */
export function pickerView({ view, selection }, select) {
  const lanes = view.lanes.map((lane) => ({ lane, choices: choicesOf(lane) }));
  const all = lanes.flatMap(({ choices }) => choices);
  const chosen = keyOf(selection);
  const listed = all.some(({ subject }) => keyOf(subject) === chosen);
  const pick = (/** @type {Event} */ event) => {
    const key = /** @type {HTMLSelectElement} */ (event.target).value;
    const choice = all.find(({ subject }) => keyOf(subject) === key);
    if (choice) select(choice.subject);
  };
  return html`<label class="field"><span>${t`Show`}</span><select @change=${pick}>
    <option value="" .selected=${!listed} disabled>${selection && !listed ? otherWords(selection) : t`choose`}</option>
    ${lanes.map(({ lane, choices }) => html`<optgroup label=${titleOf(lane.info).name}>
      ${choices.map(({ subject, words }) => html`<option value=${keyOf(subject)} .selected=${keyOf(subject) === chosen}>${words}</option>`)}
    </optgroup>`)}
  </select></label>`;
}

/** So many znodes beside the queues can be chosen here. */
const MOST_BESIDE = 100;

/** @param {Lane} lane @returns {Choice[]} */
function choicesOf(lane) {
  const { info, clients, watches } = lane;
  const nameOf = (/** @type {string} */ path) => targetName(lane, path);
  return [
    ...[...clients.values()].map((client) => ({ subject: clientSubject(info.name, client.number), words: client.participant ? t`client ${client.number}, ${guestName(client)}` : t`client ${client.number}` })),
    ...locksOf(lane).flatMap(({ queue: { directory, nodes } }) => {
      const lock = lane.locks.length ? baseName(directory) : '';
      return [
        { subject: znodeSubject(info.name, directory), words: directoryWords(lock, nodes.length) },
        ...nodes.map((node) => ({ subject: znodeSubject(info.name, node.path), words: lock ? t`znode ${sequence(node.sequence)} in ${lock}` : t`znode ${sequence(node.sequence)}` })),
      ];
    }),
    ...[...lane.tree.znodes.values()].filter(({ gone }) => !gone).slice(0, MOST_BESIDE)
      .map(({ path }) => ({ subject: znodeSubject(info.name, path), words: t`znode ${nameOf(path)}` })),
    ...[...watches].flatMap(([client, own]) => own.map((watch) => (
      { subject: watchSubject(info.name, { client, ...watch }), words: t`watch of client ${client} on ${watchTarget(watch, nameOf)}` }))),
  ];
}

/** @param {string} lock empty where the lane has one alone @param {number} count of its znodes */
const directoryWords = (lock, count) => (lock ? t`lock directory ${lock}, ${count} znode|lock directory ${lock}, ${count} znodes` : t`lock directory, ${count} znode|lock directory, ${count} znodes`);

/** What is shown and not in the list: it is gone, or one of too many. @param {Subject} subject */
function otherWords({ client, frame, watch, dir }) {
  if (frame) return dir === 'out' ? t`frame ${frame} of client ${client}` : t`frame ${frame} to client ${client}`;
  return watch ? t`a watch of client ${client}` : t`a znode that is not there`;
}
