// The edge of a part of the page: it can be dragged, or moved by the arrow keys. The
// size that it gives to the part is kept; a double click gives the usual one back.

import { forget, keep, rem, remember } from './theme.js';

/**
 * What an edge changes.
 * @typedef {object} Side
 * @property {string} property of the page's style that takes the size
 * @property {'rem' | 'dvh'} unit
 * @property {'width' | 'height'} of the part: its right edge, or its upper one
 */

/** How far an arrow key moves an edge. */
const STEP = 2;

export class Edge {
  /** @type {HTMLElement} */ #handle;
  /** @type {HTMLElement} */ #part;
  /** @type {Side} */ #side;
  #key = '';

  /** @param {HTMLElement} handle a separator that says the least and the most @param {HTMLElement} part @param {Side} side */
  constructor(handle, part, side) {
    this.#handle = handle;
    this.#part = part;
    this.#side = side;
    handle.addEventListener('pointerdown', (event) => event.button || handle.setPointerCapture(event.pointerId));
    handle.addEventListener('pointermove', (event) => handle.hasPointerCapture(event.pointerId) && this.#set(this.#asked(event)));
    handle.addEventListener('dblclick', () => this.#reset());
    handle.addEventListener('keydown', (event) => this.#press(event));
    new ResizeObserver(() => this.#tell()).observe(part);
  }

  /** Gives the part the size that is kept by a name, or else its usual one. @param {string} key */
  turnTo(key) {
    this.#key = key;
    this.#apply(Number(remember(key)));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const [less, more] = this.#side.of === 'width' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowDown', 'ArrowUp'];
    const sizes = { [less]: this.#now - STEP, [more]: this.#now + STEP, Home: this.#bound('min'), End: this.#bound('max') };
    const size = sizes[event.key];
    if (size === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#set(size);
  }

  /** @param {number} size */
  #set(size) {
    const within = Math.min(this.#bound('max'), Math.max(this.#bound('min'), size));
    keep(this.#key, within.toFixed(1));
    this.#apply(within);
  }

  #reset() {
    forget(this.#key);
    this.#apply(0);
  }

  /** @param {number} size 0 is the usual one, as the style sheets have it */
  #apply(size) {
    const { property, unit } = this.#side;
    if (size) document.documentElement.style.setProperty(property, `${size}${unit}`);
    else document.documentElement.style.removeProperty(property);
    this.#tell();
  }

  /** Where the edge is: the page may have no room for what was asked. */
  #tell() {
    if (this.#now) this.#handle.setAttribute('aria-valuenow', String(Math.round(this.#now)));
  }

  get #pixels() {
    return this.#side.unit === 'rem' ? rem() : innerHeight / 100;
  }

  get #now() {
    return this.#part.getBoundingClientRect()[this.#side.of] / this.#pixels;
  }

  /** @param {PointerEvent} event */
  #asked({ clientX, clientY }) {
    const { left, bottom } = this.#part.getBoundingClientRect();
    return (this.#side.of === 'width' ? clientX - left : bottom - clientY) / this.#pixels;
  }

  /** @param {'min' | 'max'} which */
  #bound(which) {
    return Number(this.#handle.getAttribute(`aria-value${which}`));
  }
}
