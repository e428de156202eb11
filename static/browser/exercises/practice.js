// The exercises of the lessons on practice.
import assert from 'node:assert/strict';
import { believer, enter, join, met, typeLines } from './desk.js';

/** @import { Exercise } from './desk.js' */

/** @type {Record<string, Exercise>} */
export const exercises = {
  'ZooKeeper goes away and comes back, and a session outlives that': {
    lesson: 'leader-loss', card: 'ZooKeeper goes away',
    async act({ page, hand, lane, to }) {
      await (await lane('Predecessor')).locator('.client.is-holds').waitFor();
      await join(page, hand, to);
      await enter(page, 'create -e /mine hello');
      await enter(page, 'stat /mine');
      await page.locator('.goal[data-check="leader-loss/still-mine"]', { hasText: 'let ZooKeeper go away' }).waitFor({ state: 'attached' });
    },
  },
  'a row is held for ever, a key lets a late write through, and a znode does neither': {
    lesson: 'stores', card: 'Three stores, the same faults',
    async act({ page, hand, lane }) {
      const cache = await lane('Cache');
      await cache.locator('.stamp.taken').waitFor();
      await cache.locator('.account.corrupted').waitFor();
      await (await lane('ZooKeeper')).locator('.stamp.refused').waitFor();
      const database = await lane('Database');
      const stuck = database.locator('.believers', { hasText: 'held for ever' });
      await stuck.waitFor();
      assert.equal(await database.locator('.stamp').count(), 0, 'nobody else got in during the pause');
      await database.locator('.checks.violated', { hasText: 'Progress' }).waitFor();
      await hand.breakClient(database.locator('.client.is-waiting').first());
      await hand.press(page.locator('.fault-item[data-fault="delete"]'));
      await stuck.waitFor({ state: 'detached' });
      await database.locator('.client.is-holds').waitFor();
    },
  },
  'the wake-up is missed on the left alone': {
    lesson: 'museum', card: 'The wake-up that was missed',
    async act({ lane }) {
      await (await lane('WriteLock')).locator('.checks.violated', { hasText: 'Progress' }).waitFor();
      await (await lane('Predecessor')).locator('.wake .by', { hasText: 'client 2 released' }).waitFor();
    },
  },
  'of the two that believe, one has no znode': {
    lesson: 'museum', card: 'A waiter without a znode',
    async act({ page, lane, to }) {
      const shown = await lane('go-zookeeper');
      await shown.locator('.checks.violated', { hasText: 'Belief' }).waitFor();
      await to('at-two-believe');
      await shown.locator('.client.is-holds').nth(1).waitFor();
      await to('belief');
      await believer(page, 'go-zookeeper', 'it holds').getByText('no znode').waitFor();
      assert.equal(await believer(page, 'go-zookeeper', 'it holds').count(), 2);
    },
  },
  'the deaf holder works on, and the other has stopped': {
    lesson: 'museum', card: 'A holder that does not listen',
    async act({ page, lane, to }) {
      const shown = await lane('Deaf');
      await shown.locator('.checks.violated', { hasText: 'Belief' }).waitFor();
      await to('at-two-believe');
      await shown.locator('.client.is-holds').nth(1).waitFor();
      await to('belief');
      await believer(page, 'Deaf', 'it holds').nth(1).waitFor();
      assert.ok(await believer(page, 'Predecessor', 'it holds').count() < 2);
    },
  },
  'the znode belongs to another session than the client has': {
    lesson: 'museum', card: 'The znode of another session',
    async act({ page, hand, lane, to, back }) {
      const shown = await lane('Adopting');
      await shown.locator('.checks.violated', { hasText: 'Belief' }).waitFor();
      await back(shown.locator('.client.is-holds').nth(1));
      await to('at-first-hold');
      await lane('Adopting');
      await hand.pressZnode(shown, shown.locator('.on-znode[aria-label*="of client 1,"]'));
      const owner = page.locator('#panel-inspector .stat dl').first().locator('div', { has: page.locator('dt:text-is("ephemeralOwner")') }).locator('dd');
      const znodes = (await owner.innerText()).split(' ')[0] ?? '';
      assert.match(znodes, /^0x/);
      await to('client-1');
      const session = page.locator('#panel-inspector section', { hasText: 'The client believes' }).locator('div', { has: page.locator('dt:text-is("Session")') }).locator('dd').first();
      assert.match(await session.innerText(), /^0x/);
      assert.notEqual(await session.innerText(), znodes);
    },
  },
  'by hand one does what zklock does': {
    lesson: 'use-zklock', card: 'Your program beside two others',
    async act(desk) {
      const [ahead, mine] = ['1', '2'].map((digit) => `/desk/_c_${digit.repeat(32)}-lock-`);
      await typeLines(desk, 'create /desk', `create -e -s ${ahead}`, `create -e -s ${mine}`, 'ls /desk',
        `stat -w ${ahead}0000000000`, `delete ${ahead}0000000000`, `stat ${mine}0000000001`, `delete ${mine}0000000001`);
      await met(desk.page, 'use-zklock/lock-and-unlock');
    },
  },
};
