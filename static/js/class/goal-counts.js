// How many members of a class have met the goals of the lessons, for its teacher: at each
// goal of the lesson that is shown, and for all lessons in one table. Nobody learns who.

import { listGoals } from '../source/api.js';
import { html, nothing, render } from '../lit.js';
import { inLanguage, t } from '../text/language.js';

/** @import { App } from '../shell/app.js' */
/** @import { GoalEntry } from '../types.d.ts' */

export class GoalCounts {
  /** @type {App} */ #app;
  /** @type {() => void} */ #came;
  /** In the order of the lessons. @type {GoalEntry[] | undefined} */ #goals;

  /** @param {App} app @param {() => void} came called when there is more to draw */
  constructor(app, came) {
    this.#app = app;
    this.#came = came;
  }

  /** Says it in each goal of a lesson. @param {HTMLElement} article */
  draw(article) {
    const { room } = this.#app;
    if (!room?.class || room.role !== 'teacher') return;
    for (const card of article.querySelectorAll('.goal, .challenge')) {
      let host = card.querySelector('.goal-count');
      if (!host) card.append(host = Object.assign(document.createElement('p'), { className: 'goal-count' }));
      const met = this.#met(card.getAttribute('data-check') ?? '');
      render(html`${this.#meter(met)} <span>${t`Met by ${met} of ${room.class.members} in the class`}</span>`, /** @type {HTMLElement} */ (host));
    }
  }

  /** The goals of all lessons in one table, folded away. */
  table() {
    return html`<details class="class-goals" @toggle=${(/** @type {Event} */ { target }) => /** @type {HTMLDetailsElement} */ (target).open && this.#load()}>
      <summary>${t`Goals that the class has met`}</summary>
      <p class="hint">${t`How many of the class have met each, by what their own pages say. It counts wherever they did it; nobody is told who.`}</p>
      ${this.#goals ? html`<table><thead><tr><th scope="col">${t`Goal`}</th><th scope="col">${t`Members`}</th></tr></thead>
        ${this.#app.lessons.map(({ slug, title }) => this.#lessonView(title, this.#goals?.filter(({ lesson }) => lesson === slug) ?? []))}</table>` : nothing}
    </details>`;
  }

  /** @param {string} title @param {GoalEntry[]} goals */
  #lessonView(title, goals) {
    if (!goals.length) return nothing;
    return html`<tbody><tr><th scope="rowgroup" colspan="2">${title}</th></tr>
      ${goals.map(({ key, goal }) => html`<tr><td>${goal}</td><td>${this.#meter(this.#met(key))} ${this.#met(key)}</td></tr>`)}</tbody>`;
  }

  /** The number beside it says the same. @param {number} met */
  #meter(met) {
    return html`<meter aria-hidden="true" min="0" max=${Math.max(1, this.#app.room?.class?.members ?? 0)} .value=${met}></meter>`;
  }

  /** @param {string} key */
  #met(key) {
    return this.#app.room?.class?.goals?.[key] ?? 0;
  }

  #load() {
    void this.#app.try(async () => {
      this.#goals ??= inLanguage((await listGoals()).goals, ({ key }) => key);
      this.#came();
    });
  }
}
