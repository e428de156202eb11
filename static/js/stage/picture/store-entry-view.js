// The server's side of a lane whose lock is not in ZooKeeper: the one entry that it is,
// whose it is, and when it goes. Few scenarios have such a lane, so it is loaded for them.

import { countdown } from '../../text/format.js';
import { html, nothing, svg } from '../../lit.js';
import { t, translated } from '../../text/language.js';
import { glyph } from '../../ui/shapes.js';

/** @import { Client } from '../../model/client.js' */
/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Layout } from './layout.js' */

/** What the entry is called, and where it is. @type {Record<string, { name: string, place: string }>} */
const stores = {
  redis: { name: t`key`, place: t`Redis: one key` },
  sqlite: { name: t`row`, place: t`SQLite: table locks` },
};

/** @param {Lane} lane */
const storeOf = ({ info }) => stores[info.store ?? ''] ?? { name: t`entry`, place: info.store ?? '' };

/** @param {Lane} lane @param {Layout} at @param {number} now */
export function entryView(lane, at, now) {
  const { u } = at;
  const { place, name } = storeOf(lane);
  const [entry] = lane.queue.nodes;
  return svg`<g class="queue">
    <rect class="server" x="0.5" y="0.5" width=${at.width - 1} height=${at.serverBottom} rx=${u / 2}></rect>
    <g class="directory"><title>${lane.queue.directory}</title>
      <rect x=${at.edge} y=${u * 0.625} width=${at.width - 2 * at.edge} height=${at.directory} rx=${u / 4}></rect>
      <text x=${at.edge + u * 0.75} y=${u * 1.95}>${place}</text>
      <text class="count" x=${at.width - at.edge - u * 0.75} y=${u * 1.95} text-anchor="end">${lane.queue.stale ? t`does not answer` : t`polled`}</text>
    </g>
    ${entry ? boxView(lane, entry, at, now) : svg`<text class="empty" x=${at.width / 2} y=${at.boxTop + at.boxHeight / 2} text-anchor="middle">${t`No ${name}: the lock is free.`}</text>`}
  </g>`;
}

/** @param {Lane} lane @param {Node} entry @param {Layout} at @param {number} now */
function boxView(lane, entry, at, now) {
  const { u, box, boxHeight } = at;
  const owner = lane.clients.get(entry.client);
  const left = goesIn(entry, now);
  const version = entry.made.token;
  return svg`<g class="znode ${owner?.ended ? 'is-crashed' : owner ? `is-${owner.state}` : ''}" transform="translate(${at.queueX} ${at.boxTop})">
    <rect class="box" width=${box} height=${boxHeight} rx=${u * 0.375}></rect>
    <text class="number" x=${box / 2} y=${u * 1.15} text-anchor="middle">${left || (version ? t`row ${version}` : storeOf(lane).name)}</text>
    ${owner ? glyph(entry.client, box / 2, u * 2.4, Math.min(u * 1.75, box * 0.86)) : nothing}
    ${words(lane, entry, owner, left).map((line, index) => svg`<text class="empty" x=${box + u * 0.75} y=${u * (1.5 + 1.25 * index)}>${line}</text>`)}
  </g>`;
}

/** Two short lines. @param {Lane} lane @param {Node} entry @param {Client | undefined} owner @param {string} left */
function words(lane, entry, owner, left) {
  const { name } = storeOf(lane);
  const who = entry.client ? t`client ${entry.client}` : t`somebody`;
  if (owner?.ended) return [owner.ended === 'crashed' ? t`${who} has crashed;` : t`${who} has closed;`, left ? t`its ${name} goes in ${left}` : t`its ${name} stays forever`];
  return [t`the ${name} of ${who}`, left ? t`goes by itself in ${left}` : t`stays until it is deleted`];
}

/** When the entry goes by itself, in words; empty if it never does. @param {Node} entry @param {number} now */
const goesIn = (entry, now) => (entry.made.timeout ? countdown(entry.createdAt + entry.made.timeout * 1000 - now) : '');

/** In the head of a lane: why it does nothing, or that nobody gives its lock back: its holder is gone, and it does not go by itself. @param {Lane} lane */
export function markOf(lane) {
  const [entry] = lane.queue.nodes;
  if (lane.info.missing) return html`<p class="believers">${t`This lane does nothing: ${translated(lane.info.missing)}`}</p>`;
  const owner = entry && lane.clients.get(entry.client);
  return entry && owner?.ended && !entry.made.timeout
    ? html`<p class="believers"><span aria-hidden="true">✗</span> ${owner.ended === 'crashed'
      ? t`held forever by client ${owner.number}, which has crashed` : t`held forever by client ${owner.number}, which has closed`}</p>` : undefined;
}
