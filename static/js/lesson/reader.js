// What a reader has done with a lesson: how far it was read, and what was predicted.
// Both are kept for the next visit, where the browser keeps anything.

import { t } from '../text/language.js';
import { keep, remember } from '../ui/theme.js';

/** How far a block may stand above the edge and still be the one that is read, in pixels. */
const ABOVE = 4;

/** Keeps how far a lesson is read. @param {HTMLElement} scroller @param {() => string} shown the lesson, or empty */
export function keepPlace(scroller, shown) {
  scroller.addEventListener('scroll', () => {
    const slug = shown();
    const top = scroller.getBoundingClientRect().top;
    const index = blocksOf(scroller).findIndex((block) => block.getBoundingClientRect().bottom > top + ABOVE);
    if (slug && index >= 0) keep(`place ${slug}`, String(index));
  }, { passive: true });
}

/** Turns a lesson to where it was left, else to its beginning. @param {HTMLElement} scroller @param {string} slug */
export function turnToPlace(scroller, slug) {
  const block = blocksOf(scroller)[Number(remember(`place ${slug}`))];
  turnTo(scroller, block === blocksOf(scroller)[0] ? undefined : block);
}

/**
 * Turns a lesson to the section in which a scenario is run, if it has one. Says whether it has.
 * @param {HTMLElement} scroller @param {string} scenario
 */
export function turnToScenario(scroller, scenario) {
  const blocks = blocksOf(scroller);
  const card = blocks.findIndex((block) => block.dataset['scenario'] === scenario);
  if (card < 0) return false;
  turnTo(scroller, blocks.slice(0, card).findLast((block) => block.matches('h2')));
  return true;
}

/** @param {HTMLElement} scroller @param {HTMLElement | undefined} block nothing is the beginning */
function turnTo(scroller, block) {
  scroller.scrollTop = block ? scroller.scrollTop + block.getBoundingClientRect().top - scroller.getBoundingClientRect().top : 0;
}

/** The headings, paragraphs and cards of a lesson. @param {HTMLElement} scroller @returns {HTMLElement[]} */
const blocksOf = (scroller) => [...scroller.querySelectorAll('.lesson > *')].filter((block) => block instanceof HTMLElement);

/** Brings the reader's predictions back, and acknowledges and keeps new ones. @param {Element} article */
export function wirePredictions(article) {
  for (const question of article.querySelectorAll('fieldset.predict')) {
    const said = Object.assign(document.createElement('p'), { className: 'predict-said' });
    said.setAttribute('role', 'status');
    question.querySelector('.predict-answers')?.before(said);
    const choices = [...question.querySelectorAll('input')];
    const kept = remember(keyOf(choices[0]));
    for (const choice of choices) {
      choice.addEventListener('change', () => {
        keep(keyOf(choice), choice.value);
        acknowledge(question, said, choice);
      });
      if (kept !== choice.value) continue;
      choice.checked = true;
      acknowledge(question, said, choice);
    }
  }
}

/** @param {HTMLInputElement | undefined} choice */
const keyOf = (choice) => `predicted ${choice?.name}`;

/** @param {HTMLInputElement} choice */
const textOf = (choice) => choice.closest('label')?.textContent?.trim() ?? '';

/** What shows the answer to a question: a run or a task. @param {Element} question */
function nextOf(question) {
  let next = question.nextElementSibling;
  while (next && !next.matches('.run-card, .task')) next = next.nextElementSibling;
  return next;
}

/** @param {Element} question @param {Element} said @param {HTMLInputElement} choice */
function acknowledge(question, said, choice) {
  const isRun = nextOf(question)?.matches('.run-card');
  said.textContent = isRun ? t`Your prediction: ${textOf(choice)}. Now run it and see.` : t`Your prediction: ${textOf(choice)}. Now do it and see.`;
  for (const [index, answer] of question.querySelectorAll('.predict-answers li').entries()) answer.toggleAttribute('data-own', String(index) === choice.value);
  question.querySelector('[data-own]')?.setAttribute('data-own', t`(your prediction)`);
}
