// Brings what matters now into sight: the lanes after a start, and at a decisive instant
// those whom it is about. Where the page is one column it scrolls, else the lanes do.

/** @import { Concern } from '../../model/concerns.js' */

/** As much stays free around what is brought into sight, in pixels. */
const FREE = 6;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {Element[]} parts */
function around(parts) {
  const all = parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0);
  return { top: Math.min(...all.map(({ top }) => top)) - FREE, bottom: Math.max(...all.map(({ bottom }) => bottom)) + FREE };
}

/** Where the lanes can be seen: what happened stays over them where the page scrolls, and a bar at its foot. @param {boolean} narrow */
function frame(narrow) {
  if (!narrow) return element('lanes').getBoundingClientRect();
  const caption = element('caption').offsetHeight;
  return { top: caption, bottom: innerHeight - element('dock').offsetHeight };
}

/** @param {boolean} narrow @param {number} by */
function scroll(narrow, by) {
  if (narrow) scrollBy(0, by);
  else element('lanes').scrollTop += by;
}

/** Brings the lanes into sight, where the page is one column. */
export function showScene() {
  scroll(true, element('scene-area').getBoundingClientRect().top - frame(true).top - FREE);
}

/** Those of whom an instant is, as they are drawn. @param {Concern} concern @returns {Element[]} */
function partsOf({ lane, clients, paths, account }) {
  const root = document.querySelector(`.lane[data-lane="${CSS.escape(lane)}"]`);
  const selectors = [...clients.map((client) => `.client[data-client="${client}"] .token`), ...paths.map((path) => `[data-path="${CSS.escape(path)}"]`),
    ...(account ? ['.account .balance', '.account .verdict'] : [])];
  return selectors.flatMap((selector) => [...root?.querySelectorAll(selector) ?? []]).filter((part) => part.checkVisibility());
}

/** Brings those into sight whom an instant is about; the clients first, if that is too much for the window. @param {Concern[]} concerns @param {boolean} narrow */
export function showConcerned(concerns, narrow) {
  const parts = concerns.flatMap(partsOf);
  if (!parts.length) return;
  const { top, bottom } = frame(narrow);
  const all = around(parts);
  const clients = parts.filter((part) => part.matches('.token'));
  const fit = all.bottom - all.top <= bottom - top || !clients.length ? all : around(clients);
  if (fit.top >= top && fit.bottom <= bottom) return;
  const scene = element('scene-area').getBoundingClientRect().top;
  const whole = fit.bottom - scene <= bottom - top ? scene - FREE : fit.bottom - (bottom - top); // with the head of the lanes, if that fits
  scroll(narrow, Math.min(whole, fit.top) - top);
}
