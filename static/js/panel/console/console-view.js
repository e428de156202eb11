// What the console looks like: who the visitor is, what was said, and the line that is typed.

import { html, nothing } from '../../lit.js';
import { titleOf } from '../../text/format.js';
import { parts, t } from '../../text/language.js';
import { glyph, shapeName } from '../../ui/shapes.js';
import { examples } from './examples.js';

/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { LogView } from './log-view.js' */
/** @import { Transcript } from './transcript.js' */

/**
 * @typedef {object} Console
 * @property {Transcript} transcript
 * @property {LogView} log
 * @property {() => unknown} guests where others join than by typing
 * @property {string} closed why nobody can take part now, or empty
 * @property {boolean} yours whether the visitor has the lock
 * @property {boolean} types whether there is a field
 * @property {string} typed what is in it
 * @property {string} lane to join
 * @property {(lane: string) => void} choose
 * @property {() => void} join
 * @property {() => void} again
 * @property {() => void} leave
 * @property {() => void} enter what is in the field
 * @property {(event: KeyboardEvent) => void} key
 * @property {() => void} changed called when something is typed
 * @property {(line: string) => void} fill
 */

/** @param {Console} console @param {Shown} shown */
export function consoleView(console, shown) {
  const { log, transcript: { state, entries }, types } = console;
  const here = state === 'joined' || state === 'gone';
  return html`<div class="console" data-state=${state}>
    <div class="console-head">${here ? whoView(console, shown) : joinView(console, shown)}</div>
    ${state === 'away' ? console.guests() : nothing}
    ${entries.length || types ? log.view(entries) : nothing}
    ${types ? lineView(console) : nothing}
    <div class="unseen" role="log" aria-live="polite" aria-label=${t`What the console says`}></div>
  </div>`;
}

/** @param {Console} console @param {Shown} shown */
function whoView(console, shown) {
  const { client, lane, state } = console.transcript;
  const { lanes } = shown.view;
  const info = lanes.find((each) => each.info.name === lane)?.info;
  return html`<p class="console-who"><svg width="24" height="24" aria-hidden="true">${glyph(client, 12, 12, 22, true)}</svg>
      <span>${parts`You are client ${client}${html`<span class="unseen">${t`, ${shapeName(client)}`}</span>`}${lanes.length > 1 && info ? t` of ${titleOf(info).name}` : ''}`}${console.yours ? html`: <em>${t`the lock is yours`}</em>` : nothing}</span></p>
    ${state === 'gone' ? html`<p class="hint">${t`The process is gone.`}</p>
      <button type="button" class="button primary console-again" @click=${console.again}>${t`Start again`}</button>` : examplesView(console, shown)}
    <button type="button" class="tool" @click=${console.leave}>${t`Leave the run`}</button>`;
}

/** @param {Console} console @param {Shown} shown */
function joinView({ transcript: { state }, closed, lane, choose, join }, { view }) {
  if (closed) return html`<p class="hint">${closed}</p>`;
  return html`${view.lanes.length > 1 ? html`<label class="field"><span>${t`Lane`}</span><select @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}>
      ${view.lanes.map(({ info }) => html`<option value=${info.name} .selected=${info.name === lane}>${titleOf(info).name}</option>`)}</select></label>` : nothing}
    <button type="button" class="button primary console-join" aria-disabled=${String(state === 'joining')} @click=${join}>${state === 'joining' ? t`Joining…` : t`Be a client`}</button>
    <p class="hint">${t`Type zkCli’s commands in a session of your own, beside the simulated clients, on the same lock.`}</p>`;
}

/** The field stays where it is, whatever becomes of the session: so does the focus, and what is being typed. @param {Console} console */
function lineView({ transcript: { state, busy, prompt }, closed, enter, key, changed }) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    enter();
  };
  const label = state === 'gone' ? t`Enter starts it again` : state === 'away' ? closed ? '–' : t`Enter: be a client again`
    : state === 'joining' ? t`Joining…` : busy ? '…' : prompt;
  return html`<form class="console-line" @submit=${submit}>
    <label for="console-field">${label}</label>
    <input id="console-field" type="text" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="send"
      aria-label=${t`Command`} aria-describedby="console-keys" placeholder=${state === 'joined' ? t`help lists the commands, Tab completes, ↑ brings earlier lines` : ''}
      @keydown=${key} @input=${changed}>
    <p id="console-keys" class="unseen">${parts`${keyView('Tab')} completes, ${keyView('Esc')} then ${keyView('Tab')} goes on, ${keyView('↑')} ${keyView('↓')} earlier lines.`}</p>
    <button class="button">${t`Enter`}</button></form>`;
}

/** What a recipe puts before the names of its znodes: too long for a line to choose. */
const GUID = /_c_[\da-f]{32}-/;

/** @param {Console} console @param {Shown} shown */
function examplesView({ transcript: { lane, client }, typed, fill }, { view, catalogue }) {
  const found = view.lanes.find((each) => each.info.name === lane);
  const list = examples(found, client, catalogue.recipe(found?.info.recipe ?? '').noQueue);
  return html`<div class="console-examples" role="group" aria-label=${t`Lines to begin with: choose one to fill it in, and again to enter it`}>
    ${list.map((example) => html`<button type="button" class=${typed === example.line ? 'is-filled' : ''} title=${example.line} @click=${() => fill(example.line)}>
      <code>${example.line.replace(GUID, '_c_…-')}</code> <span>${typed === example.line ? t`press again to enter` : example.words}</span></button>`)}</div>`;
}

/** @param {string} name */
const keyView = (name) => html`<kbd>${name}</kbd>`;
