// The server's side of a lane: the lock directory, and its queue of znodes.

import { countdown, sequence } from '../../text/format.js';
import { nothing, repeat, svg } from '../../lit.js';
import { believers } from '../../model/belief.js';
import { mayHold } from '../../model/guests.js';
import { silenced } from '../../model/active-faults.js';
import { expiryDue, isSilent } from '../../model/client.js';
import { baseName } from '../../model/queue.js';
import { watchersOf } from '../../model/watches.js';
import { t } from '../../text/language.js';
import { nodeX } from './layout.js';
import { queuePlaces } from './queue-places.js';
import { glyph } from '../../ui/shapes.js';
import { arrows, otherArrows } from './watch-arrows.js';

/** @import { Client } from '../../model/client.js' */
/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Layout } from './layout.js' */
/** @import { QueuePlace } from './queue-places.js' */
/** @import { InspectWatch } from './watch-arrows.js' */

/**
 * @param {Lane} lane
 * @param {Layout} at
 * @param {number} now
 * @param {Crowd | undefined} crowd
 * @param {InspectWatch} inspect
 * @param {boolean} [noQueue] who is the quickest holds
 */
export function queueView(lane, at, now, crowd, inspect, noQueue = false) {
  const { permits } = lane.info;
  const { nodes } = lane.queue;
  const shown = queuePlaces(lane, at.places);
  const drawn = shown.filter(({ node }) => node).length;
  return svg`<g class="queue">
    <rect class="server" x="0.5" y="0.5" width=${at.width - 1} height=${at.serverBottom} rx=${at.u / 2}></rect>
    ${directoryView(lane, at)}
    ${permits ? svg`<rect class="permits" x=${at.queueX - PAD} y=${at.boxTop - PAD} width=${Math.min(permits, at.places) * at.pitch - at.pitch + at.box + 2 * PAD} height=${at.boxHeight + 2 * PAD} rx=${at.u / 2}></rect>` : nothing}
    ${repeat(shown, ({ key }) => key, ({ node, index, sequence: number }, place) => (node ? nodeView(lane, node, index, place, shown, at, now, inspect) : ghostView(number, place, at)))}
    ${at.roomy ? otherArrows(lane, shown, at, crowd, inspect) : nothing}
    ${nodes.length > drawn ? moreView(nodes.length - drawn, at) : nothing}
    ${shown.length ? nothing : emptyView(lane, at, noQueue)}</g>`;
}

/** Space between the places that hold a permit and the line around them. */
const PAD = 4;

/** @param {Lane} lane @param {Layout} at */
function directoryView(lane, at) {
  const { permits } = lane.info;
  const watchers = watchersOf(lane.watches, lane.queue.directory).length;
  const told = [permits ? t`${Math.min(permits, lane.queue.nodes.length)} of ${permits} permits` : '', watchers ? t`watched by ${watchers}` : ''];
  const { u } = at;
  return svg`<g class="directory ${watchers ? 'watched' : ''}">
    <title>${lane.queue.directory}</title>
    <rect x=${at.edge} y=${u * 0.625} width=${at.width - 2 * at.edge} height=${at.directory} rx=${u / 4}></rect>
    <text x=${at.edge + u * 0.75} y=${u * 1.95}>…/${baseName(lane.queue.directory)}</text>
    <text class="count" x=${at.width - at.edge - u * 0.75} y=${u * 1.95} text-anchor="end">${
      at.width < 13 * u ? '' : lane.queue.stale ? t`what the server has is not known just now` : told.filter(Boolean).join(t`, `)}</text>
  </g>`;
}

/** A znode that is not there, and is watched. @param {number} number @param {number} place @param {Layout} at */
function ghostView(number, place, at) {
  const { u, box, boxHeight } = at;
  return svg`<g class="znode is-ghost" transform="translate(${nodeX(at, place)} ${at.boxTop})">
    <rect class="box" width=${box} height=${boxHeight} rx=${u * 0.375}></rect>
    <text class="number" x=${box / 2} y=${u * 1.15} text-anchor="middle">${Number.isFinite(number) ? sequence(number) : ''}</text>
    <text class="number small" x=${box / 2} y=${u * 2.5} text-anchor="middle">${box > 3.75 * u ? t`not there` : '∅'}</text>
  </g>`;
}

