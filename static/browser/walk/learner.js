// A learner who has nothing but the page, and does what a lesson says: reads the tasks,
// presses the buttons that they name, and types the lines that they show.
import assert from 'node:assert/strict';
import { Hand } from '../hand.js';
import { Breaker } from './breaker.js';
import { goalsOf } from './lesson.js';
import { Mender } from './mender.js';
import { Sight } from './sight.js';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Pattern } from '../../js/model/goal.js' */
/** @import { Way } from '../hand.js' */
/** @import { Fault } from './breaker.js' */
/** @import { Goal, Task } from './lesson.js' */
/** @import { Tried } from './wrong.js' */

/** How long a goal may take to be met once all is done, in milliseconds: sessions have to end, and paused clients to go on. */
const PATIENCE = 45_000;
/** How long a goal may take before the learner reads what it says to do again, and how often it does that. */
const [SOON, MOST] = [4000, 8];
/** A goal that says to enter the last line again, in the three languages. */
const again = /arrow up|上箭头键|стрелк/;
/** How long the page may take to say what it waits for. */
const PACE = 2000;

export class Learner {
  /** @type {Page} */ #page;
  /** @type {Hand} */ #hand;
  /** The run card that was pressed last. */ #card = '';
  /** @type {Sight} */ #sight;
  /** @type {Breaker} */ #breaker;
  /** After which event the next is looked for: what came of the last act. */ #since = 0;
  /** Whom a task has broken instead of the client that it names. @type {Map<number, number>} */ #instead = new Map();

  /** @param {Page} page @param {Way} way */
  constructor(page, way) {
    this.#page = page;
    this.#hand = new Hand(page, way);
    this.#sight = new Sight(page);
    this.#breaker = new Breaker(page, this.#hand);
  }

