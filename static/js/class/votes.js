// In a class the questions of a lesson are votes: students choose, the presenter runs what
// is asked, sees how many chose what, and then shows the answer to all.

import { closeVote, reveal, vote } from '../source/api.js';
import { html, nothing, render } from '../lit.js';
import { t } from '../text/language.js';
import { textOf } from './sections.js';

/** @import { VoteState } from '../types.d.ts' */
/** @import { App } from '../shell/app.js' */

/** What is asked, and how the vote on it stands. @typedef {{ name: string, text: string, choices: string[], right: number, state: VoteState | undefined }} Asked */

export class Votes {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #article;
  /** The last vote is told; another waits for it, or an older one could come later and count. @type {Promise<unknown>} */ #told = Promise.resolve();
  /** What was chosen here, by question, until the server says so, too. @type {Map<string, number>} */ #chosen = new Map();

  /** @type {(card: HTMLElement) => void} */ #run;

  /** @param {App} app @param {HTMLElement} article the lesson @param {(card: HTMLElement) => void} run starts what a card of the lesson is for */
  constructor(app, article, run) {
    this.#app = app;
    this.#article = article;
    this.#run = run;
    article.addEventListener('change', ({ target }) => {
      const chosen = target instanceof HTMLInputElement && target.closest('.predict') ? target : undefined;
      if (!chosen || !app.may('vote')) return;
      const [name, value] = [chosen.name, Number(chosen.value)];
      this.#chosen.set(name, value);
      this.#told = this.#told.catch(() => {}).then(async () => {
        if (!await app.try(() => vote(name, value))) this.#chosen.delete(name);
      });
    });
  }

  draw() {
    for (const question of this.#article.querySelectorAll('fieldset.predict')) {
      if (question instanceof HTMLFieldSetElement) this.#draw(question);
    }
  }

  /** A question of the lesson that is here, by its name. @param {string} name @returns {Asked | undefined} */
  find(name) {
    const question = [...this.#article.querySelectorAll('fieldset.predict')].find((each) => each.querySelector('input')?.name === name);
    return question && {
      name, text: textOf(question.querySelector('legend')?.lastChild), choices: [...question.querySelectorAll('.predict-choice')].map(textOf),
      right: [...question.querySelectorAll('.predict-answers li')].findIndex((answer) => answer.matches('.predict-right')), state: this.#stateOf(name),
    };
  }

  /** @param {string} name */
  #stateOf(name) {
    return this.#app.room?.class?.votes?.find((each) => each.question === name);
  }

  /** @param {HTMLFieldSetElement} question */
  #draw(question) {
    const choices = [...question.querySelectorAll('input')];
    const name = choices[0]?.name ?? '';
    const state = this.#stateOf(name);
    const answers = /** @type {HTMLDetailsElement} */ (question.querySelector('.predict-answers'));
    answers.hidden = !state?.revealed && !this.#app.may('present');
    if (state?.revealed && !question.classList.contains('is-revealed')) answers.open = true;
    question.classList.toggle('is-revealed', state?.revealed ?? false);
    if (state?.mine === this.#chosen.get(name)) this.#chosen.delete(name);
    const own = this.#chosen.get(name) ?? state?.mine;
    for (const choice of choices) {
      choice.disabled = state?.closed ?? false;
      if (own === Number(choice.value)) choice.checked = true;
    }
    let host = question.querySelector('.votes');
    if (!host) answers.before(host = Object.assign(document.createElement('div'), { className: 'votes' }));
    render(this.#view(question, name, choices.map((choice) => textOf(choice.closest('label'))), state), /** @type {HTMLElement} */ (host));
  }

  /** @param {HTMLFieldSetElement} question @param {string} name @param {string[]} choices @param {VoteState | undefined} state */
  #view(question, name, choices, state) {
    const presents = this.#app.may('present');
    return html`
      <p role="status">${votersWords(state, this.#app.room?.class?.members ?? 0)}${state?.revealed ? nothing : presents ? t` Only you see how.` : t` How they did is shown with the answer.`}</p>
      ${state?.counts ? barsView(choices, state, -1) : nothing}
      ${presents && !state?.revealed ? this.#stepsView(question, name, state) : nothing}`;
  }

  /** Run, then reveal: what the question is about first, its answer when that has been seen. @param {HTMLElement} question @param {string} name @param {VoteState | undefined} state */
  #stepsView(question, name, state) {
    const run = cardOf(question);
    const happened = question.hasAttribute('data-happened');
    const act = (/** @type {(name: string) => Promise<unknown>} */ does) => () => void this.#app.try(() => does(name));
    return html`<p class="vote-steps">
        ${run ? html`<button type="button" class=${`button${happened ? '' : ' primary'}`} @click=${() => this.#run(run)}>${t`Run it`}</button>` : nothing}
        <button type="button" class=${`button${happened ? ' primary' : ''}`} @click=${act(reveal)}>${t`Reveal`}</button>
        ${state?.closed ? nothing : html`<button type="button" class="button" @click=${act(closeVote)}>${t`Close the vote`}</button>`}</p>
      <p class="vote-happened" role="status">${happened ? t`It has happened: reveal the answer.` : nothing}</p>`;
  }
}

/** How many have voted, and whether more may. @param {VoteState | undefined} state @param {number} members */
export const votersWords = (state, members) => `${t`${state?.voters ?? 0} of ${members} have voted.`}${state?.closed && !state.revealed ? t` The vote is closed.` : ''}`;

/** The votes as bars. @param {string[]} choices @param {VoteState} state with its counts @param {number} right the choice that is marked as right, or -1 */
export const barsView = (choices, { voters, counts = [] }, right) => html`<ol class="vote-bars">${choices.map((choice, index) => html`<li class=${index === right ? 'is-right' : ''}>
  <span>${index === right ? html`<span aria-hidden="true">✓ </span><span class="unseen">${t`Right: `}</span>` : nothing}${choice}</span>
  <meter aria-hidden="true" min="0" max=${Math.max(1, voters)} .value=${counts[index] ?? 0}></meter> <strong>${counts[index] ?? 0}</strong></li>`)}</ol>`;

/** The run card that a question is about: the next one, or else the last one before. @param {HTMLElement} question @returns {HTMLElement | undefined} */
function cardOf(question) {
  const { scenario = '' } = JSON.parse(question.dataset['asked'] ?? '{}');
  const cards = [...question.parentElement?.querySelectorAll(`.run-card[data-scenario="${CSS.escape(scenario)}"]`) ?? []];
  const next = cards.find((card) => question.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING) ?? cards.at(-1);
  return next instanceof HTMLElement ? next : undefined;
}
