// A mark for every active fault: a shape and its title, on the client and on
// its link.

import { countdown } from '../../text/format.js';
import { html, nothing, svg } from '../../lit.js';
import { activeFaults, REPLY_LOST } from '../../model/active-faults.js';
import { armedFor } from '../../model/armed.js';
import { gone } from '../../model/client.js';
import { t } from '../../text/language.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { ActiveFault, ActiveFaults } from '../../model/active-faults.js' */
/** @import { Armed, ArmedFaults } from '../../model/armed.js' */
/** @import { Client } from '../../model/client.js' */
/** @import { Layout } from './layout.js' */

/** A warning sign, for a fault that has no mark of its own. */
const OTHER = 'M0-7L7.5 6H-7.5ZM0-2.5V1.5M0 3.9V4';

/** The mark of a reply that was lost. */
const LOST = 'M0-4.5A4.5 4.5 0 1 1 0 4.5A4.5 4.5 0 1 1 0-4.5ZM-6.5 6.5L6.5-6.5';

/** Lines around the origin, 16 wide. @param {string} fault @param {Catalogue} catalogue */
const pathOf = (fault, catalogue) => (fault === REPLY_LOST ? LOST : catalogue.fault(fault).mark ?? OTHER);

/** A fault's shape. @param {string} fault @param {Catalogue} catalogue */
export const faultShape = (fault, catalogue) =>
  html`<svg class="fault-shape" viewBox="-8 -8 16 16" aria-hidden="true">${svg`<path d=${pathOf(fault, catalogue)}></path>`}</svg>`;

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
  title=${catalogue.fault(fault).sentence}>${faultShape(fault, catalogue)}<span>${faultTitle(fault, catalogue)}${
    until > now ? ` ${countdown(until - Math.max(now, since))}` : ''}</span></span>`;

/** The marks over a client, on its link. @param {Client} client @param {Armed[]} armed @param {Catalogue} catalogue @param {number} now @param {boolean} roomy */
export function marksView(client, armed, catalogue, now, roomy) {
  const shown = shownOn(client, catalogue, now);
  if (!shown.length && !armed.length) return nothing;
  return html`<ul class="marks-own" aria-hidden="true">${shown.map(({ fault }) => html`<li class="fault-mark"
    data-fault=${fault}>${roomy && catalogue.fault(fault).link ? nothing : faultShape(fault, catalogue)}${
      roomy ? html`<span>${faultTitle(fault, catalogue)}</span>` : nothing}</li>`)}${armed.map(({ fault }) => html`<li class="fault-mark is-armed"
    data-fault=${fault}>${faultShape(fault, catalogue)}${roomy ? html`<span>${t`armed`}</span>` : nothing}</li>`)}</ul>`;
}

/** Where on a link its shapes are drawn, one after the other: 0 is the client's end, 1 the server's. */
const spots = [0.62, 0.85, 0.4];

/** What the faults of a client do to its link. @param {Client} client @param {Catalogue} catalogue */
const onLink = (client, catalogue) => (gone(client) ? [] : [...client.faults.keys()].map((fault) => catalogue.fault(fault)).filter(({ link }) => link));

/**
 * The shapes on a client's link.
 * @param {Client} client
 * @param {number} x
 * @param {number} y of the client's end
 * @param {Layout} at
 * @param {Catalogue} catalogue
 */
export function linkMarks(client, x, y, at, catalogue) {
  return onLink(client, catalogue).map(({ name, mark }, index) => {
    const middle = y + (at.serverBottom - y) * (spots[index % spots.length] ?? 0.5);
    return svg`<g class="link-mark" data-fault=${name} transform="translate(${x} ${middle}) scale(${at.u / 14})">
      <circle r="11"></circle><path d=${mark ?? OTHER}></path></g>`;
  });
}

/** How a client's link is drawn: "is-cut", "is-slow", both or empty. @param {Client} client @param {Catalogue} catalogue */
export const linkClass = (client, catalogue) => onLink(client, catalogue).map(({ link }) => `is-${link}`).join(' ');

/** @param {Armed} armed @param {Catalogue} catalogue */
export const armedWords = ({ fault, when }, catalogue) => t`${catalogue.fault(fault).title} ${catalogue.moment(when).title}`;

/** Those of a lane that are for whoever comes first. @param {ArmedFaults} armed @param {Catalogue} catalogue */
export function armedMarks(armed, catalogue) {
  const shown = armedFor(armed, 0);
  return shown.length ? html`<ul class="armed">${shown.map((each) => html`<li class="fault-mark is-armed" data-fault=${each.fault}>${
    faultShape(each.fault, catalogue)}<span>${t`armed: ${armedWords(each, catalogue)}`}</span></li>`)}</ul>` : nothing;
}
