// The sequence diagram of one lane: time from left to right, ZooKeeper on top,
// a row for each client. It draws what it is given and asks for what the visitor
// wants; only what part of the run is in sight is its own.

import { Catalogue } from '../text/catalogue.js';
import { instant } from '../text/format.js';
import { t } from '../text/language.js';
import { render } from '../lit.js';
import { laneNamed, within } from '../model/sequence.js';
import { ticks } from './sequence/axis.js';
import { onThemeChange, readColours } from './colours.js';
import { control } from './sequence/controls.js';
import { crowdAt, hit, place } from './sequence/layout.js';
import { paint } from './sequence/paint.js';
import { build } from './sequence/parts.js';
import { AXIS, clientAt, rows } from './sequence/rows.js';
import { textTwin } from './sequence/text-twin.js';
import { around, follow, FOLLOWED, keepInSight, pan, whole, zoom } from './sequence/window.js';
import { crowdWords, describe, when } from './sequence/words.js';

/** @import { Item } from '../model/sequence/items.js' */
/** @import { Lane, Sequence } from '../model/sequence.js' */
/** @import { Colours } from './colours.js' */
/** @import { Layout, Selection } from './sequence/layout.js' */
/** @import { Parts } from './sequence/parts.js' */
/** @import { Rows } from './sequence/rows.js' */
/** @import { Scale, Window } from './sequence/window.js' */

/**
 * @typedef {object} DiagramFrame
 * @property {Sequence} sequence
 * @property {string} lane its name
 * @property {Scale} scale the timeline's
 * @property {Window} [window] shown once when it is another one than before
 * @property {number} at the playhead
 * @property {boolean} [live] whether the playhead is the end of a log that grows; else it is when it stands there
 * @property {Selection} [selection]
 * @property {boolean} [reducedMotion]
 * @property {Catalogue} [catalogue]
 */

/**
 * @typedef {object} DiagramActions
 * @property {(target: Item | { type: 'client', client: number }) => void} select
 * @property {(at: number) => void} seek
 * @property {(item: Item) => string} [describe] a sentence; without it, the diagram's own
 * @property {(window: Window) => void} [show] the visitor looks at another part of the run
 * @property {() => void} [redraw] asks for another draw; without it, the diagram draws at once
 */

/** The least distance of two ticks on the axis, in pixels. */
const TICKS_APART = 84;

