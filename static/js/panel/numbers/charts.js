// The measures over time, a chart for each with all lanes on one scale. The library
// that draws them is loaded when the panel is opened first.
//
// The whole run is drawn, and what comes after the playhead is dimmed: so the charts
// stand still while the visitor goes through time, and a click leads forth as well as back.

import { instant } from '../../text/format.js';
import { t } from '../../text/language.js';
import { measureSentence } from './words.js';
import { measureNames, valueOf } from '../../model/measures.js';
import { endOf, linesOf } from '../../model/number-series.js';
import { onThemeChange, readColours } from '../../ui/colours.js';
import { createPlot } from './plot.js';

/** @import { MeasureName } from '../../model/measures.js' */
/** @import { Series } from '../../model/number-series.js' */
/** @import { Colours } from '../../ui/colours.js' */
/** @import { Data, Library, Plot } from './plot.js' */
/** @import { Compared } from './table.js' */

/** @typedef {{ figure: HTMLElement, caption: HTMLElement, area: HTMLElement, seen: boolean, width: number, plot: Plot | undefined, drawn: string }} Chart drawn: what the plot was drawn from */
/** @typedef {{ instants: number[], lanes: Record<MeasureName, number[]>[] }} Lines */

/** How high a chart is, in sizes of the page's type. */
const HEIGHT = 8;

export class NumberCharts {
  /** @type {HTMLElement} */ #host;
  /** @type {{ seek: (at: number) => void, redraw: () => void }} */ #actions;
  /** @type {Map<MeasureName, Chart>} */ #charts;
  /** @type {Library | undefined} */ #library;
  #asked = false;
  /** @type {Colours | undefined} */ #colours;
  /** What is drawn. @type {{ series: Series, compared: Compared } | undefined} */ #drawn;
  #end = 1;
  #unit = 16;

  /** @param {HTMLElement} host @param {{ seek: (at: number) => void, redraw: () => void }} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
    this.#charts = new Map(measureNames.map((name) => [name, createChart(name)]));
    this.#watch();
    onThemeChange(() => {
      this.#colours = undefined;
      for (const { plot } of this.#charts.values()) plot?.redraw(false);
    });
  }

  /** Moves the lines of the two instants. @param {number} now @param {number} was */
  place(now, was) {
    const part = (/** @type {number} */ at) => `${(100 * Math.min(1, Math.max(0, at / this.#end))).toFixed(2)}%`;
    this.#host.style.setProperty('--now', part(now));
    this.#host.style.setProperty('--was', part(was));
  }

  /** @param {Series} series @param {Compared} compared @param {number} unit the size of the page's type */
  draw(series, compared, unit) {
    if (!this.#library) return void this.#load();
    if (series !== this.#drawn?.series || unit !== this.#unit) this.#clear();
    this.#unit = unit;
    this.#drawn = { series, compared };
    this.#end = Math.max(1, endOf(series, series.step), compared.nowAt);
    this.place(compared.nowAt, compared.wasAt);
    const { wasAt, since } = compared;
    const state = `${series.view.seq} ${this.#end} ${since ? wasAt : 'start'}`;
    /** @type {Lines | undefined} */ let lines;
    for (const [name, chart] of this.#charts) {
      this.#say(name, chart);
      const drawn = `${state} ${chart.width}`;
      if (!chart.seen || !chart.width || chart.drawn === drawn) continue;
      chart.drawn = drawn;
      this.#drawChart(name, chart, lines ??= linesOfAll(series, compared));
    }
  }

  async #load() {
    if (this.#asked) return;
    this.#asked = true;
    try {
      this.#library = (await import('../../../lib/uplot.js')).default; // only who opens the numbers needs it
    } catch {
      this.#host.textContent = t`The charts could not be loaded. The table has the same numbers.`;
      return;
    }
    this.#host.replaceChildren(...[...this.#charts.values()].map(({ figure }) => figure));
    this.#actions.redraw();
  }

  /** Learns which charts are in sight, and how wide they are: to ask while drawing would cost more than the drawing. */
  #watch() {
    const byArea = new Map([...this.#charts.values()].map((chart) => [/** @type {Element} */ (chart.area), chart]));
    /** @template {{ target: Element }} Entry @param {(chart: Chart, entry: Entry) => void} learn @returns {(entries: Entry[]) => void} */
    const each = (learn) => (entries) => {
      for (const entry of entries) learn(/** @type {Chart} */ (byArea.get(entry.target)), entry);
      this.#actions.redraw();
    };
    const sight = new IntersectionObserver(each((chart, { isIntersecting }) => { chart.seen = isIntersecting; }), { rootMargin: '100px' });
    const size = new ResizeObserver(each((chart, { contentRect }) => { chart.width = Math.floor(contentRect.width); }));
    for (const area of byArea.keys()) {
      sight.observe(area);
      size.observe(area);
    }
  }

  #clear() {
    for (const chart of this.#charts.values()) {
      chart.plot?.destroy();
      chart.plot = undefined;
      chart.drawn = '';
    }
  }

  /** What a chart shows in a sentence: where the playhead is, or else where the pointer is. @param {MeasureName} name @param {Chart} chart */
  #say(name, { caption, area, plot }) {
    if (!this.#drawn) return;
    const { lanes, since } = this.#drawn.compared;
    const sentence = measureSentence(name, lanes.map((lane) => ({ lane: lane.name, value: valueOf(name, lane.now, since ? lane.was : undefined) })));
    const pointed = plot?.cursor.idx ?? undefined;
    const words = pointed === undefined ? sentence : t`at ${instant(Number(plot?.data[0][pointed]))}: ${measureSentence(name,
      lanes.map((lane, index) => ({ lane: lane.name, value: plot?.data[index + 1]?.[pointed] ?? NaN })))}`;
    const label = t`Chart of ${sentence}`;
    if (area.ariaLabel !== label) area.ariaLabel = label;
    if (caption.textContent !== words) caption.textContent = words;
  }

  /** @param {MeasureName} name @param {Chart} chart @param {Lines} lines */
  #drawChart(name, chart, { instants, lanes }) {
    if (!this.#library) return;
    const { width } = chart;
    const height = Math.round(HEIGHT * this.#unit);
    const data = /** @type {Data} */ ([instants, ...lanes.map((lane) => lane[name].map((value) => (Number.isFinite(value) ? value : null)))]);
    if (!chart.plot) {
      chart.plot = createPlot(this.#library, chart.area, { name, width, height, unit: this.#unit, data }, {
        colours: () => this.#colours ??= readColours(this.#host), end: () => this.#end,
        series: () => /** @type {{ series: Series }} */ (this.#drawn).series, seek: this.#actions.seek, pointed: () => this.#say(name, chart),
      });
    } else {
      if (chart.plot.width !== width) chart.plot.setSize({ width, height });
      chart.plot.setData(data);
    }
  }
}

/** What all charts are drawn from. @param {Series} series @param {Compared} compared @returns {Lines} */
const linesOfAll = (series, { lanes, since, wasAt }) => ({
  instants: Array.from({ length: series.step + 1 }, (_, step) => endOf(series, step)),
  lanes: lanes.map(({ was }, index) => linesOf(series, index, since ? { at: wasAt, numbers: was } : undefined)),
});

/** @param {MeasureName} name @returns {Chart} */
function createChart(name) {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  const area = document.createElement('div');
  area.setAttribute('role', 'img');
  figure.dataset['measure'] = name;
  figure.append(caption, area);
  return { figure, caption, area, seen: false, width: 0, plot: undefined, drawn: '' };
}
