// The exercises of the lessons on other locks.
import assert from 'node:assert/strict';
import { enter, join, told } from './desk.js';

/** @import { Exercise } from './desk.js' */

/** @type {Record<string, Exercise>} */
export const exercises = {
  'those who hold together are readers, and one that crashes is waited for': {
    lesson: 'read-write-locks', card: 'Readers share',
    async act({ page, hand, lane }) {
      const shown = await lane('Read/write');
      const together = await page.waitForFunction(() => {
        const numbers = [...document.querySelectorAll('.znode.is-holds .number')].map(({ textContent }) => textContent ?? '');
        return numbers.length > 1 && numbers;
      });
      for (const number of await together.jsonValue() || []) assert.match(number, /R/);
      await hand.press(page.locator('.break-any'));
      await hand.press(page.locator('.fault-item[data-fault="crash"]'));
      await shown.locator('.client.is-crashed').waitFor();
      await shown.locator('.znode.is-crashed').waitFor();
      await shown.locator('.client.is-waiting').first().waitFor();
    },
  },
  'a writer that leaves wakes its readers, and none in vain': {
    lesson: 'read-write-locks', card: 'A writer leaves',
    async act({ lane }) {
      const shown = await lane('Read/write');
      await shown.locator('.figure.woken strong', { hasText: /^([2-9]|1\d)$/ }).waitFor();
      assert.equal(await shown.locator('.figure.wasted strong').textContent(), '0');
    },
  },
  'a writer that becomes a reader lets the readers behind it in': {
    lesson: 'read-write-locks', card: 'A writer becomes a reader',
    async act({ lane, back }) {
      const shown = await lane('Downgrade');
      await shown.locator('.wake .by', { hasText: 'client 5 released' }).waitFor();
      await back(shown.locator('.znode.is-holds').nth(2));
      assert.match(await shown.locator('.znode.is-holds .number').first().textContent() ?? '', /R/);
    },
  },
  'the threads of a busy process overtake the others where the znode stays': {
    lesson: 'reentrant', card: 'Threads of one process',
    async act({ lane }) {
      const shown = await lane('Local-first');
      await shown.locator('.local-queue .thread').nth(3).waitFor();
      await shown.locator('.checks.violated', { hasText: 'First come, first served' }).waitFor();
    },
  },
  'who takes two locks as one holds in both queues': {
    lesson: 'semaphore', card: 'Two locks as one',
    async act({ lane }) {
      const shown = await lane('Both or none');
      await shown.locator('.queue').nth(1).locator('.znode.is-holds').waitFor();
      await shown.locator('.client:is([data-client="1"], [data-client="2"]).is-holds').waitFor();
    },
  },
  'two clients that take two locks in two orders wait for each other': {
    lesson: 'semaphore', card: 'Two locks, two orders',
    async act({ lane }) {
      const shown = await lane('Nested');
      await shown.locator('.client[data-client="1"] .state', { hasText: 'has orders' }).waitFor({ state: 'attached' });
      await shown.locator('.checks.violated', { hasText: 'Progress' }).waitFor();
    },
  },
  'three have a permit, and the place of a crashed one is kept': {
    lesson: 'semaphore', card: 'Three permits',
    async act({ page, lane, back }) {
      const shown = await lane('Semaphore');
      await shown.locator('.client.is-crashed').waitFor();
      await shown.locator('.znode.is-crashed').waitFor({ state: 'detached' }); // all that time two others hold, but not at each mark
      await back(shown.filter({ has: page.locator('.ending', { hasText: 'keeps a permit' }) }).filter({ has: page.locator('.znode.is-crashed') })
        .locator('.client.is-holds').nth(1));
      await back(shown.locator('.client.is-holds').nth(2));
      await shown.locator('.directory .count', { hasText: '3 of 3 permits' }).waitFor();
    },
  },
  'who is asked gives up, and the next in the queue holds': {
    lesson: 'revocation', card: 'Asked to give up',
    async act({ lane, back }) {
      const shown = await lane('Revocable');
      await shown.locator('.wake .by', { hasText: 'client 3 released' }).waitFor();
      await back(shown.locator('.client[data-client="2"].is-holds'));
      await back(shown.locator('.client[data-client="1"].is-holds'));
    },
  },
  'who waits for one lock is not disturbed by another': {
    lesson: 'many-locks', card: 'Two locks side by side',
    async act({ lane }) {
      const shown = await lane('Two locks');
      await shown.locator('.lock-buttons .on-directory').nth(1).waitFor();
      await shown.locator('.client[data-client="1"].is-crashed').waitFor();
      await shown.locator('.client:is([data-client="4"], [data-client="5"]).is-holds').waitFor();
    },
  },
  'two locks share a directory, and each is a queue of its own': {
    lesson: 'many-locks', card: 'Room for two locks',
    async act({ page, hand, lane, to }) {
      await (await lane('By hand')).locator('.client.is-holds').waitFor();
      await join(page, hand, to);
      for (const line of ['create /locks', 'create -e -s /locks/orders_lock_', 'create -e -s /locks/stock_lock_', 'create -e -s /locks/orders_lock_', 'stat -w /locks/stock_lock_0000000001']) {
        await enter(page, line);
      }
      await told(page, 'many-locks/own-queue', 'That one wants stock');
      await enter(page, 'stat -w /locks/orders_lock_0000000000');
      await told(page, 'many-locks/own-queue', 'You have done it');
    },
  },
};
