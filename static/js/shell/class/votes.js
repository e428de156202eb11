// In a class the questions of a lesson are votes: students choose, the presenter sees how
// many chose what, and shows the answer to all.

import { reveal, vote } from '../api.js';
import { html, nothing, render } from '../../lit.js';
import { t } from '../../text/language.js';

/** @import { VoteState } from '../../types.d.ts' */
/** @import { App } from '../app.js' */

export class Votes {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #article;
  /** The last vote is told; another waits for it, or an older one could come later and count. @type {Promise<unknown>} */ #told = Promise.resolve();

  /** @param {App} app @param {HTMLElement} article the lesson */
  constructor(app, article) {
    this.#app = app;
    this.#article = article;
    article.addEventListener('change', ({ target }) => {
      const chosen = target instanceof HTMLInputElement && target.closest('.predict') ? target : undefined;
      if (!chosen || !app.may('vote')) return;
      const [name, value] = [chosen.name, Number(chosen.value)];
      this.#told = this.#told.catch(() => {}).then(() => app.try(() => vote(name, value)));
    });
  }

  draw() {
    for (const question of this.#article.querySelectorAll('fieldset.predict')) {
      if (question instanceof HTMLFieldSetElement) this.#draw(question);
    }
  }

  /** @param {HTMLFieldSetElement} question */
  #draw(question) {
    const choices = [...question.querySelectorAll('input')];
    const name = choices[0]?.name ?? '';
    const state = this.#app.room?.class?.votes?.find((each) => each.question === name);
    const answers = /** @type {HTMLDetailsElement} */ (question.querySelector('.predict-answers'));
    answers.hidden = !state?.revealed && !this.#app.may('present');
    if (state?.revealed && !question.classList.contains('is-revealed')) answers.open = true;
    question.classList.toggle('is-revealed', state?.revealed ?? false);
    for (const choice of choices) {
      choice.disabled = state?.revealed ?? false;
      if (state && state.mine === Number(choice.value)) choice.checked = true;
    }
    let host = question.querySelector('.votes');
    if (!host) answers.before(host = Object.assign(document.createElement('div'), { className: 'votes' }));
    render(this.#view(question, name, choices, state), /** @type {HTMLElement} */ (host));
  }

  /** @param {HTMLFieldSetElement} question @param {string} name @param {HTMLInputElement[]} choices @param {VoteState | undefined} state */
  #view(question, name, choices, state) {
    const voters = state?.voters ?? 0;
    const { counts } = state ?? {};
    return html`
      <p role="status">${t`${voters} of ${this.#app.room?.class?.members ?? 0} have voted${state?.revealed ? '' : this.#app.may('present') ? t`; only you see how` : t`; how they did is shown with the answer`}.`}</p>
      ${counts ? html`<ol>${choices.map((choice, index) => html`<li><span>${choice.closest('label')?.textContent?.trim()}</span>
        <meter min="0" max=${Math.max(1, voters)} value=${counts[index] ?? 0}>${counts[index] ?? 0}</meter> <strong>${counts[index] ?? 0}</strong></li>`)}</ol>` : nothing}
      ${this.#app.may('present') && !state?.revealed ? html`<button type="button" class="button" @click=${() => this.#reveal(question, name)}>${t`Run it, and show the answer`}</button>` : nothing}`;
  }

  /** Ends the vote, and starts what the question is about: the next run of the lesson. @param {HTMLFieldSetElement} question @param {string} name */
  async #reveal(question, name) {
    if (!await this.#app.try(() => reveal(name))) return;
    const cards = [...this.#article.querySelectorAll('.run-card .run-button')];
    const next = cards.find((card) => question.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (next instanceof HTMLElement) next.click();
  }
}
