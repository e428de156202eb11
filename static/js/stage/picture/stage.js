// Draws the lanes, once per animation frame at most.

import { html, render } from '../../lit.js';
import { titleOf } from '../../text/format.js';
import { t } from '../../text/language.js';
import { onThemeChange, readColours } from '../../ui/colours.js';
import { crowdOf } from './crowd.js';
import { FlightView } from './flight-view.js';
import { laneView } from './lane-view.js';
import { layout, MOST_DRAWN } from './layout.js';
import { keepStop } from '../../ui/roving.js';
import { narrow, style } from '../../ui/style.js';
import { buttonPlaces } from './znode-buttons.js';

/** @import { Lane } from '../../model/view.js' */
/** @import { LaneInfo } from '../../types.d.ts' */
/** @import { ClientPicker } from './client-picker.js' */
/** @import { Colours } from '../../ui/colours.js' */
/** @import { Crowd } from './crowd.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { Extras, LaneActions } from './lane-view.js' */
/** @import { Layout } from './layout.js' */

/**
 * @typedef {object} LanePlace
 * @property {LaneInfo} info
 * @property {HTMLElement} root
 * @property {Element | null} scene where the picture is, once it has been drawn
 * @property {number} width of the picture
 * @property {number} height that there is for it, or 0 before that is known
 * @property {Layout | undefined} layout
 * @property {Crowd | undefined} crowd
 * @property {FlightView | undefined} flights
 */

/** What stands over and under the lanes there while they are looked at, and how high a picture is at most, in units of the type's size. */
const [AROUND, HIGHEST] = [8.5, 20];
/** The most lanes that fit beside each other; more are scrolled to. */
const MOST_BESIDE = 3;

export class Stage {
  /** @type {HTMLElement} */ #lanes;
  /** @type {HTMLElement} */ #tabs;
  /** @type {ClientPicker | undefined} */ #picker;
  /** @type {LanePlace[]} */ #places = [];
  /** @type {ResizeObserver} */ #sizes;
  /** @type {Colours | undefined} */ #colours;
  /** The run whose lanes are built. */ #built = '';
  /** The lane that is shown where there is room, or wish, for one only. */ #front = 0;
  /** Whether one lane is shown to an audience. */ #alone = false;
  /** The size of the page's type, in pixels. */ #unit = 16;
  /** What only some lanes have, once it is there. @type {Extras} */ #extras = {};
  #changed;

