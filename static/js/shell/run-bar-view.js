// What to run, how, and the buttons for it.

import { injectionWords } from '../text/injection.js';
import { html, nothing } from '../lit.js';

/** @import { App } from './app.js' */

export const DELAYS = [0, 50, 100, 250, 500, 1000];

/**
 * @typedef {object} RunActions
 * @property {() => void} start
 * @property {() => void} showSteps
 * @property {() => void} leave the recording
 * @property {(anchor: Element) => void} breakAny opens the menu of whoever comes first
 * @property {boolean} breaksAny whether that is open
 */

/** @param {App} app @param {RunActions} actions */
export function runBarView(app, { start, showSteps, leave, breakAny, breaksAny }) {
  if (app.recorded) return recordedView(app, leave);
  const running = app.run?.state === 'running';
  const again = injectionWords(app.view.injection);
  return html`
    <label class="field scenario"><span>Scenario</span>
      <select @change=${(/** @type {Event} */ e) => app.choose({ scenario: valueOf(e) })}>
        ${app.scenario ? nothing : option(app.choice.scenario, foreignTitle(app), true)}
        ${app.scenarios.map((each) => option(each.name, each.title, each.name === app.choice.scenario))}
      </select></label>
    <label class="field count"><span>Clients</span>
      <input type="range" min="1" max=${app.mostClients} .value=${String(app.choice.clients)} aria-label="Clients, slider"
        @input=${(/** @type {Event} */ e) => app.choose({ clients: Number(valueOf(e)) })}>
      <input type="number" min="1" max=${app.mostClients} .value=${String(app.choice.clients)} aria-label="Clients, number"
        @change=${(/** @type {Event} */ e) => chooseClients(app, /** @type {HTMLInputElement} */ (e.target))}></label>
    <label class="field delay"><span>Delay</span>
      <select title="How long each message takes, each way" @change=${(/** @type {Event} */ e) => app.changeDelay(Number(valueOf(e)))}>
        ${delaysWith(app.choice.delay).map((each) => option(String(each), each ? `${each} ms` : 'none', each === app.choice.delay))}
      </select></label>
    <p class="changed" ?hidden=${!difference(app)}>${difference(app)}</p>
    ${app.stepping ? html`<button type="button" class="tool held" aria-label="Messages held…" title="The messages are held: deliver them in the panel Steps" @click=${showSteps}>Held…</button>` : nothing}
    <div class="run-buttons">
      <button type="button" class="button break-any ${again ? 'is-on' : ''}" ?disabled=${!running} aria-haspopup="dialog" aria-expanded=${String(breaksAny)}
        title=${again ? `On: ${again}` : 'Faults for whoever comes first, or again and again'} @click=${(/** @type {Event} */ e) => breakAny(/** @type {Element} */ (e.currentTarget))}>Faults…</button>
      <button type="button" class="button ${app.restarts ? '' : 'primary'}" ?disabled=${!app.scenario} title=${app.scenario ? nothing : 'The playground does not have this scenario by its name'} @click=${start}>${app.restarts ? 'Restart' : 'Start'}</button>
      <button type="button" class="button" ?disabled=${!running} @click=${() => app.stop()}>Stop</button>
    </div>`;
}

/** What is known of a recorded run, and the way back. @param {App} app @param {() => void} leave */
const recordedView = ({ run, recorded }, leave) => html`
  <p class="recorded"><strong>${run?.title || run?.scenario}</strong>, ${run?.clients} clients, delay ${run?.delay}, seed ${run?.seed}.
    <span>Recorded in ${recorded}; nothing can be done to it.</span></p>
  <div class="run-buttons"><button type="button" class="button primary" @click=${leave}>Back to live</button></div>`;

/** What runs may be a scenario that somebody has sent, which the list does not have. @param {App} app */
const foreignTitle = ({ run, choice }) => (run?.scenario === choice.scenario && run.title) || choice.scenario;

/** @param {string} value @param {string} text @param {boolean} chosen */
const option = (value, text, chosen) => html`<option value=${value} .selected=${chosen}>${text}</option>`;

/** How the choice is not what runs, or empty. @param {App} app */
function difference({ run, choice }) {
  if (run?.state !== 'running') return '';
  if (run.scenario !== choice.scenario) return `running: ${run.title || run.scenario}`;
  return run.clients === choice.clients ? '' : 'from the next start';
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
