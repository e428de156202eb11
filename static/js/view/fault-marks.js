// A mark for every active fault: a shape and its title, on the client and on
// its link.

import { countdown } from '../text/format.js';
import { html, nothing, svg } from '../lit.js';
import { activeFaults, REPLY_LOST } from '../model/active-faults.js';
import { gone } from '../model/client.js';
import { t } from '../text/language.js';

/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { ActiveFault, ActiveFaults } from '../model/active-faults.js' */
/** @import { Armed } from '../model/armed.js' */
/** @import { Client } from '../model/client.js' */
/** @import { Layout } from './layout.js' */

/**
 * How a fault is drawn: lines around the origin, 16 wide, and what it does to
 * the client's link.
 * @typedef {{ path: string, link?: 'cut' | 'slow' | 'marked' }} Shape
 */

/** @type {Record<string, Shape>} */
const shapes = {
  pause: { path: 'M-3.5-5.5V5.5M3.5-5.5V5.5' },
  crash: { path: 'M-5.5-5.5L5.5 5.5M5.5-5.5L-5.5 5.5' },
  close: { path: 'M-4-7V7M-4 1H4V7' },
  partition: { path: 'M0-8V-3.5M0 8V3.5M-5 0L5-3M-5 3L5 0', link: 'cut' },
  'partition-out': { path: 'M0 8V-2M-3.5 1.5L0-2L3.5 1.5M-6-6H6', link: 'cut' },
  'partition-in': { path: 'M0-8V2M-3.5-1.5L0 2L3.5-1.5M-6 6H6', link: 'cut' },
  slow: { path: 'M-5-7H5L-5 7H5Z', link: 'slow' },
  'lose-reply': { path: 'M-7 3L-4.5-4L-2 3L0-4L2 3L4.5-4L7 3M-7 6.5H7', link: 'marked' },
  [REPLY_LOST]: { path: 'M0-4.5A4.5 4.5 0 1 1 0 4.5A4.5 4.5 0 1 1 0-4.5ZM-6.5 6.5L6.5-6.5' },
  expire: { path: 'M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6ZM0-3V0H3M-7 7L7-7' },
  delete: { path: 'M-6-6H6V6H-6ZM-2.5-2.5L2.5 2.5M2.5-2.5L-2.5 2.5' },
  'start-again': { path: 'M-4-6L6 0L-4 6Z' },
  heal: { path: 'M-6 1L-2 5L6-5' },
  restart: { path: 'M5-3A6 6 0 1 0 6 1M6-7V-2.5H1.5' },
  'kill-follower': { path: 'M-6-6H6V6H-6ZM-6-6L6 6' },
  'kill-leader': { path: 'M-6-3L-3 0L0-5L3 0L6-3V5H-6ZM-7 7L7-7' },
  'lose-quorum': { path: 'M-6-7H6V-2H-6ZM-6 2H6V7H-6ZM-7 8L7-8' },
  'heal-servers': { path: 'M-6 1L-2 5L6-5' },
};

/** A warning sign, for a fault that has no shape of its own. @type {Shape} */
const otherShape = { path: 'M0-7L7.5 6H-7.5ZM0-2.5V1.5M0 3.9V4' };

/** @param {string} fault */
const shapeOf = (fault) => shapes[fault] ?? otherShape;

/** A fault's shape. @param {string} fault */
export const faultShape = (fault) =>
  html`<svg class="fault-shape" viewBox="-8 -8 16 16" aria-hidden="true">${svg`<path d=${shapeOf(fault).path}></path>`}</svg>`;

/** What a mark is called. @param {string} fault @param {Catalogue} catalogue */
export const faultTitle = (fault, catalogue) => (fault === REPLY_LOST ? t`Reply lost` : catalogue.fault(fault).title);

/** What is shown on a client. Its own state says that it is gone. @param {Client} client @param {Catalogue} catalogue @param {number} now */
const shownOn = (client, catalogue, now) => (gone(client) ? [] : activeFaults(client.faults, catalogue, now));

/**
 * The faults of a client, or of the servers, as words, with the time that is left.
 * @param {ActiveFaults} faults
 * @param {Catalogue} catalogue
 * @param {number} now
 */
export const faultWords = (faults, catalogue, now) => activeFaults(faults, catalogue, now).map(({ fault, since, until }) =>
  faultTitle(fault, catalogue) + (until > now ? t`, heals in ${countdown(until - Math.max(now, since))}` : ''));

/** @param {Client} client @param {Catalogue} catalogue @param {number} now */
export const clientFaultWords = (client, catalogue, now) => (gone(client) ? [] : faultWords(client.faults, catalogue, now));

/** A mark in a line of text. @param {ActiveFault} active @param {Catalogue} catalogue @param {number} now */
export const faultMark = ({ fault, since, until }, catalogue, now) => html`<span class="fault-mark" data-fault=${fault}
  title=${catalogue.fault(fault).sentence}>${faultShape(fault)}<span>${faultTitle(fault, catalogue)}${
    until > now ? ` ${countdown(until - Math.max(now, since))}` : ''}</span></span>`;

/** The marks over a client, on its link. @param {Client} client @param {Armed[]} armed @param {Catalogue} catalogue @param {number} now @param {boolean} roomy */
export function marksView(client, armed, catalogue, now, roomy) {
  const shown = shownOn(client, catalogue, now);
  if (!shown.length && !armed.length) return nothing;
  return html`<ul class="marks-own" aria-hidden="true">${shown.map(({ fault }) => html`<li class="fault-mark"
    data-fault=${fault}>${roomy && shapeOf(fault).link ? nothing : faultShape(fault)}${
      roomy ? html`<span>${faultTitle(fault, catalogue)}</span>` : nothing}</li>`)}${armed.map(({ fault }) => html`<li class="fault-mark is-armed"
    data-fault=${fault}>${faultShape(fault)}${roomy ? html`<span>${t`armed`}</span>` : nothing}</li>`)}</ul>`;
}

/** Where on a link its shapes are drawn, one after the other: 0 is the client's end, 1 the server's. */
const spots = [0.62, 0.85, 0.4];

/** What the faults of a client do to its link. @param {Client} client */
const onLink = (client) => (gone(client) ? [] : [...client.faults.keys()].filter((fault) => shapeOf(fault).link));

/**
 * The shapes on a client's link.
 * @param {Client} client
 * @param {number} x
 * @param {number} y of the client's end
 * @param {Layout} at
 */
export function linkMarks(client, x, y, at) {
  return onLink(client).map((fault, index) => {
    const middle = y + (at.serverBottom - y) * (spots[index % spots.length] ?? 0.5);
    return svg`<g class="link-mark" data-fault=${fault} transform="translate(${x} ${middle}) scale(${at.u / 14})">
      <circle r="11"></circle><path d=${shapeOf(fault).path}></path></g>`;
  });
}

/** How a client's link is drawn: "is-cut", "is-slow", both or empty. @param {Client} client */
export const linkClass = (client) => onLink(client).map((fault) => `is-${shapeOf(fault).link}`).join(' ');
