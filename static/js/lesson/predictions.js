// The predictions of the lesson that is shown, held against the run: once that has shown
// what a question is about, its answer is told, in the lesson and over the lanes.
//
// It is told when the visitor stands at that moment, and then stays told in the lesson,
// also where the visitor goes back in time, loads the page anew or runs something else.
// Over the lanes it belongs to the moment.

import { html, nothing, render } from '../lit.js';
import { createJudging, judge, verdictOf } from '../model/goal.js';
import { numbersOf, valueOf } from '../model/measures.js';
import { titleOf } from '../text/format.js';
import { echoSentence, outcomes, words } from './prediction-words.js';
import { byId } from '../panel/panels.js';
import { keep, remember } from '../ui/theme.js';
import { toggleLesson } from './pane.js';

/** @import { Goal, Judging } from '../model/goal.js' */
/** @import { Event, InstantName } from '../events.d.ts' */
/** @import { MeasureName } from '../model/measures.js' */
/** @import { App } from '../shell/app.js' */
/** @import { Playback } from '../play/playback.js' */
/** @import { Measured, Outcome } from './prediction-words.js' */
/** @import { Run } from '../types.d.ts' */

/** Where the run comes from; without a server there is no room. @typedef {{ run: Run | null | undefined, playback: Playback, room?: App['room'] }} Source */
/** Which consoles count as the reader's, and how many of them are known. @typedef {{ count: number, isMine: (joined: Event) => boolean }} Hands */

/** What a lesson says of a question: the AskedRun of package lessons. @typedef {{ scenario: string, clients?: number, instant?: InstantName, goal?: Goal, measured?: Bound[] }} Asked */
/** @typedef {{ lane: string, figure: string, atLeast?: number, atMost?: number }} Bound */
/** What a run has shown of a question, as it is kept. @typedef {{ outcome: 'as-told' | 'measured', measured: Measured[] }} Shown */

/** How long an answer stands over the lanes, in microseconds of the run. */
const TOLD = 10e6;

/** The measures that a question can ask for, by the names that lessons have for them. @type {Record<string, MeasureName>} */
export const figures = { 'woken per release': 'wakeups', 'for nothing per release': 'wasted', 'requests per acquisition': 'requests' };

/** A question of the lesson, and what the run that is shown has told of it. */
class Question {
  /** @type {Judging | undefined} */ judging;
  /** How much of the log has been judged. */ judged = 0;
  /** When this run showed it, in microseconds. @type {number | undefined} */ at;
  /** What this run, or an earlier one, has shown. @type {Shown | undefined} */ shown;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Asked} */ this.asked = JSON.parse(element.dataset['asked'] ?? '{}');
    this.choices = [...element.querySelectorAll('input')];
    this.answers = [...element.querySelectorAll('.predict-answers li')];
    this.name = this.choices[0]?.name ?? '';
    this.host = Object.assign(document.createElement('div'), { className: 'predict-echo' });
    element.querySelector('.predict-answers')?.before(this.host);
    this.recall();
  }

  recall() {
    this.shown = JSON.parse(remember(`outcome ${this.name}`) ?? 'null') ?? undefined;
  }

  /** What of an answer the lesson says: its choice, or why it is right or wrong. @param {number} index @param {'text' | 'because'} what */
  words(index, what) {
    const [text, because] = this.answers[index]?.querySelectorAll('p') ?? [];
    const label = this.choices[index]?.closest('label');
    return (what === 'text' ? label : because ?? text)?.textContent?.trim() ?? '';
  }
}

export class Predictions {
  /** @type {Source} */ #source;
  /** @type {HTMLElement} */ #article;
  /** @type {Hands} */ #hands;
  /** @type {() => void} */ #changed;
  /** @type {Question[]} */ #questions = [];
  /** Of which run, with how much of it here and how many consoles known, questions have been looked at. @type {unknown[]} */ #looked = [];
  #echo = Object.assign(document.createElement('div'), { id: 'echo' });

