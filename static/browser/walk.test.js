// Lessons as their readers go through them, in their own words: every goal is met by what
// the lesson says, and again after an attempt that it calls wrong. That its acts do so is
// tested for every goal in package exercise; here it is one lesson at each size. WALK=en, zh
// or ru walks all lessons in that language, at one size; WALK=all in each language. LESSON
// names some alone, with commas, and SIZE the size.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { screens } from './hand.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { Learner } from './walk/learner.js';
import { slugs, wrongOf } from './walk/wrong.js';

/** @import { TestContext } from 'node:test' */
/** @import { Browser, BrowserContextOptions } from 'playwright-core' */
/** @import { Way } from './hand.js' */

/** @type {Record<string, { way: Way, screen: BrowserContextOptions }>} */
const sizes = {
  '1440x900': { way: 'mouse', screen: screens.mouse },
  '1366x768': { way: 'mouse', screen: { viewport: { width: 1366, height: 768 } } },
  '390x844': { way: 'phone', screen: screens.phone },
};

const { WALK = '', LESSON = '', SIZE = '1440x900' } = process.env;
const locales = /** @type {Record<string, string>} */ ({ en: 'en-GB', zh: 'zh-CN', ru: 'ru-RU' });
/** What is walked: in a language, a lesson, at a size. */
const walks = WALK ? Object.keys(locales).filter((code) => WALK === 'all' || WALK === code).flatMap((code) => slugs.filter((slug) => !LESSON || LESSON.split(',').includes(slug)).map((slug) => [code, slug, SIZE]))
  : [['en', 'watches', '390x844'], ['zh', 'two-holders', '1366x768'], ['ru', 'why-a-lock', '1440x900']];

/** The lesson whose goals break the servers, which takes three of them. */
const breaksServers = 'leader-loss';

/** A fault for a client that has just gone, which the page says. */
const tooLate = /409 \(Conflict\) .*\/faults$/;

/** @type {Playground} */ let playground;
/** @type {Playground | undefined} */ let ensemble;
/** @type {Browser} */ let browser;

before(async () => {
  const { ZK_SERVERS, ...env } = process.env;
  const three = walks.some(([, slug]) => slug === breaksServers) ? Playground.start(['-nodes', '3'], env) : undefined;
  [playground, ensemble, browser] = await Promise.all([Playground.start(), three, launch()]);
});
after(async () => { await browser?.close(); await Promise.all([playground?.stop(), ensemble?.stop()]); });

/** @param {Learner} learner @param {string} slug @param {TestContext} context */
async function meetGoals(learner, slug, context) {
  const goals = await learner.open((slug === breaksServers ? ensemble : playground)?.url ?? '', slug);
  const wrong = wrongOf(slug);
  assert.deepEqual(goals.map(({ key }) => key), [...wrong.keys()]);
  await learner.predict();
  for (const goal of goals) {
    const refused = await learner.fail(goal, wrong.get(goal.key) ?? []);
    const times = await learner.meet(goal);
    context.diagnostic(`${goal.key}: ${refused ? 'refused, ' : 'met by the wrong attempt at another goal, '}met${times > 1 ? ' the second time' : ''}`);
  }
}

/** @param {Learner} learner @param {TestContext} context */
async function mendLocks({ mender }, context) {
  const { challenges } = await (await fetch(`${playground.url}/api/challenges`)).json();
  for (const name of await mender.names()) {
    await mender.fail(name);
    const times = await mender.meet(name, challenges.find((/** @type {{ name: string }} */ each) => each.name === name).solution);
    context.diagnostic(`${name}: refused, met${times > 1 ? ' the second time' : ''}`);
  }
}

describe('a learner', { concurrency: Number(process.env['WALKERS'] ?? 4) }, () => {
  for (const [code = '', slug = '', size = ''] of walks) {
    test(`meets the goals of ${slug} by its own words, in ${code} at ${size}`, async (context) => {
      const { way, screen } = /** @type {typeof sizes[string]} */ (sizes[size]);
      const { page, complaints } = await open(browser, { ...screen, locale: locales[code] ?? '', of: context.name });
      const learner = new Learner(page, way);
      await meetGoals(learner, slug, context);
      await mendLocks(learner, context);
      assert.deepEqual(complaints.filter((each) => !tooLate.test(each)), []);
      await page.context().close();
    });
  }
});
