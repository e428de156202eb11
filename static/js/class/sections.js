// The parts of a lesson that who presents can show to a class: its headings, questions and
// runs. Everybody's lesson is turned there, and the part is marked for a moment.

import { toggleLesson } from '../lesson/pane.js';
import { reducedMotion } from '../ui/theme.js';
import { t } from '../text/language.js';

/** @typedef {{ name: string, title: string, element: HTMLElement }} Section */

/** How long a part is marked, in milliseconds. */
const MARKED = 6000;

export class Sections {
  /** @type {HTMLElement} */ #article;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #unmark;
  /** Ends what keeps a part in its place. @type {AbortController | undefined} */ #moved;
  /** What the part is called that is marked now, or empty. */ marked = '';

  /** @param {HTMLElement} article the lesson */
  constructor(article) {
    this.#article = article;
  }

  /** What a part is called for people, or empty if the lesson that is here has none of the name. @param {string} name */
  titleOf(name) {
    return this.#all().find((each) => each.name === name)?.title ?? '';
  }

  /**
   * Puts a button into each part, or takes them away.
   * @param {((name: string) => void) | undefined} show undefined for who does not present
   * @param {string} current the part that was shown last
   */
  offer(show, current) {
    for (const { name, title, element } of this.#all()) {
      let button = element.querySelector('.show-section');
      if (!show) button?.remove();
      else if (!button) element[element.matches('.run-card, .predict') ? 'append' : 'prepend'](button = showButton(title, () => show(name)));
      button?.setAttribute('aria-current', String(name === current));
    }
  }

  /**
   * Turns the lesson to a part and marks it. Says whether there is nothing left to do: a
   * lesson that is out of sight stays so unless it is to be brought.
   * @param {string} name @param {boolean} bring @param {boolean} focus
   */
  turnTo(name, bring, focus) {
    const seen = this.#article.checkVisibility();
    if (!seen && !bring) return false;
    if (!seen) toggleLesson();
    const { element: part, title } = this.#all().find((each) => each.name === name) ?? {};
    if (!part) return true;
    this.#mark(part); // it leaves room for that
    this.marked = title ?? '';
    this.#stay(part, reducedMotion() ? 'auto' : 'smooth');
    if (focus) focusOn(part);
    return true;
  }

  /**
   * Turns to a part and keeps it in its place, until the reader moves: answers and goals that
   * come later make the lesson above it longer, on a slow machine long after the mark has gone.
   * @param {HTMLElement} part @param {ScrollBehavior} behavior of the first turn
   */
  #stay(part, behavior) {
    this.#moved?.abort();
    const moved = this.#moved = new AbortController();
    const turn = () => part.scrollIntoView({ block: 'start', behavior });
    turn();
    const growth = new ResizeObserver(() => {
      turn(); // the first time for what has come since, before there was a frame
      behavior = 'auto';
    });
    for (const each of this.#article.children) growth.observe(each);
    moved.signal.addEventListener('abort', () => growth.disconnect());
    for (const way of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(way, () => moved.abort(), { signal: moved.signal, passive: true });
  }

  /** @param {HTMLElement} part */
  #mark(part) {
    this.#article.querySelector('.is-shown')?.classList.remove('is-shown');
    part.classList.add('is-shown');
    clearTimeout(this.#unmark);
    this.#unmark = setTimeout(() => {
      part.classList.remove('is-shown');
      this.marked = '';
    }, MARKED);
  }

  /** @returns {Section[]} */
  #all() {
    const parts = [...this.#article.querySelectorAll('.lesson > :is(h1, h2, h3, .predict, .run-card)')];
    const [runs, headings] = ['.run-card', 'h1, h2, h3'].map((sort) => parts.filter((part) => part.matches(sort)));
    return parts.flatMap((element) => (element instanceof HTMLElement ? [{ ...describe(element, runs?.indexOf(element) ?? -1, headings?.indexOf(element) ?? -1), element }] : []));
  }
}

/**
 * The name is the same in every language.
 * @param {HTMLElement} part @param {number} run which of the lesson's runs it is, from 0 @param {number} heading which of its headings
 */
function describe(part, run, heading) {
  if (run >= 0) return { name: `run-${run + 1}`, title: t`Run: ${textOf(part.querySelector('h3'))}` };
  const question = part.querySelector('legend');
  return question ? { name: part.querySelector('input')?.name ?? '', title: t`Predict: ${brief(textOf(question.lastChild))}` } : { name: `heading-${heading + 1}`, title: headingOf(part) };
}

/** A question by its beginning. @param {string} text */
const brief = (text) => (text.length > 50 ? `${text.slice(0, text.lastIndexOf(' ', 50))} …` : text);

/** @param {Node | null | undefined} node */
export const textOf = (node) => node?.textContent?.trim() ?? '';

/** Of a heading, without the button that may be there. @param {HTMLElement} heading */
const headingOf = (heading) => [...heading.childNodes].filter((node) => !(node instanceof HTMLButtonElement)).map((node) => node.textContent).join('').trim();

/** @param {string} title @param {() => void} show */
function showButton(title, show) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'tool show-section', textContent: t`Show#class`, title: t`Show to the class` });
  button.setAttribute('aria-label', t`Show to the class: ${title}`);
  button.addEventListener('click', show);
  return button;
}

/** @param {HTMLElement} part */
function focusOn(part) {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}
