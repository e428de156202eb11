// The tasks and goals of the lesson that is shown: each goal says how it stands, why,
// and where in the run that is to be seen. Loaded with the first lesson that has any, or
// a question.

import { html, nothing, render } from '../lit.js';
import { createJudging, judge, skip, verdictOf } from '../model/goal.js';
import { reasons, goalStates, words } from './exercise-words.js';
import { clock } from '../text/format.js';
import { language, t } from '../text/language.js';
import { Consoles } from './consoles.js';
import { performActs } from './perform-acts.js';
import { Predictions } from './predictions.js';
import { clean, exported, imported, openedAt, show, solve, solvedAt, wasShown } from './progress.js';
import { filledLine, ownZnodes, shownLine } from './own-znodes.js';
import { wireLines } from './typed-lines.js';

/** @import { App } from '../shell/app.js' */
/** @import { ConsolePanel } from '../panel/console/console-panel.js' */
/** @import { Goal, Judging, Verdict } from '../model/goal.js' */
/** @import { GoalState } from './exercise-words.js' */
/** @import { Act } from './perform-acts.js' */
/** @import { OwnLine } from './typed-lines.js' */

/**
 * @typedef {object} ExerciseActions
 * @property {(seq: number) => void} seek goes to an event of the run
 * @property {() => Promise<ConsolePanel>} openConsole
 * @property {(line: string) => void} type a line at the console
 * @property {() => void} changed
 * @property {() => void} progressed goals have been met
 * @property {() => ConsolePanel | undefined} console once it has been opened
 */

/** @typedef {{ state: GoalState, why: string, at: number, done: number[] }} Told at: the number of the event that shows why, or 0 */

/** A goal of the lesson, and what the log said of it so far. */
class Card {
  /** @type {Judging | undefined} */ judging;
  /** How much of the log has been judged. */ judged = 0;
  /** How much of it was there before the lesson was opened. */ before = 0;
  /** Something was done in that. */ early = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.key = element.dataset['check'] ?? '';
    this.scenario = element.dataset['scenario'] ?? '';
    /** @type {Goal} */ this.goal = JSON.parse(element.dataset['goal'] ?? '{}');
    this.state = Object.assign(document.createElement('div'), { className: 'goal-state' });
    this.spoken = Object.assign(document.createElement('p'), { className: 'unseen' });
    this.spoken.setAttribute('role', 'status');
    element.querySelector('.goal-early')?.before(this.state, this.spoken);
    this.steps = [...element.querySelectorAll('.goal-steps li')].map((step) => {
      const told = Object.assign(document.createElement('span'), { className: 'goal-done' });
      step.prepend(told);
      return { step, told };
    });
    this.said = '';
  }
}

export class Exercises {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #article;
  /** @type {ExerciseActions} */ #actions;
  /** @type {Card[]} */ #cards = [];
  /** The keys of all goals of the lesson, those of challenges as well. @type {string[]} */ #keys = [];
  /** @type {{ place: HTMLElement, acts: Act[], card: Card | undefined }[]} */ #tasks = [];
  /** @type {OwnLine[]} */ #ownLines = [];
  #foot = document.createElement('section');
  /** What has come of loading a file. */ #news = '';
  /** @type {unknown} */ #playback;
  #start = 0;
  #consoles = new Consoles();
  /** @type {Predictions} */ #predictions;
  #drawn = '';

  /** @param {App} app @param {HTMLElement} article @param {ExerciseActions} actions */
  constructor(app, article, actions) {
    this.#app = app;
    this.#article = article;
    this.#actions = actions;
    this.#predictions = new Predictions(app, article, this.#consoles, actions.changed);
  }

  /** Takes up the lesson that has come, once. */
  wire() {
    this.#predictions.wire();
    const lesson = this.#article.querySelector('.lesson');
    if (lesson?.contains(this.#foot)) return this.#actions.changed();
    this.#cards = [...this.#article.querySelectorAll('.goal')].map((element) => new Card(/** @type {HTMLElement} */ (element)));
    this.#keys = [...this.#article.querySelectorAll('.goal, .challenge')].map((element) => /** @type {HTMLElement} */ (element).dataset['check'] ?? '');
    this.#tasks = [...this.#article.querySelectorAll('.task')].map((element) => {
      const place = Object.assign(document.createElement('div'), { className: 'task-enter' });
      element.querySelector('.task-answer')?.append(place);
      const acts = JSON.parse(/** @type {HTMLElement} */ (element).dataset['acts'] ?? '[]');
      return { place, acts, card: this.#cards.find((card) => element.compareDocumentPosition(card.element) & Node.DOCUMENT_POSITION_FOLLOWING) };
    });
    this.#foot = Object.assign(document.createElement('section'), { className: 'progress' });
    this.#foot.setAttribute('aria-label', t`Progress#course`);
    if (this.#keys.length) lesson?.append(this.#foot);
    this.#ownLines = wireLines(this.#article, this.#actions.type);
    this.#drawn = '';
    this.#actions.changed();
  }

  /** Whether the visitor has begun a goal in this run, and not met it. */
  get begun() {
    const { run } = this.#app;
    return this.#cards.some(({ key, judging, goal: { steps }, scenario }) => {
      if (!judging || scenario !== run?.scenario || solvedAt(key)) return false;
      const { state, done } = verdictOf(judging);
      return state === 'not-yet' && steps.some(({ where }, index) => done[index] && (where.by === 'you' || where.kind === 'fault.injected'));
    });
  }

