// The map of the course says which goals this browser has met.

import { solvedGoals } from '../lesson/progress.js';
import { restoreTheme } from '../ui/theme.js';

/** @param {ParentNode} within @param {string} selector */
const all = (within, selector) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);

/** Says something that only some hear, where the mark says it to all others. @param {string} words */
const unseen = (words) => Object.assign(document.createElement('span'), { className: 'unseen', textContent: `${words} ` });

/** @param {HTMLElement} lesson @param {Set<string>} met */
function markLesson(lesson, met) {
  const goals = all(lesson, '[data-goal]');
  const reached = goals.filter((goal) => met.has(goal.dataset['goal'] ?? ''));
  for (const goal of reached) {
    goal.classList.add('is-met');
    goal.prepend(unseen(goal.parentElement?.dataset['met'] ?? ''));
  }
  for (const done of all(lesson, '.map-done')) {
    if (goals.length && reached.length === goals.length) done.textContent = `✓ ${done.dataset['says']}`;
    else if (reached.length) done.textContent = `${reached.length}/${goals.length}`;
  }
}

restoreTheme();
const met = new Set(solvedGoals());
const lessons = all(document, '.map-lesson');
for (const lesson of lessons) markLesson(lesson, met);
const begun = Math.max(0, lessons.findIndex((lesson) => lesson.querySelector('.is-met'))); // a lesson before it may be new
const left = [...lessons.slice(begun), ...lessons.slice(0, begun)].find((lesson) => lesson.querySelector('[data-goal]:not(.is-met)'))?.querySelector('a');
for (const next of /** @type {HTMLAnchorElement[]} */ (all(document, '.map-next a'))) {
  if (!left) next.parentElement?.remove(); // all is done
  if (!left || !met.size) continue;
  next.href = left.href;
  next.textContent = `${next.dataset['says']}: ${left.textContent}`;
  next.lang = left.lang;
}
const goals = all(document, '[data-goal]');
for (const progress of all(document, '.map-progress')) {
  const { says = '', kept = '' } = progress.dataset;
  const count = goals.filter((goal) => goal.classList.contains('is-met')).length;
  progress.textContent = `${says.replace('{met}', String(count)).replace('{all}', String(goals.length))} ${kept}`;
}
