// The elements of a lane's diagram.

import { html, render } from '../../lit.js';
import { t } from '../../text/language.js';

/**
 * @typedef {object} Parts
 * @property {HTMLElement} area what has the focus, and scrolls when the rows are too many
 * @property {HTMLCanvasElement} picture
 * @property {HTMLElement} tip beside the pointer
 */

/** @param {HTMLElement} host @returns {Parts} */
export function build(host) {
  render(html`<div class="sequence-area" tabindex="0" role="application" aria-label=${t`Sequence diagram`}
      aria-description=${t`Arrow keys move in time, plus and minus zoom, 0 shows the whole run, n and p go from item to item, Enter selects. The same is told in words below.`}>
      <canvas aria-hidden="true"></canvas><div class="sequence-tip" hidden></div>
    </div>`, host);
  return { area: find(host, '.sequence-area'), picture: find(host, 'canvas'), tip: find(host, '.sequence-tip') };
}

/** @template {HTMLElement} Kind @param {HTMLElement} host @param {string} selector */
const find = (host, selector) => /** @type {Kind} */ (host.querySelector(selector));
