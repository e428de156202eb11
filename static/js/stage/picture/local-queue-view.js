// The threads of each client's process that want the lock: a queue in the process, of
// which only the first one goes to ZooKeeper.

import { nothing, repeat, svg } from '../../lit.js';
import { threadName } from '../../text/format.js';
import { t } from '../../text/language.js';
import { linkEnd } from './crowd.js';

/** @import { Client } from '../../model/client.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Layout } from './layout.js' */

/** In units of the type's size: a thread's box, the space after it, and how far the boxes are above the client. */
const BOX = 1.5;
const GAP = 0.25;
const FOOT = 0.5;

/** @param {Lane} lane @param {Layout} at @param {Crowd | undefined} crowd */
export function threadsView(lane, at, crowd) {
  if (!at.roomy) return nothing;
  const queues = [...lane.clients.values()].filter(({ threads }) => threads.length);
  const left = Math.min(...queues.map((client) => linkEnd(lane, at, client.number, crowd).x - widthOf(client, at) / 2));
  return [
    queues.length && left > LABEL * at.u ? svg`<text class="empty" x=${at.edge} y=${at.clientsTop - (FOOT + BOX * 0.32) * at.u}>${t`threads`}</text>` : nothing,
    ...queues.map((client) => {
      const { x, y } = linkEnd(lane, at, client.number, crowd);
      return localQueue(client, x, y, at);
    }),
  ];
}

/** Room for what they are called. */
const LABEL = 5;

/** @param {Client} client @param {Layout} at */
const widthOf = ({ threads }, { u }) => (threads.length * (BOX + GAP) - GAP) * u;

/** @param {Client} client @param {number} x @param {number} y @param {Layout} at */
function localQueue(client, x, y, at) {
  const { u } = at;
  const { threads } = client;
  const width = widthOf(client, at);
  const top = y - (BOX + FOOT) * u;
  return svg`<g class="local-queue" transform="translate(${x - width / 2} ${top})">
    <title>${words(client)}</title>
    <rect class="server" x=${-0.3 * u} y=${-0.3 * u} width=${width + 0.6 * u} height=${(BOX + 0.6) * u} rx=${0.375 * u}></rect>
    ${repeat(threads, (thread) => thread, (thread, index) => svg`<g class="znode thread ${index ? '' : `is-${client.state}`}" transform="translate(${index * (BOX + GAP) * u} 0)">
      <rect class="box" width=${BOX * u} height=${BOX * u} rx=${0.25 * u}></rect>
      <text class="number" x=${(BOX * u) / 2} y=${BOX * u * 0.68} text-anchor="middle">${threadName(thread)}</text>
    </g>`)}
  </g>`;
}

/** @param {Client} client */
function words({ number, threads: [first = 0, ...others] }) {
  const waiting = others.length ? t`; ${others.map(threadName).join(t`, `)} wait in the process` : '';
  return t`Thread ${threadName(first)} of client ${number} goes to ZooKeeper${waiting}`;
}
