// One lane: what the last release cost or what the lock protects, the picture, and the sums.

import { isCircle } from '../../text/caption-words.js';
import { countdown, mean, titleOf } from '../../text/format.js';
import { html, keyed, nothing, repeat, svg } from '../../lit.js';
import { conflictingBelievers, mostHolders } from '../../model/belief.js';
import { simulated } from '../../model/guests.js';
import { locksOf } from '../../model/locks.js';
import { joinedSince, newestComplete, underWay } from '../../model/rounds.js';
import { listed, t } from '../../text/language.js';
import { reasonWords } from '../../text/reasons.js';
import { armedMarks } from './fault-marks.js';
import { clientsView, linksView } from './client-view.js';
import { endOf, queueView } from './queue-view.js';
import { znodeButtons } from './znode-buttons.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Round } from '../../model/rounds.js' */
/** @import { Client } from '../../model/client.js' */
/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { ClientActions } from './client-view.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Layout } from './layout.js' */
/** @import { Subject } from '../../play/shown.d.ts' */
/** @import { InspectWatch } from './watch-arrows.js' */

/** @typedef {ClientActions & { inspectNode: (path: string) => void, inspectWatch: InspectWatch, explainChecks: () => void }} LaneActions */

/** What only some lanes have: it is loaded for them. @typedef {Partial<typeof import('./account-view.js') & typeof import('./store-entry-view.js') & typeof import('./locks-view.js') & typeof import('./local-queue-view.js')>} Extras */

/**
 * How a lane is drawn.
 * @typedef {object} Drawing
 * @property {Layout} at
 * @property {number} now
 * @property {boolean} counting the clients have not been told to stop
 * @property {Catalogue} catalogue
 * @property {Subject | undefined} selection
 * @property {Crowd | undefined} crowd the lane has too many clients to draw
 * @property {(what: (count: number) => string, clients: number[]) => void} pick asks which one of some clients
 * @property {Extras} extras
 */

/** What the server has of the lane's locks. @param {Lane} lane @param {Drawing} drawing @param {LaneActions} actions */
function queuesView(lane, { at, now, catalogue, crowd, extras }, { inspectWatch }) {
  if (lane.info.store) return extras.entryView?.(lane, at, now);
  return lane.locks.length ? extras.locksView?.(lane, at, now, inspectWatch) : queueView(lane, at, now, crowd, inspectWatch, catalogue.recipe(lane.info.recipe).noQueue);
}

/** @param {Lane} lane @param {Drawing} drawing @param {LaneActions} actions */
export function laneView(lane, drawing, actions) {
  const { at, now, catalogue, crowd, extras } = drawing;
  const { info } = lane;
  const mark = believersMark(lane) ?? (info.store ? extras.markOf?.(lane) : undefined) ?? standstillMark(lane, now, catalogue);
  const { name, about } = titleOf(info);
  return html`
    <header class="lane-head ${mark ? 'is-marked' : ''}">
      <h2 id="lane-${info.name}" title=${catalogue.recipe(info.recipe).sentence}><b>${name}</b> <span>${about}</span></h2>
      ${checksView(lane, catalogue, actions)}
      ${armedMarks(lane.armed, catalogue)}
      ${lane.account.used ? extras.accountView?.(lane.account, mark) ?? html`<p class="account-room"></p>` : [mark ?? endingMark(lane, now), wakeView(lane, drawing.counting)]}
    </header>
    <div class="scene">
      <svg class="picture" width=${at.width} height=${at.clientsTop} aria-hidden="true">
        ${linksView(lane, at, crowd, catalogue)}${extras.threadsView?.(lane, at, crowd)}
        ${queuesView(lane, drawing, actions)}
      </svg>
      ${lane.locks.length ? extras.lockButtons?.(lane, at, actions.inspectNode, drawing.selection) : znodeButtons(lane, at, actions.inspectNode, drawing.selection)}
      ${clientsView(lane, drawing, actions)}
      <canvas class="picture flights" aria-hidden="true"></canvas>
    </div>
    ${lane.account.used ? nothing : metersView(lane)}`;
}

