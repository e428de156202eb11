// Everything of a run that can be inspected now, as one list to choose from.

import { html } from '../lit.js';
import { locksOf } from '../model/locks.js';
import { baseName } from '../model/queue.js';
import { plural, sequence, titleOf } from '../text/format.js';
import { watchTarget } from '../text/history.js';
import { clientSubject, keyOf, watchSubject, znodeSubject } from '../view/subject.js';
import { targetName } from './words-view.js';

/** @import { Lane } from '../model/view.js' */
/** @import { Frame, Subject } from '../view/frame.d.ts' */

/** @typedef {{ subject: Subject, words: string }} Choice */

/** @param {Frame} frame @param {(subject: Subject) => void} select */
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
  return html`<label class="field"><span>Show</span><select @change=${pick}>
    <option value="" .selected=${!listed} disabled>${selection && !listed ? otherWords(selection) : 'choose'}</option>
    ${lanes.map(({ lane, choices }) => html`<optgroup label=${titleOf(lane.info).name}>
      ${choices.map(({ subject, words }) => html`<option value=${keyOf(subject)} .selected=${keyOf(subject) === chosen}>${words}</option>`)}
    </optgroup>`)}
  </select></label>`;
}

/** @param {Lane} lane @returns {Choice[]} */
function choicesOf(lane) {
  const { info, clients, watches } = lane;
  const nameOf = (/** @type {string} */ path) => targetName(lane, path);
  return [
    ...[...clients.values()].map(({ number, participant }) => ({ subject: clientSubject(info.name, number), words: `client ${number}${participant && `, ${participant}`}` })),
    ...locksOf(lane).flatMap(({ queue: { directory, nodes } }) => {
      const where = lane.locks.length ? ` in ${baseName(directory)}` : '';
      return [
        { subject: znodeSubject(info.name, directory), words: `lock directory${where && ` ${baseName(directory)}`}, ${plural(nodes.length, 'znode')}` },
        ...nodes.map((node) => ({ subject: znodeSubject(info.name, node.path), words: `znode ${sequence(node.sequence)}${where}` })),
      ];
    }),
    ...[...watches].flatMap(([client, own]) => own.map((watch) => (
      { subject: watchSubject(info.name, { client, ...watch }), words: `watch of client ${client} on ${watchTarget(watch, nameOf)}` }))),
  ];
}

/** What is shown and not in the list: it is gone, or one of too many. @param {Subject} subject */
function otherWords({ client, frame, watch, dir }) {
  if (frame) return `frame ${frame} ${dir === 'out' ? 'of' : 'to'} client ${client}`;
  return watch ? `a watch of client ${client}` : 'a znode that is not there';
}
