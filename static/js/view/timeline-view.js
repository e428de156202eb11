// The line of time under the lanes: where the visitor is in the run, and what there
// is to go to.

import { instant, span } from '../text/format.js';
import { html, nothing, render, svg } from '../lit.js';
import { SPEEDS } from '../play/playhead.js';
import { t } from '../text/language.js';
import { onThemeChange, readColours } from './colours.js';
import { drawTrack } from './timeline-track.js';

/** @import { Mode } from '../play/playhead.js' */
/** @import { TimeScale } from '../play/time-scale.js' */
/** @import { Mark } from '../model/marks.js' */
/** @import { ActionName } from '../text/actions.js' */
/** @import { Actions } from './actions.js' */
/** @import { Colours } from './colours.js' */

/** @typedef {{ recording: string, page?: string }} Files the addresses of a run's recording, and of a page that plays it, if there is one */

/**
 * What the line is drawn from.
 * @typedef {object} TimelineFrame
 * @property {number} at the playhead, in microseconds of the run
 * @property {number} count how many events have happened by then
 * @property {number} present the latest instant that there is
 * @property {boolean} over whether the run is
 * @property {Mode} mode
 * @property {number} speed
 * @property {boolean} pauses by itself, at decisive instants
 * @property {TimeScale} scale
 * @property {Mark[]} marks
 * @property {string[]} lanes their names, in order
 * @property {string} words what happened last
 * @property {Files} [files] where the run can be had, if it can
 */

/**
 * @typedef {object} TimelineActions
 * @property {Actions} actions what the page can do
 * @property {(at: number) => void} seek
 * @property {(speed: number) => void} setSpeed
 */

/** What the buttons show that have no word, in a square of 16. */
const icons = {
  event: svg`<path d="M5 3L12 8L5 13Z"></path>`,
  mark: svg`<path d="M3 3L10 8L3 13ZM11 3H13V13H11Z"></path>`,
  star: svg`<path d="M8 1L9.8 5.6L14.7 5.9L10.9 9L12.1 13.8L8 11.2L3.9 13.8L5.1 9L1.3 5.9L6.2 5.6Z"></path>`,
};

/** The keys of a slider. @type {Record<string, ActionName>} */
const keys = {
  ArrowLeft: 'eventBack', ArrowRight: 'eventOn', ArrowDown: 'eventBack', ArrowUp: 'eventOn',
  PageDown: 'markBack', PageUp: 'markOn', End: 'live',
};

/** How often the marks are drawn anew while the run goes on, in milliseconds. */
const REDRAWN = 200;

export class TimelineView {
  /** @type {HTMLElement} */ #host;
  /** @type {TimelineActions} */ #actions;
  /** @type {TimelineFrame | undefined} */ #frame;
  /** @type {Colours | undefined} */ #colours;
  #drawn = '';
  /** The scale of the marks that are drawn. @type {TimeScale | undefined} */ #scale;
  #drawnAt = -Infinity;

  /** @param {HTMLElement} host @param {TimelineActions} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
    new ResizeObserver(() => this.#restyle()).observe(host);
    onThemeChange(() => this.#restyle());
  }

  /** Draws the marks anew: the theme or the size has changed. */
  #restyle() {
    this.#colours = undefined;
    this.#drawn = '';
    if (this.#frame) this.#drawMarks(this.#frame, performance.now());
  }

