// The numbers of a run: at an instant as the server sums them up, and over time as
// counting afresh at each step has them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAll, createHandovers, createHistogram, add, percentile, stepHandovers } from '../js/model/handovers.js';
import { measureNames, measures, numbersOf, valueOf } from '../js/model/measures.js';
import { createSeries, endOf, extend, FAULT, linesOf, MOST_STEPS, VIOLATED } from '../js/model/number-series.js';
import { apply, createView } from '../js/model/view.js';
import { measureChange, measureSentence, measureValue, measureWords, sources, times } from '../js/panel/numbers/words.js';
import { mean, span } from '../js/text/format.js';
import { fold, names, recording, summary } from './recording.js';

/** @import { Event, Run } from '../js/events.d.ts' */
/** @import { Numbers } from '../js/model/measures.js' */
/** @import { Series } from '../js/model/number-series.js' */

/** The series of a run, whose log comes in pieces. @param {Run} run @param {Event[]} events @param {number} [piece] */
function seriesOf(run, events, piece = 977) {
  const series = createSeries(run.lanes, run.clients);
  for (let from = 0; from < events.length; from += piece) extend(series, events.slice(from, from + piece));
  return series;
}

/** The same events over a longer time. @param {Event[]} events @param {number} factor */
const slower = (events, factor) => events.map((event) => ({ ...event, at: event.at * factor }));

for (const name of names) {
  test(`${name}: the numbers at the end are those that the server sums up`, () => {
    const recorded = recording(name);
    const { lanes } = fold(recorded);
    const series = seriesOf(recorded.run, recorded.events);
    for (const [index, expected] of summary(name).lanes.entries()) {
      const lane = lanes[index];
      assert.equal(lane?.info.name, expected.name);
      const shown = measureNames.map((measure) => measureValue(measure, valueOf(measure, numbersOf(/** @type {import('../js/model/view.js').Lane} */ (lane)))));
      const { acquisitions, rounds, wakeupsByJoining, requests, notifications, handoffMicros: { p50, p99 } } = expected;
      assert.deepEqual(shown, [
        mean(rounds.wakeups / rounds.complete), mean(rounds.wastedWakeups / rounds.complete), mean(wakeupsByJoining / acquisitions),
        mean(requests / acquisitions), mean(notifications / acquisitions),
        p50 ? span(p50) : '–', p99 ? span(p99) : '–', ['flag', 'database'].includes(expected.recipe) ? '1' : '0', shown[8], String(acquisitions),
      ]);
      const lines = linesOf(series, index);
      for (const measure of measureNames.filter((each) => measures[each].kind !== 'level')) {
        assert.equal(measureValue(measure, lines[measure].at(-1) ?? NaN), shown[measureNames.indexOf(measure)], `the line of ${measure}`);
      }
    }
  });

  for (const factor of [1, 60]) {
    test(`${name}, ${factor} times as long: each step is what counting afresh gives`, () => {
      const { run, events } = recording(name);
      const stretched = slower(events, factor);
      const series = seriesOf(run, stretched);
      assert.ok(series.step < MOST_STEPS);
      assert.equal(series.width > 20_000, factor > 1, 'steps double when they are full');
      const since = Math.floor(series.view.at * 0.4);
      const before = fold({ run, events: stretched }, stretched.filter(({ at }) => at <= since).length);
      run.lanes.forEach((_, index) => {
        const past = numbersOf(/** @type {import('../js/model/view.js').Lane} */ (before.lanes[index]));
        assert.deepEqual(linesOf(series, index), afresh(run, stretched, series, index), 'from the start');
        assert.deepEqual(linesOf(series, index, { at: since, numbers: past }), afresh(run, stretched, series, index, { at: since, numbers: past }), 'from 40 % on');
      });
    });
  }
}

/**
 * What linesOf tells, from a view that is asked at the end of each step, and about
 * levels after each event.
 * @param {Run} run @param {Event[]} events @param {Series} series @param {number} lane
 * @param {{ at: number, numbers: Numbers }} [since]
 */
function afresh(run, events, series, lane, since) {
  const view = createView(run.lanes, run.clients);
  const now = () => numbersOf(/** @type {import('../js/model/view.js').Lane} */ (view.lanes[lane]));
  const lines = /** @type {Record<string, number[]>} */ (Object.fromEntries(measureNames.map((name) => [name, []])));
  let next = 0;
  for (let step = 0; step <= series.step; step++) {
    const levels = { queue: now().queue, believers: now().believers };
    for (; next < events.length && Math.floor(/** @type {Event} */ (events[next]).at / series.width) <= step; next++) {
      apply(view, /** @type {Event} */ (events[next]));
      levels.queue = Math.max(levels.queue, now().queue);
      levels.believers = Math.max(levels.believers, now().believers);
    }
    const counted = since && endOf(series, step) > since.at ? since.numbers : undefined;
    for (const name of measureNames) lines[name]?.push(valueOf(name, { ...now(), ...levels }, counted));
  }
  return lines;
}

