// A shape for every client, so that colour never tells alone.

import { svg } from '../lit.js';
import { t } from '../text/language.js';

/** Outlines around the origin, about 20 wide. */
const outlines = [
  'M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z',
  'M-9-9H9V9H-9Z',
  'M0-12L12 9.5H-12Z',
  'M0-12L12 0L0 12L-12 0Z',
  'M0-11L11-2.5L7 10H-7L-11-2.5Z',
  'M-5.5-10H5.5L11 0L5.5 10H-5.5L-11 0Z',
  'M0 12L12-9.5H-12Z',
  'M-5.5-11H5.5V-5.5H11V5.5H5.5V11H-5.5V5.5H-11V-5.5H-5.5Z',
];

const names = [t`circle`, t`square`, t`triangle`, t`diamond`, t`pentagon`, t`hexagon`, t`wedge`, t`cross`];

/** A triangle's weight is not in its middle: numbers sit a little lower or higher. */
const shifts = [0, 0, 3, 0, 0.5, 0, -3, 0];

/** @param {number} client from 1 */
const shapeOf = (client) => (client - 1) % outlines.length;

/**
 * The colour class of a client. With more clients than shapes the colours move
 * on by one each round, so that shape and colour together stay rare.
 * @param {number} client from 1
 */
export const colourOf = (client) =>
  `colour-${((client - 1 + Math.floor((client - 1) / outlines.length)) % outlines.length) + 1}`;

/** @param {number} client from 1 */
export const shapeName = (client) => names[shapeOf(client)] ?? '';

/**
 * A client's outline around the origin, about 20 wide, and how far its number sits below the middle.
 * @param {number} client from 1
 */
export const outlineOf = (client) => ({ path: outlines[shapeOf(client)] ?? '', shift: shifts[shapeOf(client)] ?? 0 });

/**
 * A client's shape with its number in it.
 * @param {number} client from 1
 * @param {number} x
 * @param {number} y
 * @param {number} size its width in pixels
 * @param {boolean} [hollow] as a guest is drawn
 */
export function glyph(client, x, y, size, hollow = false) {
  const shape = shapeOf(client);
  return svg`<g class="glyph ${colourOf(client)} ${client > 99 ? 'longer' : client > 9 ? 'long' : ''} ${hollow ? 'hollow' : ''}" transform="translate(${x} ${y}) scale(${size / 23})">
    <path d=${outlines[shape] ?? ''}></path>
    <text y=${(shifts[shape] ?? 0) + 4} text-anchor="middle">${client}</text>
  </g>`;
}
