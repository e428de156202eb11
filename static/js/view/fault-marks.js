// A mark for every fault: a shape and a word, on the client and on its link.

import { countdown } from '../format.js';
import { html, nothing, svg } from '../lit.js';
import { MEMORY } from '../model/active-faults.js';

/** @import { ActiveFault } from '../model/active-faults.js' */
/** @import { Client } from '../model/client.js' */
/** @import { Layout } from './layout.js' */

/** Shapes around the origin, 16 wide; all are drawn as lines. */
const shapes = /** @type {Record<string, string>} */ ({
  pause: 'M-3.5-5.5V5.5M3.5-5.5V5.5',
  crash: 'M-5.5-5.5L5.5 5.5M5.5-5.5L-5.5 5.5',
  close: 'M-4-7V7M-4 1H4V7',
  partition: 'M0-8V-3.5M0 8V3.5M-5 0L5-3M-5 3L5 0',
  'partition-out': 'M0 8V-2M-3.5 1.5L0-2L3.5 1.5M-6-6H6',
  'partition-in': 'M0-8V2M-3.5-1.5L0 2L3.5-1.5M-6 6H6',
  slow: 'M-5-7H5L-5 7H5Z',
  'lose-reply': 'M-7 3L-4.5-4L-2 3L0-4L2 3L4.5-4L7 3M-7 6.5H7',
  'lost-reply': 'M0-4.5A4.5 4.5 0 1 1 0 4.5A4.5 4.5 0 1 1 0-4.5ZM-6.5 6.5L6.5-6.5',
  expire: 'M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6ZM0-3V0H3M-7 7L7-7',
  delete: 'M-6-6H6V6H-6ZM-2.5-2.5L2.5 2.5M2.5-2.5L-2.5 2.5',
  heal: 'M-6 1L-2 5L6-5',
  restart: 'M5-3A6 6 0 1 0 6 1M6-7V-2.5H1.5',
  'kill-follower': 'M-6-6H6V6H-6ZM-6-6L6 6',
  'kill-leader': 'M-6-3L-3 0L0-5L3 0L6-3V5H-6ZM-7 7L7-7',
  'lose-quorum': 'M-6-7H6V-2H-6ZM-6 2H6V7H-6ZM-7 8L7-8',
  'heal-servers': 'M-6 1L-2 5L6-5',
});

/** What each is called where there is little room. */
const words = /** @type {Record<string, string>} */ ({
  pause: 'paused', crash: 'crashed', close: 'closed', partition: 'cut', 'partition-out': 'cut out',
  'partition-in': 'cut in', slow: 'slow', 'lose-reply': 'trap', 'lost-reply': 'reply lost', expire: 'expired', delete: 'deleted',
  'kill-follower': 'follower down', 'kill-leader': 'leader down', 'lose-quorum': 'no quorum',
});

/** The same for who cannot see the shape. */
const spoken = /** @type {Record<string, string>} */ ({
  partition: 'cut off both ways', 'partition-out': 'what it sends is held back', 'partition-in': 'what it is sent is held back',
  'lose-reply': 'the reply to its next create or delete will be lost', 'lost-reply': 'its reply was lost', delete: 'its znode was deleted by an operator',
});

/** A fault's shape. @param {string} fault */
export const faultShape = (fault) =>
  html`<svg class="fault-shape" viewBox="-8 -8 16 16" aria-hidden="true">${svg`<path d=${shapes[fault] ?? ''}></path>`}</svg>`;

/** @param {string} fault */
export const faultWord = (fault) => words[fault] ?? fault;

/**
 * What has been done to a client, what lasts first.
 * @param {Client} client
 * @param {number} now
 * @returns {ActiveFault[]}
 */
export function marksOf(client, now) {
  const { momentary } = client;
  const fresh = momentary && now - momentary.since < MEMORY && momentary.fault !== 'crash' && momentary.fault !== 'close';
  return [...client.faults.values(), ...(fresh ? [momentary] : [])];
}

/** The same as words, with the time that is left. @param {Client} client @param {number} now */
export const markWords = (client, now) => marksOf(client, now)
  .map((mark) => (spoken[mark.fault] ?? faultWord(mark.fault)) + (mark.until > now ? `, heals in ${countdown(mark.until - now)}` : ''));

/** The same in few words. @param {Client} client @param {number} now */
export const shortMarks = (client, now) => marksOf(client, now)
  .map((mark) => faultWord(mark.fault) + (mark.until > now ? ` ${countdown(mark.until - now)}` : ''));

/** The marks over a client, on its link. @param {Client} client @param {number} now @param {boolean} roomy */
export function marksView(client, now, roomy) {
  const marks = marksOf(client, now);
  if (!marks.length) return nothing;
  return html`<ul class="marks-own" aria-hidden="true">${marks.map(({ fault }) => html`<li class="fault-mark"
    data-fault=${fault}>${roomy && onLink.has(fault) ? nothing : faultShape(fault)}${roomy ? html`<span>${faultWord(fault)}</span>` : nothing}</li>`)}</ul>`;
}

/** Faults whose shape is drawn on the link itself. */
const onLink = new Set(['partition', 'partition-out', 'partition-in', 'slow', 'lose-reply']);

/** Where on a link its shapes are drawn, one after the other: 0 is the client's end, 1 the server's. */
const spots = [0.62, 0.85, 0.4];

/**
 * The shapes on a client's link.
 * @param {Client} client
 * @param {number} x
 * @param {number} y of the client's end
 * @param {Layout} at
 */
export function linkMarks(client, x, y, at) {
  return [...client.faults.keys()].filter((fault) => onLink.has(fault)).map((fault, index) => {
    const middle = y + (at.serverBottom - y) * (spots[index % spots.length] ?? 0.5);
    return svg`<g class="link-mark" data-fault=${fault} transform="translate(${x} ${middle}) scale(${at.u / 14})">
      <circle r="11"></circle><path d=${shapes[fault] ?? ''}></path></g>`;
  });
}

/** Whether a client's link is cut in either direction. @param {Client} client */
export const isCut = (client) => ['partition', 'partition-out', 'partition-in'].some((fault) => client.faults.has(fault));
