// Wake-ups for each release or lost session, both lanes on one scale.

import { clock, titleOf } from '../text/format.js';
import { html, nothing, svg } from '../lit.js';

/** @import { Round } from '../model/counters.js' */
/** @import { Lane, View } from '../model/view.js' */

const MOST_BARS = 60;
const HEIGHT = 130;
const STEP = 10;

/** @param {View} view */
export function chartsView(view) {
  const top = Math.max(4, ...view.lanes.flatMap((lane) => newest(lane).map((round) => round.woken)));
  return html`<div class="charts">${view.lanes.map((lane) => chartView(lane, top))}</div>`;
}

/** The finished rounds that are drawn. @param {Lane} lane */
const newest = (lane) => lane.counters.rounds.filter(({ cause }) => cause !== 'start').slice(-MOST_BARS);

/** @param {Lane} lane @param {number} top */
function chartView(lane, top) {
  const rounds = newest(lane);
  return html`<figure>
    <figcaption>${titleOf(lane.info).name}: wake-ups after each release or lost session
      <span>solid: useful, or not known yet · hollow: wasted</span></figcaption>
    <svg viewBox="-28 -8 ${MOST_BARS * STEP + 32} ${HEIGHT + 28}" role="img" aria-label=${spoken(lane, rounds)}>${svg`
      ${[0, 0.5, 1].map((part) => lineView(Math.round(top * part), top))}
      ${rounds.map((round, index) => barView(round, index, top))}
      ${timeView(rounds[0], 0, 'start')}
      ${rounds.length > 8 ? timeView(rounds.at(-1), rounds.length * STEP, 'end') : nothing}`}
    </svg></figure>`;
}

/** @param {Round | undefined} round @param {number} x @param {'start' | 'end'} anchor */
const timeView = (round, x, anchor) =>
  (round ? svg`<text x=${x} y=${HEIGHT + 16} text-anchor=${anchor}>${clock(round.at)}</text>` : nothing);

/** @param {number} value @param {number} top */
function lineView(value, top) {
  const y = HEIGHT - (value / top) * HEIGHT;
  return svg`<line class="grid" x1="0" x2=${MOST_BARS * STEP} y1=${y} y2=${y}></line>
    <text x="-6" y=${y + 4} text-anchor="end">${value}</text>`;
}

/** @param {Round} round @param {number} index @param {number} top */
function barView(round, index, top) {
  const scale = HEIGHT / top;
  const useful = (round.woken - round.wasted) * scale;
  const wasted = round.wasted * scale;
  const x = index * STEP + 1;
  return svg`<rect class="useful" x=${x} width=${STEP - 3} y=${HEIGHT - useful} height=${useful}></rect>
    <rect class="wasted" x=${x + 0.5} width=${STEP - 4} y=${HEIGHT - useful - wasted + 0.5} height=${Math.max(0, wasted - 1)}></rect>`;
}

/** @param {Lane} lane @param {Round[]} rounds */
function spoken(lane, rounds) {
  const woken = rounds.map((round) => round.woken);
  return `${titleOf(lane.info).name}: the last ${rounds.length} releases and lost sessions woke ${woken.join(', ') || 'nobody yet'}`;
}
