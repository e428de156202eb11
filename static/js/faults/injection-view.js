// The switches of what comes again and again: crashes and session expiries, each at a
// rate of its own.

import { t } from '../text/language.js';
import { html, nothing } from '../lit.js';
import { injectAgain } from './commands.js';

/** @import { App } from '../shell/app.js' */
/** @import { Catalogue } from '../text/catalogue.js' */

/** The times from one to the next, in seconds. */
const RATES = [3, 5, 8, 12, 20, 30, 60];

export class InjectionView {
  /** @type {App} */ #app;
  /** What a visitor has chosen, by fault. @type {Map<string, number>} */ #seconds = new Map();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {boolean} off nothing can be done to the run */
  view(off) {
    return html`<fieldset class="again"><legend>${t`Again and again, in each lane`}</legend>
      ${this.#app.catalogue.repetitions.map((each) => this.#switchView(each, off))}
      <p>${t`Whom, and when exactly, the seed draws: the same in both lanes. A crashed client is started again when its session has timed out.`}${
        this.#app.stepping ? t` ` + t`While messages are held nothing comes.` : nothing}</p></fieldset>`;
  }

  /** @param {Catalogue['repetitions'][number]} repetition @param {boolean} off */
  #switchView({ fault, words, seconds: first }, off) {
    const every = (this.#app.view.injection.get(fault) ?? 0) / 1000;
    const chosen = () => this.#seconds.get(fault) ?? first; // it may have changed since this was drawn
    const seconds = every || chosen();
    const turn = (/** @type {Event} */ event) => injectAgain(this.#app, fault, /** @type {HTMLInputElement} */ (event.target).checked ? chosen() : 0);
    const choose = (/** @type {Event} */ event) => {
      this.#seconds.set(fault, Number(/** @type {HTMLSelectElement} */ (event.target).value));
      if (every) void injectAgain(this.#app, fault, chosen());
    };
    return html`<p class="switch"><label class="check"><input type="checkbox" role="switch" data-fault=${fault} .checked=${every > 0} ?disabled=${off} @change=${turn}> ${words}</label>
      <label class="field length"><span>${t`every`}</span><select aria-label=${t`${words} every`} ?disabled=${off} @change=${choose}>
      ${[...new Set([...RATES, seconds])].sort((a, b) => a - b).map((each) => html`<option value=${each} .selected=${each === seconds}>${t`${each} s`}</option>`)}</select></label></p>`;
  }
}

/** What is on, in words; empty for nothing. @param {Map<string, number>} injection @param {Catalogue} catalogue */
export const injectionWords = (injection, catalogue) => catalogue.repetitions.flatMap(({ fault, words }) => {
  const every = injection.get(fault);
  return every ? [t`${words.toLowerCase()} every ${every / 1000} s`] : [];
}).join(t`, `);
