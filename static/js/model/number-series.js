// What is measured of a run over time. However long the run, it is kept in a bounded
// number of steps of equal length, which doubles when they are full.

import { add, addAll, createHistogram } from './handovers.js';
import { markOf } from './marks.js';
import { measureNames, measures, numbersOf, sumsOf, valueOf } from './measures.js';
import { apply, createView } from './view.js';

/** @import { Event } from '../events.d.ts' */
/** @import { LaneInfo } from '../types.d.ts' */
/** @import { Histogram } from './handovers.js' */
/** @import { MeasureName, Numbers, Sums } from './measures.js' */
/** @import { View } from './view.js' */

/**
 * One lane in each step.
 * @typedef {object} LaneSeries
 * @property {Record<keyof Sums, Float64Array>} sums at the end of the step
 * @property {Record<'queue' | 'believers', Float64Array>} levels the highest in the step
 * @property {(Histogram | undefined)[]} handovers those within the step
 * @property {number} counted how many of the lane's hand-overs are in there
 */

/**
 * @typedef {object} Series
 * @property {View} view the run so far
 * @property {number} width of a step, in microseconds
 * @property {number} step the index of the newest
 * @property {LaneSeries[]} lanes
 * @property {Uint8Array} marks what happened in each step: FAULT, VIOLATED
 * @property {number[]} faults when the newest faults were injected
 */

/** There are never more steps than this. */
export const MOST_STEPS = 1024;
/** How long a step is at first, in microseconds. */
const FIRST_WIDTH = 20_000;
/** So many faults are remembered by their instants. */
const MOST_FAULTS = 1000;

export const FAULT = 1;
export const VIOLATED = 2;

const sumNames = /** @type {(keyof Sums)[]} */ (['roundWakeups', 'roundWasted', 'rounds', 'joining', 'requests', 'notifications', 'acquisitions']);
const levelNames = /** @type {const} */ (['queue', 'believers']);

/** @param {LaneInfo[]} lanes @param {number} clients in each lane @returns {Series} */
export const createSeries = (lanes, clients) => ({
  view: createView(lanes, clients), width: FIRST_WIDTH, step: 0,
  lanes: lanes.map(() => ({
    sums: columns(sumNames), levels: columns(levelNames), handovers: new Array(MOST_STEPS), counted: 0,
  })),
  marks: new Uint8Array(MOST_STEPS), faults: [],
});

/** @template {string} Name @param {readonly Name[]} names */
const columns = (names) =>
  /** @type {Record<Name, Float64Array>} */ (Object.fromEntries(names.map((name) => [name, new Float64Array(MOST_STEPS)])));

/** Adds events that follow those before. @param {Series} series @param {Event[]} events */
export function extend(series, events) {
  for (const event of events) {
    while (event.at >= series.width * MOST_STEPS) widen(series);
    goOn(series, Math.floor(event.at / series.width));
    apply(series.view, event);
    noteEvent(series, event);
  }
  noteSums(series);
}

/** The end of a step, or of what there is of it. @param {Series} series @param {number} step */
export const endOf = (series, step) => (step < series.step ? (step + 1) * series.width : series.view.at);

/**
 * Each measure of a lane at the end of each step; of levels, the highest in the step.
 * @param {Series} series
 * @param {number} lane its index
 * @param {{ at: number, numbers: Numbers }} [since] from when on only what came after is counted
 */
export function linesOf(series, lane, since) {
  const lines = /** @type {Record<MeasureName, number[]>} */ (Object.fromEntries(measureNames.map((name) => [name, /** @type {number[]} */ ([])])));
  const { sums, levels, handovers } = /** @type {LaneSeries} */ (series.lanes[lane]);
  const all = createHistogram();
  /** @type {Pick<Numbers, 'sums'> | undefined} */ let before;
  for (let step = 0; step <= series.step; step++) {
    const own = handovers[step];
    if (own) addAll(all, own);
    const turns = since !== undefined && !before && endOf(series, step) > since.at;
    if (turns) {
      before = { sums: since.numbers.sums };
      addAll(all, since.numbers.handovers, -1);
    }
    const numbers = { sums: row(sums, step), handovers: all, ...row(levels, step) };
    const handed = own !== undefined || turns || step === 0;
    for (const name of measureNames) {
      const value = handed || measures[name].kind !== 'percentile' ? valueOf(name, numbers, before) : lines[name][step - 1];
      lines[name].push(/** @type {number} */ (value));
    }
  }
  return lines;
}

/** @template {string} Name @param {Record<Name, Float64Array>} from @param {number} step */
function row(from, step) {
  const values = /** @type {Record<Name, number>} */ ({});
  for (const name in from) values[name] = from[name][step] ?? 0;
  return values;
}

/** Steps without an event are as the one before ended. @param {Series} series @param {number} step */
function goOn(series, step) {
  if (step <= series.step) return;
  noteSums(series);
  const before = series.step;
  series.lanes.forEach(({ sums, levels }, index) => {
    const numbers = numbersOf(/** @type {import('./view.js').Lane} */ (series.view.lanes[index]));
    for (const name of sumNames) sums[name].fill(numbers.sums[name], before + 1, step + 1);
    for (const name of levelNames) levels[name].fill(numbers[name], before + 1, step + 1);
  });
  series.step = step;
}

/** @param {Series} series */
function noteSums({ lanes, view, step }) {
  view.lanes.forEach((lane, index) => {
    const now = sumsOf(lane);
    for (const name of sumNames) /** @type {LaneSeries} */ (lanes[index]).sums[name][step] = now[name];
  });
}

/** What only shows while it happens. @param {Series} series @param {Event} event */
function noteEvent(series, event) {
  const { step, view, marks, faults } = series;
  const mark = markOf(event);
  if (mark === 'fault') marks[step] = (marks[step] ?? 0) | FAULT;
  if (mark === 'violated') marks[step] = (marks[step] ?? 0) | VIOLATED;
  if (event.kind === 'fault.injected' && faults.push(event.at) > MOST_FAULTS) faults.shift();
  if (event.kind !== 'lock.acquired' && event.kind !== 'tree.created' && event.kind !== 'queue.changed') return;
  view.lanes.forEach((lane, index) => {
    if (event.lane && lane.info.name !== event.lane) return;
    const own = /** @type {LaneSeries} */ (series.lanes[index]);
    const numbers = numbersOf(lane);
    for (const name of levelNames) own.levels[name][step] = Math.max(own.levels[name][step] ?? 0, numbers[name]);
    if (lane.handovers.number > own.counted) add(own.handovers[step] ??= createHistogram(), lane.handovers.newest, 1);
    own.counted = lane.handovers.number;
  });
}

/** Makes one step of each two. @param {Series} series */
function widen(series) {
  const { lanes, marks } = series;
  for (let step = 0; step < MOST_STEPS; step++) {
    const [one, other] = [2 * step, 2 * step + 1];
    for (const { sums, levels, handovers } of lanes) {
      const last = Math.min(other, Math.max(one, series.step));
      for (const name of sumNames) sums[name][step] = sums[name][last] ?? 0;
      for (const name of levelNames) levels[name][step] = Math.max(levels[name][one] ?? 0, levels[name][other] ?? 0);
      handovers[step] = both(handovers[one], handovers[other]);
    }
    marks[step] = (marks[one] ?? 0) | (marks[other] ?? 0);
  }
  series.step = Math.floor(series.step / 2);
  series.width *= 2;
}

/** @param {Histogram | undefined} one @param {Histogram | undefined} other */
function both(one, other) {
  if (one && other) addAll(one, other);
  return one ?? other;
}
