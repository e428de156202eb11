// How long those that wait in a queue have waited, where they are too many to be drawn.

import { html, nothing } from '../../lit.js';
import { t } from '../../text/language.js';
import { waitsOf, WAITS } from './crowd.js';

/** @import { Lane } from '../../model/view.js' */
/** @import { Layout } from './layout.js' */

/** The height without which they are not drawn, in units of the type's size. */
const HEIGHT = 7.5;

/** @param {Lane} lane @param {Layout} at @param {number} now */
export function waitsView(lane, at, now) {
  const counts = waitsOf(lane, now);
  const most = Math.max(...counts);
  if (!most || at.clientsTop - at.serverBottom < HEIGHT * at.u) return nothing;
  return html`<figure class="waits"><figcaption>${t`in the queue for`}</figcaption>
    <ul>${counts.map((count, index) => html`<li>${words(index)} <meter max=${most} value=${count} aria-hidden="true"></meter> <strong>${count}</strong></li>`)}</ul></figure>`;
}

/** @param {number} index */
function words(index) {
  const end = /** @type {number} */ (WAITS[index]);
  if (end === Infinity) return t`longer`;
  return end < 1e6 ? t`under ${end / 1e3} ms` : t`under ${end / 1e6} s`;
}
