// What a visitor sees while nothing runs: one thing to do, and why.

import { html, nothing, svg } from '../lit.js';
import { glyph } from '../ui/shapes.js';
import { t } from '../text/language.js';
import { languageView } from './language.js';

/** @import { App } from './app.js' */

/** What the comparison says for itself; other scenarios say their title and summary. */
const comparison = {
  headline: t`One lock is released. Who wakes up?`,
  lead: t`The same clients wait for the same lock in two ways, side by side, on a real ZooKeeper. Watch what a release costs in each lane.`,
};

/**
 * @param {App} app
 * @param {() => void} start
 * @param {HTMLElement | null} card of the lesson, with the settings that the scenario has there
 * @param {(card: HTMLElement) => void} run
 */
export function welcomeView(app, start, card, run) {
  const { scenario } = app;
  if (app.link === 'gone') return nothing; // see where-view.js
  if (!scenario) return html`<p>${t`Asking the playground for its scenarios …`}</p>`;
  const compares = scenario.name === 'herd-vs-predecessor';
  const own = compares ? null : card;
  return html`
    <h2>${compares ? comparison.headline : own?.querySelector('h3')?.textContent ?? scenario.title}</h2>
    <p>${compares ? comparison.lead : own?.querySelector('p')?.textContent ?? scenario.summary}</p>
    ${app.may('control') ? html`<p><button type="button" class="button primary large" @click=${() => (own ? run(own) : start())}>
      ${compares ? t`Run ${scenario.title.toLowerCase()}` : t`Run this scenario`}</button></p>` : html`<p>${t`The teacher has not started anything yet.`}</p>`}
    ${languageView()}
    ${compares ? sketchesView() : nothing}`;
}

/** The two ways to wait. */
export const sketchesView = () => html`<div class="sketches" aria-hidden="true">
  ${sketch(t`Everyone watches the directory`, herdArrows)}
  ${sketch(t`Each watches the one ahead`, chainArrows)}
</div>`;

const PITCH = 56;
const places = [0, 1, 2, 3, 4];
const waiting = places.slice(1).map((place) => place * PITCH);
const herdArrows = waiting.map((x) => `M${28 + x} 56V35M${23 + x} 42L${28 + x} 35L${33 + x} 42`).join('');
const chainArrows = waiting.map((x) => chainArrow(22 + x, 34 + x - PITCH)).join('');

/** @param {number} from @param {number} to */
function chainArrow(from, to) {
  return `M${from} 56C${from} 34 ${to} 34 ${to} 55M${to - 5} 48L${to} 55L${to + 5} 48`;
}

/** @param {string} caption @param {string} arrows */
function sketch(caption, arrows) {
  return html`<figure><svg viewBox="0 0 280 108">${svg`
    <rect class="directory" x="6" y="8" width="268" height="24" rx="4"></rect>
    <text x="16" y="25">/lock</text>
    ${places.map((place) => svg`
      <rect class="box ${place ? '' : 'holds'}" x=${6 + place * PITCH} y="60" width="44" height="44" rx="6"></rect>
      ${glyph(place + 1, 28 + place * PITCH, 82, 24)}`)}
    <path class="watch" d=${arrows}></path>`}</svg><figcaption>${caption}</figcaption></figure>`;
}
