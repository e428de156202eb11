// What a fault is given beside its length: a field for each of its parameters, under its
// line in the menu.

import { html, nothing } from '../lit.js';
import { choicesOf } from '../text/catalogue.js';
import { t } from '../text/language.js';

/** @import { FaultKind } from '../types.d.ts' */
/** @import { Parameter } from '../kinds.d.ts' */

export class FaultFields {
  /** What a visitor has chosen, by fault and parameter. @type {Map<string, string>} */ #chosen = new Map();
  /** @type {() => void} */ #changed;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {FaultKind} fault @returns {(parameter: string) => string | undefined} */
  chosenOf({ name }) {
    return (parameter) => this.#chosen.get(`${name} ${parameter}`);
  }

  /** @param {FaultKind} fault */
  view(fault) {
    const choices = choicesOf(fault);
    return choices.length ? html`<p class="fault-fields">${choices.map((each) => this.#fieldView(fault, each))}</p>` : nothing;
  }

  /** @param {FaultKind} fault @param {Parameter} parameter */
  #fieldView(fault, { name, title, unit, choices = [], default: first = '' }) {
    const choose = (/** @type {Event} */ event) => {
      this.#chosen.set(`${fault.name} ${name}`, /** @type {HTMLSelectElement} */ (event.target).value);
      this.#changed();
    };
    const value = this.chosenOf(fault)(name) ?? first;
    return html`<label class="field length"><span>${title}</span><select data-parameter=${name} @change=${choose}>
      ${first ? nothing : option('', t`any#request`, value)}
      ${choices.map((each) => option(each, unit ? t`${each} ms` : each, value))}</select></label>`;
  }
}

/** @param {string} value @param {string} words @param {string} chosen */
const option = (value, words, chosen) => html`<option value=${value} .selected=${value === chosen}>${words}</option>`;
