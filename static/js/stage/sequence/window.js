// The part of a run that a diagram shows, and how it is moved. It is kept in the
// time of the run; it is moved in the fractions of the scale, so that a
// stretched moment is as wide as it looks.

/** @typedef {{ from: number, to: number }} Window in microseconds of the run */

/**
 * Time as fractions of the whole run, and back; both only rise.
 * @typedef {{ x: (at: number) => number, at: (x: number) => number }} Scale
 */

/** The least that a window shows: a millisecond. */
const LEAST = 1000;

/** What a live run is followed with. */
export const FOLLOWED = 8_000_000;

/** The whole run. @param {number} end @returns {Window} */
export const whole = (end) => ({ from: 0, to: Math.max(end, LEAST) });

/** No more than this is shown at first. */
const AT_FIRST = 12_500_000;

/**
 * An instant with what led to it and some of what came of it; a short run whole.
 * @param {number} at
 * @param {number} end of the run
 * @returns {Window}
 */
export function around(at, end) {
  if (end <= AT_FIRST) return whole(end);
  const from = Math.max(0, Math.min(at - AT_FIRST * 0.7, end - AT_FIRST));
  return { from, to: from + AT_FIRST };
}

/**
 * Shows more or less, around an instant that stays where it is.
 * @param {Window} window
 * @param {Scale} scale
 * @param {number} factor less than 1 shows less
 * @param {number} around
 * @returns {Window}
 */
export function zoom(window, scale, factor, around) {
  const [from, to, still] = [scale.x(window.from), scale.x(window.to), scale.x(around)];
  const zoomed = {
    from: scale.at(Math.max(0, still - (still - from) * factor)),
    to: scale.at(Math.min(1, still + (to - still) * factor)),
  };
  return zoomed.to - zoomed.from < LEAST && factor < 1 ? window : zoomed;
}

/**
 * Moves by a part of what is shown, up to the ends of the run.
 * @param {Window} window
 * @param {Scale} scale
 * @param {number} part
 * @returns {Window}
 */
export function pan(window, scale, part) {
  const [from, to] = [scale.x(window.from), scale.x(window.to)];
  const by = Math.max(-from, Math.min(1 - to, part * (to - from)));
  return by === 0 ? window : { from: scale.at(from + by), to: scale.at(to + by) };
}

/**
 * Lets the right end be the playhead, with as much before it.
 * @param {Window} window
 * @param {number} at
 * @param {number} span
 * @returns {Window}
 */
export function follow(window, at, span) {
  if (window.to === at && window.to - window.from <= span) return window;
  return { from: Math.max(0, at - span), to: Math.max(at, LEAST) };
}

/**
 * Turns to the page on which an instant is, when it is not on this one.
 * @param {Window} window
 * @param {number} at
 * @param {number} end of the run
 * @returns {Window}
 */
export function keepInSight(window, at, end) {
  if (at >= window.from && at <= window.to) return window;
  const span = window.to - window.from;
  const from = Math.max(0, Math.min(at - span / 4, end - span));
  return { from, to: from + span };
}
