// The lesson beside the lanes: fetched as the document that it is, and its run
// cards wired to the playground.

import { fetchLesson, Refused } from './api.js';
import { wireLessonPlace } from './lesson-place.js';
import { byId } from './panels.js';

/** @import { Start } from './api.js' */
/** @import { LessonEntry } from '../types.d.ts' */

export class LessonPanel {
  /** @type {HTMLSelectElement} */ #select;
  /** @type {HTMLElement} */ #article;
  /** @type {(start: Start) => void} */ #run;
  #shown = '';

  /**
   * @param {(start: Start) => void} run called by a run card
   * @param {(slug: string) => void} chose called when the visitor picks a lesson
   */
  constructor(run, chose) {
    this.#run = run;
    this.#select = /** @type {HTMLSelectElement} */ (byId('lesson-select'));
    this.#article = byId('lesson-article');
    this.#select.addEventListener('change', () => chose(this.#select.value));
    this.#article.addEventListener('click', (event) => this.#clicked(event, chose));
    wireLessonPlace();
  }

  /** @param {LessonEntry[]} lessons */
  list(lessons) {
    const inOrder = lessons.toSorted((a, b) => a.order - b.order);
    this.#select.replaceChildren(...inOrder.map((lesson, index) => new Option(`${index + 1}. ${lesson.title}`, lesson.slug)));
    this.#select.value = this.#shown;
  }

  /** Shows a lesson; the same one again changes nothing. @param {string} slug */
  async show(slug) {
    if (!slug || slug === this.#shown) return;
    this.#shown = slug;
    this.#select.value = slug;
    const article = await fetchLesson(slug).catch(explain);
    if (this.#shown !== slug) return;
    this.#article.replaceChildren(article);
    this.#article.scrollTop = 0;
  }

  /** @param {MouseEvent} event @param {(slug: string) => void} chose */
  #clicked(event, chose) {
    const target = /** @type {Element} */ (event.target);
    const card = target.closest('.run-button')?.closest('.run-card');
    if (card instanceof HTMLElement) this.#run(startOf(card.dataset));
    const slug = modified(event) ? '' : lessonOf(target.closest('a')?.getAttribute('href') ?? '');
    if (!slug) return;
    event.preventDefault();
    chose(slug);
  }
}

/** Whether a click asks the browser for a tab, a window or a file. @param {MouseEvent} event */
const modified = (event) => event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/**
 * The lesson that a link leads to, or empty.
 * @param {string} href such as "../../lessons/en/herd-effect"
 */
export const lessonOf = (href) => /^(?:\.\.\/)*lessons\/en\/([a-z0-9-]+)$/.exec(href)?.[1] ?? '';

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
