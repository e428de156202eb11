// The goals of a lesson beside the recordings in which they are reached: each step of a
// goal is ticked as the recording comes to it. Nothing of that counts as the reader's.

import { html, nothing, render } from '../../lit.js';
import { createJudging, judge, verdictOf } from '../../model/goal.js';
import { goalStates, words as exercise } from '../../lesson/exercise-words.js';
import { clock } from '../../text/format.js';
import { t } from '../../text/language.js';
import { words } from '../../text/site.js';

/** @import { Goal, Judging, Verdict } from '../../model/goal.js' */
/** @import { Played } from '../player.js' */

/** A goal, and how far its recording has been judged. */
class Solution {
  /** @type {Judging | undefined} */ judging;
  judged = 0;
  /** The recording of it that is judged. @type {unknown} */ playback;
  said = '';

  /** @param {HTMLElement} element the goal */
  constructor(element) {
    this.element = element;
    this.recording = element.querySelector('[data-recording]')?.getAttribute('data-recording') ?? '';
    /** @type {Goal} */ this.goal = JSON.parse(element.dataset['goal'] ?? '{}');
    this.state = Object.assign(document.createElement('p'), { className: 'goal-why', hidden: true });
    this.spoken = Object.assign(document.createElement('p'), { className: 'unseen' });
    this.spoken.setAttribute('role', 'status');
    element.querySelector('.goal-steps')?.after(this.state, this.spoken);
    this.steps = [...element.querySelectorAll('.goal-steps li')].map((step) => {
      const told = Object.assign(document.createElement('span'), { className: 'goal-done' });
      step.prepend(told);
      return { step, told };
    });
  }
}

export class Solutions {
  /** @type {Solution[]} */ #solutions;
  /** @type {(seq: number) => void} */ #seek;
  #drawn = '';

  /** @param {HTMLElement} article @param {(seq: number) => void} seek goes to an event of the recording */
  constructor(article, seek) {
    this.#seek = seek;
    this.#solutions = [...article.querySelectorAll('.goal')].map((element) => new Solution(/** @type {HTMLElement} */ (element)));
  }

  /** Draws how the goals stand at the playhead. @param {Played} played @param {number} count how many events have happened there */
  draw(played, count) {
    const shown = this.#solutions.find(({ recording }) => recording === played.run?.id);
    const verdict = shown && verdictAt(shown, played, count);
    const drawn = JSON.stringify([shown?.recording, verdict]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const solution of this.#solutions) this.#drawOne(solution, solution === shown ? verdict : undefined, played);
  }

  /** @param {Solution} solution @param {Verdict | undefined} verdict nothing where another recording is shown @param {Played} played */
  #drawOne(solution, verdict, { playback }) {
    const { element, goal, state, spoken, steps, said } = solution;
    const met = verdict?.state === 'met';
    const time = (/** @type {number} */ seq) => clock(playback.log.event(seq - 1)?.at ?? 0);
    element.classList.toggle('is-met', met);
    for (const [index, { step, told }] of steps.entries()) {
      const seq = verdict?.done[index] ?? 0;
      step.classList.toggle('is-done', seq > 0);
      render(verdict ? html`<span class="goal-mark" aria-hidden="true">${seq ? '✓' : '○'}</span><span class="unseen">${seq ? t`Done: ` : t`To do: `}</span>${
        seq ? html`<button type="button" class="goal-time" @click=${() => this.#seek(seq)}>${exercise.seeDone(time(seq))}</button>` : nothing}` : nothing, told);
    }
    state.hidden = !verdict;
    if (!verdict) return;
    const { mark, name } = goalStates[met ? 'met' : 'not-yet'];
    const why = met ? words.met(time(Math.max(...verdict.done))) : words.next(goal.steps[verdict.done.indexOf(0)]?.is ?? '');
    render(html`<span class="goal-mark" aria-hidden="true">${mark}</span> <strong>${name}${t`.`}</strong> ${why}`, state);
    if (said && said !== why) spoken.textContent = name + t`.` + t` ` + why;
    solution.said = why;
  }
}

/** Judges on to the playhead; where that has gone back, anew. @param {Solution} solution @param {Played} played @param {number} count */
function verdictAt(solution, { run, playback }, count) {
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
