// Step mode: the network holds every message until it is delivered by hand.

import { html, nothing } from '../../lit.js';
import { sequence, titleOf } from '../../text/format.js';
import { reasonWords } from '../../text/reasons.js';
import { stepWords } from './words.js';
import { listed, t } from '../../text/language.js';
import { baseName, sequenceOf } from '../../model/queue.js';
import { boxes } from '../../model/steps.js';
import { conflictingBelievers } from '../../model/belief.js';

/** @import { App } from '../../shell/app.js' */
/** @import { Direction } from '../../events.d.ts' */
/** @import { Flight } from '../../model/flights.js' */
/** @import { Boxes } from '../../model/steps.js' */
/** @import { Lane } from '../../model/view.js' */

/** @param {App} app @param {() => void} restart with the network held */
export function stepView(app, restart) {
  return html`<div class="steps">
    ${app.may('control') ? toolsView(app, restart) : nothing}
    ${app.stepping ? html`<div class="step-lanes">${app.view.lanes.map((lane) => laneView(app, lane))}</div>` : nothing}
    ${scriptView(app)}</div>`;
}

/** @param {App} app @param {() => void} restart */
function toolsView(app, restart) {
  const running = app.run?.state === 'running';
  const waiting = app.stepping && app.view.lanes.some((lane) => boxes(lane).some((each) => each.out.length || each.in.length));
  return html`<div class="step-tools">
    <button type="button" class="tool" aria-pressed=${String(app.stepping)} aria-disabled=${String(!running)}
      @click=${() => running && app.step({ do: app.stepping ? 'off' : 'on' })}>${app.stepping ? t`Holding messages` : t`Hold messages`}</button>
    ${button(t`Next`, waiting, () => app.step({ do: 'next' }), t`Deliver the message that has waited longest (N)`)}
    ${button(t`Deliver all`, waiting, () => app.step({ do: 'all' }), t`Deliver everything that waits now`)}
    ${button(t`Undo`, running && app.stepControl.script.length > 0, () => app.step({ do: 'undo' }), t`Repeat the run up to the step before the last`)}
    <button type="button" class="tool" @click=${restart}>${t`Restart, held from the start`}</button>
    <p class="hint">${hint(app, waiting)}</p></div>`;
}

/** @param {string} text @param {boolean} on @param {() => unknown} act @param {string} title */
const button = (text, on, act, title) => html`<button type="button" class="tool" title=${title}
  aria-disabled=${String(!on)} @click=${() => on && act()}>${text}</button>`;

/** @param {App} app @param {boolean} waiting */
function hint(app, waiting) {
  if (app.run?.state !== 'running') return t`No run is going.`;
  if (!app.stepping) return t`Hold the messages to deliver them one by one, in the order that you choose. Heartbeats go on, so sessions live.`;
  return waiting ? t`Each button delivers the oldest message of its box.` : t`Nothing waits: the clients think or hold.`;
}

/** @param {App} app @param {Lane} lane */
function laneView(app, lane) {
  const both = conflictingBelievers(lane).map(({ number }) => number);
  return html`<table class="data-table boxes" data-lane=${lane.info.name}>
    <caption>${titleOf(lane.info).name}${both.length ? t` — clients ${listed(both)} both hold` : ''}</caption>
    <thead><tr><th scope="col">${t`Client`}</th><th scope="col">${t`Outbox, to the server`}</th><th scope="col">${t`Inbox, to the client`}</th></tr></thead>
    <tbody>${boxes(lane).map((each) => rowView(app, lane, each))}</tbody></table>`;
}

/** @param {App} app @param {Lane} lane @param {Boxes} each */
const rowView = (app, lane, each) => html`<tr><th scope="row">${each.client}</th>
  <td>${boxView(app, lane, each, 'out')}</td><td>${boxView(app, lane, each, 'in')}</td></tr>`;

/**
 * One box. Its buttons stay when it is empty, so that the focus does.
 * @param {App} app @param {Lane} lane @param {Boxes} each @param {Direction} dir
 */
function boxView(app, lane, each, dir) {
  const [first, ...others] = each[dir];
  const { client } = each;
  const name = first && nameOf(first);
  const words = dir === 'out' ? {
    deliver: name ? t`Deliver ${name} from client ${client}` : t`Nothing waits from client ${client}`,
    drop: name ? t`Drop ${name} from client ${client}, which breaks the connection` : t`Nothing to drop from client ${client}`,
  } : {
    deliver: name ? t`Deliver ${name} to client ${client}` : t`Nothing waits to client ${client}`,
    drop: name ? t`Drop ${name} to client ${client}, which breaks the connection` : t`Nothing to drop to client ${client}`,
  };
  /** @param {'deliver' | 'drop'} what */
  const act = (what) => first && app.step({ do: what, lane: lane.info.name, client, dir, frame: first.frame });
  return html`<div class="message-box" data-box="${client}-${dir}">
    <button type="button" class="tool deliver" data-frame=${first?.frame ?? 0} aria-disabled=${String(!first)} aria-label=${words.deliver}
      @click=${() => act('deliver')}>${name ?? '–'}</button>
    ${others.map((flight) => html`<span class="behind">${nameOf(flight)}</span>`)}
    <button type="button" class="tool drop" aria-disabled=${String(!first)} title=${t`Drop it: this breaks the connection`}
      aria-label=${words.drop}
      @click=${() => act('drop')}>✕</button></div>`;
}

/** @param {Flight} flight */
function nameOf({ role, op, path }) {
  const name = role === 'reply' ? t`answer to ${op}` : op;
  const number = sequenceOf(baseName(path));
  return Number.isFinite(number) ? `${name} ${sequence(number)}` : name;
}

/** @param {App} app */
function scriptView(app) {
  const steps = app.stepControl.script;
  return html`<section class="script"><h3>${t`So far`}</h3>${app.view.stepNote ? html`<p class="hint">${reasonWords(app.view.stepNote)}</p>` : nothing}
    ${steps.length ? html`<ol>${steps.map((group) => html`<li>${group.map((step) => stepWords(step, app.catalogue)).join(t`, `)}</li>`)}</ol>`
    : html`<p class="hint">${t`No step yet.`}</p>`}</section>`;
}
