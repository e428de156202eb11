// The line of time under the lanes: where the visitor is in the run, and what there
// is to go to.

import { instant, span } from '../text/format.js';
import { html, nothing, render, svg } from '../lit.js';
import { SPEEDS } from '../play/playhead.js';
import { drawTrack } from './timeline-track.js';

/** @import { Mode } from '../play/playhead.js' */
/** @import { TimeScale } from '../play/time-scale.js' */
/** @import { Mark } from '../model/marks.js' */

/**
 * What the line is drawn from.
 * @typedef {object} TimelineFrame
 * @property {number} at the playhead, in microseconds of the run
 * @property {number} count how many events have happened by then
 * @property {number} present the latest instant that there is
 * @property {boolean} over whether the run is
 * @property {Mode} mode
 * @property {number} speed
 * @property {TimeScale} scale
 * @property {Mark[]} marks
 * @property {string[]} lanes their names, in order
 * @property {string} words what happened last
 * @property {string} recording where the run can be had as a file, or empty
 */

/**
 * @typedef {object} TimelineActions
 * @property {() => void} pause
 * @property {() => void} play
 * @property {() => void} live
 * @property {(at: number) => void} seek
 * @property {(direction: 1 | -1) => void} stepEvent
 * @property {(direction: 1 | -1) => void} stepMark
 * @property {(speed: number) => void} setSpeed
 * @property {() => void} open asks for a recording
 * @property {() => void} copyLink to this moment
 */

/** What the buttons show that have no word, in a square of 16. */
const icons = {
  event: svg`<path d="M5 3L12 8L5 13Z"></path>`,
  mark: svg`<path d="M3 3L10 8L3 13ZM11 3H13V13H11Z"></path>`,
};

/** How often the marks are drawn anew while the run goes on, in milliseconds. */
const REDRAWN = 200;

export class TimelineView {
  /** @type {HTMLElement} */ #host;
  /** @type {TimelineActions} */ #actions;
  /** @type {TimelineFrame | undefined} */ #frame;
  #drawn = '';
  #drawnAt = -Infinity;

  /** @param {HTMLElement} host @param {TimelineActions} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
    new ResizeObserver(() => this.restyle()).observe(host);
  }

  /** Draws the marks anew: the theme or the size has changed. */
  restyle() {
    this.#drawn = '';
    if (this.#frame) this.#drawMarks(this.#frame, performance.now());
  }

  /** @param {TimelineFrame} frame */
  draw(frame) {
    this.#frame = frame;
    render(this.#view(frame), this.#host);
    const part = frame.mode === 'live' ? 1 : frame.scale.place(frame.at, frame.count);
    this.#slider?.style.setProperty('--at', `${(part * 100).toFixed(2)}%`);
    this.#drawMarks(frame, performance.now());
  }

  get #slider() {
    return /** @type {HTMLElement | null} */ (this.#host.querySelector('[role=slider]'));
  }

  /** @param {TimelineFrame} frame @param {number} here performance.now() */
  #drawMarks(frame, here) {
    const canvas = this.#host.querySelector('canvas');
    const state = `${frame.marks.length} ${Math.round(frame.scale.end)}`;
    if (!canvas || state === this.#drawn || (this.#drawn && !frame.over && here - this.#drawnAt < REDRAWN)) return;
    this.#drawn = state;
    this.#drawnAt = here;
    drawTrack(canvas, frame);
  }

  /** @param {TimelineFrame} frame */
  #view(frame) {
    const { mode, over, at, present, speed } = frame;
    const actions = this.#actions;
    const behind = Math.max(0, present - at);
    return html`
      <div class="transport">
        ${this.#stepButton('mark', -1, '[')}
        ${this.#stepButton('event', -1, ',')}
        <button type="button" class="tool" ?disabled=${mode === 'paused'} title="Pause my view (K)" @click=${actions.pause}>Pause</button>
        <button type="button" class="tool" ?disabled=${mode !== 'paused'} title="Play from here (K)" @click=${actions.play}>Play</button>
        ${this.#stepButton('event', 1, '.')}
        ${this.#stepButton('mark', 1, ']')}
        <label class="speed"><span class="unseen">Speed</span><select @change=${(/** @type {Event} */ event) =>
          actions.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
          ${SPEEDS.map((each) => html`<option value=${each} .selected=${each === speed}>${each}×</option>`)}</select></label>
        <output class="my-time"><strong>${instant(at)}</strong>${mode === 'live' ? nothing : html` <span class="behind">${
          over ? `of ${instant(present)}` : `${span(behind)} behind, the run goes on`}</span>`}</output>
        <span class="keep">
          ${frame.recording ? html`<a class="tool" href=${frame.recording} download title="Save the run so far as a recording">Save</a>` : nothing}
          <button type="button" class="tool" title="Copy a link to this moment of the run" @click=${actions.copyLink}>Copy link</button>
          <button type="button" class="tool" title="Open a recording; or drop one on the page" @click=${actions.open}>Open…</button></span>
        <button type="button" class="tool live ${over ? 'over' : ''}" aria-pressed=${String(mode === 'live')}
          title=${over ? 'To the end of the run (G)' : 'Back to the present (G)'} @click=${actions.live}>${over ? 'End' : 'Live'}</button>
      </div>
      <div class="track" role="slider" tabindex="0" aria-label="Time" aria-orientation="horizontal"
        aria-valuemin="0" aria-valuemax=${Math.round(present / 1000)} aria-valuenow=${Math.round(at / 1000)}
        aria-valuetext="${instant(at)}${frame.words ? `, event ${frame.count}: ${frame.words}` : ''}"
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
        @pointerdown=${(/** @type {PointerEvent} */ event) => this.#grab(event)}
        @pointermove=${(/** @type {PointerEvent} */ event) => this.#drag(event)}>
        <canvas aria-hidden="true"></canvas><span class="playhead" aria-hidden="true"></span>
      </div>`;
  }

  /** @param {'event' | 'mark'} what @param {1 | -1} direction @param {string} key */
  #stepButton(what, direction, key) {
    const name = `${direction > 0 ? 'Next' : 'Previous'} ${what}`;
    const step = () => (what === 'event' ? this.#actions.stepEvent(direction) : this.#actions.stepMark(direction));
    return html`<button type="button" class="tool icon ${direction < 0 ? 'back' : ''}" aria-label=${name} title="${name} (${key})" @click=${step}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${icons[what]}</svg></button>`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const actions = this.#actions;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => actions.stepEvent(-1), ArrowRight: () => actions.stepEvent(1),
      ArrowDown: () => actions.stepEvent(-1), ArrowUp: () => actions.stepEvent(1),
      PageDown: () => actions.stepMark(-1), PageUp: () => actions.stepMark(1),
      Home: () => actions.seek(0), End: actions.live,
    };
    const act = event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (event.button) return;
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    this.#seek(event);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (/** @type {Element} */ (event.currentTarget).hasPointerCapture(event.pointerId)) this.#seek(event);
  }

  /** @param {PointerEvent} event */
  #seek(event) {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
    if (this.#frame) this.#actions.seek(this.#frame.scale.at(part));
  }
}
