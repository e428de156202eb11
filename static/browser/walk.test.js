// Lessons as their readers go through them, in their own words: every goal is met by what
// the lesson says, and again after an attempt that it calls wrong. That its acts do so is
// tested for every goal in package exercise; here it is one lesson at each size. WALK=all
// walks eight lessons, each at every size; WALK=zh those eight in Chinese, at one size.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { screens } from './hand.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { Learner } from './walk/learner.js';

/** @import { Browser, BrowserContextOptions } from 'playwright-core' */
/** @import { Way } from './hand.js' */

/** @type {Record<string, { way: Way, screen: BrowserContextOptions }>} */
const sizes = {
  '1440x900': { way: 'mouse', screen: screens.mouse },
  '1366x768': { way: 'mouse', screen: { viewport: { width: 1366, height: 768 } } },
  '390x844': { way: 'phone', screen: screens.phone },
};

/** Lessons, in languages, and at which size unless at all; none: only then. */
const walks = [
  ['en', 'watches', '390x844'], ['zh', 'two-holders', '1366x768'], ['ru', 'why-a-lock', '1440x900'],
  ['en', 'why-a-lock', ''], ['en', 'znodes', ''], ['en', 'sessions', ''], ['en', 'herd-effect', ''], ['en', 'one-ahead', ''], ['en', 'two-holders', ''],
  ['en', 'read-write-locks', ''], ['zh', 'why-a-lock', ''], ['ru', 'znodes', ''], ['ru', 'two-holders', ''],
];
const all = process.env['WALK'] === 'all';
/** The language that is walked alone. */
const only = all ? '' : process.env['WALK'] ?? '';
const slugs = [...new Set(walks.map(([, slug]) => slug))];
const locales = /** @type {Record<string, string>} */ ({ en: 'en-GB', zh: 'zh-CN', ru: 'ru-RU' });

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** What the goals of a lesson call wrong, which is not shown to its readers. @param {string} slug @returns {Map<string, import('../js/lesson/perform-acts.js').Act[]>} */
function wrongOf(slug) {
  const folder = new URL('../../lessons/en/', import.meta.url);
  const file = readdirSync(folder).find((name) => name.endsWith(`-${slug}.md`)) ?? '';
  const checks = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^```check\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
  return new Map(checks.map(({ name, wrong }) => [`${slug}/${name}`, wrong.map(act)]));
}

/** A wait of an author's, as the page has it where that matters here. @param {any} written */
const act = (written) => (written.wait ? { wait: { kind: written.wait.event === 'notified' ? 'wire.received' : 'note' } } : written);

describe('a learner', { concurrency: 4 }, () => {
  for (const [code = '', slug = '', usual = ''] of only ? slugs.map((each) => [only, each, '1440x900']) : walks) {
    for (const size of all ? Object.keys(sizes) : usual ? [usual] : []) {
      test(`meets the goals of ${slug} by its own words, in ${code} at ${size}`, async () => {
        const { way, screen } = /** @type {typeof sizes[string]} */ (sizes[size]);
        const { page, complaints } = await open(browser, { ...screen, locale: locales[code] ?? '' });
        const learner = new Learner(page, way);
        const goals = await learner.open(playground.url, slug);
        await learner.predict();
        const wrong = wrongOf(slug);
        assert.deepEqual(goals.map(({ key }) => key), [...wrong.keys()]);
        for (const goal of goals) {
          await learner.fail(goal, wrong.get(goal.key) ?? []);
          await learner.meet(goal);
        }
        assert.deepEqual(complaints, []);
        await page.context().close();
      });
    }
  }
});
