// The exercises of the lessons on what happens when something breaks.
import assert from 'node:assert/strict';
import { believer, breakLastingly, costs, enter, join, told } from './desk.js';

/** @import { Exercise } from './desk.js' */

/** @type {Record<string, Exercise>} */
export const exercises = {
  'a crashed holder is waited for, and whoever comes next can be crashed by hand': {
    lesson: 'ephemeral-nodes', card: 'The holder crashes',
    async act({ page, hand, lane, to, back }) {
      const shown = await lane('Predecessor');
      await shown.locator('.client.is-crashed').waitFor();
      await shown.locator('.client.is-holds').waitFor(); // the next one, once the session has ended
      await back(shown.locator('.wake .by', { hasText: 'session ended' }));
      await costs(shown, 1, 0);
      await back(shown.locator('.znode.is-crashed .number', { hasText: /^\d\.\d( s)?$/ }));
      await to('faults');
      await hand.press(page.locator('.break-any'));
      await hand.press(page.locator('.fault-item[data-fault="crash"]'));
      await shown.locator('.client.is-crashed').nth(1).waitFor();
      await hand.breakClient(shown.locator('.client.is-crashed').first());
      await hand.press(page.locator('.fault-item[data-fault="start-again"]'));
      await shown.locator('.client.is-crashed').nth(1).waitFor({ state: 'detached' });
      await hand.pressZnode(shown, shown.locator('.on-znode').first());
      await page.locator('#panel-inspector .stat dt', { hasText: 'ephemeralOwner' }).first().waitFor();
    },
  },
  'an expired holder believes on, and the server has nothing of it': {
    lesson: 'ephemeral-nodes', card: 'Belief and truth',
    async act({ page, hand, to }) {
      await hand.press(page.locator('.break-any'));
      await hand.press(page.locator('.fault-item[data-fault="expire"]'));
      do await to('at-cut-off'); while (!await page.locator('.my-time .behind').count()); // it is on its way
      await to('at-cut-off'); // the instant after was perhaps still to come
      await page.locator('.client.is-unconfirmed', { hasText: 'holds?' }).waitFor();
      await to('belief');
      await believer(page, 'Predecessor', 'it holds').getByText('no znode').waitFor();
    },
  },
  'a visitor queues up, watches the one ahead, and crashes': {
    lesson: 'ephemeral-nodes', card: 'Be a client',
    async act({ page, hand, lane, to }) {
      const shown = await lane('By hand');
      await shown.locator('.client.is-holds').waitFor();
      await to('console');
      await hand.press(page.locator('.console-join'));
      for (const words of ['queue up', 'watch the znode ahead of mine']) {
        const line = page.locator('.console-examples button', { hasText: words });
        await hand.press(line);
        await hand.press(page.locator('.console-examples .is-filled', { hasText: 'press again' }));
        await line.waitFor({ state: words === 'queue up' ? 'detached' : 'visible' });
      }
      const mine = shown.locator('.client[data-client="3"]');
      await mine.locator('.state', { hasText: 'ahead' }).waitFor();
      await hand.breakClient(mine);
      await hand.press(page.locator('.fault-item[data-fault="crash"]'));
      await mine.locator('.state', { hasText: 'crashed' }).waitFor();
      await shown.locator('.znode.is-crashed').waitFor();
    },
  },
  'who gives up leaves the queue, and who waits longer holds': {
    lesson: 'timeouts', card: 'Who waits how long',
    async act({ lane, back }) {
      const shown = await lane('Timed');
      await shown.locator('.client[data-client="2"] .state', { hasText: 'gave up' }).waitFor({ state: 'attached' });
      await shown.locator('.wake .by', { hasText: 'client 3 released' }).waitFor();
      await back(shown.locator('.client[data-client="3"].is-holds'));
    },
  },
  'a waiter whose znode is deleted starts again at the end': {
    lesson: 'timeouts', card: 'A waiter that loses its place',
    async act({ lane, back }) {
      const shown = await lane('Start again');
      await shown.locator('.wake .by', { hasText: 'client 2 released' }).waitFor();
      await back(shown.locator('.client[data-client="2"].is-holds'));
      await back(shown.locator('.client[data-client="3"].is-holds'));
    },
  },
  'a visitor keeps the lock for longer than a client waits, which gives up': {
    lesson: 'timeouts', card: 'Three time limits',
    async act({ page, hand, lane, to }) {
      const shown = await lane('Timed');
      await shown.locator('.client.is-holds').waitFor();
      await to('console');
      await hand.press(page.locator('.console-join'));
      await hand.press(page.locator('.console-examples button', { hasText: 'queue up' }));
      await hand.press(page.locator('.console-examples .is-filled', { hasText: 'press again' }));
      await page.locator('.goal[data-check="timeouts/outwaited"] .goal-steps li.is-done').nth(1).waitFor({ state: 'attached' });
    },
  },
  'a visitor loses a reply, and waits for a znode of their own': {
    lesson: 'lost-reply', card: 'Lose a reply of your own',
    async act({ page, hand, lane, to }) {
      const shown = await lane('By hand');
      await shown.locator('.client.is-holds').waitFor();
      await join(page, hand, to);
      await enter(page, 'ls /lock');
      await breakLastingly(page, hand, shown.locator('.client[data-client="3"]'), 'lose-reply');
      await to('console'); // on a phone the client was shown in its place
      await enter(page, 'create -e -s /lock/lock-');
      await told(page, 'lost-reply/behind-yourself', 'Ask again');
      await enter(page, 'create -e -s /lock/lock-');
      await told(page, 'lost-reply/behind-yourself', 'which znode is just ahead');
    },
  },
  'client 1 has two znodes, one of which is an orphan': {
    lesson: 'lost-reply', card: 'The reply that was lost',
    async act({ page, hand, lane, to }) {
      const shown = await lane('Plain');
      await shown.locator('.checks.violated', { hasText: 'Progress' }).waitFor();
      await shown.locator('.znode.is-leaving').waitFor();
      assert.equal(await shown.locator('.on-znode[aria-label*="of client 1,"]').count(), 2);
      await hand.press(page.locator('.run-buttons').getByRole('button', { name: 'Stop', includeHidden: true }));
      await to('words');
      await page.locator('#panel-words [data-check="orphans"].violated').waitFor();
    },
  },
};
