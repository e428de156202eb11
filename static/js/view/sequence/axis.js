// The ticks of a time axis on any scale: round instants, as fine as there is
// room for. On a stretched part of the scale they become finer there alone.

import { decimal, t } from '../../text/language.js';

/** @typedef {{ at: number, x: number, text: string }} Tick */

/** The least distance between two ticks, in pixels. */
const APART = 84;

/** No more instants are tried for one step than this. */
const MOST = 400;

/**
 * @param {number} from in microseconds of the run
 * @param {number} to
 * @param {(at: number) => number} x an instant's place in pixels
 * @returns {Tick[]} from left to right
 */
export function ticks(from, to, x) {
  /** @type {Tick[]} */
  const found = [];
  const [left, right] = [x(from), x(to)];
  for (const step of steps(to - from)) {
    if ((to - from) / step > MOST) break;
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const place = x(at);
      if (place < left || place > right || found.some((tick) => Math.abs(tick.x - place) < APART)) continue;
      found.push({ at, x: place, text: seconds(at) });
    }
  }
  return found.sort((a, b) => a.x - b.x);
}

/** Round steps of time, from coarse to fine. @param {number} span */
function* steps(span) {
  for (let power = 10 ** Math.ceil(Math.log10(Math.max(span, 1))); power >= 1; power /= 10) {
    yield power;
    if (power > 1) yield* [power / 2, power / 5];
  }
}

/** An instant in seconds, to the microsecond. @param {number} at */
export const seconds = (at) => t`${decimal(Number((at / 1e6).toFixed(6)))} s`;
