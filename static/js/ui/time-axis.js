// The ticks of a time axis: round instants, as many as there is room for.

import { decimal, t } from '../text/language.js';

/** @typedef {{ at: number, x: number, text: string }} Tick */

/**
 * @param {number} from in microseconds of the run
 * @param {number} to
 * @param {(at: number) => number} x an instant's place in pixels, even in time
 * @param {number} apart the least distance between two, in pixels
 * @returns {Tick[]} from left to right
 */
export function ticks(from, to, x, apart) {
  const width = x(to) - x(from);
  if (!(width > 0)) return [];
  const step = roundStep((to - from) * apart / width);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => {
    const at = (first + index) * step;
    return { at, x: x(at), text: seconds(at) };
  });
}

/** The least of 1, 2, 5, 10, 20, 50 ... that is no less. @param {number} least */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5].find((each) => each * power >= least) ?? 10);
}

/** An instant in seconds, to the microsecond. @param {number} at */
export const seconds = (at) => t`${decimal(Number((at / 1e6).toFixed(6)))} s`;
