// The picture in words: what happened, and how each lane stands. A row is that of one
// thing as long as that is there, so that who reads it is not lost.

import { clientWord, instant, participantWord, sequence, titleOf, verdictWord } from '../../text/format.js';
import { html, nothing, repeat } from '../../lit.js';
import { activeFaults } from '../../model/active-faults.js';
import { gone } from '../../model/client.js';
import { locksOf } from '../../model/locks.js';
import { baseName, sequenceOf } from '../../model/queue.js';
import { inQueue } from '../../model/tree.js';
import { captionWords } from '../../text/caption-words.js';
import { t } from '../../text/language.js';
import { reasonWords } from '../../text/reasons.js';
import { toldView } from '../../stage/caption-view.js';
import { faultTitle } from '../../stage/picture/fault-marks.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Client } from '../../model/client.js' */
/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */

/**
 * @typedef {object} WordsActions
 * @property {(at: number) => void} seek
 * @property {(subject: Subject) => void} inspect
 */

/** @param {Shown} shown @param {WordsActions} actions */
export const wordsView = ({ view: { lanes, captions }, at, catalogue }, { seek, inspect }) => html`<div class="word-lanes">
  <section><h3>${t`What happened, newest first`}</h3><ol class="told">${repeat(captions.newest.toReversed(), ({ seq }) => seq, (caption) => html`<li>
    <button type="button" class="text-link" @click=${() => seek(caption.at)}><time>${instant(caption.at)}</time></button>
    <p>${toldView(captionWords(caption, lanes, catalogue), inspect)}</p></li>`)}</ol></section>
  ${repeat(lanes, ({ info }) => info.name, (lane) => laneInWords(lane, at, catalogue))}</div>`;

/** @param {Lane} lane @param {number} now @param {Catalogue} catalogue */
function laneInWords(lane, now, catalogue) {
  return html`<section><table class="data-table">
    <caption>${lane.locks.length ? t`${titleOf(lane.info).name}: the queues, head first` : t`${titleOf(lane.info).name}: the queue, head first`}</caption>
    <thead><tr><th scope="col">${t`Place`}</th><th scope="col">${t`Znode`}</th><th scope="col">${t`Owner`}</th>
      <th scope="col">${t`State`}</th><th scope="col">${t`Watches`}</th></tr></thead>
    ${locksOf(lane).map((lock) => html`<tbody>${lane.locks.length ? html`<tr><th colspan="5" scope="rowgroup">${baseName(lock.queue.directory)}</th></tr>` : nothing}
      ${repeat(lock.queue.nodes, ({ path }) => path, (node, index) => row(lock, node, index))}</tbody>`)}
  </table>
  <p class="outside">${outside(lane)}</p>
  ${brokenView(lane, now, catalogue)}
  ${verdictsView(lane, catalogue)}</section>`;
}

/** What each check asserts, and what it has found so far. @param {Lane} lane @param {Catalogue} catalogue */
const verdictsView = (lane, catalogue) => html`<dl class="verdicts">${repeat(catalogue.ordered(lane.checks), ({ name }) => name, (check) => html`
  <div class=${check.verdict} data-check=${check.name}>
    <dt>${check.title} <strong>${t`${verdictWord(check.verdict)} since ${instant(check.at)}`}</strong></dt>
    ${check.verdict === 'violated' ? html`<dd>${check.violated ? t`${check.violated}: ${reasonWords(check.reason)}` : reasonWords(check.reason)}</dd>` : nothing}
    <dd class="asserts">${check.sentence}</dd></div>`)}</dl>`;

/** What a znode of a lock for readers and writers is for. @type {Record<string, string>} */
const modes = { read: t`read`, write: t`write` };

/** @param {Lane} lane @param {Node} node @param {number} index */
function row(lane, node, index) {
  const owner = lane.clients.get(node.client);
  return html`<tr><td>${index + 1}</td><td>${sequence(node.sequence)}${node.mode ? ` ${modes[node.mode] ?? node.mode}` : ''}</td>
    <td>${owner ? owner.name ? t`client ${owner.number}, ${owner.name}` : owner.participant ? t`client ${owner.number}, a ${participantWord(owner.participant)}` : t`client ${owner.number}` : t`somebody else`}</td>
    <td>${owner ? clientWord(owner) : '–'}</td><td>${watched(lane, node.client)}</td></tr>`;
}

/**
 * What a client watches, in words.
 * @param {Lane} lane
 * @param {number} client
 */
export function watched(lane, client) {
  const own = lane.watches.get(client) ?? [];
  if (!own.length) return '–';
  return own.map((watch) => watchedName(lane, watch)).join(t`, `);
}

/** What a watch is on, and whether it has fired. @param {Lane} lane @param {{ path: string, fired?: unknown }} watch */
export const watchedName = (lane, { path, fired }) => (fired ? t`${targetName(lane, path)} (fired)` : targetName(lane, path));

/**
 * The lock directory or a znode in it, in words; any other znode as a guest of the lane names it.
 * @param {Lane} lane
 * @param {string} path or only its last part
 */
export function targetName(lane, path) {
  const { root } = lane.tree;
  if (path.startsWith(`${root}/`) && !inQueue(lane.info, path) && !lane.queue.directories.includes(path)) return path.slice(root.length);
  if (path === root) return '/';
  if (baseName(path) === baseName(lane.queue.directory)) return t`the directory`;
  const number = sequenceOf(path);
  return Number.isFinite(number) ? t`znode ${sequence(number)}` : baseName(path);
}

/** What has been done to whom. @param {Lane} lane @param {number} now @param {Catalogue} catalogue */
function brokenView(lane, now, catalogue) {
  const broken = [...lane.clients.values()].map((client) => ({ client, words: faultsOf(client, now, catalogue) })).filter(({ words }) => words.length);
  return broken.length ? html`<p class="outside">${t`Faults: ${broken.map(({ client, words }) => t`client ${client.number}: ${words.join(t`, `)}`).join(t`; `)}.`}</p>` : nothing;
}

/** Its faults, each with the instant at which it heals: a countdown would change while it is read. @param {Client} client @param {number} now @param {Catalogue} catalogue */
const faultsOf = (client, now, catalogue) => (gone(client) ? [] : activeFaults(client.faults, catalogue, now).map(({ fault, until }) =>
  faultTitle(fault, catalogue) + (until ? t`, heals at ${instant(until)}` : '')));

/** @param {Lane} lane */
function outside(lane) {
  const queued = new Set(lane.queue.nodes.map((node) => node.client));
  const rest = [...lane.clients.values()].filter((client) => !queued.has(client.number));
  if (!rest.length) return t`Every client is in the queue.`;
  return t`Not in the queue: ${rest.map((client) => `${client.number} ${clientWord(client)}`).join(t`, `)}.`;
}
