// The tree beside the lanes: loaded when there is something to show, or when the lesson is
// about it.

import { hasTree } from '../../model/tree.js';
import { style } from '../../ui/style.js';

/** @import { Shown, Subject } from '../../play/shown.d.ts' */
/** @import { TreeView } from './tree-view.js' */

export class Tree {
  /** @type {HTMLElement} */ #host;
  /** @type {{ inspect: (subject: Subject) => void, redraw: () => void }} */ #actions;
  /** @type {TreeView | undefined} */ #view;
  #loading = false;

  /** @param {HTMLElement} host @param {{ inspect: (subject: Subject) => void, redraw: () => void }} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
  }

  /** @param {Shown} shown */
  draw(shown) {
    const wanted = Boolean(shown.run) && document.querySelector('#lesson-article [data-stage="tree"]') !== null;
    if (this.#view) return this.#view.draw(shown, wanted);
    if (!this.#loading && (wanted || shown.view.lanes.some((lane) => hasTree(lane, shown.at)))) void this.#load();
  }

  async #load() {
    this.#loading = true;
    try {
      const [{ TreeView }] = await Promise.all([import('./tree-view.js'), style('tree')]);
      this.#view = new TreeView(this.#host, this.#actions);
      this.#actions.redraw();
    } finally {
      this.#loading = false;
    }
  }
}
