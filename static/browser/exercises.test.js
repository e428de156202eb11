// The exercises of the lessons, each done as the lesson says, by a mouse, the keyboard or on
// a phone in turn, at a human pace: what it promises is really to be seen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exercises as breaks } from './exercises/breaks.js';
import { goBack } from './exercises/desk.js';
import { exercises as others } from './exercises/others.js';
import { exercises as practice } from './exercises/practice.js';
import { exercises as queue } from './exercises/queue.js';
import { Hand, screens } from './hand.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { Exercise } from './exercises/desk.js' */
/** @import { Way } from './hand.js' */

/** They take turns from exercise to exercise. @type {Way[]} */ const ways = ['mouse', 'keyboard', 'phone'];
/** How many visitors there are of each. */
const VISITORS = 2;

/** Lessons that are gone through elsewhere: by a learner, or as what the page begins with. */
const elsewhere = ['znodes', 'sessions', 'watches', 'flag-lock', 'two-holders', 'herd-effect', 'one-ahead'];

/** One for each visitor, on one ZooKeeper. @type {Playground[]} */ const playgrounds = [];
/** @type {Browser} */ let browser;

before(async () => {
  const first = await Playground.start();
  const { address } = await first.zookeeper();
  const others = Array.from({ length: ways.length * VISITORS - 1 }, () => Playground.start([], { ...process.env, ZK_SERVERS: address }));
  playgrounds.push(first, ...await Promise.all(others));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const playground of playgrounds.toReversed()) await playground.stop();
});

const exercises = { ...queue, ...breaks, ...others, ...practice };

/** Opens the lesson, starts its run, and does what it says. @param {Playground} playground @param {Page} page @param {Hand} hand @param {Exercise} exercise */
async function doIt(playground, page, hand, { lesson, card, act }) {
  await page.goto(`${playground.page}#lesson=${lesson}`);
  const button = page.locator('.run-card', { has: page.getByRole('heading', { name: card, exact: true, includeHidden: true }) }).getByRole('button', { name: 'Run this', includeHidden: true });
  const started = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/run'));
  await Promise.all([hand.press(button), endBefore(page, hand, started)]);
  const { run } = await (await started).json();
  await page.locator('.lane .directory title', { hasText: `/${run.id}/` }).first().waitFor({ state: 'attached' });
  await act({
    page, hand,
    to: (name) => hand.press(page.locator(`.lesson [data-stage="${name}"]`).last()),
    back: (target) => goBack(page, hand, target),
    async lane(name) {
      const found = page.locator('.lane', { has: page.locator('h2', { hasText: name }) });
      await hand.turnTo(found, name);
      return found;
    },
  });
}

/** Says that the run before may end, if that is asked before the next has started. @param {Page} page @param {Hand} hand @param {Promise<unknown>} started */
async function endBefore(page, hand, started) {
  const question = page.locator('dialog.ask');
  const asked = await Promise.race([started.then(() => false), question.waitFor().then(() => true)]);
  if (asked) await hand.press(question.getByRole('button', { name: 'End the run' }));
}

/** A visitor does exercises, one after the other on the same page. Returns what went wrong. @param {Playground} playground @param {Way} way @param {Iterable<Exercise>} some */
async function visit(playground, way, some) {
  const { page, complaints } = await open(browser, screens[way]);
  const hand = new Hand(page, way);
  /** @type {string[]} */ const failed = [];
  for (const exercise of some) {
    await doIt(playground, page, hand, exercise).catch((failure) => failed.push(`${exercise.card}, ${way}: ${failure}`));
  }
  await page.context().close();
  await playground.call('DELETE', 'run').catch(() => {}); // nobody looks at it any more
  return [...failed, ...complaints];
}

test('every run of every other lesson is an exercise', async () => {
  const { lessons } = await (await fetch(`${playgrounds[0]?.url}/api/lessons`)).json();
  for (const { slug } of lessons) {
    if (elsewhere.includes(slug)) continue;
    const text = await (await fetch(`${playgrounds[0]?.url}/lessons/en/${slug}`)).text();
    const cards = [...text.matchAll(/<section class="run-card"[^>]*>\s*<h3[^>]*>(.*?)<\/h3>/g)].map(([, title]) => title);
    assert.deepEqual(cards.toSorted(), Object.values(exercises).filter(({ lesson }) => lesson === slug).map(({ card }) => card).sort());
  }
});

test('every exercise can be done by a mouse, by the keyboard, or on a phone', async () => {
  const all = Object.values(exercises);
  const todo = ways.map((_, own) => all.filter((_, index) => index % ways.length === own).values()); // the visitors of a way take from one list
  const failed = await Promise.all(playgrounds.map((playground, index) => {
    const turn = index % ways.length;
    return visit(playground, /** @type {Way} */ (ways[turn]), todo[turn] ?? []);
  }));
  assert.deepEqual(failed.flat(), []);
});
