// The card of a run that is over: what it has come to, lane beside lane, and what to do
// next. It lies over the foot of the lanes, where everybody has left, and moves nothing.

import { html, nothing, render } from '../lit.js';
import { decisiveEvent } from '../model/result.js';
import { instant } from '../text/format.js';
import { nextOf } from './next.js';
import { laneResults, resultSentences } from '../text/result.js';
import { t } from '../text/language.js';

/** @import { Shown } from '../play/shown.d.ts' */
/** @import { Next } from './next.js' */
/** @import { LaneResult } from '../text/result.js' */

/**
 * @typedef {object} ResultActions
 * @property {(index: number) => void} lookBack goes to an event
 * @property {() => void} left the card has gone, and the focus was in it
 * @property {((next: Next) => void) | undefined} start where something can be run
 */

export class ResultView {
  /** @type {HTMLElement} */ #lanes;
  /** @type {ResultActions} */ #actions;
  #host = Object.assign(document.createElement('div'), { className: 'result' });
  /** The visitor has closed it, or turned to another lesson, and has not been away from the end since. */ #closed = false;
  /** The lesson that was read when it came. @type {string | undefined} */ #lesson;
  /** The event to look back to, of the run and as many of its events as it says. */ #decisive = { of: '', index: -1 };

  /** @param {HTMLElement} lanes @param {ResultActions} actions */
  constructor(lanes, actions) {
    this.#lanes = lanes;
    this.#actions = actions;
    this.#host.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close();
    });
  }

  get open() {
    return this.#host.isConnected;
  }

  close() {
    this.#closed = true;
    this.#remove();
  }

  /** @param {Shown} shown @param {string} [lesson] that is read */
  draw(shown, lesson) {
    const { run, view, log, count } = shown;
    if (!view.finished) this.#closed = false;
    if (this.open && lesson !== this.#lesson) this.#closed = true;
    this.#lesson = lesson;
    if (!view.finished || this.#closed) return this.#remove();
    const of = `${run?.id} ${count}`;
    if (this.#decisive.of !== of) this.#decisive = { of, index: decisiveEvent(view, log) ?? -1 };
    render(this.#card(shown), this.#host);
    if (!this.open) this.#lanes.append(this.#host);
  }

  #remove() {
    if (!this.open) return;
    const had = this.#host.contains(document.activeElement);
    this.#host.remove();
    if (had) this.#actions.left();
  }

  /** @param {Shown} shown */
  #card({ run, view, log, catalogue }) {
    const { start, lookBack } = this.#actions;
    const next = start && run ? nextOf(run) : undefined;
    const { index } = this.#decisive;
    const back = log.event(index);
    return html`<section class="result-card" aria-labelledby="result-title">
      <div class="result-head">
        <h2 id="result-title">${t`Result`}</h2>
        <p>${resultSentences(view.lanes, view.at).map(closed).join(t` `)}</p>
        <button type="button" class="tool close" aria-label=${t`Close the result`} title=${t`Close (Esc)`} @click=${() => this.close()}>✕</button>
      </div>
      <div class="result-lanes">${laneResults(view.lanes, view.at, catalogue).map(laneView)}</div>
      ${next || back ? html`<div class="result-next">
        ${next ? html`<p><strong>${t`Next:`}</strong> ${next.words}</p>
          <button type="button" class="button primary" @click=${() => start?.(next)}>${t`Start: ${next.title}`}</button>` : nothing}
        ${back ? html`<button type="button" class="button" title=${t`To the moment that decided: ${instant(back.at)}`}
          @click=${() => lookBack(index)}>${t`Look back`}</button>` : nothing}
      </div>` : nothing}
    </section>`;
  }
}

/** @param {LaneResult} result */
const laneView = ({ name, figures, violated, others }) => html`<div class="result-lane">
  <h3>${name}</h3>
  <dl>${figures.map((figure) => html`<div class=${figure.bad ? 'bad' : ''}><dt>${figure.name}</dt><dd>${figure.value}</dd></div>`)}</dl>
  ${violated.map((words) => html`<p class="violated"><span aria-hidden="true">✗</span> ${words}</p>`)}
  <p class="others"><span aria-hidden="true">✓</span> ${others}</p>
</div>`;

/** A sentence as it is written. @param {string} words */
const closed = (words) => words.charAt(0).toUpperCase() + words.slice(1) + t`.`;