/** The mark in a lane's head while more than one client believes, if so. @param {Lane} lane */
function believersMark(lane) {
  const all = conflictingBelievers(lane);
  return all.length ? html`<p class="believers"><span aria-hidden="true">≠</span> ${t`clients ${listed(all.map(({ number }) => number))} believe that they hold`}</p>` : undefined;
}

/** A lane that moves on is not at a standstill before so long, in microseconds of the run; see playground/check/progress.go. */
const STUCK_AFTER = 3_000_000;

/** The mark in a lane's head while it makes no progress, if so. @param {Lane} lane @param {number} now @param {Catalogue} catalogue */
function standstillMark(lane, now, catalogue) {
  const found = lane.checks.get('progress');
  if (found?.verdict !== 'violated' || simulated(lane).some(({ state, since }) => since > found.at && (state === 'holds' || now - since < STUCK_AFTER))) return undefined;
  return html`<p class="believers"><span aria-hidden="true">✗</span> ${isCircle(found) ? t`Deadlock: clients wait for each other` : catalogue.check('progress').violated}</p>`;
}

/**
 * While the lock waits for the end of a session: how long yet. Nobody is woken before that.
 * @param {Lane} lane @param {number} now
 */
function endingMark(lane, now) {
  const { info, clients } = lane;
  const ownerOf = (/** @type {Node} */ { session, client }) => (session ? clients.get(client) : undefined);
  const endsOf = (/** @type {Node | undefined} */ node) => (node && ownerOf(node) ? endOf(node, /** @type {Client} */ (ownerOf(node))) : 0);
  const first = locksOf(lane).flatMap(({ queue }) => queue.nodes.slice(0, mostHolders(lane))).find(endsOf);
  const owner = first && ownerOf(first);
  const end = endsOf(first);
  if (!owner || !end) return nothing;
  const left = countdown(end - now);
  const former = first?.session === owner.left.session;
  const what = end - now < 50_000 ? former ? t`client ${owner.number}’s former session is to end;` : t`client ${owner.number}’s session is to end;`
    : former ? t`until client ${owner.number}’s former session ends;`
      : owner.state === 'crashed' ? t`until client ${owner.number}’s session ends;` : t`until client ${owner.number}’s session ends, if it stays silent;`;
  return html`<p class="ending"><strong>${left}</strong> <span>${what}
    <br>${info.permits ? t`its znode keeps a permit` : t`its znode keeps the lock`}</span></p>`;
}

/** What freed the lock. @type {Record<Round['cause'], (who: string, lock?: string) => string>} */
const beginnings = {
  release: (who, lock) => (lock ? t`${who} released ${lock}` : t`${who} released`),
  end: (who) => t`${who}’s session ended`,
  removed: (who) => t`${who}’s znode was deleted`,
};

/** @param {Round} round */
const beginning = (round) => beginnings[round.cause](who(round), round.lock);

/** @param {Round} round */
const who = ({ client }) => (client ? t`client ${client}` : t`somebody`);

/**
 * What the newest release cost of which everything is known; smaller, what has come since.
 * @param {Lane} lane @param {boolean} counting
 */
