// The exercises of the lessons, each done as the lesson says by a mouse, by the keyboard
// and on a phone, at a human pace: what it promises is really to be seen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Hand, screens } from './hand.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser, Locator, Page } from 'playwright-core' */
/** @import { Way } from './hand.js' */

/** @typedef {{ page: Page, hand: Hand, lane: (name: string) => Promise<Locator>, to: (name: string) => Promise<void>, back: (target: Locator) => Promise<void> }} Desk lane turns to a lane, to presses a word of the lesson, back goes back in time to what did not stay */

/**
 * @typedef {object} Exercise
 * @property {string} lesson
 * @property {string} card the title of the run that is started
 * @property {(desk: Desk) => Promise<void>} act
 */

/** @type {Way[]} */ const ways = ['mouse', 'keyboard', 'phone'];
/** How many visitors share the exercises of each way. */
const VISITORS = 2;

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

/** What the lane says of its newest release. @param {Locator} lane @param {number} woken @param {number} wasted */
async function costs(lane, woken, wasted) {
  await lane.locator('.figure.woken strong').getByText(String(woken), { exact: true }).waitFor();
  assert.equal(await lane.locator('.figure.wasted strong').textContent(), String(wasted));
}

/** The row of a client in the panel of beliefs. @param {Page} page @param {string} lane @param {string} words */
const believer = (page, lane, words) => page.locator('.beliefs section', { has: page.locator('caption', { hasText: lane }) }).locator('tbody tr', { hasText: words });

