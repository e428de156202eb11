// What to run, how, and the buttons for it.

import { milliseconds } from '../format.js';
import { html, live } from '../lit.js';

/** @import { App } from '../app.js' */

export const DELAYS = [0, 50, 100, 250, 500, 1000];

/** @param {App} app */
export function runBarView(app) {
  const running = app.run?.state === 'running';
  const same = running && app.run?.scenario === app.choice.scenario;
  return html`
    <label class="field scenario"><span>Scenario</span>
      <select @change=${(/** @type {Event} */ e) => app.choose({ scenario: valueOf(e) })}>
        ${app.scenarios.map((each) => option(each.name, each.title, each.name === app.choice.scenario))}
      </select></label>
    <label class="field count"><span>Clients</span>
      <input type="range" min="1" max=${app.mostClients} .value=${String(app.choice.clients)} aria-label="Clients, slider"
        @input=${(/** @type {Event} */ e) => app.choose({ clients: Number(valueOf(e)) })}>
      <input type="number" min="1" max=${app.mostClients} .value=${live(String(app.choice.clients))} aria-label="Clients, number"
        @change=${(/** @type {Event} */ e) => app.choose({ clients: Number(valueOf(e)) })}></label>
    <label class="field delay"><span>Delay</span>
      <select title="How long each message takes, each way" @change=${(/** @type {Event} */ e) => app.changeDelay(Number(valueOf(e)))}>
        ${delaysWith(app.choice.delay).map((each) => option(String(each), each ? `${each} ms` : 'none', each === app.choice.delay))}
      </select></label>
    <p class="changed" ?hidden=${!differs(app)}>from the next start</p>
    <div class="run-buttons">
      <button type="button" class="button ${same ? '' : 'primary'}" @click=${() => app.start()}>${same ? 'Restart' : 'Start'}</button>
      <button type="button" class="button" ?disabled=${!running} @click=${() => app.stop()}>Stop</button>
    </div>`;
}

/** @param {string} value @param {string} text @param {boolean} chosen */
const option = (value, text, chosen) => html`<option value=${value} .selected=${chosen}>${text}</option>`;

/** Whether the clients that are chosen are not those of the run. @param {App} app */
const differs = (app) => app.run?.state === 'running'
  && app.run.scenario === app.choice.scenario && app.run.clients !== app.choice.clients;

/** @param {number} own */
const delaysWith = (own) => [...new Set([...DELAYS, own])].sort((a, b) => a - b);

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/**
 * A scenario's own settings, as a visitor's choice.
 * @param {import('../types.d.ts').Scenario} scenario
 */
export const ownChoice = (scenario) =>
  ({ scenario: scenario.name, clients: scenario.clients, delay: milliseconds(scenario.delay) });