  /** Whether the lesson asks for nothing more in this run. */
  get over() {
    const { run } = this.#app;
    return this.#cards.length > 0 && this.#cards.every(({ key, scenario }) => scenario !== run?.scenario || solvedAt(key));
  }

  /** Draws what is new. */
  draw() {
    const { playback, run } = this.#app;
    if (run && this.#consoles.look(run.id, playback.log, this.#actions.console()?.client)) this.#playback = undefined;
    this.#predictions.draw();
    this.#fillLines();
    const told = sayOnce(this.#cards.map((card) => this.#tell(card)));
    const tried = this.#tasks.map(({ card }) => Boolean(card?.judging?.tried));
    const drawn = JSON.stringify([told, tried, this.#met, this.#news, playback.log.start]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const [index, card] of this.#cards.entries()) this.#drawCard(card, /** @type {Told} */ (told[index]));
    for (const [index, task] of this.#tasks.entries()) render(this.#taskView(task, tried[index] ?? false), task.place);
    if (this.#keys.length) render(this.#footView(), this.#foot);
  }

  /** Puts the numbers of the reader's znodes into the lines that ask for them. */
  #fillLines() {
    if (!this.#ownLines.length) return;
    const { lane = '', client = 0 } = this.#actions.console()?.client ?? {};
    const own = ownZnodes(this.#app.view.lanes.find(({ info }) => info.name === lane), client);
    for (const { line, place } of this.#ownLines) {
      const words = filledLine(line, own) ?? shownLine(line);
      if (place.data !== words) place.data = words;
    }
  }

  /** How a goal stands. @param {Card} card @returns {Told} */
  #tell(card) {
    const { run, recordingName } = this.#app;
    const met = solvedAt(card.key);
    const verdict = run && !recordingName && run.scenario === card.scenario ? this.#judge(card) : undefined;
    const done = verdict?.done ?? card.goal.steps.map(() => 0);
    if (verdict?.state === 'met' && run && wasShown(card.key, run.id) && !met) return { state: 'shown', why: words.shown, at: 0, done };
    if (verdict?.state === 'met') {
      if (solve(card.key, new Date())) this.#actions.progressed();
      return { state: 'met', why: words.met, at: 0, done };
    }
    if (met) return { state: 'met', why: words.metBefore(new Date(met).toLocaleDateString(language.code, { dateStyle: 'long' })), at: 0, done };
    if (recordingName) return { state: 'cannot-tell', why: reasons.recorded, at: 0, done };
    if (!verdict) return { state: 'to-begin', why: reasons[run ? 'other' : 'none'], at: 0, done };
    return { state: verdict.state, why: whyOf(card.goal, verdict) + (card.early && !done.some(Boolean) ? t` ` + words.fromNow : ''), at: verdict.at, done };
  }

  /** Judges what has come since. @param {Card} card @returns {Verdict} */
  #judge(card) {
    const { playback } = this.#app;
    if (playback !== this.#playback || playback.log.start !== this.#start) {
      this.#playback = playback;
      this.#start = playback.log.start;
      for (const each of this.#cards) each.judging = undefined;
    }
    if (!card.judging) {
      const { id = '', lanes = [], events = 0 } = this.#app.run ?? {};
      card.judging = createJudging(card.goal, lanes, this.#consoles.isMine);
      if (playback.log.start) card.judging.trouble = 'cut';
      card.judged = playback.log.start;
      const now = Math.max(events, playback.log.length); // the log may still come, and the run is told when its state changes
      card.before = openedAt(card.key.split('/')[0] ?? '', id, now);
      card.early = false;
    }
    for (; card.judged < playback.log.length; card.judged++) {
      const event = playback.log.event(card.judged);
      if (!event) continue;
      if (event.seq > card.before) judge(card.judging, event);
      else {
        skip(card.judging, event);
        card.early ||= card.judging.tried;
        card.judging.tried = false;
      }
    }
    return verdictOf(card.judging);
  }

  /** @param {Card} card @param {Told} told */
  #drawCard(card, { state, why, at, done }) {
    const { mark, name } = goalStates[state];
    card.element.classList.toggle('is-met', state === 'met');
    card.element.dataset['state'] = state;
    render(html`<p class="goal-why"><span class="goal-mark" aria-hidden="true">${mark}</span> <strong>${name}${t`.`}</strong> ${why}</p>
      ${at ? this.#instantView(at, words.seeWhy, 'goal-see') : nothing}`, card.state);
    for (const [index, { step, told }] of card.steps.entries()) {
      const seq = done[index] ?? 0;
      const isDone = seq > 0 || state === 'met';
      step.classList.toggle('is-done', isDone);
      step.toggleAttribute('hidden', !isDone && !done[index - 1] && isOnceMore(card.goal, index));
      render(html`<span class="goal-mark" aria-hidden="true">${isDone ? '✓' : '○'}</span><span class="unseen">${isDone ? t`Done: ` : t`To do: `}</span>${
        seq ? this.#instantView(seq, words.seeDone, 'goal-time') : nothing}`, told);
    }
    const now = name + t`.` + t` ` + why;
    if (card.said && now !== card.said) card.spoken.textContent = now;
    card.said = now;
  }

  /** What leads to an event. @param {number} seq @param {(time: string) => string} text @param {string} name */
  #instantView(seq, text, name) {
    const event = this.#app.playback.log.event(seq - 1);
    return event ? html`<button type="button" class=${name} @click=${() => this.#actions.seek(seq)}>${text(clock(event.at))}</button>` : nothing;
  }

  /** @param {{ acts: Act[], card: Card | undefined }} task @param {boolean} tried */
  #taskView({ acts, card }, tried) {
    const enter = async () => {
      const { run } = this.#app;
      if (!tried || !run || !card) return;
      show(card.key, run.id);
      const own = acts.some((act) => typeof act === 'string') ? await this.#actions.openConsole() : this.#actions.console();
      if (!await performActs(this.#app, acts, own)) this.#app.tell(words.notAll);
      this.#actions.changed();
    };
    return html`<button type="button" class="button" aria-disabled=${String(!tried)} @click=${enter}>${words.enter}</button>
      <span class="hint">${tried ? words.noCount : acts.some((act) => typeof act === 'string') ? words.tryFirst : words.breakFirst}</span>`;
  }

  get #met() {
    return this.#keys.filter((key) => solvedAt(key)).length;
  }

  #footView() {
    const url = `data:application/json;charset=utf-8,${encodeURIComponent(exported())}`;
    const load = async (/** @type {Event} */ event) => {
      const field = /** @type {HTMLInputElement} */ (event.target);
      const text = await field.files?.[0]?.text();
      field.value = '';
      if (text === undefined) return;
      const count = imported(text);
      this.#actions.progressed();
      this.#news = count === undefined ? words.noProgress : words.loaded(count);
      this.#again();
    };
    return html`<p>${words.progress(this.#met, this.#keys.length)}</p>
      <p class="progress-ways"><a class="button" download="zkplayground-progress.json" href=${url}>${words.save}</a>
        <label class="button">${words.load}<input class="unseen" type="file" accept=".json,application/json" @change=${load}></label>
        <a href="#clean-slate" @click=${(/** @type {Event} */ event) => { event.preventDefault(); this.clean(); }}>${words.clean}</a></p>
      <p role="status">${this.#news}</p>`;
  }

  /** Forgets what has been done, if the reader means it. What the present run shows counts no more. */
  clean() {
    if (!confirm(words.cleanAsk)) return;
    clean();
    const { run } = this.#app;
    for (const card of this.#cards) if (run && card.judging && verdictOf(card.judging).state === 'met') show(card.key, run.id);
    this.#news = '';
    this.#again();
  }

  #again() {
    this.#predictions.recall();
    this.#drawn = '';
    this.#actions.changed();
  }
}

/** Whether a step is the one before it once more. @param {Goal} goal @param {number} index */
const isOnceMore = ({ steps }, index) => index > 0 && steps[index]?.follows === true && steps[index]?.missing === steps[index - 1]?.missing;

/** @param {Goal} goal @param {Verdict} verdict */
function whyOf({ steps, mistakes = [] }, { reason, step, mistake }) {
  if (reason === 'step') return steps[step]?.missing ?? '';
  if (reason === 'mistake') return mistakes[mistake]?.why ?? '';
  return reason ? reasons[reason] : '';
}

/** Leaves out how a goal is begun where a goal before it says the same. @param {Told[]} told */
const sayOnce = (told) => told.map((each, index) => each.state === 'to-begin' && told.findIndex(({ why }) => why === each.why) < index ? { ...each, why: '' } : each);
