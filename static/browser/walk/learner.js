// A learner who has nothing but the page, and does what a lesson says: reads the tasks,
// presses the buttons that they name, and types the lines that they show.
import assert from 'node:assert/strict';
import { Hand } from '../hand.js';
import { goalsOf } from './lesson.js';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Act } from '../../js/lesson/perform-acts.js' */
/** @import { Way } from '../hand.js' */
/** @import { Goal, Task, Told } from './lesson.js' */

/** How long a goal may take to be met once all is done, in milliseconds: sessions have to end, and paused clients to go on. */
const PATIENCE = 60_000;

export class Learner {
  /** @type {Page} */ #page;
  /** @type {Hand} */ #hand;
  /** The run card that was pressed last. */ #card = '';
  /** How many watches had fired before the line that was entered last. */ #watches = 0;

  /** @param {Page} page @param {Way} way */
  constructor(page, way) {
    this.#page = page;
    this.#hand = new Hand(page, way);
  }

  /** Opens a lesson at the playground's front page and starts its first run, which leads to a room of the learner's own. @param {string} url @param {string} slug */
  async open(url, slug) {
    await this.#page.goto(`${url}/#lesson=${slug}`);
    const card = this.#page.locator('.run-card').first();
    this.#card = await card.locator('h3').textContent() ?? '';
    await card.locator('.run-button').click();
    await this.#page.waitForURL(/\/rooms\//);
    await this.#runs();
    await this.#page.locator('.lesson .goal-why').first().waitFor({ state: 'attached' });
    return goalsOf(this.#page);
  }

  /** Answers every question of the lesson, for better or worse. */
  async predict() {
    for (const question of await this.#page.locator('.lesson .predict').all()) await this.#hand.press(question.locator('.predict-choice').first());
  }

  /** Starts the run that a goal is done in. @param {string} title */
  async #run(title) {
    const run = await this.#runId();
    const card = this.#page.locator('.run-card', { has: this.#page.getByRole('heading', { name: title, exact: true, includeHidden: true }) });
    await this.#hand.press(card.locator('.run-button'));
    const end = this.#page.locator('dialog.ask button').last();
    const another = this.#page.waitForFunction((before) => { const id = document.querySelector('.lane .directory title')?.textContent; return id && id !== before; }, run);
    if (await Promise.race([another.then(() => false), end.waitFor().then(() => true)])) await this.#hand.press(end);
    await another;
    this.#card = title;
    await this.#runs();
  }

  /** What names the run that is drawn. */
  async #runId() {
    return this.#page.locator('.lane .directory title').first().textContent({ timeout: 5000 }).catch(() => '');
  }

