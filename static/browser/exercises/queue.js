// The exercises of the lessons on what a lock is made of, and on who is next.
import assert from 'node:assert/strict';
import { costs, crash, met, typeLines } from './desk.js';

/** @import { Exercise } from './desk.js' */

/** @type {Record<string, Exercise>} */
export const exercises = {
  'a client of one’s own makes a znode, and the lesson says that it has': {
    lesson: 'znodes', card: 'A server to type at',
    async act({ page, hand, lane, to }) {
      await (await lane('By hand')).locator('.client.is-holds').waitFor();
      await to('console');
      await hand.press(page.locator('.console-join'));
      await hand.press(page.locator('.console-examples button', { hasText: 'queue up' }));
      await hand.press(page.locator('.console-examples .is-filled', { hasText: 'press again' }));
      await page.locator('.goal[data-check="znodes/in-the-queue"][data-state="met"]').waitFor({ state: 'attached' });
    },
  },
  'who crashes keeps a place until the session has expired': {
    lesson: 'sessions', card: 'A session of your own',
    async act(desk) {
      const shown = await desk.lane('By hand');
      await typeLines(desk, 'create -e -s /lock/lock-');
      await desk.hand.breakClient(shown.locator('.client[data-client="3"]'));
      await desk.hand.press(desk.page.locator(crash));
      await shown.locator('.znode.is-crashed').waitFor();
      await met(desk.page, 'sessions/crashed-and-expired');
    },
  },
  'a number that was given back is not given again': {
    lesson: 'sequence-numbers', card: 'Numbers from the server',
    async act(desk) {
      await typeLines(desk, 'create /numbers', 'create -s /numbers/c-', 'delete /numbers/c-0000000000', 'create -s /numbers/c-');
      await desk.page.locator('.console', { hasText: '/numbers/c-0000000001' }).waitFor({ state: 'attached' });
      await met(desk.page, 'sequence-numbers/never-twice');
    },
  },
  'of two changes the first is told': {
    lesson: 'watches', card: 'Watches by hand',
    async act(desk) {
      await typeLines(desk, 'create /news', 'get -w /news', 'set /news one', 'set /news two');
      await met(desk.page, 'watches/told-once');
    },
  },
  'the server refuses what cannot be': {
    lesson: 'client-api', card: 'One request at a time',
    async act(desk) {
      await typeLines(desk, 'create /a/b', 'create /a', 'create /a', 'create /a/b', 'delete /a');
      await met(desk.page, 'client-api/three-refusals');
    },
  },
  'the flag of a dead holder stays up until somebody takes it down': {
    lesson: 'flag-lock', card: 'A flag that nobody takes down',
    async act(desk) {
      const flag = await desk.lane('Flag');
      await flag.locator('.checks.violated', { hasText: 'Progress' }).waitFor();
      const dead = await flag.locator('.client.is-crashed').getAttribute('data-client');
      await flag.locator(`.on-znode[aria-label*=" with the text of client ${dead}"]`).waitFor({ state: 'attached' });
      assert.equal(await flag.locator('.znode .glyph').count(), 1, 'the flag has its mark');
      const other = await desk.lane('Predecessor');
      await other.locator('.wake .by', { hasText: /released|session ended/ }).waitFor();
      assert.equal(await other.locator('.checks.violated').count(), 0);
      await typeLines(desk, 'set /lock/flag ""');
      await met(desk.page, 'flag-lock/taken-down');
      await desk.to('at-stuck');
      await desk.page.locator('.caption', { hasText: 'The lock stands still' }).waitFor();
    },
  },
  'without a queue somebody is overtaken, and a crash is survived': {
    lesson: 'flag-lock', card: 'One znode, and a queue',
    async act({ page, hand, lane }) {
      await (await lane('Ephemeral')).locator('.checks.violated', { hasText: 'First come, first served' }).waitFor();
      await hand.press(page.locator('.break-any'));
      await hand.press(page.locator(crash));
      await met(page, 'flag-lock/free-by-itself');
    },
  },
  'a release wakes the herd, and the inspector shows the line of a client': {
    lesson: 'herd-effect', card: 'The herd',
    async act({ page, hand, lane }) {
      await costs(await lane('Herd'), 7, 6);
      await hand.press(page.locator('.client.is-waiting .token').first());
      await page.locator('#panel-inspector .code .here').first().waitFor();
    },
  },
  'side by side, one lane wakes all and the other one': {
    lesson: 'herd-effect', card: 'Herd against predecessor',
    async act({ lane }) {
      const herd = await lane('Herd');
      await herd.locator('.figure.wasted.some').waitFor();
      assert.ok(Number(await herd.locator('.figure.woken strong').textContent()) > 10);
      await costs(await lane('Predecessor'), 1, 0);
    },
  },
  'one is woken where each watches the one ahead': {
    lesson: 'one-ahead', card: 'One ahead',
    async act({ lane }) { await costs(await lane('Predecessor'), 1, 0); },
  },
  'a turn costs more requests where everybody is woken': {
    lesson: 'one-ahead', card: 'What a turn costs',
    async act({ lane }) {
      const requests = async (/** @type {string} */ name) => {
        const shown = await lane(name);
        await shown.locator('.figure.woken strong', { hasText: /^\d+$/ }).waitFor();
        return Number(await shown.locator('.meters div', { has: shown.page().locator('dt', { hasText: 'requests' }) }).locator('dd').textContent());
      };
      const [herd, predecessor] = [await requests('Herd'), await requests('Predecessor')];
      assert.ok(herd > predecessor, `${herd} and ${predecessor}`);
    },
  },
};
