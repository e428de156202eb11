// The numbers of a run: each measure as it was and as it is now, and its course over
// time. It folds the log for itself while it is open: nobody else needs that.

import { html, nothing, render, svg } from '../../lit.js';
import { EventLog } from '../../log/event-log.js';
import { ViewAt } from '../../log/view-at.js';
import { numbersOf } from '../../model/measures.js';
import { createSeries, extend } from '../../model/number-series.js';
import { createView } from '../../model/view.js';
import { instant, titleOf } from '../../text/format.js';
import { t } from '../../text/language.js';
import { NumberCharts } from './charts.js';
import { lineSample, tableView } from './table.js';

/** @import { Lane } from '../../model/view.js' */
/** @import { Shown } from '../../play/shown.d.ts' */

/**
 * @typedef {object} NumbersActions
 * @property {(at: number) => void} seek
 * @property {() => void} redraw asks for another frame
 */

/** What now is compared with. @typedef {'half' | 'fault' | 'remembered'} Past */

/** A long log is folded in pieces of so many events, one for each frame of the animation. */
const PIECE = 10_000;
/** How often the numbers are drawn while they change, in milliseconds. */
const REDRAWN = 200;

/** What marks an instant in the charts: name, words, shape. */
const marks = /** @type {const} */ ([
  ['now', t`now`, 'M8 0V12'], ['was', t`was`, 'M8 0V12'], ['fault', t`fault`, 'M3 1H13L8 10Z'], ['violated', t`violated check`, 'M8 0V12'],
]);

