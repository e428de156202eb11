// The elements of a diagram: its buttons, its picture, and what is said below it.

import { html, render } from '../../lit.js';
import { t } from '../../text/language.js';
import { legend } from './legend.js';

/**
 * @typedef {object} Parts
 * @property {HTMLElement} area what has the focus, and scrolls when the rows are too many
 * @property {HTMLCanvasElement} picture
 * @property {HTMLElement} tip beside the pointer
 * @property {HTMLElement} readout what was selected last, or reached by keyboard
 * @property {HTMLDetailsElement} words
 * @property {HTMLElement} text inside words
 * @property {HTMLButtonElement} follow
 * @property {HTMLButtonElement} pings
 */

/**
 * @typedef {object} Buttons
 * @property {(factor: number) => void} zoom
 * @property {() => void} fit
 * @property {(name: 'follow' | 'pings') => void} toggle
 * @property {() => void} tell the words were opened or closed
 */

/** So wide and so high must it be for the legend to be open at first: the picture comes before. */
const ROOMY = { width: 600, height: 480 };

/** @param {HTMLElement} host @param {Buttons} buttons @returns {Parts} */
export function build(host, { zoom, fit, toggle, tell }) {
  host.classList.add('sequence');
  render(html`<div class="sequence-tools">
      <button type="button" class="tool" aria-label=${t`Show more time`} @click=${() => zoom(1.5)}>−</button>
      <button type="button" class="tool" aria-label=${t`Show less time`} @click=${() => zoom(1 / 1.5)}>+</button>
      <button type="button" class="tool" @click=${fit}>${t`Whole run`}</button>
      <button type="button" class="tool" name="follow" aria-pressed="true" @click=${() => toggle('follow')}>${t`Follow`}</button>
      <button type="button" class="tool" name="pings" aria-pressed="false" @click=${() => toggle('pings')}>${t`Pings`}</button>
    </div>
    <div class="sequence-area" tabindex="0" role="application" aria-label=${t`Sequence diagram`}
      aria-description=${t`Arrow keys move in time, plus and minus zoom, 0 shows the whole run, n and p go from item to item, Enter selects. The same is told in words below.`}>
      <canvas aria-hidden="true"></canvas><div class="sequence-tip" hidden></div>
    </div>
    <p class="sequence-readout" aria-live="polite"></p>
    <details class="sequence-legend" ?open=${host.clientWidth >= ROOMY.width && host.clientHeight >= ROOMY.height}><summary>${t`What the shapes mean`}</summary>${legend()}</details>
    <details class="sequence-twin" @toggle=${tell}><summary>${t`What is in sight, in words`}</summary><div class="sequence-text"></div></details>`, host);
  return {
    area: find(host, '.sequence-area'), picture: find(host, 'canvas'), tip: find(host, '.sequence-tip'), readout: find(host, '.sequence-readout'),
    words: find(host, '.sequence-twin'), text: find(host, '.sequence-text'), follow: find(host, '[name="follow"]'), pings: find(host, '[name="pings"]'),
  };
}

/** @template {HTMLElement} Kind @param {HTMLElement} host @param {string} selector */
const find = (host, selector) => /** @type {Kind} */ (host.querySelector(selector));