/**
 * @param {Lane} lane
 * @param {Node} node
 * @param {number} index in the queue
 * @param {number} place in which it is drawn
 * @param {QueuePlace[]} all that are drawn
 * @param {Layout} at
 * @param {number} now
 * @param {InspectWatch} inspect
 */
function nodeView(lane, node, index, place, all, at, now, inspect) {
  const owner = ownerOf(lane, node);
  const own = owner && (owner.participant || owner.path === node.path) ? owner : undefined;
  const shown = node.session ? owner : lane.clients.get(node.writer); // a flag is that of whose text is in it
  const { u, box, boxHeight } = at;
  const text = label(node, owner, at, now);
  const small = box < Math.max(2, text.length * 0.45) * u;
  return svg`<g class="znode ${node.session ? nodeClass(node, own, owner, now) : ''} ${own && isSilent(own) && mayHold(lane, index) ? 'is-first' : ''}" transform="translate(${nodeX(at, place)} ${at.boxTop})">
    <rect class="box" width=${box} height=${boxHeight} rx=${u * 0.375}></rect>
    <text class="number ${small ? 'small' : ''}" x=${box / 2} y=${u * 1.15} text-anchor="middle">${text}</text>
    ${shown ? glyph(shown.number, box / 2, u * 2.4, Math.min(u * 1.75, box * 0.86), shown.participant !== '') : nothing}
    ${owner ? arrows(lane, node, place, all, at, inspect) : nothing}
  </g>`;
}

/** The client whose session the znode goes with. One that stays by itself is nobody's. @param {Lane} lane @param {Node} node */
const ownerOf = (lane, node) => (node.session ? lane.clients.get(node.client) : undefined);

/**
 * @param {Node} node
 * @param {Client | undefined} own the owner, when it knows this znode as its own
 * @param {Client | undefined} owner
 * @param {number} now
 */
function nodeClass(node, own, owner, now) {
  if (owner && endOf(node, owner)) return 'is-crashed';
  if (!own) return 'is-leaving';
  return `is-${own.state}${recent(own.wokenAt, now) ? ' is-just-woken' : ''}`;
}

/** How long a wake-up stays visible, in microseconds of the run. */
const SHOWN_FOR = 900_000;

/**
 * @param {number} at
 * @param {number} now
 */
export const recent = (at, now) => at >= 0 && now - at < SHOWN_FOR;

/**
 * When the server will end the session of a znode of whose owner it hears nothing any
 * more, or 0. A client may have another session since.
 * @param {Pick<Node, 'session'>} node @param {Client} owner
 */
export function endOf(node, owner) {
  if (node.session && node.session === owner.left.session) return owner.left.until;
  return owner.state === 'crashed' || silenced(owner.faults) ? expiryDue(owner) : 0;
}

/** Of the name of a znode without a number, as much is shown as fits its box. */
const LONGEST_NAME = 8;

/** @param {Node} node @param {Client | undefined} owner @param {Layout} at @param {number} now */
function label(node, owner, at, now) {
  const end = owner ? endOf(node, owner) : 0;
  if (end) return countdown(end - now, at.box < 3 * at.u);
  const number = Number.isFinite(node.sequence) ? sequence(node.sequence) : node.name.slice(0, LONGEST_NAME);
  const mode = node.mode.charAt(0).toUpperCase();
  if (!mode) return number;
  return at.box > 2.5 * at.u ? `${number} ${mode}` : mode + number;
}

/** The znodes that do not fit, in the last two places. @param {number} count @param {Layout} at */
function moreView(count, at) {
  const x = nodeX(at, at.places - 2);
  const width = at.pitch + at.box;
  return svg`<g class="more" transform="translate(${x} ${at.boxTop})">
    <rect class="box" width=${width} height=${at.boxHeight} rx=${at.u * 0.375}></rect>
    <text x=${width / 2} y=${at.boxHeight / 2 + at.u * 0.3} text-anchor="middle">+${count}</text>
  </g>`;
}

/** @param {Lane} lane @param {Layout} at @param {boolean} noQueue */
const emptyView = (lane, at, noQueue) =>
  svg`<text class="empty" x=${at.width / 2} y=${at.boxTop + at.boxHeight / 2} text-anchor="middle">${at.width < 20 * at.u ? t`empty`
    : noQueue ? believers(lane).length ? t`There is no znode: at the server nobody holds.` : t`There is no znode: the lock is free.`
      : believers(lane).length ? t`The queue is empty: at the server nobody holds.` : t`The queue is empty: the lock is free.`}</text>`;
