// A lesson as its reader sees it: what each goal asks for, and what each task says to do,
// out of the page itself. The page says in words what it knows as acts; both are read, so
// that words that do not fit are found.
import assert from 'node:assert/strict';
import { shownLine } from '../../js/lesson/own-znodes.js';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Act } from '../../js/lesson/perform-acts.js' */

/** @typedef {{ act: Act, says: string, button: number }} Told says: what the page tells of it, empty where that is a line or nothing; button: which of the task's buttons types it */
/** @typedef {{ element: Locator, told: Told[] }} Task */
/** Card: the title of the run that it is done in; anew: the lesson says to run it, whatever runs. @typedef {{ key: string, card: string, anew: boolean, tasks: Task[] }} Goal */

/** The goals of the lesson that is shown, in order. @param {Page} page @returns {Promise<Goal[]>} */
export async function goalsOf(page) {
  const found = await page.locator('#lesson-article .lesson').evaluate((lesson) => {
    /** @type {{ title: string, scenario: string }[]} */ const cards = [];
    /** @type {{ key: string, card: string, anew: boolean, tasks: number[] }[]} */ const goals = [];
    /** @type {number[]} */ let tasks = [];
    let [count, named] = [0, ''];
    for (const part of lesson.children) {
      const data = /** @type {HTMLElement} */ (part).dataset;
      if (/^H[1-3]$/.test(part.tagName)) named = '';
      else if (part.matches('.run-card')) cards.push({ title: part.querySelector('h3')?.textContent ?? '', scenario: data['scenario'] ?? '' });
      else if (part.matches('.task')) tasks.push(count++);
      else if (part.matches('.goal')) {
        const own = cards.findLast(({ scenario }) => scenario === data['scenario']);
        goals.push({ key: data['check'] ?? '', card: named || own?.title || '', anew: named !== '', tasks });
        tasks = [];
      } else for (const bold of part.querySelectorAll('strong')) if (cards.some(({ title }) => title === bold.textContent)) named = bold.textContent ?? '';
    }
    return goals;
  });
  const goals = [];
  for (const { key, card, anew, tasks } of found) goals.push({ key, card, anew, tasks: await Promise.all(tasks.map((index) => taskOf(page.locator('.lesson .task').nth(index)))) });
  return goals;
}

/** @param {Locator} element @returns {Promise<Task>} */
async function taskOf(element) {
  const { acts, parts } = await element.evaluate((task) => ({
    acts: /** @type {Act[]} */ (JSON.parse(/** @type {HTMLElement} */ (task).dataset['acts'] ?? '[]')),
    parts: [...task.querySelectorAll('.task-answer > p:not(.own-number), .type-line')].flatMap((part) => (part.matches('.type-line') ? { line: part.previousSibling?.textContent ?? '' }
      : part.nextElementSibling?.tagName === 'PRE' ? [] : { says: part.textContent ?? '' })),
  }));
  let [next, typed] = [0, 0];
  const told = acts.map((act, index) => {
    const part = parts[next];
    if (typeof act === 'string') {
      assert.deepEqual(part, { line: shownLine(act) }, 'a line of the task has a button that types it');
      next++;
      return { act, says: '', button: typed++ };
    }
    const until = (/** @type {number} */ end) => (end < 0 ? Infinity : end);
    const sentences = until(parts.slice(next).findIndex((each) => 'line' in each));
    const breaks = acts.slice(index, index + until(acts.slice(index).findIndex((each) => typeof each === 'string'))).filter((each) => typeof each !== 'string' && each.break).length;
    const tells = Boolean(act.break) || Math.min(sentences, parts.length - next) > breaks; // a wait may need no words
    return { act, says: tells && part && 'says' in part ? (next++, part.says ?? '') : '', button: -1 };
  });
  assert.equal(next, parts.length, 'each sentence is of an act');
  return { element, told };
}