  /** @param {Source} source @param {HTMLElement} article the lesson @param {Hands} hands @param {() => void} changed */
  constructor(source, article, hands, changed) {
    this.#source = source;
    this.#article = article;
    this.#hands = hands;
    this.#changed = changed;
    this.#echo.setAttribute('role', 'status');
    byId('caption').append(this.#echo);
    article.addEventListener('change', changed);
  }

  /** Takes up the lesson that has come, once. */
  wire() {
    const elements = /** @type {HTMLElement[]} */ ([...this.#article.querySelectorAll('.predict')]);
    if (elements.every((element, index) => element === this.#questions[index]?.element) && elements.length === this.#questions.length) return;
    this.#questions = elements.map((element) => new Question(element));
    this.#looked = [];
    this.#changed();
  }

  /** Draws what the run has shown, after the picture: so far, and not further, the visitor has seen it. */
  draw() {
    const { playback, run } = this.#source;
    const looked = [playback, playback.log.start, this.#hands.count];
    if (looked.some((each, index) => each !== this.#looked[index])) this.#begin(looked);
    for (const question of this.#questions) {
      if (run && question.at === undefined && this.#isAbout(question, run)) this.#look(question);
      this.#drawIn(question);
    }
    this.#drawOver();
  }

  /** Forgets what the lesson's questions were told. */
  recall() {
    for (const question of this.#questions) question.recall();
  }

  /** Looks at the run from its beginning. @param {unknown[]} looked */
  #begin(looked) {
    const again = looked[0] === this.#looked[0]; // the same run, of which more is known
    this.#looked = looked;
    for (const question of this.#questions) {
      question.judging = undefined;
      if (!again) question.at = undefined;
    }
  }

  /** @param {Question} question @param {Run} run */
  #isAbout({ asked }, run) {
    return run.scenario === asked.scenario && (!asked.clients || asked.clients === run.clients);
  }

  /** Looks whether the moment of a question has come where the visitor stands. @param {Question} question */
  #look(question) {
    const at = this.#momentOf(question);
    if (at === undefined) return;
    question.at = at;
    const bounds = question.asked.measured ?? [];
    const measured = bounds.flatMap((bound) => this.#measure(bound));
    const told = measured.length === bounds.length && bounds.every(({ atLeast = -Infinity, atMost = Infinity }, index) => {
      const { value } = /** @type {Measured} */ (measured[index]);
      return value >= atLeast && value <= atMost;
    });
    if (!told && !measured.length) return;
    question.shown = { outcome: told ? 'as-told' : 'measured', measured };
    keep(`outcome ${question.name}`, JSON.stringify(question.shown));
    this.#changed();
  }

  /** When that was, or undefined as long as it is to come. @param {Question} question */
  #momentOf(question) {
    const { view, log, count } = this.#source.playback;
    const { instant, goal } = question.asked;
    if (instant) return view.instants.find(({ name }) => name === instant)?.at;
    if (!goal) return view.counting ? undefined : view.at;
    if (!question.judging) {
      question.judging = createJudging(goal, this.#source.run?.lanes ?? [], this.#hands.isMine);
      question.judged = log.start;
    }
    for (; question.judged < count; question.judged++) {
      const event = log.event(question.judged);
      if (event) judge(question.judging, event);
    }
    const { state, done } = verdictOf(question.judging);
    return state === 'met' ? log.event(Math.max(...done) - 1)?.at : undefined;
  }

  /** @param {Bound} bound @returns {Measured[]} nothing if it cannot be measured */
  #measure({ lane, figure }) {
    const measured = this.#source.playback.view.lanes.find(({ info }) => info.name === lane);
    const name = figures[figure];
    const value = measured && name ? valueOf(name, numbersOf(measured)) : NaN;
    return measured && name && Number.isFinite(value) ? [{ name, lane: titleOf(measured.info).name, value }] : [];
  }

  /** How what the reader has chosen stands; undefined while nothing is told of it. @param {Question} question @returns {{ outcome: Outcome, sentence: string, because: string } | undefined} */
  #told(question) {
    const own = question.choices.findIndex(({ checked }) => checked);
    if (own < 0 || !question.shown || !this.#mayTell(question.name)) return undefined;
    const right = question.answers.findIndex((answer) => answer.matches('.predict-right'));
    const outcome = question.shown.outcome === 'measured' ? 'measured' : own === right ? 'right' : 'wrong';
    return {
      outcome, because: outcome === 'measured' ? '' : question.words(own, 'because'),
      sentence: echoSentence(outcome, question.words(own, 'text'), question.words(right, 'text'), question.shown.measured),
    };
  }

  /** Not before a class has been shown the answer. @param {string} name */
  #mayTell(name) {
    const { room } = this.#source;
    return !room?.class || room.class.votes?.find(({ question }) => question === name)?.revealed === true;
  }

  /** @param {Question} question */
  #drawIn(question) {
    const told = this.#told(question);
    question.element.classList.toggle('is-echoed', told !== undefined);
    question.element.toggleAttribute('data-happened', question.at !== undefined);
    render(told ? html`<p class=${`echo is-${told.outcome}`}>${toldView(told)}</p>${told.because ? html`<p>${told.because}</p>` : nothing}` : nothing, question.host);
  }

  /** Says over the lanes what was shown last, if the visitor stands there. */
  #drawOver() {
    const { playback } = this.#source;
    const here = playback.view.at;
    const last = this.#questions.flatMap((question) => {
      const { at = Infinity, element } = question;
      const told = at <= here && here < at + TOLD ? this.#told(question) : undefined;
      return told ? [{ at, element, told }] : [];
    }).sort((one, other) => other.at - one.at)[0];
    byId('caption').classList.toggle('with-echo', last !== undefined);
    render(last ? html`<p class=${`echo is-${last.told.outcome}`}>${toldView(last.told)}
      <button type="button" class="text-link" @click=${() => turnTo(last.element)}>${words.why}</button></p>` : nothing, this.#echo);
  }
}

/** Brings a question of the lesson into sight. @param {HTMLElement} question */
function turnTo(question) {
  if (!question.checkVisibility()) toggleLesson();
  question.scrollIntoView({ block: 'start' });
}

/** @param {{ outcome: Outcome, sentence: string }} told */
const toldView = ({ outcome, sentence }) => html`<span class="echo-mark" aria-hidden="true">${outcomes[outcome].mark}</span> <strong>${outcomes[outcome].name}.</strong> ${sentence}`;
