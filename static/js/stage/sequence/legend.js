// What the shapes of the diagram mean.

import { html, svg } from '../../lit.js';
import { t } from '../../text/language.js';

/** @param {unknown} picture @param {string} words */
const entry = (picture, words) => html`<li><svg viewBox="0 0 28 14" aria-hidden="true">${picture}</svg>${words}</li>`;

const line = (/** @type {string} */ kind) => svg`<path class="line ${kind}" d="M2 12L24 3"></path>`;

export const legend = () => html`<ul>
  ${entry(svg`<rect class="hold" x="1" y="1" width="26" height="12"></rect>`, t`believes that it holds`)}
  ${entry(svg`<rect class="false" x="1" y="1" width="26" height="12"></rect><path class="hatch" d="M3 13L13 1M10 13L20 1M17 13L26 2"></path>`, t`believes it, but its znode is gone`)}
  ${entry(svg`<rect class="znode" x="1" y="2" width="13" height="10"></rect><rect class="first" x="14" y="2" width="13" height="10"></rect>`, t`znode at ZooKeeper, then first in the queue`)}
  ${entry(svg`<path class="wait" d="M1 7H27"></path>`, t`waits`)}
  ${entry(svg`<path class="watch" d="M1 4V7H24"></path><path class="fired" d="M24 3.5L27.5 7L24 10.5L20.5 7Z"></path>`, t`watch at ZooKeeper, until it fires`)}
  ${entry(svg`${line('request')}<path class="head" d="M26 2L19 2.5L21.5 7.5Z"></path>`, t`request`)}
  ${entry(svg`${line('reply')}<path class="open" d="M19.5 1.5L25 3L21.5 7.5"></path>`, t`reply`)}
  ${entry(svg`<path class="fired" d="M4 7L8 11L4 15L0 11Z" transform="translate(0 -1)"></path>${line('notification')}<path class="fired" d="M26 2L18.5 2L22 8.5Z"></path>`, t`notification`)}
  ${entry(svg`<path class="held" d="M1 7H27"></path>`, t`held in the link`)}
  ${entry(svg`${line('lost')}<path class="crossed" d="M20 0L27 7M27 0L20 7"></path>`, t`lost`)}
  ${entry(svg`<path class="fired" d="M3 3H13L8 12Z"></path><path class="wasted" d="M17 3H26L21.5 11Z"></path>`, t`woken; wasted wake-up`)}
</ul>`;
