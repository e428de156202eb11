// What the shapes of the picture and the marks on the line of time mean, for the help.

import { html, svg } from '../lit.js';
import { t } from '../text/language.js';

const DOT = 'M0-4A4 4 0 1 1 0 4A4 4 0 1 1 0-4Z';

export const legendView = () => html`<ul>
  <li>${mark('box', 'M-5-7H5V7H-5Z')} ${t`a znode in the queue`}</li>
  <li>${mark('box first', 'M-5-7H5V7H-5Z')} ${t`the first in the queue`}</li>
  <li>${mark('box holds', 'M-5-7H5V7H-5Z')} ${t`holds the lock`}</li>
  <li>${mark('watch', 'M0 7V-5M-4-1L0-5L4-1')} ${t`watch: from who waits to what it watches`}</li>
  <li>${mark('frame notification', 'M0-6L6 0L0 6L-6 0Z')} ${t`notification`}</li>
  <li>${mark('frame request', DOT)} ${t`request`}</li>
  <li>${mark('frame reply', DOT)} ${t`reply`}</li>
  <li>${mark('frame ping', 'M0-2A2 2 0 1 1 0 2A2 2 0 1 1 0-2Z')} ${t`ping`}</li>
  <li>${mark('frame request stuck', DOT)} ${t`a message that waits for a step`}</li>
  <li>${mark('guest', 'M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6Z')} ${t`console or guest`}</li>
  <li>${mark('acquired', 'M0-6V7')} ${t`acquired`}</li>
  <li>${mark('fault', 'M-5-4H5L0 5Z')} ${t`fault`}</li>
  <li>${mark('lost', 'M-4-4L4 4M4-4L-4 4')} ${t`session lost`}</li>
  <li>${mark('decisive', 'M0-7L1.8-2.4L6.7-2.1L2.9 1L4.1 5.8L0 3.2L-4.1 5.8L-2.9 1L-6.7-2.1L-1.8-2.4Z')} ${t`key moment`}</li>
</ul>`;

/** @param {string} kind @param {string} path */
const mark = (kind, path) => html`<svg viewBox="-8 -8 16 16" aria-hidden="true">${svg`<path class=${kind} d=${path}></path>`}</svg>`;
