// The line of time under the lanes, in one row: where the visitor is in the run, and what
// there is to go to.

import { instant, span } from '../text/format.js';
import { html, nothing, render, svg } from '../lit.js';
import { SPEEDS } from '../play/playhead.js';
import { t } from '../text/language.js';
import { onThemeChange, readColours } from '../ui/colours.js';
import { drawTrack } from './track.js';

/** @import { Mode } from '../play/playhead.js' */
/** @import { TimeScale } from '../play/time-scale.js' */
/** @import { Mark } from '../model/marks.js' */
/** @import { ActionName } from '../text/actions.js' */
/** @import { Actions } from '../ui/actions.js' */
/** @import { Colours } from '../ui/colours.js' */

/** @typedef {{ recording: string, page?: string }} Files the addresses of a run's recording, and of a page that plays it, if there is one */

/**
 * What the line is drawn from.
 * @typedef {object} TimelineFrame
 * @property {number} at the playhead, in microseconds of the run
 * @property {number} count how many events have happened by then
 * @property {number} present the latest instant that there is
 * @property {boolean} over whether the run is
 * @property {number} read how much of its recording has been read, from 0 to 1
 * @property {boolean} quiet whether nothing happens in it any more
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
  pause: svg`<path d="M4 3H7V13H4ZM9 3H12V13H9Z"></path>`,
  play: svg`<path d="M4 2L13 8L4 14Z"></path>`,
  event: svg`<path d="M3 3H5V13H3ZM7 3L13 8L7 13Z"></path>`,
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
/** How often the slider tells another instant while nobody moves it, in milliseconds. */
const TOLD = 5000;

export class TimelineView {
  /** @type {HTMLElement} */ #host;
  /** @type {TimelineActions} */ #actions;
  /** @type {TimelineFrame | undefined} */ #frame;
  /** @type {Colours | undefined} */ #colours;
  #drawn = '';
  /** The scale of the marks that are drawn. @type {TimeScale | undefined} */ #scale;
  #drawnAt = -Infinity;
  /** What the slider tells, and since when. */ #told = { words: '', since: -Infinity };

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
    const part = frame.mode === 'live' ? 1 : (this.#scale ?? frame.scale).x(frame.at);
    this.#slider?.style.setProperty('--at', `${(part * 100).toFixed(2)}%`);
  }

  get #slider() {
    return /** @type {HTMLElement | null} */ (this.#host.querySelector('[role=slider]'));
  }

  /** @param {TimelineFrame} frame @param {number} here performance.now() */
  #drawMarks(frame, here) {
    const canvas = this.#host.querySelector('canvas');
    const state = `${frame.marks.length} ${Math.round(frame.scale.end)} ${frame.scale.begin}`;
    if (!canvas || state === this.#drawn || (this.#drawn && (!frame.over || frame.read < 1) && here - this.#drawnAt < REDRAWN)) return;
    this.#drawn = state;
    this.#drawnAt = here;
    this.#scale = frame.scale;
    drawTrack(canvas, frame, this.#colours ??= readColours(this.#host));
  }

  /** @param {TimelineFrame} frame */
  #view(frame) {
    const { mode, over, at, present, speed, pauses } = frame;
    const { actions } = this.#actions;
    return html`
      <div class="transport">
        ${this.#iconButton('markBack', t`Previous mark`)}
        ${this.#iconButton('eventBack', t`Previous event`)}
        ${this.#handButton('pause', t`Pause`, mode === 'paused')}
        ${this.#handButton('play', t`Play`, mode !== 'paused')}
        ${this.#iconButton('eventOn', t`Next event`)}
        ${this.#iconButton('markOn', t`Next mark`)}
        <label class="speed"><span class="unseen">${t`Speed`}</span><select @change=${(/** @type {Event} */ event) =>
          this.#actions.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
          ${SPEEDS.map((each) => html`<option value=${each} .selected=${each === speed}>${each}×</option>`)}</select></label>
        <button type="button" class="tool icon" aria-label=${t`Pause at key moments`} aria-pressed=${String(pauses)} title=${actions.tooltip('keyMoments')}
          @click=${() => actions.do('keyMoments')}><svg viewBox="0 0 16 16" aria-hidden="true">${icons.star}</svg></button>
        <p class="my-time"><strong>${instant(at)}</strong> ${this.#whereItIs(frame)}</p>
        <div class="track" role="slider" tabindex="0" aria-label=${t`Time`} aria-orientation="horizontal"
          aria-valuemin="0" aria-valuemax=${Math.round(present / 1000)} aria-valuenow=${Math.round(at / 1000)} aria-valuetext=${this.#telling(frame)}
          @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
          @pointerdown=${(/** @type {PointerEvent} */ event) => this.#grab(event)}
          @pointermove=${(/** @type {PointerEvent} */ event) => this.#drag(event)}>
          <canvas aria-hidden="true"></canvas><span class="playhead" aria-hidden="true"></span>
        </div>
        <button type="button" class="tool live ${over ? 'over' : ''}" aria-pressed=${String(mode === 'live')}
          title=${actions.tooltip('live')} @click=${() => actions.do('live')}>${over ? t`End` : t`Live`}</button>
        <button type="button" class="tool more" popovertarget="more-menu" aria-label=${t`More`}
          ?hidden=${!this.#keeps}>⋯</button>
      </div>
      <div id="more-menu" class="more-menu" popover role="group" aria-label=${t`More`} @beforetoggle=${placeMenu} @click=${closeMenu}>
        ${frame.files ? html`<a class="tool" href=${frame.files.recording} download title=${actions.tooltip('save')}>${t`Save`}</a>` : nothing}
        ${frame.files?.page ? html`<a class="tool" href=${frame.files.page} download title=${actions.tooltip('exportPage')}>${t`Export`}</a>` : nothing}
        ${this.#wordButton('copyLink', t`Copy link`)}
        ${this.#wordButton('open', t`Open…`)}
      </div>`;
  }

