// How long those that wait in a queue have waited, where they are too many to be drawn.

import { html, nothing } from '../../lit.js';
import { believes } from '../../model/client.js';
import { t } from '../../text/language.js';

/** @import { Client } from '../../model/client.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Layout } from './layout.js' */

/** The ends of the classes, in microseconds. */
const CLASSES = [100_000, 1_000_000, 10_000_000, 60_000_000, Infinity];
/** The height without which they are not drawn, in units of the type's size. */
const HEIGHT = 9;

/**
 * How many are in each class: from when the znode was made by which a client waits.
 * @param {Pick<Lane, 'clients' | 'queue'>} lane
 * @param {number} now
 */
export function waitsOf({ clients, queue }, now) {
  const counts = CLASSES.map(() => 0);
  for (const { client, createdAt } of queue.nodes) {
    const owner = /** @type {Client | undefined} */ (clients.get(client));
    if (!owner || believes(owner)) continue;
    const found = CLASSES.findIndex((end) => now - createdAt < end);
    counts[found] = /** @type {number} */ (counts[found]) + 1;
  }
  return counts;
}

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
  const end = /** @type {number} */ (CLASSES[index]);
  if (end === Infinity) return t`longer`;
  return end < 1e6 ? t`under ${end / 1e3} ms` : t`under ${end / 1e6} s`;
}