test('the steps mark faults and violated checks, and remember when faults were injected', () => {
  const { run, events } = recording('two-holders');
  const series = seriesOf(run, events);
  const marked = (/** @type {number} */ mark) => [...series.marks.keys()].filter((step) => (series.marks[step] ?? 0) & mark);
  const steps = (/** @type {(event: Event) => boolean} */ passes) => [...new Set(events.filter(passes).map(({ at }) => Math.floor(at / series.width)))];
  assert.ok(marked(FAULT).length && marked(VIOLATED).length);
  assert.deepEqual(marked(FAULT), steps(({ kind }) => kind === 'fault.injected' || kind === 'fault.healed'));
  assert.deepEqual(marked(VIOLATED), steps(({ kind, verdict }) => kind === 'check.changed' && verdict === 'violated'));
  assert.deepEqual(series.faults, events.filter(({ kind }) => kind === 'fault.injected').map(({ at }) => at));
});

test('a hundred thousand events take a bounded number of steps', (context) => {
  const { run, events } = recording('herd-vs-predecessor');
  const working = events.slice(0, events.findIndex(({ kind }) => kind === 'note.stopping'));
  const end = working.at(-1)?.at ?? 0;
  const series = createSeries(run.lanes, run.clients);
  let [count, took] = [0, 0];
  for (let round = 0; count < 100_000; round++) {
    const piece = working.map((event) => ({ ...event, at: event.at + round * end }));
    const begun = performance.now();
    extend(series, piece);
    took += performance.now() - begun;
    count += piece.length;
  }
  const begun = performance.now();
  linesOf(series, 0);
  context.diagnostic(`${count} events folded in ${took.toFixed(0)} ms, lines of a lane in ${(performance.now() - begun).toFixed(1)} ms`);
  assert.ok(series.step >= MOST_STEPS / 2 - 1 && series.step < MOST_STEPS, `${series.step} steps`);
  const kept = series.lanes.flatMap(({ handovers }) => handovers).reduce((sum, each) => sum + (each?.lengths.length ?? 0), 0);
  const different = new Set(series.view.lanes.flatMap(({ handovers }) => handovers.all.lengths)).size;
  assert.ok(kept <= different * (series.step + 1), `${kept} lengths are kept`);
  assert.ok(different < 2000);
});

test('a percentile is the smallest length that so many do not exceed, to a thousandth', () => {
  const lengths = Array.from({ length: 5000 }, (_, index) => Math.round(1.004 ** (index / 2)) + index);
  const handovers = createHandovers();
  for (const handedOver of lengths) stepHandovers(handovers, { seq: 1, at: 1, kind: 'queue.changed', queue: { handedOver } });
  lengths.sort((a, b) => a - b);
  for (const percent of [1, 50, 99, 100]) {
    const exact = lengths[Math.ceil(lengths.length * percent / 100) - 1] ?? 0;
    const told = percentile(handovers.all, percent);
    assert.ok(told >= exact && told <= exact * 1.001, `${percent} %: ${told}, exactly ${exact}`);
  }
  assert.ok(Number.isNaN(percentile(createHistogram(), 50)));
});

test('what is taken away from a histogram counts no more', () => {
  const histogram = createHistogram();
  for (const length of [5, 9, 9, 1]) add(histogram, length, 1);
  addAll(histogram, { lengths: [1, 9], counts: [1, 1] }, -1);
  assert.deepEqual([percentile(histogram, 50), percentile(histogram, 99)], [5, 9]);
  addAll(histogram, { lengths: [5, 9], counts: [1, 1] }, -1);
  assert.ok(Number.isNaN(percentile(histogram, 50)));
});

test('every measure has its words, and says who knows it', () => {
  assert.deepEqual(Object.keys(measureWords), measureNames);
  for (const name of measureNames) {
    assert.ok(sources[measureWords[name].source]);
    assert.match(measureWords[name].definition, /^[A-Z].*\.$/);
  }
});

test('values, changes and comparisons in words', () => {
  assert.deepEqual([measureValue('wakeups', 7.06), measureValue('wakeups', NaN), measureValue('p99', 12_345), measureValue('queue', 3)], ['7.1', '–', '12 ms', '3']);
  assert.deepEqual([measureChange('wakeups', 7, 4.9), measureChange('acquisitions', 3, 10), measureChange('median', NaN, 5), measureChange('requests', 4.01, 4.04)],
    ['−2.1', '+7', '–', '=']);
  assert.equal(measureChange('wakeups', 0.67, 0.83), '+0.1', 'as 0.7 and 0.8 are told');
  assert.deepEqual([measureChange('p99', 210_300, 210_400), measureChange('p99', 990_200, 1_240_000)], ['=', '+210 ms']);
  assert.deepEqual([times([7, 1]), times([2, 2.01]), times([1, 0]), times([0, 0]), times([NaN, 1])], ['7.0×', '', 'against 0', '', '']);
  assert.equal(measureSentence('wakeups', [{ lane: 'Herd', value: 7.1 }, { lane: 'Predecessor', value: 1 }]), 'woken per release: Herd 7.1, Predecessor 1.0');
  assert.equal(measureSentence('wakeups', [{ lane: 'Herd', value: 7.1 }]), 'woken per release: 7.1');
});
