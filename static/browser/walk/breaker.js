// Breaks clients and servers from the menus of the page, as a task says it: by the names
// that it gives, of which each has to stand in its words.
import assert from 'node:assert/strict';

/** @import { Locator, Page } from 'playwright-core' */
/** @import { Hand } from '../hand.js' */
/** @import { Act } from '../../js/lesson/perform-acts.js' */

/** @typedef {NonNullable<Exclude<Act, string>['break']> & Record<string, unknown>} Fault */
/** Turn: it is broken once it holds. @typedef {{ lane: string, client: number, turn?: boolean }} Client */

/** How long somebody may take to get the lock, in milliseconds. */
const PATIENCE = 60_000;

/** How a task names whom it means, where it gives no number: in the three languages. */
const middle = /middle|中间|середин/;
const waits = /that waits|等待者|который ждёт/;
const same = /the same|同样|照做|то же/;

/** Faults of servers. @type {ReadonlySet<string>} */
const ofServers = new Set(['restart', 'kill-leader', 'lose-quorum']);

export class Breaker {
  /** @type {Page} */ #page;
  /** @type {Hand} */ #hand;

  /** @param {Page} page @param {Hand} hand */
  constructor(page, hand) {
    this.#page = page;
    this.#hand = hand;
  }

  /** Injects a fault; gives the client, if it is one. @param {Fault} fault @param {string} says @param {boolean} shown the page says it, in its language @returns {Promise<Client | undefined>} */
  async inject(fault, says, shown) {
    const page = this.#page;
    const item = page.locator(`.fault-item[data-fault="${fault.fault}"]`);
    const one = fault.you || fault.client ? await this.#whom(fault, says) : undefined;
    const client = page.locator(`.lane[data-lane="${one?.lane}"] .client[data-client="${one?.client}"]`);
    const opener = one ? page.locator('.client .break').first() : page.locator(ofServers.has(fault.fault) ? '#status button[aria-haspopup=dialog]' : '.break-any');
    if (ofServers.has(fault.fault)) await page.locator('#status .fault-mark').first().waitFor({ state: 'detached', timeout: PATIENCE }); // they are whole again
    await (one ? this.#hand.breakClient(client) : this.#hand.press(opener));
    if (one && !await item.count()) await this.#startAgain(client);
    if (shown && !same.test(says)) for (const name of [opener, item.locator('.fault-name')]) await isSaid(says, name);
    await this.#choose(fault, item, says, shown && !same.test(says));
    if (one?.turn) await client.and(page.locator('.is-holds')).waitFor({ state: 'attached', timeout: PATIENCE });
    await this.#hand.press(item);
    return one;
  }

  /** Chooses what the menu asks beside the fault. @param {Fault} fault @param {Locator} item @param {string} says @param {boolean} shown */
  async #choose(fault, item, says, shown) {
    const page = this.#page;
    /** @type {[Locator, unknown][]} */ const wanted = [[page.locator('.fault-when select'), fault['when']], [page.locator('.fault-group select'), parseInt(String(fault['for'] ?? ''), 10) || undefined]];
    const parameter = (/** @type {string} */ name) => page.locator('.fault-menu li', { has: item }).locator(`select[data-parameter="${name}"]`);
    for (const name of ['delay', 'jitter']) if (fault[name] !== undefined) wanted.push([parameter(name), String(parseInt(String(fault[name]), 10))]);
    const op = parameter('op'); // the next request, of whatever kind, does as well
    if (fault['op']) wanted.push([op, fault['op']]);
    for (const [field, value] of wanted) {
      if (value === undefined || await field.inputValue() === String(value) || field === op && !says.includes(String(value))) continue;
      const option = field.locator(`option[value="${value}"]`);
      assert.equal(await option.count(), 1, `${JSON.stringify(fault)}: the menu offers ${value}`);
      if (shown) await isSaid(says, option);
      await field.selectOption(String(value));
    }
    const length = page.locator('.fault-group select');
    if (fault['for'] || !await length.count()) return;
    const endless = (await length.locator('option[value="0"]').textContent() ?? '').trim();
    if (says.includes(endless) || says.includes('until healed')) await length.selectOption('0');
  }

  /** Which client it is that a task speaks of. @param {Fault} fault @param {string} says @returns {Promise<Client>} */
  async #whom({ you, client, lane }, says) {
    const page = this.#page;
    const within = lane ? page.locator(`.lane[data-lane="${lane}"]`) : page.locator('.lane').first();
    const name = await within.getAttribute('data-lane') ?? '';
    if (you) return { lane: name, client: Number(/\d+/.exec(await page.locator('.console-who').innerText())?.[0]) };
    if (lane) await this.#hand.turnTo(within, await within.locator('h2 b').textContent() ?? '');
    if (!says || new RegExp(`(?<!\\d)${client}(?!\\d| ?(s|秒|с)(?![a-zа-я]))`).test(says) || same.test(says)) return { lane: name, client: Number(client) };
    if (middle.test(says)) {
      await within.locator('.client.is-waiting').nth(5).waitFor();
      const queue = await this.#queue(within);
      return { lane: name, client: queue[Math.floor(queue.length / 2)] ?? 0 };
    }
    const some = within.locator('.client.is-waiting').first();
    await some.waitFor({ timeout: PATIENCE });
    const next = waits.test(says) ? NaN : (await this.#queue(within))[1] ?? NaN; // its turn comes: there is time to open its menu
    return { lane: name, client: next || Number(await some.getAttribute('data-client')), turn: !waits.test(says) };
  }

  /** Whose the znodes of a queue are. @param {Locator} lane */
  async #queue(lane) {
    const words = await lane.locator('.znode-buttons .on-queue button').evaluateAll((znodes) => znodes.map((znode) => znode.getAttribute('aria-label') ?? ''));
    return words.map((each) => Number(each.match(/\d+/g)?.[1]));
  }

  /** Whoever is gone can only be started again; then the menu has its faults. @param {Locator} client */
  async #startAgain(client) {
    await this.#hand.press(this.#page.locator('.fault-item[data-fault="start-again"]'));
    await client.and(this.#page.locator(':not(.is-crashed, .is-absent, .is-connecting)')).waitFor({ state: 'attached' });
    await this.#hand.breakClient(client);
  }
}

/** A task has the name of what is pressed. @param {string} says @param {Locator} pressed */
async function isSaid(says, pressed) {
  const name = (await pressed.textContent() ?? '').trim();
  assert.ok(says.includes(name), `“${says}” says ${name}`);
}
