// A list of clients to choose one of. It shows those that were in it when it was
// opened: a list that changes under the pointer cannot be used.

import { html, render, svg } from '../../lit.js';
import { t } from '../../text/language.js';
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
    this.#host.addEventListener('keydown', (event) => this.#move(event));
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
    this.#buttons()[0]?.focus();
  }

  /** @param {number} number @param {(client: number) => void} choose */
  #chose(number, choose) {
    this.#host.hidePopover();
    choose(number);
  }

  #buttons() {
    return [...this.#host.querySelectorAll('button')];
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const buttons = this.#buttons();
    const here = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const row = buttons.filter(({ offsetTop }) => offsetTop === buttons[0]?.offsetTop).length;
    const last = buttons.length - 1;
    const targets = {
      ArrowLeft: here - 1, ArrowRight: here + 1, ArrowUp: here - row, ArrowDown: here + row, Home: 0, End: last,
      PageUp: here - 10 * row, PageDown: here + 10 * row,
    };
    const target = /** @type {Record<string, number>} */ (targets)[event.key];
    if (target === undefined || here < 0) return;
    event.preventDefault();
    buttons[here]?.setAttribute('tabindex', '-1');
    const next = buttons[Math.min(last, Math.max(0, target))];
    next?.setAttribute('tabindex', '0');
    next?.focus();
  }
}
