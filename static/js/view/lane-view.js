// One lane: what the last release cost, the picture, and the sums.

import { mean, plural, titleOf } from '../text/format.js';
import { html, keyed, nothing, repeat, svg } from '../lit.js';
import { conflictingBelievers } from '../model/belief.js';
import { latest, per } from '../model/counters.js';
import { accountView } from './account-view.js';
import { clientsView, linksView } from './client-view.js';
import { queueView } from './queue-view.js';
import { znodeButtons } from './znode-buttons.js';

/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { Counters, Round } from '../model/counters.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { ClientActions } from './client-view.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Layout } from './layout.js' */
/** @import { Subject } from './frame.d.ts' */
/** @import { InspectWatch } from './queue-view.js' */

/** @typedef {ClientActions & { inspectNode: (path: string) => void, inspectWatch: InspectWatch, explainChecks: () => void }} LaneActions */

/**
 * How a lane is drawn.
 * @typedef {object} Drawing
 * @property {Layout} at
 * @property {number} now
 * @property {Catalogue} catalogue
 * @property {Subject | undefined} selection
 * @property {Crowd | undefined} crowd the lane has too many clients to draw
 * @property {(what: string, clients: number[]) => void} pick asks which one of some clients
 */

/** @param {Lane} lane @param {Drawing} drawing @param {LaneActions} actions */
export function laneView(lane, drawing, actions) {
  const { at, now, catalogue, crowd } = drawing;
  const { info, counters } = lane;
  const { name, about } = titleOf(info);
  return html`
    <header class="lane-head">
      <h2 id="lane-${info.name}" title=${catalogue.recipe(info.recipe).sentence}>${name} <span>${about}</span></h2>
      ${checksView(lane, catalogue, actions)}
      ${believersMark(lane)}
      ${wakeView(latest(counters))}
    </header>
    <div class="scene">
      <svg class="picture" width=${at.width} height=${at.clientsTop} aria-hidden="true">
        ${linksView(lane, at, crowd)}
        ${queueView(lane, at, now, crowd, actions.inspectWatch)}
      </svg>
      ${znodeButtons(lane, at, actions.inspectNode, drawing.selection)}
      ${clientsView(lane, drawing, actions)}
      <canvas class="picture flights" aria-hidden="true"></canvas>
    </div>
    ${accountView(lane.account)}
    ${metersView(counters)}`;
}

/** The mark in a lane's head while more than one client believes. @param {Lane} lane */
function believersMark(lane) {
  const all = conflictingBelievers(lane);
  return all.length ? html`<p class="believers"><span aria-hidden="true">≠</span> clients ${all.map(({ number }) => number).join(' and ')}
    believe that they hold</p>` : nothing;
}

/** What a round began with. @type {Record<Round['cause'], (client: number) => string>} */
const beginnings = {
  start: () => 'before the first release',
  release: (client) => `since client ${client} released`,
  end: (client) => (client ? `since client ${client}'s session ended` : 'since a session ended'),
};

/** @param {Round} round */
function wakeView(round) {
  return html`<div class="wake ${round.woken ? 'some' : ''}">
    <p class="figure woken">${figure(round.woken)} <span>${round.woken === 1 ? 'wake-up' : 'wake-ups'}</span></p>
    <p class="figure wasted ${round.wasted ? 'some' : ''}">${figure(round.wasted)} <span>wasted</span></p>
    <div class="wake-detail">
      <p>${beginnings[round.cause](round.client)}</p>
      ${wakeMarksView(round)}
    </div>
  </div>`;
}

/** A new number gets a new element: an old one would move when it gets more digits. @param {number} value */
const figure = (value) => keyed(value, html`<strong>${value}</strong>`);

const MOST_MARKS = 100;

/** One mark for each wake-up: filled, or hollow when it was wasted. @param {Round} round */
function wakeMarksView(round) {
  const shown = Math.min(round.woken, MOST_MARKS);
  const marks = Array.from({ length: shown }, (_, index) => (index < round.woken - round.wasted ? 'good' : 'wasted'));
  return html`<span class="wake-marks ${shown > 36 ? 'small many' : shown > 14 ? 'small' : ''}" aria-hidden="true">${repeat(marks, (_, index) => index, (kind) => html`<svg
    class="wake-mark ${kind}" viewBox="-7 -7 14 14">${svg`<path d="M0-6L6 0L0 6L-6 0Z"></path>`}</svg>`)}</span>`;
}

/** Whether the checks hold so far, in one line; it leads to what each has found and why. @param {Lane} lane @param {Catalogue} catalogue @param {LaneActions} actions */
function checksView(lane, catalogue, { explainChecks }) {
  const found = catalogue.ordered(lane.checks);
  const violated = found.filter(({ verdict }) => verdict === 'violated');
  const holding = found.filter(({ verdict }) => verdict === 'holds');
  if (!violated.length && !holding.length) return nothing;
  return html`<p class="checks ${violated.length ? 'violated' : ''}"><button type="button" @click=${explainChecks}
    title=${violated.length ? violated.map(({ why }) => why).join('\n') : holding.map(({ title }) => title).join('\n')}>${
    violated.length ? `✗ ${violated.map(({ title }) => title).join(', ')}` : `✓ ${plural(holding.length, 'check')}`}</button></p>`;
}

/** @param {Counters} counters */
function metersView(counters) {
  const { releases, acquisitions } = counters;
  return html`<dl class="meters">
    ${meter('wake-ups', 'per release', mean(per(counters.wakeups, releases)), 'strong')}
    ${meter('wasted', 'per release', mean(per(counters.wasted, releases)), releases && counters.wasted >= releases / 2 ? 'bad' : '')}
    ${meter('requests', 'per acquisition', mean(per(counters.requests, acquisitions)), '')}
  </dl>`;
}

/** @param {string} name @param {string} unit @param {string} value @param {string} kind */
const meter = (name, unit, value, kind) =>
  html`<div class=${kind}><dt>${name} <span>${unit}</span></dt><dd>${value}</dd></div>`;
