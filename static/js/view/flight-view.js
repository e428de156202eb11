// The dots on the links: each is a frame really under way, where it is now.

import { progress } from '../model/flights.js';
import { ranks } from '../model/steps.js';
import { clientPoint } from './layout.js';

/** @import { Flight } from '../model/flights.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { Layout } from './layout.js' */

const SVG = 'http://www.w3.org/2000/svg';

/** Marks around the origin, in units of the type's size. A notification looks unlike all else. */
const marks = {
  request: 'M0-.26A.26 .26 0 1 1 0 .26A.26 .26 0 1 1 0-.26Z',
  reply: 'M0-.24A.24 .24 0 1 1 0 .24A.24 .24 0 1 1 0-.24Z',
  notification: 'M0-.6L.6 0L0 .6L-.6 0Z',
  ping: 'M0-.12A.12 .12 0 1 1 0 .12A.12 .12 0 1 1 0-.12Z',
};

export class FlightView {
  /** @type {Element} */ #layer;
  /** @type {Map<string, SVGPathElement>} */ #marks = new Map();
  /** @type {() => boolean} */ #reducedMotion;

  /**
   * @param {Element} layer an empty SVG group
   * @param {() => boolean} reducedMotion true when nothing may move
   */
  constructor(layer, reducedMotion) {
    this.#layer = layer;
    this.#reducedMotion = reducedMotion;
  }

  /**
   * Puts every mark where its frame is. Says whether any moves on.
   * @param {Lane} lane
   * @param {Layout} at
   * @param {number} now
   */
  update(lane, at, now) {
    const gone = new Set(this.#marks.keys());
    const places = ranks(lane);
    const moves = !this.#reducedMotion();
    let moving = false;
    for (const flight of lane.flights.values()) {
      const part = progress(flight, now);
      if (part < 0) continue;
      gone.delete(flight.key);
      moving ||= moves && flight.due > 0;
      if (flight.due) this.#place(flight, at, moves ? part : 0.4);
      else this.#place(flight, at, restOf(places.get(flight.key) ?? 0, flight.dir === 'out' && marked(lane, flight.client)));
    }
    for (const key of gone) this.#remove(key);
    return moving;
  }

  /** @param {Flight} flight @param {Layout} at @param {number} part */
  #place(flight, at, part) {
    const { x, y } = clientPoint(at, flight.client - 1);
    const up = flight.dir === 'out' ? part : 1 - part;
    const top = at.serverBottom;
    const side = (flight.dir === 'out' ? -0.25 : 0.25) * at.u;
    const mark = this.#marks.get(flight.key) ?? this.#create(flight);
    mark.classList.toggle('stuck', !flight.due);
    mark.setAttribute('transform', `translate(${(x + side).toFixed(1)} ${(y + (top - y) * up).toFixed(1)}) scale(${at.u})`);
  }

  /** @param {Flight} flight */
  #create(flight) {
    const mark = document.createElementNS(SVG, 'path');
    mark.setAttribute('class', `frame ${flight.role}`);
    mark.setAttribute('d', marks[flight.role]);
    this.#marks.set(flight.key, mark);
    this.#layer.append(mark);
    return mark;
  }

  /** @param {string} key */
  #remove(key) {
    this.#marks.get(key)?.remove();
    this.#marks.delete(key);
  }
}

/** Whether marks of faults lie at the client's end of its link. @param {Lane} lane @param {number} client */
const marked = (lane, client) => (lane.clients.get(client)?.faults.size ?? 0) > 0;

/** How far from its end of the link a waiting frame lies, behind those before it. @param {number} rank @param {boolean} [clear] of the marks of faults */
const restOf = (rank, clear) => Math.min((clear ? 0.36 : 0.1) + rank * 0.11, 0.45);
