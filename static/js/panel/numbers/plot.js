// One chart over time, as the library draws it: its lines, axes and marks.

import { clock, span } from '../../text/format.js';
import { measures } from '../../model/measures.js';
import { FAULT, VIOLATED } from '../../model/number-series.js';

/** @import { MeasureName } from '../../model/measures.js' */
/** @import { Series } from '../../model/number-series.js' */
/** @import { Colours } from '../../ui/colours.js' */

/** @typedef {typeof import('../../../lib/uplot.js').default} Library */
/** @typedef {InstanceType<Library>} Plot */
/** @typedef {import('../../../lib/uplot.js').default.AlignedData} Data instants, and of each lane the values there */

/**
 * What a chart asks for while it is drawn: it may have changed since it was made.
 * @typedef {object} PlotSource
 * @property {() => Colours} colours
 * @property {() => number} end of the time axis, in microseconds
 * @property {() => Series} series
 * @property {(at: number) => void} seek
 * @property {() => void} pointed the pointer has moved
 */

/** The lines of the lanes, one after the other; as in the style sheet. */
const lines = /** @type {const} */ ([
  { colour: 'accent', dash: [] }, { colour: 'ink', dash: [6, 4] }, { colour: 'colour-4', dash: [2, 3] }, { colour: 'colour-3', dash: [9, 3, 2, 3] },
]);

/** Distances on the time axis, in microseconds. */
const distances = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600].map((seconds) => seconds * 1e6);

/**
 * @param {Library} Library
 * @param {HTMLElement} area
 * @param {{ name: MeasureName, width: number, height: number, unit: number, data: Data }} shape unit: the size of the page's type
 * @param {PlotSource} source
 * @returns {Plot}
 */
export function createPlot(Library, area, { name, width, height, unit, data }, source) {
  const colour = (/** @type {keyof Colours} */ key) => () => source.colours()[key];
  const whole = measures[name].kind === 'level' || measures[name].kind === 'sum';
  const axis = {
    stroke: colour('ink-soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false },
    font: `${Math.round(unit * 0.6875)}px ${source.colours().font}`,
  };
  const paths = Library.paths.stepped?.({ align: -1 });
  const plot = new Library({
    width, height, padding: [unit / 2, unit / 2, 0, 0], legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: { key: 'numbers' } },
    scales: {
      x: { time: false, range: () => [0, source.end()] },
      y: { range: (_, __, most) => [0, Number.isFinite(most) ? Math.max(1, most * 1.1) : 1] },
    },
    axes: [
      { ...axis, size: unit * 1.5, space: unit * 4, incrs: distances, values: (_, splits) => splits.map(clock) },
      { ...axis, size: unit * 3.25, space: unit * 1.75, values: (_, splits) => splits.map((value) => axisValue(name, value)) },
    ],
    series: [{}, ...data.slice(1).map((_, lane) => {
      const line = /** @type {typeof lines[number]} */ (lines[lane % lines.length]);
      return { stroke: colour(line.colour), dash: [...line.dash], width: 2, points: { show: false }, ...(whole && paths && { paths }) };
    })],
    hooks: { draw: [(drawn) => drawMarks(drawn, source.series(), source.colours())], setCursor: [source.pointed] },
  }, data, area);
  plot.over.append(...['future', 'was', 'now'].map((part) => Object.assign(document.createElement('i'), { className: `chart-${part}` })));
  plot.over.addEventListener('click', ({ clientX }) => {
    const { left, width: across } = plot.over.getBoundingClientRect();
    source.seek(Math.min(1, Math.max(0, (clientX - left) / across)) * source.end());
  });
  return plot;
}

/** Between levels, and between sums, there is nothing. @param {MeasureName} name @param {number} value */
function axisValue(name, value) {
  const { kind } = measures[name];
  if (value === 0) return '0';
  if (kind === 'percentile') return span(value);
  return kind === 'ratio' || value % 1 === 0 ? String(Math.round(value * 100) / 100) : '';
}

/** The faults and the violated checks, in the shapes of the timeline. @param {Plot} plot @param {Series} series @param {Colours} colours */
function drawMarks(plot, { marks, step, width }, colours) {
  const { ctx, bbox } = plot;
  const dot = devicePixelRatio;
  for (let each = 0; each <= step; each++) {
    const mark = marks[each] ?? 0;
    if (!mark) continue;
    const x = Math.min(plot.valToPos((each + 0.5) * width, 'x', true), bbox.left + bbox.width);
    if (mark & VIOLATED) {
      ctx.fillStyle = colours.wrong;
      ctx.fillRect(x - dot, bbox.top, 2 * dot, bbox.height);
    }
    if (mark & FAULT) {
      ctx.fillStyle = colours.wakes;
      ctx.beginPath();
      ctx.moveTo(x - 4 * dot, bbox.top - 4 * dot);
      ctx.lineTo(x + 4 * dot, bbox.top - 4 * dot);
      ctx.lineTo(x, bbox.top + 4 * dot);
      ctx.fill();
    }
  }
}