export class NumbersPanel {
  /** @type {NumbersActions} */ #actions;
  /** @type {Record<'tools' | 'table' | 'charts', HTMLElement>} */ #parts;
  /** @type {NumberCharts} */ #charts;
  /** @type {EventLog | undefined} the one that is folded */ #log;
  #series = createSeries([], 0);
  #folded = 0;
  /** The run as it was. */ #before = new ViewAt(new EventLog(), createView([], 0));
  /** How far that has been folded at most. */ #farthest = 0;
  /** @type {Past} */ #past = 'half';
  #remembered = 0;
  #since = false;
  #drawnAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  /** @param {HTMLElement} panel @param {NumbersActions} actions */
  constructor(panel, actions) {
    this.#actions = actions;
    const part = (/** @type {string} */ name) => Object.assign(document.createElement('div'), { className: `numbers-${name}` });
    this.#parts = { tools: part('tools'), table: part('table'), charts: part('charts') };
    const body = part('body');
    body.append(this.#parts.table, this.#parts.charts);
    panel.append(this.#parts.tools, body);
    this.#charts = new NumberCharts(this.#parts.charts, { ...actions, redraw: () => this.#again() });
  }

  /** @param {Shown} shown */
  draw(shown) {
    if (shown.log !== this.#log) this.#turnTo(shown);
    if (!shown.view.lanes.length) return;
    this.#fold(shown.log);
    const wasAt = this.#wasAt(shown);
    this.#charts.place(shown.at, wasAt);
    if (this.#waits()) return;
    const was = this.#laneThen(shown.log.countAt(wasAt));
    if (!was) return;
    this.#drawnAt = performance.now();
    const compared = {
      wasAt, nowAt: shown.at, since: this.#since && wasAt <= shown.at,
      lanes: shown.view.lanes.map((lane, index) =>
        ({ name: titleOf(lane.info).name, was: numbersOf(/** @type {Lane} */ (was[index])), now: numbersOf(lane) })),
    };
    render(this.#toolsView(shown, wasAt), this.#parts.tools);
    render(tableView(compared), this.#parts.table);
    this.#charts.draw(this.#series, compared, shown.unit);
  }

  /** @param {Shown} shown */
  #turnTo({ log, run, view }) {
    const lanes = view.lanes.map(({ info }) => info);
    this.#log = log;
    this.#series = createSeries(lanes, run?.clients ?? 0);
    this.#before = new ViewAt(log, createView(lanes, run?.clients ?? 0));
    this.#folded = this.#farthest = 0;
    if (this.#past === 'remembered') this.#past = 'half';
    for (const part of [this.#parts.tools, this.#parts.charts]) part.hidden = !lanes.length;
    render(html`<p class="hint">${lanes.length ? t`The events are counted …` : t`There is no run yet. Start one to see what it costs.`}</p>`, this.#parts.table);
    this.#again();
  }

  /** @param {EventLog} log */
  #fold(log) {
    const piece = log.slice(this.#folded, this.#folded + PIECE);
    extend(this.#series, piece);
    this.#folded += piece.length;
    if (this.#folded < log.length) this.#actions.redraw();
  }

  /** @param {Shown} shown */
  #wasAt({ at }) {
    if (this.#past === 'remembered') return this.#remembered;
    const fault = this.#past === 'fault' ? this.#faultBefore(at) : undefined;
    return fault === undefined ? Math.floor(at / 2) : fault - 1;
  }

  /** When the newest fault was injected. @param {number} at */
  #faultBefore(at) {
    return this.#series.faults.findLast((fault) => fault <= at);
  }

  /** The lanes after so many events, or nothing while they are not folded so far. @param {number} count */
  #laneThen(count) {
    this.#farthest = Math.max(this.#farthest, Math.min(count, this.#farthest + PIECE));
    this.#before.moveTo(Math.min(count, this.#farthest));
    if (this.#before.count === count) return this.#before.view.lanes;
    this.#actions.redraw();
    return undefined;
  }

  /** Whether it is too early to draw again; then that is done later. */
  #waits() {
    const left = this.#drawnAt + REDRAWN - performance.now();
    if (left <= 0) return false;
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#actions.redraw();
    }, left);
    return true;
  }

  /** Draws anew at once. */
  #again() {
    this.#drawnAt = -Infinity;
    this.#actions.redraw();
  }

  /** @param {Shown} shown @param {number} wasAt */
  #toolsView({ at, view }, wasAt) {
    const fault = this.#faultBefore(at) !== undefined;
    const chosen = this.#past === 'fault' && !fault ? 'half' : this.#past;
    /** @param {Past} past @param {string} words @param {boolean} [possible] */
    const option = (past, words, possible = true) =>
      html`<option value=${past} .selected=${chosen === past} ?disabled=${!possible}>${words}</option>`;
    return html`
      <label class="field"><span>${t`“was” is`}</span><select @change=${(/** @type {Event} */ { target }) =>
        this.#compareWith(/** @type {Past} */ (/** @type {HTMLSelectElement} */ (target).value))}>
        ${option('half', t`half-way from the start to now`)}
        ${option('fault', t`just before the newest fault`, fault)}
        ${this.#past === 'remembered' ? option('remembered', t`remembered: ${instant(wasAt)}`) : nothing}</select></label>
      <button type="button" class="tool" title=${t`Compare with the moment that is shown now`} @click=${() => this.#remember(at)}>${t`Remember now`}</button>
      <label class="check" title=${t`“now” becomes “since”: what came between the two moments alone`}><input type="checkbox" .checked=${this.#since}
        @change=${() => this.#toggleSince()}> ${t`Count only since then`}</label>
      <ul class="numbers-legend" aria-label=${t`What the charts show`}>
        ${view.lanes.length > 1 ? view.lanes.map(({ info }, index) => html`<li>${lineSample(index)} ${titleOf(info).name}</li>`) : nothing}
        ${marks.map(([name, words, path]) => html`<li><svg class="mark-${name}" viewBox="0 0 16 12" aria-hidden="true">${svg`<path d=${path}></path>`}</svg> ${words}</li>`)}
      </ul>`;
  }

  /** @param {Past} past */
  #compareWith(past) {
    this.#past = past;
    this.#again();
  }

  /** @param {number} at */
  #remember(at) {
    this.#remembered = at;
    this.#compareWith('remembered');
  }

  #toggleSince() {
    this.#since = !this.#since;
    this.#again();
  }
}
