// What the views of the inspector are made of.

import { html, nothing } from '../../lit.js';
import { instant } from '../../text/format.js';
import { leftOut } from '../../text/history.js';
import { parts, t } from '../../text/language.js';
import { rove, stopHere } from '../../ui/roving.js';

/** @import { Told } from '../../text/history.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */

/**
 * @typedef {object} InspectorActions
 * @property {(subject: Subject) => void} select
 * @property {(at: number) => void} seek
 */

/** @param {string} name @param {unknown} value @param {unknown} [note] */
export const fact = (name, value, note) =>
  html`<div><dt>${name}</dt><dd>${value}${note ? html` <span class="how">${note}</span>` : nothing}</dd></div>`;

/** A fact that the log does not tell. */
export const notTold = html`<span class="hint">${t`not told`}</span>`;

/** Goes to an instant. @param {number} at @param {InspectorActions} actions */
export const moment = (at, actions) => html`<button type="button" class="moment" aria-label=${t`Go to ${instant(at)}`}
  @click=${() => actions.seek(at)}>${instant(at)}</button>`;

/** Turns to another subject. @param {Subject} subject @param {unknown} words @param {InspectorActions} actions */
export const link = (subject, words, actions) =>
  html`<button type="button" class="linked" @click=${() => actions.select(subject)}>${words}</button>`;

/** The newest lines of a history that are shown. */
export const MOST_LINES = 100;

/**
 * What happened, oldest first, each with its instant to go to.
 * @param {Shown} shown
 * @param {Told[]} told
 * @param {InspectorActions} actions
 * @param {{ next?: number | undefined, before?: number }} [more] when more happens after the instant that is shown, and how much was told before
 */
export function historyView(shown, told, actions, { next, before = 0 } = {}) {
  return html`
    ${before ? html`<p class="hint">${leftOut(before)}</p>` : nothing}
    <ol class="history" @keydown=${rove} @focusin=${stopHere}>${told.map(({ at, words }) => html`
      <li>
        <button type="button" class="moment" tabindex="-1" aria-label=${t`Go to ${instant(at)}: ${words}`} aria-current=${at === shown.at ? 'time' : nothing}
          @click=${() => actions.seek(at)}>${instant(at)}</button>
        <span>${words}</span>
      </li>`)}</ol>
    ${told.length ? nothing : html`<p class="hint">${t`The log has told nothing of it by now.`}</p>`}
    ${next === undefined ? nothing : html`<p class="hint">${parts`More comes later, next at ${moment(next, actions)}`}</p>`}`;
}