  /** @param {TimelineFrame} frame */
  draw(frame) {
    this.#frame = frame;
    render(this.#view(frame), this.#host);
    this.#drawMarks(frame, performance.now());
    const part = frame.mode === 'live' ? 1 : (this.#scale ?? frame.scale).place(frame.at, frame.count);
    this.#slider?.style.setProperty('--at', `${(part * 100).toFixed(2)}%`);
  }

  get #slider() {
    return /** @type {HTMLElement | null} */ (this.#host.querySelector('[role=slider]'));
  }

  /** @param {TimelineFrame} frame @param {number} here performance.now() */
  #drawMarks(frame, here) {
    const canvas = this.#host.querySelector('canvas');
    const state = `${frame.marks.length} ${Math.round(frame.scale.end)} ${frame.scale.begin}`;
    if (!canvas || state === this.#drawn || (this.#drawn && !frame.over && here - this.#drawnAt < REDRAWN)) return;
    this.#drawn = state;
    this.#drawnAt = here;
    this.#scale = frame.scale;
    drawTrack(canvas, frame, this.#colours ??= readColours(this.#host));
  }

  /** @param {TimelineFrame} frame */
  #view(frame) {
    const { mode, over, at, present, speed, pauses } = frame;
    const { actions } = this.#actions;
    const behind = Math.max(0, present - at);
    return html`
      <div class="transport">
        ${this.#iconButton('markBack', t`Previous mark`)}
        ${this.#iconButton('eventBack', t`Previous event`)}
        <button type="button" class="tool hand" ?disabled=${mode === 'paused'} title=${actions.tooltip('pause')} @click=${() => actions.do('pause')}>${t`Pause`}</button>
        <button type="button" class="tool hand" ?disabled=${mode !== 'paused'} title=${actions.tooltip('play')} @click=${() => actions.do('play')}>${t`Play`}</button>
        ${this.#iconButton('eventOn', t`Next event`)}
        ${this.#iconButton('markOn', t`Next mark`)}
        <label class="speed"><span class="unseen">${t`Speed`}</span><select @change=${(/** @type {Event} */ event) =>
          this.#actions.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
          ${SPEEDS.map((each) => html`<option value=${each} .selected=${each === speed}>${each}×</option>`)}</select></label>
        <button type="button" class="tool icon" aria-label=${t`Pause at key moments`} aria-pressed=${String(pauses)} title=${actions.tooltip('keyMoments')}
          @click=${() => actions.do('keyMoments')}><svg viewBox="0 0 16 16" aria-hidden="true">${icons.star}</svg></button>
        <output class="my-time"><strong>${instant(at)}</strong>${mode === 'live' ? nothing : html` <span class="behind">${
          over ? t`of ${instant(present)}` : html`${t`${span(behind)} behind`}<span class="unseen">${t`, the run goes on`}</span>`}</span>`}</output>
        <span class="keep">
          ${frame.files ? html`<a class="tool" href=${frame.files.recording} download title=${actions.tooltip('save')}>${t`Save`}</a>` : nothing}
          ${frame.files?.page ? html`<a class="tool" href=${frame.files.page} download title=${actions.tooltip('exportPage')}>${t`Export`}</a>` : nothing}
          ${this.#wordButton('copyLink', t`Copy link`)}
          ${this.#wordButton('open', t`Open…`)}</span>
        <button type="button" class="tool live ${over ? 'over' : ''}" aria-pressed=${String(mode === 'live')}
          title=${actions.tooltip('live')} @click=${() => actions.do('live')}>${over ? t`End` : t`Live`}</button>
      </div>
      <div class="track" role="slider" tabindex="0" aria-label=${t`Time`} aria-orientation="horizontal"
        aria-valuemin="0" aria-valuemax=${Math.round(present / 1000)} aria-valuenow=${Math.round(at / 1000)}
        aria-valuetext=${frame.words ? t`${instant(at)}, event ${frame.count}: ${frame.words}` : instant(at)}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
        @pointerdown=${(/** @type {PointerEvent} */ event) => this.#grab(event)}
        @pointermove=${(/** @type {PointerEvent} */ event) => this.#drag(event)}>
        <canvas aria-hidden="true"></canvas><span class="playhead" aria-hidden="true"></span>
      </div>`;
  }

  /** @param {ActionName} action @param {string} name */
  #iconButton(action, name) {
    const { actions } = this.#actions;
    return html`<button type="button" class="tool icon ${action.endsWith('Back') ? 'back' : ''}" aria-label=${name}
      title=${actions.tooltip(action)} @click=${() => actions.do(action)}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${action.startsWith('event') ? icons.event : icons.mark}</svg></button>`;
  }

  /** A button of what this page can do, or nothing. @param {ActionName} action @param {string} word */
  #wordButton(action, word) {
    const { actions } = this.#actions;
    return actions.has(action) ? html`<button type="button" class="tool" title=${actions.tooltip(action)}
      @click=${() => actions.do(action)}>${word}</button>` : nothing;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { actions, seek } = this.#actions;
    const action = keys[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || !(action || event.key === 'Home')) return;
    event.preventDefault();
    if (action) actions.do(action);
    else seek(0);
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
    if (this.#frame) this.#actions.seek((this.#scale ?? this.#frame.scale).at(part));
  }
}
