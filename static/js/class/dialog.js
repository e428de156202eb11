// The dialog that every room's bar opens: for the teacher in the class's own room how to
// join and what to do with the class, for everybody else the doors of classes.

import { html, nothing, render } from '../lit.js';
import { t } from '../text/language.js';
import { askRoom, place } from '../source/api.js';
import { byId } from '../ui/dom.js';
import { ClassDoors } from './doors.js';
import { GoalCounts } from './goal-counts.js';
import { JoinView } from './join-view.js';

/** @import { App } from '../shell/app.js' */

export class ClassDialog {
  /** @type {App} */ #app;
  /** @type {HTMLDialogElement} */ #dialog;
  /** @type {JoinView} */ #join;
  /** @type {ClassDoors} */ #doors;

  /** @param {App} app */
  constructor(app) {
    const draw = () => this.draw();
    this.#app = app;
    this.#dialog = /** @type {HTMLDialogElement} */ (byId('class'));
    this.#join = new JoinView(app, new GoalCounts(app, draw), draw);
    this.#doors = new ClassDoors(draw, () => this.#left());
    this.#dialog.addEventListener('close', () => this.#join.closed());
  }

  open() {
    this.draw();
    this.#dialog.showModal();
  }

  draw() {
    const { room } = this.#app;
    render(html`<form method="dialog"><button class="tool close" aria-label=${t`Close`}>✕</button></form>
      ${room?.class?.code ? this.#join.view(room.class) : html`<h2 id="class-title">${t`In a class`}</h2>
        ${this.#app.link === 'gone' ? this.#doors.view(undefined) : this.#doors.view(room)}
        ${room?.own && room.own !== room.room ? html`<p class="hint"><a href="${place.lobby}rooms/${room.own}">${t`Your own room`}</a></p>` : nothing}`}`, this.#dialog);
  }

  /** Whoever leaves a class in its room has nothing to look for there. */
  #left() {
    if (this.#app.room?.class) location.assign(place.lobby);
    else void this.#app.try(async () => { this.#app.enter(await askRoom()); this.draw(); });
  }
}
