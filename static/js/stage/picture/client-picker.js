// A list of clients to choose one of. It shows those that were in it when it was
// opened: a list that changes under the pointer cannot be used.

import { html, render, svg } from '../../lit.js';
import { t } from '../../text/language.js';
import { roveInRows, stopHere } from '../../ui/roving.js';
import { glyph, shapeName } from '../../ui/shapes.js';

/** The width of a client's shape in pixels. */
const SIZE = 26;

export class ClientPicker {
  /** @type {HTMLElement} */ #host;

  /** @param {HTMLElement} within */
  constructor(within) {
    this.#host = document.createElement('div');
    this.#host.className = 'client-picker';
    this.#host.popover = 'auto';
    this.#host.setAttribute('role', 'dialog');
    this.#host.setAttribute('aria-labelledby', 'client-picker-title');
    this.#host.addEventListener('keydown', roveInRows);
    this.#host.addEventListener('focusin', stopHere);
    within.append(this.#host);
  }

  /**
   * @param {(count: number) => string} what they are
   * @param {number[]} clients
   * @param {(client: number) => void} choose
   */
  open(what, clients, choose) {
    const numbers = clients.toSorted((a, b) => a - b);
    render(html`<h2 id="client-picker-title">${what(numbers.length)}</h2>
      <ol>${numbers.map((number, index) => html`<li><button type="button" tabindex=${index ? -1 : 0} title=${t`Client ${number}`}
        aria-label=${t`Client ${number}, ${shapeName(number)}`} @click=${() => this.#chose(number, choose)}>
        <svg width=${SIZE} height=${SIZE} aria-hidden="true">${svg`${glyph(number, SIZE / 2, SIZE / 2, SIZE * 0.9)}`}</svg></button></li>`)}</ol>`, this.#host);
    this.#host.showPopover();
    this.#host.querySelector('button')?.focus();
  }

  /** @param {number} number @param {(client: number) => void} choose */
  #chose(number, choose) {
    this.#host.hidePopover();
    choose(number);
  }
}
