// The dots on the links: each is a frame really under way, where it is now.

import { isForgotten, progress } from '../model/flights.js';
import { ranks } from '../model/steps.js';
import { linkEnd } from './crowd.js';

/** @import { Flight } from '../model/flights.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Layout } from './layout.js' */

const SVG = 'http://www.w3.org/2000/svg';

/** Marks around the origin, in units of the type's size. A notification looks unlike all else. */
const marks = {
  request: 'M0-.26A.26 .26 0 1 1 0 .26A.26 .26 0 1 1 0-.26Z',
  reply: 'M0-.24A.24 .24 0 1 1 0 .24A.24 .24 0 1 1 0-.24Z',
  notification: 'M0-.6L.6 0L0 .6L-.6 0Z',
  ping: 'M0-.12A.12 .12 0 1 1 0 .12A.12 .12 0 1 1 0-.12Z',
};

/** A frame that arrived this long ago, in microseconds of the run, is not shown arriving: the picture has jumped. */
const JUST_NOW = 1_000_000;

/** @typedef {{ path: SVGPathElement, flight: Flight, landed: boolean }} Mark landed: shown at its end, to be taken away */

export class FlightView {
  /** @type {Element} */ #layer;
  /** @type {Map<string, Mark>} */ #marks = new Map();

  /** @param {Element} layer an empty SVG group */
  constructor(layer) {
    this.#layer = layer;
  }

  /**
   * Puts every mark where its frame is. Says whether any moves on.
   * @param {Lane} lane
   * @param {Layout} at
   * @param {number} now
   * @param {boolean} still nothing may move
   * @param {Crowd} [crowd]
   */
  update(lane, at, now, still, crowd) {
    const places = ranks(lane);
    let moving = false;
    for (const flight of lane.flights.values()) {
      if (isForgotten(flight, now)) continue;
      const part = progress(flight, now);
      moving ||= !still && flight.due > 0 && part < 1;
      if (flight.due) this.#place(flight, at, still ? 0.4 : part, crowd);
      else this.#place(flight, at, restOf(places.get(flight.key) ?? 0, flight.dir === 'out' && marked(lane, flight.client)), crowd);
    }
    for (const [key, mark] of this.#marks) {
      const { flight } = mark;
      if (lane.flights.has(key) && !isForgotten(flight, now)) continue;
      if (!still && !mark.landed && arrivedJustNow(flight, now)) {
        this.#place(flight, at, 1, crowd);
        mark.landed = moving = true;
      } else this.#remove(key);
    }
    return moving;
  }

  /** @param {Flight} flight @param {Layout} at @param {number} part @param {Crowd | undefined} crowd */
  #place(flight, at, part, crowd) {
    const { x, y } = linkEnd(at, flight.client, crowd);
    const up = flight.dir === 'out' ? part : 1 - part;
    const top = at.serverBottom;
    const side = (flight.dir === 'out' ? -0.25 : 0.25) * at.u;
    const mark = this.#marks.get(flight.key) ?? this.#create(flight);
    mark.flight = flight;
    mark.landed = false;
    mark.path.classList.toggle('stuck', !flight.due);
    mark.path.setAttribute('transform', `translate(${(x + side).toFixed(1)} ${(y + (top - y) * up).toFixed(1)}) scale(${at.u})`);
  }

  /** @param {Flight} flight @returns {Mark} */
  #create(flight) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', `frame ${flight.role}`);
    path.setAttribute('d', marks[flight.role]);
    this.#layer.append(path);
    const mark = { path, flight, landed: false };
    this.#marks.set(flight.key, mark);
    return mark;
  }

  /** @param {string} key */
  #remove(key) {
    this.#marks.get(key)?.path.remove();
    this.#marks.delete(key);
  }
}

/** @param {Flight} flight @param {number} now */
const arrivedJustNow = ({ due }, now) => due > 0 && due <= now && now - due < JUST_NOW;

/** Whether marks of faults lie at the client's end of its link. @param {Lane} lane @param {number} client */
const marked = (lane, client) => (lane.clients.get(client)?.faults.size ?? 0) > 0;

/** How far from its end of the link a waiting frame lies, behind those before it. @param {number} rank @param {boolean} [clear] of the marks of faults */
const restOf = (rank, clear) => Math.min((clear ? 0.36 : 0.1) + rank * 0.11, 0.45);
