// The watches in a lane's picture: an arrow from every client that waits to what it watches.

import { nothing, svg } from '../../lit.js';
import { t } from '../../text/language.js';
import { linkEnd } from './crowd.js';
import { nodeX } from './layout.js';

/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Watch } from '../../model/watches.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Layout } from './layout.js' */
/** @import { QueuePlace } from './queue-places.js' */

/** @typedef {(client: number, watch: Watch) => void} InspectWatch */

/** Those of a client with a znode in the queue. @param {Lane} lane @param {Node} node @param {number} place @param {QueuePlace[]} shown @param {Layout} at @param {InspectWatch} inspect */
export function arrows(lane, node, place, shown, at, inspect) {
  const own = lane.watches.get(node.client) ?? [];
  return own.map((watch) => arrow(lane, watch, node.client, place, shown, at, () => inspect(node.client, watch)));
}

/** @param {Lane} lane @param {Watch} watch @param {number} client whose it is @param {number} place @param {QueuePlace[]} shown @param {Layout} at @param {() => void} inspect */
function arrow(lane, watch, client, place, shown, at, inspect) {
  const target = shown.findIndex(({ path }) => path === watch.path);
  const toDirectory = watch.path === lane.queue.directory;
  if (!toDirectory && target < 0 && !watch.fired) return nothing;
  const path = toDirectory ? upArrow(at) : target < 0 ? stub(at) : arcArrow(at, (target - place) * at.pitch);
  return arrowView(watch, client, path, inspect);
}

/** @param {Watch} watch @param {number} client whose it is @param {string} path @param {() => void} inspect */
const arrowView = (watch, client, path, inspect) =>
  svg`<g class="arrow" @click=${inspect}><title>${t`A watch of client ${client}: it is notified once of a change there.`}</title><path class="reach" d=${path}></path><path class="watch ${watch.fired ? 'fired' : ''}" d=${path}></path></g>`;

/**
 * The watches of clients that have no znode in the queue: from their links up to the
 * znode that they watch.
 * @param {Lane} lane @param {QueuePlace[]} shown @param {Layout} at @param {Crowd | undefined} crowd @param {InspectWatch} inspect
 */
export function otherArrows(lane, shown, at, crowd, inspect) {
  const owners = new Set(lane.queue.nodes.filter(({ session }) => session).map(({ client }) => client));
  return [...lane.watches].filter(([client]) => !owners.has(client)).map(([client, own]) => own.map((watch) => {
    const target = shown.findIndex(({ path }) => path === watch.path);
    if (target < 0) return nothing;
    return arrowView(watch, client, linkArrow(at, linkEnd(lane, at, client, crowd).x, nodeX(at, target) + at.box / 2), () => inspect(client, watch));
  }));
}

/** From a client's link up to a znode. @param {Layout} at @param {number} from @param {number} to */
function linkArrow(at, from, to) {
  const bottom = at.boxTop + at.boxHeight + 3;
  const top = at.serverBottom + at.u * 0.9; // above the marks of faults
  const head = headOf(at);
  return `M${from} ${top}C${from} ${at.serverBottom - at.u / 2} ${to} ${top} ${to} ${bottom}`
    + `M${to - head} ${bottom + head * 1.4}L${to} ${bottom}L${to + head} ${bottom + head * 1.4}`;
}

/** What is left of an arrow when the znode that it led to is gone. @param {Layout} at */
const stub = (at) => `M${at.box / 2} -3V${-at.u}`;

/** From a znode straight up to the directory's bar. @param {Layout} at */
function upArrow(at) {
  const x = at.box / 2;
  const top = at.u * 0.625 + at.directory - at.boxTop + 2;
  const head = headOf(at);
  return `M${x} -2V${top}M${x - head} ${top + head * 1.4}L${x} ${top}L${x + head} ${top + head * 1.4}`;
}

/** Half the width of an arrow's head. @param {Layout} at */
const headOf = (at) => Math.min(at.u * 0.36, at.box * 0.17);

/** From a znode over to another one, or back to itself. @param {Layout} at @param {number} dx */
function arcArrow(at, dx) {
  const lean = Math.sign(dx) * Math.min(at.box * 0.18, at.u / 2);
  const from = at.box / 2 + lean;
  const to = dx ? at.box / 2 + dx - lean : at.box * 0.12;
  const rise = -Math.min(at.u * 1.9, at.u * 1.1 + Math.abs(dx) * 0.12);
  const head = headOf(at);
  return `M${from} -2C${from} ${rise} ${to} ${rise} ${to} -3`
    + `M${to - head} ${-3 - head * 1.4}L${to} -3L${to + head} ${-3 - head * 1.4}`;
}
