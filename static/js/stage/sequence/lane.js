// The sequence diagram of one lane: time from left to right, ZooKeeper on top, a row for
// each client. It draws what it is given and asks for what the visitor wants; what part
// of the run is in sight is that of all lanes.

import { Catalogue } from '../../text/catalogue.js';
import { instant } from '../../text/format.js';
import { t } from '../../text/language.js';
import { laneNamed, within } from '../../model/sequence.js';
import { ticks } from '../../ui/time-axis.js';
import { onThemeChange, readColours } from '../../ui/colours.js';
import { control } from './controls.js';
import { crowdAt, hit, place } from './layout.js';
import { paint } from './paint.js';
import { build } from './parts.js';
import { AXIS, capacity, clientAt, rows } from './rows.js';
import { textTwin } from './text-twin.js';
import { crowdWords, describe, when } from './words.js';

/** @import { Item } from '../../model/sequence/items.js' */
/** @import { Diagram, Sequence } from '../../model/sequence.js' */
/** @import { Colours } from '../../ui/colours.js' */
/** @import { Layout, Selection } from './layout.js' */
/** @import { Parts } from './parts.js' */
/** @import { Rows } from './rows.js' */
/** @import { Sight } from './sight.js' */
/** @import { Scale, Window } from './window.js' */

/**
 * @typedef {object} DiagramFrame
 * @property {Sequence} sequence
 * @property {string} lane its name
 * @property {Scale} scale the timeline's
 * @property {number} at the playhead
 * @property {boolean} live whether the playhead is the end of a log that grows
 * @property {(all: number, fit: number) => number[]} clients which of the clients have a row, where so many fit
 * @property {Selection} [selection]
 * @property {Catalogue} [catalogue]
 */

/**
 * @typedef {object} DiagramActions
 * @property {(target: Item | { type: 'client', client: number }) => void} select
 * @property {(at: number) => void} seek
 * @property {(words: string) => void} read says what was selected, or reached by keyboard
 * @property {() => void} redraw asks for another draw
 */

/** The least distance of two ticks on the axis, in pixels. */
const TICKS_APART = 84;

/**
 * After a picture that took longer than this many milliseconds comes a rest as
 * long, unless the visitor has moved it: the page has more to draw.
 */
const DEAR = 12;

export class SequenceView {
  /** @type {HTMLElement} */ #host;
  /** @type {DiagramActions} */ #actions;
  /** @type {Parts} */ #parts;
  /** @type {Colours | undefined} */ #colours;
  /** @type {DiagramFrame | undefined} */ #frame;
  /** @type {Sight} */ #sight;
  /** @type {Rows} */ #rows = rows(0, 0, [], 0);
  /** @type {Layout} */ #layout = { placed: [], crowds: [] };
  /** @type {Item | undefined} */ #pointed;
  /** How many clients have no row. */ folded = 0;
  #size = { width: 0, height: 0, top: 0 };
  #drawn = '';
  #restsUntil = 0;

