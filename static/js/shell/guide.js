// The guided start: a card that points, one after the other, to what there is to see
// while a run goes on. It goes on by itself until the visitor turns its pages.

import { html, nothing, render } from '../lit.js';
import { steps, words } from '../text/guide.js';
import { keep } from './theme.js';

/** @type {Guide | undefined} */ let open;

/** Begins, from the first step. @param {ScrollLogicalPosition} block where in the window it shows what it tells of */
export function showAround(block) {
  open?.end();
  open = new Guide(block);
}

class Guide {
  #card = Object.assign(document.createElement('section'), { className: 'guide' });
  #ring = Object.assign(document.createElement('div'), { className: 'guide-ring' });
  #came = /** @type {HTMLElement | null} */ (document.activeElement);
  /** @type {ScrollLogicalPosition} */ #block;
  #step = 0;
  /** When the step began, or NaN once the visitor turns the pages. */
  #since = performance.now();
  #over = false;

  /** @param {ScrollLogicalPosition} block */
  constructor(block) {
    this.#block = block;
    keep('guide', 'seen'); // or skipped: the welcome offers it no more, the help does
    this.#card.setAttribute('role', 'dialog');
    this.#card.setAttribute('aria-label', words.name);
    this.#ring.ariaHidden = 'true';
    document.body.append(this.#ring, this.#card);
    document.addEventListener('keydown', this.#key, true);
    this.#show(0);
    this.#card.querySelector('button')?.focus();
    requestAnimationFrame(this.#frame);
  }

  /** The focus goes back to where it was, or to the stage. */
  end() {
    if (this.#over) return;
    this.#over = true;
    const had = this.#card.contains(document.activeElement);
    document.removeEventListener('keydown', this.#key, true);
    this.#card.remove();
    this.#ring.remove();
    if (had) (this.#came !== document.body && this.#came?.checkVisibility() ? this.#came : document.getElementById('stage'))?.focus();
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape' || document.querySelector('dialog[open], :popover-open')) return;
    event.stopPropagation();
    this.end();
  };

  #frame = (/** @type {number} */ now) => {
    if (this.#over) return;
    if (now - this.#since > this.#now.seconds * 1000) this.#goOn();
    this.#point();
    if (!this.#over) requestAnimationFrame(this.#frame);
  };

  #goOn() {
    this.#since = performance.now();
    if (this.#step + 1 < steps.length) this.#show(this.#step + 1);
    else this.end();
  }

  /** The visitor turns a page: no other turns by itself from now on. @param {1 | -1} direction */
  #turn(direction) {
    this.#since = NaN;
    if (this.#step + direction < steps.length) this.#show(this.#step + direction);
    else this.end();
  }

  get #now() {
    return /** @type {import('../text/guide.js').Step} */ (steps[this.#step]);
  }

  get #target() {
    return [...document.querySelectorAll(this.#now.at)].find((each) => each.checkVisibility());
  }

  /** @param {number} step */
  #show(step) {
    this.#step = step;
    const { title, text } = this.#now;
    const last = step + 1 === steps.length;
    render(html`<div role="status"><h2>${title}</h2><p>${text}</p></div>
      <div class="guide-buttons">
        <button type="button" class="button primary" @click=${() => this.#turn(1)}>${last ? words.done : words.next}</button>
        <button type="button" class="button" ?hidden=${!step} @click=${() => this.#turn(-1)}>${words.back}</button>
        ${last ? nothing : html`<button type="button" class="button" @click=${() => this.end()}>${words.skip}</button>`}
        <span>${words.place(step + 1, steps.length)}</span></div>`, this.#card);
    this.#target?.scrollIntoView({ block: this.#block });
  }

  /** Puts the ring around what the step is about, wherever that is now. */
  #point() {
    const target = this.#target;
    this.#ring.hidden = !target;
    if (!target) return;
    const { left, top, width, height } = target.getBoundingClientRect();
    Object.assign(this.#ring.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }
}
