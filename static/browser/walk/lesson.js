// A lesson as its reader sees it: what each goal asks for, and what each task says to do,
// out of the page itself. The page says in words what it knows as acts; both are read, so
// that words that do not fit are found.
import assert from 'node:assert/strict';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Act } from '../../js/lesson/perform-acts.js' */

/** @typedef {{ act: Act, says: string, button: number }} Told says: what the page tells of it, empty where that is a line or nothing; button: which of the task's buttons types it */
/** @typedef {{ element: Locator, told: Told[] }} Task */
/** @typedef {{ key: string, card: string, tasks: Task[] }} Goal card: the title of the run that it is done in */

/** The goals of the lesson that is shown, in order. @param {Page} page @returns {Promise<Goal[]>} */
export async function goalsOf(page) {
  const found = await page.locator('#lesson-article .lesson').evaluate((lesson) => {
    /** @type {{ title: string, scenario: string }[]} */ const cards = [];
    /** @type {{ key: string, card: string, tasks: number[] }[]} */ const goals = [];
    /** @type {number[]} */ let tasks = [];
    let [count, named] = [0, ''];
    for (const part of lesson.children) {
      const data = /** @type {HTMLElement} */ (part).dataset;
      if (/^H[1-3]$/.test(part.tagName)) named = '';
      else if (part.matches('.run-card')) cards.push({ title: part.querySelector('h3')?.textContent ?? '', scenario: data['scenario'] ?? '' });
      else if (part.matches('.task')) tasks.push(count++);
      else if (part.matches('.goal')) {
        const own = cards.findLast(({ scenario }) => scenario === data['scenario']);
        goals.push({ key: data['check'] ?? '', card: named || own?.title || '', tasks });
        tasks = [];
      } else for (const bold of part.querySelectorAll('strong')) if (cards.some(({ title }) => title === bold.textContent)) named = bold.textContent ?? '';
    }
    return goals;
  });
  const goals = [];
  for (const { key, card, tasks } of found) goals.push({ key, card, tasks: await Promise.all(tasks.map((index) => taskOf(page.locator('.lesson .task').nth(index)))) });
  return goals;
}

/** @param {Locator} element @returns {Promise<Task>} */
async function taskOf(element) {
  const { acts, sentences, lines } = await element.evaluate((task) => {
    const parts = [...task.querySelectorAll('.task-answer > p')];
    return {
      acts: /** @type {Act[]} */ (JSON.parse(/** @type {HTMLElement} */ (task).dataset['acts'] ?? '[]')),
      sentences: parts.filter((part) => part.nextElementSibling?.tagName !== 'PRE').map((part) => part.textContent ?? ''),
      lines: [...task.querySelectorAll('.type-line')].map((button) => button.previousSibling?.textContent ?? ''),
    };
  });
  let [said, typed] = [0, 0];
  const told = acts.map((act, index) => {
    if (typeof act === 'string') {
      assert.equal(lines[typed], act, 'a line of the task has a button that types it');
      return { act, says: '', button: typed++ };
    }
    const breaks = acts.slice(index).filter((each) => typeof each !== 'string' && each.break).length;
    const tells = Boolean(act.break) || sentences.length - said > breaks; // a wait may need no words
    return { act, says: tells ? sentences[said++] ?? '' : '', button: -1 };
  });
  assert.equal(said, sentences.length, 'each sentence is of an act');
  return { element, told };
}