  /** @param {HTMLElement} host @param {Sight} sight @param {DiagramActions} actions */
  constructor(host, sight, actions) {
    this.#host = host;
    this.#sight = sight;
    this.#actions = actions;
    this.#parts = build(host);
    new ResizeObserver(() => this.#measure()).observe(this.#parts.area);
    this.#parts.area.addEventListener('scroll', () => this.#measure(), { passive: true });
    onThemeChange(() => {
      this.#colours = undefined;
      this.#again();
    });
    control(this.#parts.area, this.#parts.picture, this.#commands());
  }

  /** @param {DiagramFrame} frame */
  draw(frame) {
    if (this.#frame && (frame.sequence !== this.#frame.sequence || frame.lane !== this.#frame.lane)) this.#pointed = undefined;
    this.#frame = frame;
    const lane = laneNamed(frame.sequence, frame.lane);
    if (!lane || !this.#size.width) return;
    const window = this.#sight.at(frame);
    const { from, to } = window;
    const order = frame.clients(lane.clients, capacity(this.#size.height, lane.clients, lane.slots));
    this.folded = lane.clients - order.length;
    const drawn = [frame.lane, frame.sequence.seq, frame.at, from, to, frame.scale.x(from), frame.scale.x(to), this.#size.width, this.#size.height, order.join(' '),
      this.#pointed?.index, this.#sight.pings, JSON.stringify(frame.selection), this.#colours ? 1 : 0].join();
    if (drawn === this.#drawn) return;
    const begun = performance.now();
    if (this.#drawn && begun < this.#restsUntil) return this.#actions.redraw();
    this.#rows = rows(this.#size.width, this.#size.height, order, lane.slots);
    this.#paint(frame, lane, window);
    this.#drawn = drawn.replace(/0$/, '1');
    const cost = performance.now() - begun;
    this.#restsUntil = cost > DEAR ? begun + cost * 2 : 0;
  }

  /** @param {DiagramFrame} frame @param {Diagram} lane @param {Window} window */
  #paint(frame, lane, window) {
    this.#colours ??= readColours(this.#host);
    const now = Math.max(frame.at, frame.sequence.at);
    const time = { x: this.#placeOf(frame, window), now };
    this.#layout = place(within(lane, window.from, window.to), this.#rows, time, this.#sight.pings);
    const canvas = this.#canvas();
    if (!canvas) return;
    const scale = ticks(window.from, window.to, time.x, TICKS_APART);
    paint(canvas, {
      rows: this.#rows, guests: lane.guests, layout: this.#layout, time, ticks: scale, at: frame.at, axis: this.#axis, colours: this.#colours,
      catalogue: frame.catalogue ?? unknown, selection: frame.selection, pointed: this.#pointed,
    });
  }

  /** An instant's place in the picture. @param {DiagramFrame} frame @param {Window} window */
  #placeOf({ scale }, window) {
    const { left, right } = this.#rows;
    const [from, to] = [scale.x(window.from), scale.x(window.to)];
    const width = (right - left) / Math.max(to - from, 1e-12);
    return (/** @type {number} */ at) => Math.round(left + (scale.x(at) - from) * width);
  }

  /** The instant at a place. @param {number} x */
  #instantAt(x) {
    const [frame, window] = [this.#frame, this.#sight.window];
    if (!frame || !window) return 0;
    const { left, right } = this.#rows;
    const [from, to] = [frame.scale.x(window.from), frame.scale.x(window.to)];
    const part = Math.max(0, Math.min(1, (x - left) / (right - left)));
    return frame.scale.at(from + part * (to - from));
  }

  /** Where the time axis is seen, also while the rows scroll. */
  get #axis() {
    return Math.min(this.#rows.axis, this.#size.top + this.#size.height - AXIS);
  }

  /** The picture's canvas, as sharp as the screen. */
  #canvas() {
    const dots = globalThis.devicePixelRatio || 1;
    const { width, height } = this.#rows;
    const [across, down] = [Math.round(width * dots), Math.round(height * dots)];
    if (this.#parts.picture.width !== across || this.#parts.picture.height !== down) {
      Object.assign(this.#parts.picture, { width: across, height: down });
      this.#parts.picture.style.width = `${width}px`;
      this.#parts.picture.style.height = `${height}px`;
    }
    const canvas = this.#parts.picture.getContext('2d', { alpha: false });
    canvas?.setTransform(dots, 0, 0, dots, 0, 0);
    return canvas;
  }

  #again() {
    this.#drawn = '';
    this.#actions.redraw();
  }

  #measure() {
    const { clientWidth, clientHeight, scrollTop } = this.#parts.area;
    this.#size = { width: clientWidth, height: clientHeight, top: scrollTop };
    this.#again();
  }

  /** @returns {import('./controls.js').Commands} */
  #commands() {
    const shown = (/** @type {(frame: DiagramFrame) => void} */ act) => this.#frame && act(this.#frame);
    return {
      zoomBy: (factor, x) => shown((frame) => this.#sight.zoom(frame, factor, x === undefined ? undefined : this.#instantAt(x))),
      panBy: (part) => shown((frame) => this.#sight.pan(frame, part)),
      fit: () => shown((frame) => this.#sight.fit(frame)),
      point: (x, y) => this.#point(x, y),
      leave: () => this.#leave(),
      seekTo: (x) => this.#actions.seek(this.#instantAt(x)),
      press: (x, y) => this.#press(x, y),
      next: (by) => this.#next(by),
      choose: () => this.#choose(),
      onAxis: (y) => y >= this.#axis,
      plotWidth: () => this.#rows.right - this.#rows.left,
    };
  }

  /** @param {number} x @param {number} y */
  #point(x, y) {
    const item = hit(this.#layout, x, y);
    const crowd = item ? undefined : crowdAt(this.#layout, x, y);
    const text = item ? `${when(item)}  ${this.#describe(item)}` : crowd ? crowdWords(crowd) : '';
    this.#parts.picture.classList.toggle('points', item !== undefined);
    this.#parts.tip.hidden = !text;
    if (text) {
      this.#parts.tip.textContent = text;
      const left = Math.max(4, Math.min(x + 14, this.#rows.width - this.#parts.tip.offsetWidth - 4));
      this.#parts.tip.style.transform = `translate(${left}px, ${y > this.#axis - 90 ? y - this.#parts.tip.offsetHeight - 12 : y + 18}px)`;
    }
    if (item !== this.#pointed) {
      this.#pointed = item;
      this.#again();
    }
  }

  #leave() {
    this.#parts.tip.hidden = true;
    this.#actions.read('');
    if (!this.#pointed) return;
    this.#pointed = undefined;
    this.#again();
  }

  /** @param {number} x @param {number} y */
  #press(x, y) {
    const item = x >= this.#rows.left ? hit(this.#layout, x, y) : undefined;
    const client = clientAt(this.#rows, y);
    if (item) this.#select(item);
    else if (client) this.#actions.select({ type: 'client', client });
  }

  /** @param {Item} item */
  #select(item) {
    this.#actions.read(`${when(item)}  ${this.#describe(item)}`);
    this.#actions.select(item);
  }

  /** To the item before or after, from where one is or from the playhead. @param {1 | -1} by */
  #next(by) {
    const frame = this.#frame;
    const lane = frame && laneNamed(frame.sequence, frame.lane);
    if (!frame || !lane) return;
    const all = lane.items.all;
    let index = this.#pointed ? this.#pointed.index : within(lane, -Infinity, frame.at).length - (by > 0 ? 1 : 0);
    do index += by; while (this.#isPing(all[index]));
    const item = all[index];
    if (!item) return;
    this.#pointed = item;
    this.#actions.read(`${when(item)}  ${this.#describe(item)}`);
    this.#sight.turnTo(frame, item.from);
    this.#again();
  }

  /** @param {Item | undefined} item */
  #isPing(item) {
    return item?.type === 'frame' && item.role === 'ping' && !this.#sight.pings;
  }

  /** What one has come to, or else what begins nearest to the playhead. */
  #choose() {
    const { at } = this.#frame ?? { at: 0 };
    const near = [...this.#layout.placed].sort((a, b) => Math.abs(a.item.from - at) - Math.abs(b.item.from - at))[0]?.item;
    const item = this.#pointed ?? near;
    if (item) this.#select(item);
  }

  /** @param {Item} item */
  #describe(item) {
    return describe(item, this.#frame?.catalogue ?? unknown);
  }

  /** What is in sight, in words. */
  words() {
    const [frame, window] = [this.#frame, this.#sight.window];
    const lane = frame && laneNamed(frame.sequence, frame.lane);
    return window && lane ? textTwin(within(lane, window.from, window.to), t`From ${instant(window.from)} to ${instant(window.to)}`,
      (item) => this.#describe(item), (item) => this.#select(item)) : undefined;
  }
}

/** Names for what no server has named yet. */
const unknown = new Catalogue();