function wakeView({ rounds }, counting) {
  const round = newestComplete(rounds);
  const next = counting ? underWay(rounds) : undefined;
  const joined = joinedSince(rounds, round);
  return html`<div class="wake ${round?.woken ? 'some' : ''}">
    <p class="figure woken">${figure(round?.woken, t`woken#count`)}</p>
    <p class="figure wasted ${round?.wasted ? 'some' : ''}">${figure(round?.wasted, t`for nothing`)}</p>
    <div class="wake-detail">
      ${keyed(`${round?.change ?? next?.change} ${joined}`, html`<p><span class="by">${round ? beginning(round) : next ? t`the first release` : t`no release yet`}</span>${joined
        ? html`<span title=${t`woken since by clients that joined the queue`}>${t` · +${joined} by joining`}</span>` : nothing}</p>`)}
      <div class="wake-row">${round ? wakeMarksView(round) : nothing}${next ? keyed(round?.change, html`<p>${t`${next.cause === 'release' && !next.lock ? who(next) : beginning(next)}: ${next.woken} woken so far`}</p>`) : nothing}</div>
    </div>
  </div>`;
}

/** A new number gets new elements: old ones would move when it gets more digits. @param {number | undefined} value @param {string} word */
const figure = (value, word) => keyed(value, html`<strong>${value ?? '–'}</strong> <span>${word}</span>`);

const MOST_MARKS = 100;

/** One mark for each who was woken: filled for who acquired, hollow when that was wasted or came to nothing else. @param {Round} round */
function wakeMarksView({ woken, acquired, wasted }) {
  const shown = Math.min(woken, MOST_MARKS);
  const marks = Array.from({ length: shown }, (_, index) => (index < acquired ? 'good' : index < acquired + wasted ? 'wasted' : 'gone'));
  return html`<span class="wake-marks ${shown > 36 ? 'small many' : shown > 14 ? 'small' : ''}" aria-hidden="true">${repeat(marks, (_, index) => index, (kind) => html`<svg
    class="wake-mark ${kind}" viewBox="-7 -7 14 14">${svg`<path d="M0-6L6 0L0 6L-6 0Z"></path>`}</svg>`)}</span>`;
}

/** Whether the checks hold so far, in one line, which moves nothing as it changes; it leads to what each has found and why. @param {Lane} lane @param {Catalogue} catalogue @param {LaneActions} actions */
function checksView(lane, catalogue, { explainChecks }) {
  const found = catalogue.ordered(lane.checks);
  const violated = found.filter(({ verdict }) => verdict === 'violated');
  const holding = found.filter(({ verdict }) => verdict === 'holds');
  if (!violated.length && !holding.length) return nothing;
  return keyed(`${violated.length} of ${holding.length}`, html`<p class="checks ${violated.length ? 'violated' : ''}"><button type="button" @click=${explainChecks}
    title=${violated.length ? violated.map((check) => t`${check.violated || check.title}: ${reasonWords(check.reason)}`).join('\n') : holding.map(({ title }) => title).join('\n')}>${
    violated.length ? violated.length > 1 ? t`✗ ${violated[0]?.title} and ${violated.length - 1} more` : `✗ ${violated[0]?.title}` : html`✓ ${holding.length} <span class="unit">${checksWord(holding.length)}</span>`}</button></p>`);
}

/** The word without its number. @param {number} count */
const checksWord = (count) => t`${count} check|${count} checks`.replace(/^\S+ /, '');

/** @param {Lane} lane */
function metersView({ clients, counters, rounds: { sums } }) {
  const isEarly = counters.acquisitions < clients.size; // what each client asks but once weighs more than it will
  return html`<dl class="meters">
    ${meter(html`${t`woken#count`}<span class="unseen"> ${t`per release`}</span>`, mean(sums.roundWakeups / sums.rounds), '')}
    ${meter(html`${t`for nothing`} <span class="unit">${t`per release`}</span>`, mean(sums.roundWasted / sums.rounds), sums.rounds && sums.roundWasted >= sums.rounds / 2 ? 'bad' : '')}
    ${meter(html`${t`requests`} <span class="unit acquisitions">${t`per acquisition`}</span>${isEarly ? html` <span class="unit early">${t`so far`}</span>` : nothing}`, mean(counters.requests / counters.acquisitions), '')}
  </dl>`;
}

/** @param {unknown} name @param {string} value @param {string} kind */
const meter = (name, value, kind) => keyed(value, html`<div class=${kind}><dt>${name}</dt><dd>${value}</dd></div>`);
