// The lesson beside the lanes: fetched as the document that it is, and its run
// cards wired to the playground.

import { lessonOf } from '../play/address.js';
import { fetchLesson, place, Refused } from '../source/api.js';
import { wireLessonPane } from './pane.js';
import { language, t } from '../text/language.js';
import { keepPlace, turnToPlace, turnToScenario, wirePredictions } from './reader.js';
import { byId } from '../ui/dom.js';

/** @import { Start } from '../source/api.js' */
/** @import { LessonEntry } from '../types.d.ts' */

export class LessonPanel {
  /** @type {HTMLSelectElement} */ #select;
  /** @type {HTMLElement} */ #article;
  /** @type {(start: Start) => void} */ #run;
  /** @type {() => void} */ #came;
  /** @type {LessonEntry[]} */ #lessons = [];
  #shown = '';
  /** The lesson whose text is here: what is shown may still be on its way. */ #here = '';

  /**
   * @param {(start: Start) => void} run called by a run card
   * @param {(slug: string) => void} chose called when the visitor picks a lesson
   * @param {() => void} came called when the text of a lesson has come: there may be something to draw in it
   */
  constructor(run, chose, came) {
    this.#run = run;
    this.#came = came;
    this.#select = /** @type {HTMLSelectElement} */ (byId('lesson-select'));
    this.#article = byId('lesson-article');
    this.#select.addEventListener('change', () => chose(this.#select.value));
    this.#article.addEventListener('click', (event) => this.#clicked(event, chose));
    keepPlace(this.#article, () => this.#here);
    wireLessonPane();
  }

  /** The lesson that is shown, or on its way. */
  get slug() {
    return this.#shown;
  }

  /** The lesson whose text is here, or empty. */
  get here() {
    return this.#here;
  }

  /** @param {LessonEntry[]} lessons in the order of the course */
  list(lessons) {
    this.#lessons = lessons;
    this.#select.replaceChildren(...this.#lessons.map((lesson, index) => new Option(`${index + 1}. ${lesson.title}`, lesson.slug)));
    this.#select.value = this.#shown;
  }

  /**
   * Shows a lesson where the reader left it, or at the section in which a scenario is
   * run; the same lesson again stays where it is, unless a scenario is asked for.
   * @param {string} slug @param {string} [scenario]
   */
  async show(slug, scenario = '') {
    if (slug === this.#here) turnToScenario(this.#article, scenario);
    if (!slug || slug === this.#shown) return;
    this.#shown = slug;
    this.#here = '';
    this.#select.value = slug;
    const article = await fetchLesson(slug).catch(explain);
    if (this.#shown !== slug) return;
    wirePredictions(article);
    this.#article.replaceChildren(article, ...this.#next());
    if (!turnToScenario(this.#article, scenario)) turnToPlace(this.#article, slug);
    this.#here = slug;
    this.#came();
  }

  /** The first card of the lesson that runs a scenario. @param {string} scenario @returns {HTMLElement | null} */
  cardOf(scenario) {
    return this.#article.querySelector(`.run-card[data-scenario="${CSS.escape(scenario)}"]`);
  }

  /** Starts what a card of the lesson is for. @param {HTMLElement} card */
  run(card) {
    this.#run(startOf(card.dataset));
  }

  /** The way on at the end of a lesson. @returns {HTMLElement[]} */
  #next() {
    const next = this.#lessons[this.#lessons.findIndex(({ slug }) => slug === this.#shown) + 1];
    if (!next) return [];
    const link = Object.assign(document.createElement('a'), { className: 'button lesson-on', href: `${place.inLobby ? '' : '../'}lessons/${language.code}/${next.slug}`, textContent: t`Next lesson: ${next.title}` });
    return [link];
  }

  /** @param {MouseEvent} event @param {(slug: string) => void} chose */
  #clicked(event, chose) {
    const target = /** @type {Element} */ (event.target);
    const card = target.closest('.run-button')?.closest('.run-card');
    if (card instanceof HTMLElement) this.run(card);
    const slug = modified(event) ? '' : lessonOf(target.closest('a')?.getAttribute('href') ?? '');
    if (!slug) return;
    event.preventDefault();
    chose(slug);
  }
}

/** Whether a click asks the browser for a tab, a window or a file. @param {MouseEvent} event */
const modified = (event) => event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/**
 * What a run card asks for.
 * @param {DOMStringMap} data
 * @returns {Start}
 */
export function startOf(data) {
  /** @type {Start} */
  const start = { scenario: data['scenario'] ?? '' };
  if (data['clients']) start.clients = Number(data['clients']);
  if (data['delay']) start.delay = data['delay'];
  if (data['seed']) start.seed = Number(data['seed']);
  return start;
}

/** @param {unknown} failure */
function explain(failure) {
  if (!(failure instanceof Refused)) throw failure;
  return Object.assign(document.createElement('p'), { textContent: failure.message });
}