  /** @param {HTMLElement} lanes @param {HTMLElement} tabs @param {() => void} changed */
  constructor(lanes, tabs, changed) {
    this.#lanes = lanes;
    this.#tabs = tabs;
    this.#changed = changed;
    this.#sizes = new ResizeObserver(() => {
      this.#measure();
      changed();
    });
    onThemeChange(() => {
      this.#colours = undefined;
      changed();
    });
    lanes.addEventListener('scroll', () => this.#fade());
    narrow.addEventListener('change', () => this.show(this.#front, this.#alone));
  }

  /** Which lane is in front, where one is. */
  get front() {
    return this.#front;
  }

  /**
   * Draws every lane.
   * @param {Shown} shown
   * @param {(lane: Lane) => LaneActions} actionsOf
   */
  draw(shown, actionsOf) {
    const run = shown.run?.id ?? '';
    if (this.#built !== run || this.#places.length !== shown.view.lanes.length) this.#build(run, shown.view.lanes);
    for (const [index, place] of this.#places.entries()) {
      const lane = shown.view.lanes[index];
      if (!place.width || !lane) continue;
      this.#drawLane(place, lane, shown, actionsOf(lane));
      if (!place.scene) this.#found(place, lane, shown, actionsOf(lane));
    }
  }

  /** Loads what a lane has that few lanes have. @param {Lane} lane */
  #load({ account, clients, info, locks }) {
    if (info.store && !this.#extras.entryView) void this.#loaded(import('./store-entry-view.js'));
    if (clients.size > MOST_DRAWN) void style('crowd');
    if (locks.length && !this.#extras.locksView) void this.#loaded(import('./locks-view.js'));
    if (account.used && !this.#extras.accountView) void this.#loaded(import('./account-view.js'));
    if (!this.#extras.threadsView && [...clients.values()].some(({ threads }) => threads.length)) void this.#loaded(import('./local-queue-view.js'));
  }

  /** @param {Promise<Extras>} extra */
  async #loaded(extra) {
    Object.assign(this.#extras, await extra);
    this.#changed();
  }

  /** @param {LanePlace} place @param {Lane} lane @param {Shown} shown @param {LaneActions} actions */
  #drawLane(place, lane, { at, unit, catalogue, selection, view }, actions) {
    this.#load(lane);
    this.#unit = unit;
    const now = layout(place.width, unit, lane.clients.size, place.height, lane.locks.length > 0 || [...lane.clients.values()].some(({ participant }) => participant));
    place.layout = now;
    place.crowd = lane.clients.size > MOST_DRAWN ? crowdOf(lane, now.columns, selection?.lane === lane.info.name ? selection.client : 0) : undefined;
    const pick = (/** @type {(count: number) => string} */ what, /** @type {number[]} */ clients) => void this.#pick(what, clients, actions.inspect);
    const focused = place.root.querySelector('.znode-buttons :focus') !== null;
    render(laneView(lane, { at: now, now: at, counting: view.counting, catalogue, selection, crowd: place.crowd, pick, extras: this.#extras }, actions), place.root);
    if (lane.locks.length) this.#extras.placeLocks?.(place.root, lane, now);
    keepStop(place.root.querySelector('.znode-buttons'), focused);
    const { style } = place.root;
    style.setProperty('--grown', String(now.u / unit));
    style.setProperty('--columns', String(now.columns));
    style.setProperty('--cell', `${now.cell}px`);
    style.setProperty('--row', `${now.rowHeight}px`);
    style.setProperty('--clients-top', `${now.clientsTop}px`);
    style.setProperty('--clients-x', `${now.clientsX}px`);
    style.setProperty('--crowd-x', `${now.crowdX}px`);
    style.setProperty('--least', `${now.least}px`);
    for (const [name, length] of Object.entries(buttonPlaces(now))) style.setProperty(name, `${length}px`);
  }

  /** Asks which one of some clients is meant; few lanes have so many. @param {(count: number) => string} what @param {number[]} clients @param {(client: number) => void} choose */
  async #pick(what, clients, choose) {
    const { ClientPicker } = await import('./client-picker.js');
    this.#picker ??= new ClientPicker(document.body);
    this.#picker.open(what, clients, choose);
  }

  /** The picture is there for the first time, so that there is something to measure. @param {LanePlace} place @param {Lane} lane @param {Shown} shown @param {LaneActions} actions */
  #found(place, lane, shown, actions) {
    place.scene = place.root.querySelector('.scene');
    if (place.scene) this.#sizes.observe(place.scene);
    this.#measure();
    this.#drawLane(place, lane, shown, actions);
  }

  /** Moves what flies. Says whether anything still does. @param {Shown} shown */
  fly(shown) {
    return this.#places.map((place, index) => this.#flyIn(place, shown.view.lanes[index], shown)).some(Boolean);
  }

  /** @param {LanePlace} place @param {Lane | undefined} lane @param {Shown} shown */
  #flyIn(place, lane, shown) {
    const canvas = /** @type {HTMLCanvasElement | null} */ (place.root.querySelector('.flights'));
    if (!canvas || !place.layout || !lane) return false;
    place.flights ??= new FlightView(canvas);
    this.#colours ??= readColours(this.#lanes);
    return place.flights.update(lane, place.layout, shown, this.#colours, place.crowd);
  }

  /** @param {string} run @param {Lane[]} lanes */
  #build(run, lanes) {
    const same = lanes.length === this.#places.length && lanes.every(({ info }, index) => info.name === this.#places[index]?.info.name);
    this.#built = run;
    this.#sizes.disconnect();
    this.#places = lanes.map(({ info }) =>
      ({ info, root: laneRoot(info), scene: null, width: 0, height: 0, layout: undefined, crowd: undefined, flights: undefined }));
    this.#lanes.replaceChildren(...this.#places.map((place) => place.root));
    document.documentElement.classList.toggle('with-account', lanes.some(({ account }) => account.used));
    this.#lanes.classList.toggle('single', this.#places.length === 1);
    this.#lanes.classList.toggle('many', this.#places.length > MOST_BESIDE);
    if (same) this.show(this.#front, this.#alone);
    else this.show(0, false);
    this.#measure();
    for (const each of [this.#lanes, ...this.#places.map(({ root }) => root)]) this.#sizes.observe(each);
  }

  /** The lanes fade out where they go on below. */
  #fade() {
    const { bottom } = this.#lanes.getBoundingClientRect();
    this.#lanes.classList.toggle('more', this.#places.some(({ root }) => root.getBoundingClientRect().bottom > bottom + 1));
  }

  #measure() {
    const rows = new Set(this.#places.filter(({ root }) => root.checkVisibility()).map(({ root }) => root.offsetTop)).size || 1;
    for (const place of this.#places) {
      const style = getComputedStyle(place.root);
      const inner = place.root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (inner > 0) place.width = inner;
      const height = place.scene?.clientHeight;
      if (height) place.height = narrow.matches ? this.#share(rows, place.root.offsetHeight - height) : height;
    }
    this.#fade();
  }

  /** How high a picture is where the page is one column: so that all lanes are seen at once, if they can be. @param {number} rows of lanes @param {number} besides what a lane has besides its picture */
  #share(rows, besides) {
    const free = (innerHeight - AROUND * this.#unit) / rows - besides;
    return Math.max(1, Math.min(free, HIGHEST * this.#unit));
  }

  /**
   * Brings a lane to the front. On a narrow page and before an audience the others are
   * hidden when it is to be alone.
   * @param {number} index
   * @param {boolean} alone
   */
  show(index, alone) {
    if (index >= this.#places.length) return;
    this.#front = index;
    this.#alone = alone;
    this.#lanes.classList.toggle('alone', alone && this.#places.length > 1);
    document.documentElement.classList.toggle('one-lane', alone || this.#places.length === 1);
    this.#places.forEach((place, each) => place.root.classList.toggle('front', each === index));
    render(this.#places.length > 1 ? this.#tabsView() : '', this.#tabs);
  }

  #tabsView() {
    const front = this.#alone ? this.#front : -1;
    return html`<button type="button" class="all-lanes" aria-pressed=${String(!this.#alone)}
        @click=${() => this.show(this.#front, false)}>${this.#places.length > 2 ? t`All` : t`Both`}</button>
      ${this.#places.map(({ info }, index) => html`<button type="button" aria-pressed=${String(index === front)}
        @click=${() => this.show(index, true)}>${titleOf(info).name}</button>`)}`;
  }
}

/** @param {LaneInfo} info */
function laneRoot(info) {
  const root = document.createElement('section');
  root.className = 'lane';
  root.dataset['lane'] = info.name;
  root.setAttribute('aria-labelledby', `lane-${info.name}`);
  return root;
}
