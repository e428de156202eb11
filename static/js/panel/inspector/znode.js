// A znode or the lock directory in full: where it stands, its stat, and everything
// that happened to it.

import { html, nothing } from '../../lit.js';
import { sequence, titleOf } from '../../text/format.js';
import { happenedBy, stateAt } from '../../model/history/znode.js';
import { armedAt } from '../../model/history/watches.js';
import { happeningWords } from '../../text/history.js';
import { parts, t } from '../../text/language.js';
import { statFields } from './stat.js';
import { clientSubject, watchSubject } from '../../play/subject.js';
import { lockOf } from '../../model/locks.js';
import { sequenceOf } from '../../model/queue.js';
import { inQueue } from '../../model/tree.js';
import { by } from '../../text/naming.js';
import { fact, historyView, link, moment, MOST_LINES, notTold } from './parts.js';
import { targetName } from '../words/words-view.js';

/** @import { PastWatch } from '../../model/history/watches.js' */
/** @import { ZnodeHistory, ZnodeState } from '../../model/history/znode.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { InspectorActions } from './parts.js' */

/**
 * @param {Shown} shown
 * @param {Lane} lane
 * @param {ZnodeHistory} history of the whole log
 * @param {number} seq the newest event that had happened
 * @param {InspectorActions} actions
 */
export function znodeView(shown, lane, history, seq, actions) {
  const { path, happenings } = history;
  const lock = lockOf(lane, path) ?? lane;
  const directory = path === lock.queue.directory;
  const state = stateAt(history, seq);
  const stat = statFields(state, directory);
  const count = happenedBy(history, seq);
  const before = Math.max(0, count - MOST_LINES);
  const told = happenings.slice(before, count).map((happening) => ({ at: happening.event.at, words: happeningWords(happening, shown.catalogue) }));
  return html`
    <div class="subject"><h3>${titleOfNode(lock, path)} <span>${titleOf(lane.info).name}</span></h3></div>
    <p class="path">${path}</p>
    <div class="columns">
      <section><h4>${t`The server knows`}</h4><dl>
        ${placeInQueue(lock, path, state, directory, actions)}
        ${fact(t`Watched by`, watchersView(lane, armedAt(history.watches, seq), actions))}</dl></section>
      <section class="stat"><h4>${t`Its stat`}</h4>
        <dl>${stat.map(({ name, value, how }) => fact(name, value || notTold, how))}</dl>
        <details><summary>${t`What the fields mean`}</summary><dl>${stat.map(({ name, meaning }) => fact(name, meaning))}</dl></details></section>
      <section><h4>${t`Its history`}</h4>${historyView(shown, told, actions, { next: happenings[count]?.event.at, before })}</section>
    </div>`;
}

/** @param {Lane} lane @param {string} path */
function titleOfNode(lane, path) {
  if (path === lane.queue.directory) return t`The lock directory`;
  const number = inQueue(lane.info, path) ? sequenceOf(path) : Infinity;
  return Number.isFinite(number) ? t`Znode ${sequence(number)}` : t`Znode ${targetName(lane, path)}`;
}

/** Whether it is there, and where in the queue. @param {Lane} lane @param {string} path @param {ZnodeState} state @param {boolean} directory @param {InspectorActions} actions */
function placeInQueue({ info, queue }, path, { created, deleted }, directory, actions) {
  if (directory) return fact(t`Queue`, queue.nodes.length ? t`${queue.nodes.length} znode|${queue.nodes.length} znodes` : t`empty: the lock is free`);
  const index = queue.nodes.findIndex((each) => each.path === path);
  const node = queue.nodes[index];
  const owner = node?.client || created?.client || 0;
  return html`
    ${fact(inQueue(info, path) ? t`Place` : t`State`, node ? place(index, queue.nodes.length) : created && !deleted ? parts`there since ${moment(created.at, actions)}` : deleted ? parts`gone since ${moment(deleted.at, actions)}` : t`not there`,
      node || !deleted ? '' : `deleted${by(deleted)}`)}
    ${fact(t`Owner`, owner ? link(clientSubject(info.name, owner), t`client ${owner}`, actions) : (node?.session || created?.session) || t`none of the clients`)}`;
}

/** @param {number} index @param {number} length */
const place = (index, length) => (index ? t`${index + 1} of ${length}` : t`head of ${length}`);

/** @param {Lane} lane @param {PastWatch[]} armed @param {InspectorActions} actions */
function watchersView({ info }, armed, actions) {
  if (!armed.length) return 'nobody';
  return html`${armed.map((watch) => link(watchSubject(info.name, watch, watch.set.seq), t`client ${watch.client}`, actions))}${
    armed.length > 1 ? html` <span class="how">${t`${armed.length} watch|${armed.length} watches`}</span>` : nothing}`;
}