  /** Opens a lesson at the playground's front page and starts its first run, which leads to a room of the learner's own. @param {string} url @param {string} slug */
  async open(url, slug) {
    await this.#page.goto(`${url}/#lesson=${slug}`);
    const card = this.#page.locator('.run-card').first();
    this.#card = await card.locator('h3').textContent() ?? '';
    await card.locator('.run-button').click();
    await this.#page.waitForURL(/\/rooms\//);
    await this.#runs();
    await this.#page.locator('.lesson').locator('.goal-why').first().waitFor({ state: 'attached' });
    return goalsOf(this.#page);
  }

  /** The challenges of the lesson. */
  get mender() {
    return new Mender(this.#page, this.#hand);
  }

  /** Answers every question of the lesson, for better or worse. */
  async predict() {
    for (const question of await this.#page.locator('.lesson .predict').all()) await this.#hand.press(question.locator('.predict-choice').first());
  }

  /** Starts the run that a goal is done in. @param {string} title */
  async #run(title) {
    const run = this.#sight.run;
    const card = this.#page.locator('.run-card', { has: this.#page.getByRole('heading', { name: title, exact: true, includeHidden: true }) });
    await this.#hand.press(card.locator('.run-button'));
    const end = this.#page.locator('dialog.ask button').last();
    const another = this.#sight.turnsFrom(run);
    if (await Promise.race([another.then(() => false), end.waitFor().then(() => true, () => false)])) await this.#hand.press(end);
    await another;
    this.#card = title;
    await this.#page.waitForFunction((id) => document.querySelector('.lanes')?.innerHTML.includes(`/${id}/`), this.#sight.run);
    await this.#runs();
  }

  /** Waits until the first client is there. */
  async #runs() {
    await this.#page.locator('.lane .client:not(.is-absent, .is-connecting)').first().waitFor({ state: 'attached' });
  }

  /**
   * Meets a goal by what its tasks say. As it may have had bad luck, it tries once more in a
   * run of its own. Gives how often it tried.
   * @param {Goal} goal
   */
  async meet(goal) {
    if (goal.card !== this.#card) await this.#run(goal.card);
    if (await this.#try(goal)) return 1;
    const why = await this.#why(goal.key);
    await this.#run(goal.card);
    if (!await this.#try(goal)) assert.fail(`${goal.key} is not met: ${why} Once more: ${await this.#why(goal.key)}`);
    return 2;
  }

  /** @param {Goal} goal */
  async #try({ key, tasks }) {
    this.#since = this.#sight.now;
    this.#instead.clear();
    for (const task of tasks) if (!await this.#do(task, key)) return false;
    for (let tries = 1; !await this.#isMet(key, SOON) && tries < MOST && again.test(await this.#why(key)); tries++) await this.#again();
    return this.#isMet(key, PATIENCE);
  }

  /** @param {string} key @param {number} timeout */
  #isMet(key, timeout) {
    return this.#goal(key).and(this.#page.locator('[data-state=met]')).waitFor({ state: 'attached', timeout }).then(() => true, () => false);
  }

  /** Enters the last line once more when somebody holds, by the key that the goal names. */
  async #again() {
    await this.#page.locator('.lane').first().locator('.client.is-holds').first().waitFor({ state: 'attached', timeout: PATIENCE });
    const before = await this.#before();
    const field = this.#page.locator('.console-line input');
    await field.press('ArrowUp');
    await field.press('Enter');
    await this.#entered(before);
  }

  /** Tries it in a way that the goal calls wrong, and hears why that is not it. Says whether there was anything to try. @param {Goal} goal @param {Tried[]} tried */
  async fail({ key, card, anew }, tried) {
    if (await this.#goal(key).getAttribute('data-state') === 'met') return false; // by what was wrong for another goal of the same run
    if (anew || card !== this.#card) await this.#run(card);
    this.#since = this.#sight.now;
    this.#instead.clear();
    for (const { act, said } of tried) {
      if (typeof act === 'string') await this.#type(this.#sight.filled(act) ?? act);
      else if (act.break) await this.#break(act.break, said, false);
      else if (act.wait) assert.ok(await this.#see(act.wait), `${key}: the wrong attempt waits for ${JSON.stringify(act.wait)}`);
    }
    assert.notEqual(await this.#goal(key).getAttribute('data-state'), 'met', `${key}: the wrong attempt`);
    assert.ok(await this.#why(key), 'something is said of it');
    const acts = tried.map(({ act }) => act);
    const roots = new Set(acts.flatMap((act) => (typeof act === 'string' && /^create .*?(\/[^/ ]+)/.exec(act)?.[1]) || []));
    for (const root of roots) if (root !== '/lock') await this.#type(`deleteall ${root}`);
    if (await this.#page.locator('.console[data-state=joined]').count()) await this.#type('quit'); // no place of theirs stays in a queue
    return true;
  }

  /** Does what a task says; gives whether all of it happened. @param {Task} task @param {string} key of its goal */
  async #do({ element, told }, key) {
    const met = () => this.#goal(key).and(this.#page.locator('[data-state=met]')).count();
    const answer = element.locator('.task-answer');
    if (await answer.getAttribute('open') === null) await this.#hand.press(answer.locator('summary'));
    let waits = false; // as the words before say
    let broken = false;
    for (const { act, says, button } of told) {
      if (typeof act === 'string') await this.#enter(element.locator('.type-line').nth(button));
      else if (act.break) await this.#break(act.break, says, true);
      else if (act.wait && (says || waits) && !await this.#see(act.wait)) return Boolean(await met());
      else if (act.wait && !says && !waits && broken) await this.#waitAsSaid(key);
      waits = typeof act !== 'string' && Boolean(act.wait) && (says !== '' || waits);
      broken ||= typeof act !== 'string' && Boolean(act.break);
    }
    return true;
  }

  /** Has a line of the lesson typed, and enters it. @param {Locator} button */
  async #enter(button) {
    const before = await this.#before();
    await this.#hand.press(button);
    await this.#page.locator('.console-line input:focus').waitFor();
    await this.#page.keyboard.press('Enter');
    await this.#entered(before);
  }

  /** Types a line of the learner's own. @param {string} line */
  async #type(line) {
    const field = this.#page.locator('.console-line input');
    if (!await field.isVisible()) {
      const tab = this.#page.locator('#tab-console');
      if (await tab.getAttribute('aria-selected') !== 'true') await this.#hand.press(tab);
      if (!await field.isVisible()) await this.#hand.press(this.#page.locator('.console-join'));
    }
    const before = await this.#before();
    await field.fill(line);
    await field.press('Enter');
    await this.#entered(before);
  }

  /** How many lines stand in the console, before another, whose events are to be seen. */
  async #before() {
    this.#since = this.#sight.now;
    return this.#page.locator('.console-log .entry-line').count();
  }

  /** Waits until a line is done: there is another one, and a prompt, or nobody is a client any more. @param {number} before */
  async #entered(before) {
    await this.#page.waitForFunction((count) => {
      const { state } = /** @type {HTMLElement | null} */ (document.querySelector('.console'))?.dataset ?? {};
      const prompt = document.querySelector('.console-line label')?.textContent ?? '';
      return document.querySelectorAll('.console-log .entry-line').length > count && (state === 'away' || /CONNECTED\) \d+\]/.test(prompt));
    }, before);
  }

  /** Waits for what has been broken as long as the goal says so. @param {string} key */
  async #waitAsSaid(key) {
    const waits = this.#goal(key).locator('.goal-why', { hasText: /Wait|等|одожд/ });
    await waits.waitFor({ state: 'attached', timeout: PACE }).catch(() => {});
    await waits.waitFor({ state: 'detached', timeout: PATIENCE });
  }

  /** Waits until something happens; says whether it did. @param {Pattern} where */
  async #see(where) {
    const number = where.number && (this.#instead.get(where.number) ?? where.number);
    const path = where.path && (this.#sight.filled(where.path) ?? where.path);
    const seen = await this.#sight.happens({ ...where, ...(number && { number }), ...(path && { path }) }, this.#since, PATIENCE);
    this.#since = seen || this.#since;
    return seen > 0;
  }

  /** @param {Fault} fault @param {string} says @param {boolean} shown by the page */
  async #break(fault, says, shown) {
    const since = this.#sight.now;
    const found = await this.#breaker.inject(fault, says, shown);
    this.#since = since;
    if (found && fault.client) this.#instead.set(Number(fault.client), found.client);
  }

  /** @param {string} key empty for all */
  #goal(key) {
    return this.#page.locator(key ? `.goal[data-check="${key}"]` : '.goal');
  }

  /** What a goal says of itself. @param {string} key */
  async #why(key) {
    return (await this.#goal(key).locator('.goal-why').textContent() ?? '').replace(/\s+/g, ' ');
  }
}