  /** Whether there is anything in the menu. */
  get #keeps() {
    const { actions } = this.#actions;
    return this.#frame?.files !== undefined || actions.has('copyLink') || actions.has('open');
  }

  /** How the playhead stands to the run. @param {TimelineFrame} frame */
  #whereItIs({ mode, over, quiet, read, at, present }) {
    if (read < 1) return html`<span class="ended">${t`${Math.floor(100 * read)} % read`}</span>`;
    if (over) return html`<span class="ended">${mode === 'live' || at >= present ? t`the run is over` : t`of ${instant(present)}`}</span>`;
    if (mode === 'live') return quiet ? html`<span class="ended">${t`nothing more happens`}</span>` : nothing;
    return html`<span class="behind">${t`${span(Math.max(0, present - at))} behind`}<span class="unseen">${t`, the run goes on`}</span></span>`;
  }

  /** What the slider tells: at once what the visitor has come to, and else only now and then. @param {TimelineFrame} frame */
  #telling({ mode, at, count, words }) {
    const here = performance.now();
    if (mode === 'paused' || here - this.#told.since >= TOLD) {
      this.#told = { words: words ? t`${instant(at)}, event ${count}: ${words}` : instant(at), since: mode === 'paused' ? -Infinity : here };
    }
    return this.#told.words;
  }

  /** @param {'pause' | 'play'} action @param {string} name @param {boolean} disabled */
  #handButton(action, name, disabled) {
    const { actions } = this.#actions;
    return html`<button type="button" class="tool hand" ?disabled=${disabled} title=${actions.tooltip(action)} @click=${() => actions.do(action)}><svg
      viewBox="0 0 16 16" aria-hidden="true">${icons[action]}</svg><span class="unseen">${name}</span></button>`;
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

/** Puts the menu over its button. @param {ToggleEvent} event */
function placeMenu({ newState, currentTarget }) {
  const menu = /** @type {HTMLElement} */ (currentTarget);
  const button = document.querySelector('[popovertarget="more-menu"]');
  if (newState !== 'open' || !button) return;
  const { top, right } = button.getBoundingClientRect();
  Object.assign(menu.style, { bottom: `${innerHeight - top + 4}px`, right: `${innerWidth - right}px` });
}

/** @param {MouseEvent} event */
function closeMenu({ currentTarget, target }) {
  if (/** @type {Element} */ (target).closest('.tool')) /** @type {HTMLElement} */ (currentTarget).hidePopover();
}