/** Goes back from mark to mark until something is in sight: who looks late has missed what does not stay. @param {Page} page @param {Hand} hand @param {Locator} target */
async function goBack(page, hand, target) {
  const press = () => hand.press(page.getByRole('button', { name: 'Previous mark' }));
  const slider = page.getByRole('slider', { name: 'Time' });
  const told = () => slider.getAttribute('aria-valuetext');
  if (await page.locator('#timeline .live[aria-pressed="true"]').count()) await press();
  await page.locator('#timeline .live[aria-pressed="false"]').waitFor({ state: 'attached' });
  for (let before = await told(); !await target.isVisible(); before = await told()) {
    await press();
    await page.waitForFunction((old) => document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') !== old, before);
  }
}

/** Becomes a client, at the console. @param {Page} page @param {Hand} hand @param {Desk['to']} to */
async function join(page, hand, to) {
  await to('console');
  await hand.press(page.locator('.console-join'));
  await page.locator('.console-line label', { hasText: 'CONNECTED' }).waitFor();
}

/** Types a line once there is a connection, and reads what comes of it. @param {Page} page @param {string} line */
async function enter(page, line) {
  const prompt = page.locator('.console-line label');
  await prompt.filter({ hasText: '(CONNECTED' }).waitFor();
  const before = await prompt.textContent();
  await page.locator('.console-line input').fill(line);
  await page.keyboard.press('Enter');
  await page.waitForFunction((was) => document.querySelector('.console-line label')?.textContent !== was, before);
}

/** Breaks a client until it is healed. @param {Page} page @param {Hand} hand @param {Locator} client @param {string} fault */
async function breakLastingly(page, hand, client, fault) {
  await hand.breakClient(client);
  await page.locator('.fault-group select').selectOption('0');
  await hand.press(page.locator(`.fault-item[data-fault="${fault}"]`));
}

/** What a goal of the lesson says. @param {Page} page @param {string} key @param {string} words */
const told = (page, key, words) => page.locator(`.goal[data-check="${key}"]`, { hasText: words }).waitFor({ state: 'attached' });

/** Becomes a client, and types lines. @param {Desk} desk @param {...string} lines */
async function typeLines({ page, hand, to }, ...lines) {
  await join(page, hand, to);
  for (const line of lines) await enter(page, line);
}

/** Waits until a goal is met: on a phone it may be out of sight. @param {Page} page @param {string} check */
const met = (page, check) => page.locator(`.goal[data-check="${check}"][data-state="met"]`).waitFor({ state: 'attached' });

const crash = '.fault-item[data-fault="crash"]';

/** @type {Record<string, Exercise>} */
const exercises = {
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
  'by hand one does what zklock does': {
    lesson: 'use-zklock', card: 'Your program beside two others',
    async act(desk) {
      const [ahead, mine] = ['1', '2'].map((digit) => `/desk/_c_${digit.repeat(32)}-lock-`);
      await typeLines(desk, 'create /desk', `create -e -s ${ahead}`, `create -e -s ${mine}`, 'ls /desk',
        `stat -w ${ahead}0000000000`, `delete ${ahead}0000000000`, `stat ${mine}0000000001`, `delete ${mine}0000000001`);
      await met(desk.page, 'use-zklock/lock-and-unlock');
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
  'one is woken where each watches the one ahead': {
    lesson: 'one-ahead', card: 'One ahead',
    async act({ lane }) { await costs(await lane('Predecessor'), 1, 0); },
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
      await page.locator('.caption', { hasText: 'has lost its session' }).waitFor();
      await to('at-cut-off');
      await page.locator('.client.is-unconfirmed', { hasText: 'holds?' }).waitFor();
      await to('belief');
      await believer(page, 'Predecessor', 'it holds').getByText('no znode').waitFor();
    },
  },
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
  'who waits for one lock is not disturbed by another': {
    lesson: 'many-locks', card: 'Two locks side by side',
    async act({ lane }) {
      const shown = await lane('Two locks');
      await shown.locator('.lock-buttons .on-directory').nth(1).waitFor();
      await shown.locator('.client[data-client="1"].is-crashed').waitFor();
      await shown.locator('.client:is([data-client="4"], [data-client="5"]).is-holds').waitFor();
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
  'who is asked gives up, and the next in the queue holds': {
    lesson: 'revocation', card: 'Asked to give up',
    async act({ lane, back }) {
      const shown = await lane('Revocable');
      await shown.locator('.wake .by', { hasText: 'client 3 released' }).waitFor();
      await back(shown.locator('.client[data-client="2"].is-holds'));
      await back(shown.locator('.client[data-client="1"].is-holds'));
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
  'two hold, and deposits are lost': {
    lesson: 'two-holders', card: 'The holder stands still',
    async act({ page, lane, to }) {
      const shown = await lane('An account that believes everybody');
      await shown.locator('.account', { hasText: /should be 160, is 1[234]0/ }).waitFor(); // 120, unless a slow machine lets one deposit after the late write
      await to('at-two-believe');
      await shown.locator('.client.is-holds').nth(1).waitFor();
      await to('at-lost-update');
      await shown.locator('.stamp.taken').waitFor();
      await to('words');
      await page.locator('#panel-words [data-check="mutual-exclusion"].holds').waitFor();
      await page.locator('#panel-words [data-check="belief"].violated').waitFor();
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
  'a visitor pauses a holder, and money is lost on the left': {
    lesson: 'two-holders', card: 'Two accounts',
    async act({ page, hand, lane }) {
      const shown = await lane('Unfenced');
      await shown.locator('.client[data-client="1"].is-holds').waitFor();
      await hand.breakClient(shown.locator('.client[data-client="1"]'));
      await page.locator('.fault-group select').selectOption('10');
      await hand.press(page.locator('.fault-item[data-fault="pause"]'));
      await told(page, 'two-holders/money-lost', 'You have done it');
      await shown.locator('.account.corrupted').waitFor();
    },
  },
  'the late write is refused in both lanes': {
    lesson: 'two-holders', card: 'The late write is refused',
    async act({ lane }) {
      for (const name of ['Token', 'Guard']) {
        const shown = await lane(name);
        await shown.locator('.stamp.refused').waitFor();
        await shown.locator('.account .balance', { hasText: /^150$/ }).waitFor();
      }
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
};

/** Opens the lesson, starts its run, and does what it says. @param {Playground} playground @param {Page} page @param {Hand} hand @param {Exercise} exercise */
async function doIt(playground, page, hand, { lesson, card, act }) {
  await page.goto(`${playground.page}#lesson=${lesson}`);
  const button = page.locator('.run-card', { has: page.getByRole('heading', { name: card, exact: true, includeHidden: true }) }).getByRole('button', { name: 'Run this', includeHidden: true });
  const [started] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/run')), hand.press(button)]);
  const { run } = await started.json();
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

/** A visitor does exercises, one after the other on the same page. Returns what went wrong. @param {Playground} playground @param {Way} way @param {Iterable<Exercise>} some */
async function visit(playground, way, some) {
  const { page, complaints } = await open(browser, screens[way]);
  const hand = new Hand(page, way);
  /** @type {string[]} */ const failed = [];
  for (const exercise of some) {
    await doIt(playground, page, hand, exercise).catch((failure) => failed.push(`${exercise.card}, ${way}: ${failure}`));
  }
  return [...failed, ...complaints];
}

test('every exercise can be done by mouse, by keyboard and on a phone', async () => {
  const todo = new Map(ways.map((way) => [way, Object.values(exercises).values()])); // the visitors of a way take from one list
  const failed = await Promise.all(playgrounds.map((playground, index) => {
    const way = /** @type {Way} */ (ways[index % ways.length]);
    return visit(playground, way, todo.get(way) ?? []);
  }));
  assert.deepEqual(failed.flat(), []);
});

test('every run of every lesson is an exercise', async () => {
  const { lessons } = await (await fetch(`${playgrounds[0]?.url}/api/lessons`)).json();
  for (const { slug } of lessons) {
    const text = await (await fetch(`${playgrounds[0]?.url}/lessons/en/${slug}`)).text();
    const cards = [...text.matchAll(/<section class="run-card"[^>]*>\s*<h3[^>]*>(.*?)<\/h3>/g)].map(([, title]) => title);
    assert.deepEqual(cards.toSorted(), Object.values(exercises).filter(({ lesson }) => lesson === slug).map(({ card }) => card).sort());
  }
});