  /** Waits until the first client is there. */
  async #runs() {
    await this.#page.locator('.lane .client:not(.is-absent, .is-connecting)').first().waitFor({ state: 'attached' });
  }

  /** Meets a goal by what its tasks say. @param {Goal} goal */
  async meet({ key, card, tasks }) {
    if (card !== this.#card) await this.#run(card);
    for (const [index, task] of tasks.entries()) await this.#do(task, key, index === tasks.length - 1);
    await this.#goal(key).and(this.#page.locator('[data-state=met]')).waitFor({ state: 'attached', timeout: PATIENCE })
      .catch(async () => assert.fail(`${key} is not met: ${await this.#why(key)}`));
  }

  /** Tries it in a way that the goal calls wrong, and hears why that is not it. @param {Goal} goal @param {Act[]} acts */
  async fail({ key, card }, acts) {
    if (await this.#goal(key).getAttribute('data-state') === 'met') return; // by what was wrong for another goal of the same run
    if (card !== this.#card) await this.#run(card);
    for (const act of acts) {
      if (typeof act === 'string') await this.#type(act);
      else if (act.break) await this.#break(act.break, '');
      else if (act.wait?.kind === 'wire.received') await this.#told();
    }
    assert.notEqual(await this.#goal(key).getAttribute('data-state'), 'met', `${key}: the wrong attempt`);
    assert.ok(await this.#why(key), 'something is said of it');
    const roots = new Set(acts.flatMap((act) => (typeof act === 'string' && /^create .*?(\/[^/ ]+)/.exec(act)?.[1]) || []));
    for (const root of roots) if (root !== '/lock') await this.#type(`deleteall ${root}`);
    if (await this.#page.locator('.console[data-state=joined]').count()) await this.#type('quit'); // no place of theirs stays in a queue
  }

  /** @param {Task} task @param {string} key of its goal @param {boolean} last */
  async #do({ element, told }, key, last) {
    await this.#hand.press(element.locator('.task-answer > summary'));
    for (const [index, each] of told.entries()) {
      const { act, says, button } = each;
      if (typeof act === 'string') await this.#enter(element.locator('.type-line').nth(button));
      else if (act.break) await this.#break(act.break, says);
      else if (!last || index < told.length - 1) await this.#wait(each, key, told.slice(0, index).some((before) => typeof before.act !== 'string' && Boolean(before.act.break)));
    }
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

  /** How many lines stand in the console, before another. */
  async #before() {
    this.#watches = await this.#page.locator('.console-log .entry-watch').count();
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

  /** Waits as a task says, or else, for what has been broken, as long as its goal says so. @param {Told} told @param {string} key @param {boolean} broken */
  async #wait({ says }, key, broken) {
    if (says.includes('WatchedEvent')) return this.#told();
    const simulated = '.client:not(.is-untold)';
    if (says) {
      return void await this.#page.waitForFunction((clients) => {
        const all = [...document.querySelectorAll(clients)];
        const waiting = all.filter((client) => client.matches('.is-waiting')).length;
        return waiting >= Math.min(3, all.length) && !all.some((client) => client.matches('.is-holds, .is-enqueued, .is-woken'));
      }, simulated);
    }
    if (!broken) return; // whom to break is seen in the picture
    const waits = this.#goal(key).locator('.goal-why', { hasText: /Wait|等|одожд/ });
    await waits.waitFor({ state: 'attached' });
    await waits.waitFor({ state: 'detached' });
  }

  /** Waits for the line of a watch. */
  async #told() {
    await this.#page.locator('.console-log .entry-watch').nth(this.#watches).waitFor({ state: 'attached' });
  }

  /** Breaks whom a task means, by the names that it gives. @param {NonNullable<Exclude<Act, string>['break']>} fault @param {string} says empty where nobody says it */
  async #break(fault, says) {
    const anybody = !fault.you && !fault.client;
    const client = anybody ? undefined : await this.#whom(fault, says);
    const item = this.#page.locator(`.fault-item[data-fault="${fault.fault}"]`);
    if (client) await this.#hand.breakClient(client);
    else await this.#hand.press(this.#page.locator('.break-any'));
    if (client && !await item.count()) await this.#startAgain(client);
    const named = [await this.#page.locator(client ? '.break' : '.break-any').first().textContent(), await item.locator('.fault-name').textContent()];
    if (says) for (const name of named) assert.ok(says.includes(name?.trim() ?? ''), `“${says}” says ${name}`);
    const seconds = parseInt(String(fault['for'] ?? ''), 10);
    if (seconds) await this.#page.locator('.fault-group select').selectOption(String(seconds));
    if (client && fault.lane) await client.and(this.#page.locator('.is-holds')).waitFor({ state: 'attached', timeout: PATIENCE });
    await this.#hand.press(item);
    if (!says && client && seconds) {
      await client.locator('.fault-mark').first().waitFor({ state: 'attached' });
      await client.locator('.fault-mark').first().waitFor({ state: 'detached', timeout: PATIENCE });
    }
  }

  /** Which client it is that a task speaks of: one in the middle of the queue, where the words give no number. @param {NonNullable<Exclude<Act, string>['break']>} fault @param {string} says @returns {Promise<Locator>} */
  async #whom({ you, client, lane }, says) {
    const page = this.#page;
    if (you) return page.locator(`.client[data-client="${/\d+/.exec(await page.locator('.console-who').innerText())?.[0]}"]`);
    const within = lane ? page.locator(`.lane[data-lane="${lane}"]`) : page.locator('.lane').first();
    if (lane) await this.#hand.turnTo(within, await within.locator('h2 b').textContent() ?? '');
    if (!lane && (!says || says.includes(`${client}`))) return within.locator(`.client[data-client="${client}"]`);
    if (!lane) await within.locator('.client.is-waiting').nth(5).waitFor();
    else await within.locator('.client.is-waiting').first().waitFor(); // its turn comes: there is time to open its menu
    const queue = await within.locator('.znode-buttons .on-queue button').evaluateAll((znodes) => znodes.map((znode) => znode.getAttribute('aria-label') ?? ''));
    const place = lane ? 1 : Math.floor(queue.length / 2);
    const numbers = (queue[place] ?? '').match(/\d+/g) ?? [];
    return within.locator(`.client[data-client="${numbers[1]}"]`);
  }

  /** Whoever is gone can only be started again; then the menu has its faults. @param {Locator} client */
  async #startAgain(client) {
    await this.#hand.press(this.#page.locator('.fault-item[data-fault="start-again"]'));
    await client.and(this.#page.locator(':not(.is-crashed, .is-absent, .is-connecting)')).waitFor({ state: 'attached' });
    await this.#hand.breakClient(client);
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