/** So many milliseconds lie at least between two texts of a window that moves. */
const TEXT_PAUSE = 1000;

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
  /** @type {Window | undefined} */ #window;
  /** @type {Window | undefined} */ #given;
  /** @type {Rows} */ #rows = rows(0, 0, 1, 0);
  /** @type {Layout} */ #layout = { placed: [], crowds: [] };
  /** @type {Item | undefined} */ #pointed;
  #size = { width: 0, height: 0, top: 0 };
  #span = FOLLOWED;
  #follows = true;
  #pings = false;
  #drawn = '';
  #textAt = -Infinity;
  #restsUntil = 0;

  /** @param {HTMLElement} host @param {DiagramActions} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
    this.#parts = build(host, {
      zoom: (factor) => this.#zoom(factor), fit: () => this.#fit(), toggle: (name) => this.#toggle(name), tell: () => this.#tell(true),
    });
    new ResizeObserver(() => this.#measure()).observe(this.#parts.area);
    this.#parts.area.addEventListener('scroll', () => this.#measure(), { passive: true });
    onThemeChange(() => {
      this.#colours = undefined;
      this.#again();
    });
    control(this.#parts.area, this.#parts.picture, this.#commands());
  }

  /** Which part of the run is in sight. */
  get window() {
    return this.#window;
  }

  /** @param {DiagramFrame} frame */
  draw(frame) {
    if (this.#frame && (frame.sequence !== this.#frame.sequence || frame.lane !== this.#frame.lane)) this.#pointed = undefined;
    if (frame.sequence !== this.#frame?.sequence) this.#window = undefined;
    this.#frame = frame;
    const lane = laneNamed(frame.sequence, frame.lane);
    if (!lane || !this.#size.width) return;
    this.#window = this.#nextWindow(frame);
    const { from, to } = this.#window;
    const drawn = [frame.lane, frame.sequence.seq, frame.at, from, to, frame.scale.x(from), frame.scale.x(to), this.#size.width, this.#size.height,
      this.#pointed?.index, this.#pings, JSON.stringify(frame.selection), this.#colours ? 1 : 0].join();
    if (drawn === this.#drawn) return;
    const begun = performance.now();
    if (this.#drawn && begun < this.#restsUntil) return this.#actions.redraw?.();
    this.#paint(frame, lane, this.#window);
    this.#drawn = drawn.replace(/0$/, '1');
    const cost = performance.now() - begun;
    this.#restsUntil = cost > DEAR ? begun + cost * 2 : 0;
    this.#tell(false);
  }

  /** @param {DiagramFrame} frame @param {Lane} lane @param {Window} window */
  #paint(frame, lane, window) {
    this.#colours ??= readColours(this.#host);
    this.#rows = rows(this.#size.width, this.#size.height, lane.clients, lane.slots);
    const now = Math.max(frame.at, frame.sequence.at);
    const time = { x: this.#placeOf(frame, window), now };
    this.#layout = place(within(lane, window.from, window.to), this.#rows, time, this.#pings);
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
    const [frame, window] = [this.#frame, this.#window];
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

  /** @param {DiagramFrame} frame @returns {Window} */
  #nextWindow(frame) {
    const end = Math.max(frame.sequence.at, frame.at);
    const asked = frame.window;
    if (asked && (asked.from !== this.#given?.from || asked.to !== this.#given.to)) {
      this.#given = asked;
      this.#setFollows(false);
      return asked;
    }
    const live = frame.live ?? frame.at >= frame.sequence.at;
    const window = this.#window ?? (live ? follow(whole(end), end, this.#span) : around(frame.at, end));
    if (!this.#follows) return window;
    return live ? follow(window, end, this.#span) : keepInSight(window, frame.at, end);
  }

  /** Looks at another part of the run, as the visitor asks. @param {Window} window @param {boolean} [following] */
  #look(window, following = false) {
    if (window === this.#window) return;
    this.#window = window;
    this.#setFollows(following);
    this.#actions.show?.(window);
    this.#again();
  }

  /** @param {boolean} follows */
  #setFollows(follows) {
    this.#follows = follows;
    this.#parts.follow.setAttribute('aria-pressed', String(follows));
  }

  #again() {
    this.#drawn = '';
    if (this.#actions.redraw) this.#actions.redraw();
    else if (this.#frame) this.draw(this.#frame);
  }

  #measure() {
    const { clientWidth, clientHeight, scrollTop } = this.#parts.area;
    this.#size = { width: clientWidth, height: clientHeight, top: scrollTop };
    this.#again();
  }

  /** @returns {import('./sequence/controls.js').Commands} */
  #commands() {
    return {
      zoomBy: (factor, x) => this.#zoom(factor, x),
      panBy: (part) => this.#frame && this.#window && this.#look(pan(this.#window, this.#frame.scale, part)),
      fit: () => this.#fit(),
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

  /** Around the pointer, or else around the playhead when it is in sight. @param {number} factor @param {number} [x] */
  #zoom(factor, x) {
    const [frame, window] = [this.#frame, this.#window];
    if (!frame || !window) return;
    const seen = frame.at >= window.from && frame.at <= window.to;
    const around = x !== undefined ? this.#instantAt(x) : seen ? frame.at : (window.from + window.to) / 2;
    const zoomed = zoom(window, frame.scale, factor, around);
    this.#span = Math.max(1000, zoomed.to - zoomed.from);
    this.#look(zoomed, this.#follows && seen);
  }

  /** The whole run, also while it goes on. */
  #fit() {
    if (!this.#frame) return;
    this.#span = Infinity;
    this.#look(whole(Math.max(this.#frame.sequence.at, this.#frame.at)), this.#follows);
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
    this.#parts.readout.textContent = '';
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
    this.#parts.readout.textContent = `${when(item)}  ${this.#describe(item)}`;
    this.#actions.select(item);
  }

  /** To the item before or after, from where one is or from the playhead. @param {1 | -1} by */
  #next(by) {
    const [frame, window] = [this.#frame, this.#window];
    const lane = frame && laneNamed(frame.sequence, frame.lane);
    if (!frame || !lane || !window) return;
    const all = lane.items.all;
    let index = this.#pointed ? this.#pointed.index : within(lane, -Infinity, frame.at).length - (by > 0 ? 1 : 0);
    do index += by; while (this.#isPing(all[index]));
    const item = all[index];
    if (!item) return;
    this.#pointed = item;
    this.#parts.readout.textContent = `${when(item)}  ${this.#describe(item)}`;
    const kept = keepInSight(window, item.from, Math.max(frame.sequence.at, frame.at));
    if (kept === window) this.#again();
    else this.#look(kept);
  }

  /** @param {Item | undefined} item */
  #isPing(item) {
    return item?.type === 'frame' && item.role === 'ping' && !this.#pings;
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
    return this.#actions.describe?.(item) ?? describe(item, this.#frame?.catalogue ?? unknown);
  }

  /** The window in words, when they are open. @param {boolean} atOnce */
  #tell(atOnce) {
    const [frame, window] = [this.#frame, this.#window];
    const lane = frame && laneNamed(frame.sequence, frame.lane);
    if (!this.#parts.words.open || !window || !lane || (!atOnce && performance.now() - this.#textAt < TEXT_PAUSE)) return;
    this.#textAt = performance.now();
    render(textTwin(within(lane, window.from, window.to), t`From ${instant(window.from)} to ${instant(window.to)}`,
      (item) => this.#describe(item), (item) => this.#select(item)), this.#parts.text);
  }

  /** @param {'follow' | 'pings'} name */
  #toggle(name) {
    if (name === 'pings') this.#pings = !this.#pings;
    else this.#setFollows(!this.#follows);
    if (this.#window) this.#span = this.#window.to - this.#window.from;
    this.#parts.pings.setAttribute('aria-pressed', String(this.#pings));
    this.#again();
  }
}

/** Names for what no server has named yet. */
const unknown = new Catalogue();
