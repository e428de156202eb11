// The dots on the links: each is a frame really under way, where it is now. They move in
// every frame of the animation, so they are painted on a canvas over the picture: there
// is nothing of the page to be laid out anew.

import { isForgotten, progress } from '../../model/flights.js';
import { ranks } from '../../model/steps.js';
import { linkEnd } from './crowd.js';

/** @import { Flight } from '../../model/flights.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Colours } from '../../ui/colours.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { Layout } from './layout.js' */

/** The half of a mark's size, in units of the type's size. A notification looks unlike all else. */
const sizes = { request: 0.26, reply: 0.24, notification: 0.6, ping: 0.12 };

/** A frame that arrived this long ago, in microseconds of the run, is not shown arriving: the picture has jumped. */
const JUST_NOW = 1_000_000;

/** @typedef {{ flight: Flight, part: number }} Dot how far its frame has come, from 0 to 1 */

export class FlightView {
  /** @type {HTMLCanvasElement} */ #canvas;
  /** What is under way, as it was drawn last. @type {Map<string, Flight>} */ #shown = new Map();
  #empty = true;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
  }

  /**
   * Paints every dot where its frame is. Says whether any moves on.
   * @param {Lane} lane
   * @param {Layout} at
   * @param {Shown} frame
   * @param {Colours} colours
   * @param {Crowd} [crowd]
   */
  update(lane, at, frame, colours, crowd) {
    const places = ranks(lane);
    /** @type {Dot[]} */ const dots = [];
    let moving = false;
    const shown = new Map([...lane.flights].filter(([, flight]) => !isForgotten(flight, frame.at)));
    for (const flight of shown.values()) {
      const part = progress(flight, frame.at);
      moving ||= !frame.still && flight.due > 0 && part < 1;
      const clear = flight.dir === 'out' && marked(lane, flight.client);
      dots.push({ flight, part: !flight.due ? restOf(places.get(flight.key) ?? 0, clear) : frame.still ? 0.4 : part });
    }
    for (const [key, flight] of frame.still ? [] : this.#shown) {
      if (shown.has(key) || !arrivedJustNow(flight, frame.at)) continue;
      dots.push({ flight, part: 1 });
      moving = true; // it is to be taken away
    }
    this.#shown = shown;
    this.#paint(lane, dots, at, frame.stepping, colours, crowd);
    return moving;
  }

  /** @param {Lane} lane @param {Dot[]} dots @param {Layout} at @param {boolean} stepping @param {Colours} colours @param {Crowd | undefined} crowd */
  #paint(lane, dots, at, stepping, colours, crowd) {
    const ratio = devicePixelRatio;
    this.#resize(Math.round(at.width * ratio), Math.round(at.clientsTop * ratio), ratio); // also if empty: it would stick out of a lower lane
    if (this.#empty && !dots.length) return;
    this.#empty = !dots.length;
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    for (const { flight, part } of dots) {
      const { x, y } = placeOf(lane, flight, part, at, crowd);
      context.setTransform(at.u * ratio, 0, 0, at.u * ratio, x * ratio, y * ratio);
      paintDot(context, flight, stepping, colours);
    }
  }

  /** @param {number} width @param {number} height in the screen's own pixels @param {number} ratio of these to the page's */
  #resize(width, height, ratio) {
    const canvas = this.#canvas;
    if (canvas.width === width && canvas.height === height) return;
    [canvas.width, canvas.height] = [width, height];
    canvas.style.width = `${width / ratio}px`;
    canvas.style.height = `${height / ratio}px`;
  }
}

/** Where a frame is on its link. @param {Lane} lane @param {Flight} flight @param {number} part @param {Layout} at @param {Crowd | undefined} crowd */
function placeOf(lane, { client, dir }, part, at, crowd) {
  const { x, y } = linkEnd(lane, at, client, crowd);
  const up = dir === 'out' ? part : 1 - part;
  const side = (dir === 'out' ? -0.25 : 0.25) * at.u;
  return { x: x + side, y: y + (at.serverBottom - y) * up };
}

/** @param {CanvasRenderingContext2D} context around the dot, in units of the type's size @param {Flight} flight @param {boolean} stepping @param {Colours} colours */
function paintDot(context, { role, due }, stepping, colours) {
  const size = sizes[role];
  context.beginPath();
  if (role === 'notification') {
    context.moveTo(0, -size);
    for (const [x, y] of /** @type {const} */ ([[size, 0], [0, size], [-size, 0]])) context.lineTo(x, y);
    context.closePath();
  } else context.arc(0, 0, size, 0, 2 * Math.PI);
  const stuck = !due;
  const own = { request: colours.accent, reply: colours.surface, notification: colours.wakes, ping: colours['line-strong'] }[role];
  context.fillStyle = stuck && !(stepping && role !== 'ping') ? colours.wrong : own;
  context.fill();
  if (role !== 'reply' && !(stuck && stepping)) return;
  context.strokeStyle = role === 'reply' ? colours.accent : colours.ink;
  context.lineWidth = role === 'reply' ? 0.13 : 0.1;
  context.stroke();
}

/** @param {Flight} flight @param {number} now */
const arrivedJustNow = ({ due }, now) => due > 0 && due <= now && now - due < JUST_NOW;

/** Whether marks of faults lie at the client's end of its link. @param {Lane} lane @param {number} client */
const marked = (lane, client) => (lane.clients.get(client)?.faults.size ?? 0) > 0;

/** How far from its end of the link a waiting frame lies, behind those before it. @param {number} rank @param {boolean} [clear] of the marks of faults */
const restOf = (rank, clear) => Math.min((clear ? 0.36 : 0.1) + rank * 0.11, 0.45);
