// Draws the lanes, once per animation frame at most.

import { rem } from '../shell/lesson.js';
import { html, render } from '../lit.js';
import { sweep } from '../model/flights.js';
import { reducedMotion } from '../shell/theme.js';
import { titleOf } from '../text/format.js';
import { FlightView } from './flight-view.js';
import { laneView } from './lane-view.js';
import { layout } from './layout.js';

/** @import { App } from '../shell/app.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { LaneActions } from './lane-view.js' */
/** @import { Layout } from './layout.js' */

/** @typedef {{ lane: Lane, root: HTMLElement, width: number, layout: Layout | undefined, flights: FlightView | undefined }} Place */

export class Stage {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #lanes;
  /** @type {HTMLElement} */ #tabs;
  /** @type {Place[]} */ #places = [];
  /** @type {ResizeObserver} */ #sizes;
  #view = /** @type {unknown} */ (undefined);
  #front = 0;

  /** @param {App} app @param {HTMLElement} lanes @param {HTMLElement} tabs @param {() => void} changed */
  constructor(app, lanes, tabs, changed) {
    this.#app = app;
    this.#lanes = lanes;
    this.#tabs = tabs;
    this.#sizes = new ResizeObserver(() => {
      this.#measure();
      changed();
    });
  }

  /**
   * Draws every lane as it is at an instant.
   * @param {number} now microseconds of the run
   * @param {(lane: Lane) => LaneActions} actionsOf
   */
  draw(now, actionsOf) {
    if (this.#view !== this.#app.view) this.#build();
    for (const place of this.#places) {
      if (!place.width) continue;
      const { lane } = place;
      sweep(lane.flights, now);
      place.layout = layout(place.width, rem(), lane.clients.size);
      render(laneView(lane, place.layout, now, actionsOf(lane), this.#app.catalogue), place.root);
      place.root.style.setProperty('--columns', String(place.layout.columns));
      place.root.style.setProperty('--cell', `${place.layout.cell}px`);
      place.root.style.setProperty('--row', `${place.layout.rowHeight}px`);
      place.root.style.setProperty('--clients-top', `${place.layout.clientsTop}px`);
    }
  }

  /** Moves what flies. Says whether anything still does. @param {number} now */
  fly(now) {
    return this.#places.map((place) => this.#flyIn(place, now)).some(Boolean);
  }

  /** @param {Place} place @param {number} now */
  #flyIn(place, now) {
    const layer = place.root.querySelector('.flights');
    if (!layer || !place.layout) return false;
    place.flights ??= new FlightView(layer, reducedMotion);
    return place.flights.update(place.lane, place.layout, now);
  }

  #build() {
    this.#view = this.#app.view;
    this.#sizes.disconnect();
    this.#places = this.#app.view.lanes.map((lane) =>
      ({ lane, root: laneRoot(lane), width: 0, layout: undefined, flights: undefined }));
    this.#lanes.replaceChildren(...this.#places.map((place) => place.root));
    this.#lanes.classList.toggle('single', this.#places.length === 1);
    this.#bringToFront(0);
    this.#measure();
    for (const place of this.#places) this.#sizes.observe(place.root);
  }

  #measure() {
    for (const place of this.#places) {
      const style = getComputedStyle(place.root);
      const inner = place.root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (inner > 0) place.width = inner;
    }
  }

  /** On a narrow page only one lane is shown. @param {number} index */
  #bringToFront(index) {
    this.#front = index;
    this.#places.forEach((place, each) => place.root.classList.toggle('front', each === index));
    render(this.#places.length > 1 ? this.#places.map(({ lane }, each) => this.#tabView(lane, each)) : '', this.#tabs);
  }

  /** @param {Lane} lane @param {number} index */
  #tabView(lane, index) {
    return html`<button type="button" aria-pressed=${String(index === this.#front)}
      @click=${() => this.#bringToFront(index)}>${titleOf(lane.info).name}</button>`;
  }
}

/** @param {Lane} lane */
function laneRoot(lane) {
  const root = document.createElement('section');
  root.className = 'lane';
  root.dataset['lane'] = lane.info.name;
  root.setAttribute('aria-labelledby', `lane-${lane.info.name}`);
  return root;
}
