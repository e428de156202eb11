// What to run, how, and the buttons for it.

import { runTitle, settingsWords } from '../text/format.js';
import { injectionWords } from '../faults/injection-view.js';
import { parts, t } from '../text/language.js';
import { html, nothing } from '../lit.js';

/** @import { App } from './app.js' */

const DELAYS = [0, 50, 100, 250, 500, 1000];

/**
 * @typedef {object} RunActions
 * @property {() => void} start
 * @property {() => void} stop
 * @property {() => void} showSteps
 * @property {() => void} leave the recording
 * @property {(anchor: Element) => void} breakAny opens the menu of whoever comes first
 * @property {boolean} breaksAny whether that is open
 */

/** @param {App} app @param {RunActions} actions */
export function runBarView(app, { start, stop, showSteps, leave, breakAny, breaksAny }) {
  if (app.recordingName) return recordingView(app, leave);
  const running = app.run?.state === 'running';
  const again = injectionWords(app.view.injection, app.catalogue);
  return html`
    <label class="field scenario"><span>${t`Scenario`}</span>
      <select title=${app.scenario?.title ?? foreignTitle(app)} @change=${(/** @type {Event} */ e) => app.choose({ scenario: valueOf(e) })}>
        ${app.scenario ? nothing : option(app.choice.scenario, foreignTitle(app), true)}
        ${app.scenarios.map((each) => option(each.name, each.title, each.name === app.choice.scenario))}
      </select></label>
    <button type="button" class="tool settings" aria-label=${t`Run settings`} aria-expanded="false" @click=${unfold}>⚙</button>
    <label class="field count"><span>${t`Clients`}</span>
      <input type="range" min=${app.fewestClients} max=${app.mostClients} .value=${String(app.choice.clients)} aria-label=${t`Clients, slider`}
        @input=${(/** @type {Event} */ e) => app.choose({ clients: Number(valueOf(e)) })}>
      <input type="number" min=${app.fewestClients} max=${app.mostClients} .value=${String(app.choice.clients)} aria-label=${t`Clients, number`}
        @change=${(/** @type {Event} */ e) => chooseClients(app, /** @type {HTMLInputElement} */ (e.target))}></label>
    <label class="field delay"><span>${t`Delay`}</span>
      <select title=${t`How long each message takes, each way`} @change=${(/** @type {Event} */ e) => app.changeDelay(Number(valueOf(e)))}>
        ${delaysWith(app.choice.delay).map((each) => option(String(each), each ? t`${each} ms` : t`none`, each === app.choice.delay))}
      </select></label>
    <p class="changed" title=${difference(app)} ?hidden=${!difference(app)}>${difference(app)}</p>
    ${app.stepping ? html`<button type="button" class="tool held" aria-label=${t`Messages held…`} title=${t`The messages are held: deliver them in the panel Steps`} @click=${showSteps}>${t`Held…`}</button>` : nothing}
    <div class="run-buttons">
      <button type="button" class="button break-any ${again ? 'is-on' : ''}" ?disabled=${!running} aria-haspopup="dialog" aria-expanded=${String(breaksAny)}
        title=${again ? t`On: ${again}` : t`Faults for whoever comes first, or again and again`} @click=${(/** @type {Event} */ e) => breakAny(/** @type {Element} */ (e.currentTarget))}>${t`Faults…`}</button>
      <button type="button" class="button ${app.restarts ? '' : 'primary'}" ?disabled=${!app.scenario && !app.source} title=${app.scenario || app.source ? nothing : t`The playground does not have this scenario by its name`} @click=${start}>${app.restarts ? t`Restart#run` : t`Start`}</button>
      <button type="button" class="button" ?disabled=${!running} @click=${stop}>${t`Stop`}</button>
    </div>`;
}

/** Where there is room for one line only, the settings are below it when they are asked for. @param {Event} event */
function unfold({ currentTarget }) {
  const button = /** @type {Element} */ (currentTarget);
  button.setAttribute('aria-expanded', String(button.parentElement?.classList.toggle('unfolded')));
}

/** Which run it is. @param {import('../types.d.ts').Run} run */
export const runView = (run) => parts`${html`<strong>${runTitle(run)}</strong>`}, ${settingsWords(run)}.`;

/** What is known of a recorded run, and the way back. @param {App} app @param {() => void} leave */
const recordingView = ({ run, recordingName }, leave) => html`
  <p class="recorded">${run ? runView(run) : nothing}
    <span>${t`Recorded in ${recordingName}; nothing can be done to it.`}</span></p>
  <div class="run-buttons"><button type="button" class="button primary" @click=${leave}>${t`Back to live`}</button></div>`;

/** What runs may be a scenario that somebody has sent, which the list does not have. @param {App} app */
const foreignTitle = ({ run, choice }) => (run?.scenario === choice.scenario && runTitle(run)) || choice.scenario;

/** @param {string} value @param {string} text @param {boolean} chosen */
const option = (value, text, chosen) => html`<option value=${value} .selected=${chosen}>${text}</option>`;

/** How the choice is not what runs, or empty. @param {App} app */
function difference({ run, choice }) {
  if (run?.state !== 'running') return '';
  if (run.scenario !== choice.scenario) return t`running: ${runTitle(run)}`;
  return run.clients === choice.clients ? '' : t`from the next start`;
}

/** Leaves the field with what was made of its number. @param {App} app @param {HTMLInputElement} field */
function chooseClients(app, field) {
  app.choose({ clients: Number(field.value) });
  field.value = String(app.choice.clients);
}

/** @param {number} own */
const delaysWith = (own) => [...new Set([...DELAYS, own])].sort((a, b) => a - b);

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;
