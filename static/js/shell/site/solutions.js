// The goals of a lesson beside the recordings in which they are reached: each step of a
// goal is ticked as the recording comes to it. Nothing of that counts as the reader's.

import { html, nothing, render } from '../../lit.js';
import { createJudging, judge, verdictOf } from '../../model/goal.js';
import { standings } from '../../text/exercise.js';
import { clock } from '../../text/format.js';
import { words } from '../../text/site.js';

/** @import { Goal, Judging } from '../../model/goal.js' */
/** @import { Played } from '../player.js' */

class Solution {
  /** @type {Judging | undefined} */ judging;
  /** How many events have been judged, and of which recording. */ judged = 0;
  /** @type {unknown} */ playback;
  said = '';

  /** @param {HTMLElement} element the goal */
  constructor(element) {
    this.element = element;
    this.recording = element.querySelector('[data-recording]')?.getAttribute('data-recording') ?? '';
    /** @type {Goal} */ this.goal = JSON.parse(element.dataset['goal'] ?? '{}');
    this.state = Object.assign(document.createElement('p'), { className: 'goal-why', hidden: true });
    this.spoken = Object.assign(document.createElement('p'), { className: 'unseen' });
    this.spoken.setAttribute('role', 'status');
    element.querySelector('.goal-early')?.before(this.state, this.spoken);
    this.steps = [...element.querySelectorAll('.goal-steps li')].map((step) => {
      const told = Object.assign(document.createElement('span'), { className: 'goal-done' });
      step.prepend(told);
      return { step, told };
    });
  }
}

export class Solutions {
  /** @type {Solution[]} */ #solutions;
  /** @type {(index: number) => void} */ #seek;
  #drawn = '';

  /** @param {HTMLElement} article @param {(index: number) => void} seek goes to an event of the recording */
  constructor(article, seek) {
    this.#seek = seek;
    this.#solutions = [...article.querySelectorAll('.goal')].map((element) => new Solution(/** @type {HTMLElement} */ (element)));
  }

  /** Draws how the goals stand at the playhead. @param {Played} played @param {number} count how many events have happened there */
  draw(played, count) {
    const shown = this.#solutions.find(({ recording }) => recording === played.run?.id);
    const verdict = shown && this.#verdict(shown, played, count);
    const drawn = JSON.stringify([shown?.recording, verdict]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const solution of this.#solutions) this.#drawOne(solution, solution === shown ? verdict : undefined, played);
  }

  /** Judges on to the playhead; who has gone back begins anew. @param {Solution} solution @param {Played} played @param {number} count */
  #verdict(solution, { run, playback }, count) {
    if (!solution.judging || solution.playback !== playback || solution.judged > count) {
      solution.judging = createJudging(solution.goal, run?.lanes ?? []);
      solution.judged = 0;
      solution.playback = playback;
    }
    for (; solution.judged < count; solution.judged++) {
      const event = playback.log.event(solution.judged);
      if (event) judge(solution.judging, event);
    }
    return verdictOf(solution.judging);
  }

  /** @param {Solution} solution @param {import('../../model/goal.js').Verdict | undefined} verdict nothing where its recording is not shown @param {Played} played */
  #drawOne({ element, goal, state, spoken, steps, said }, verdict, { playback }) {
    const solution = /** @type {Solution} */ (this.#solutions.find((each) => each.element === element));
    const time = (/** @type {number} */ seq) => clock(playback.log.event(seq - 1)?.at ?? 0);
    const met = verdict?.state === 'met';
    element.classList.toggle('is-met', met);
    state.hidden = !verdict;
    for (const [index, { step, told }] of steps.entries()) {
      const seq = verdict?.done[index] ?? 0;
      step.classList.toggle('is-done', seq > 0);
      render(verdict ? html`<span class="goal-mark" aria-hidden="true">${seq ? '✓' : '○'}</span><span class="unseen">${seq ? 'Done: ' : 'To do: '}</span>${
        seq ? html`<button type="button" class="goal-time" @click=${() => this.#seek(seq - 1)}>${words.doneAt(time(seq))}</button>` : nothing}` : nothing, told);
    }
    if (!verdict) return;
    const { mark, name } = standings[met ? 'met' : 'not-yet'];
    const words_ = met ? words.met(time(Math.max(...verdict.done))) : words.next(goal.steps[verdict.done.indexOf(0)]?.is ?? '');
    render(html`<span class="goal-mark" aria-hidden="true">${mark}</span> <strong>${name}.</strong> ${words_}`, state);
    if (said && said !== words_) spoken.textContent = `${name}. ${words_}`;
    solution.said = words_;
  }
}
