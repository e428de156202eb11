// The account that a lane's lock protects: who wrote what, what was refused, and
// whose deposits are lost. playground/check/account.go counts the same.

import { reasonOf } from './reason.js';

/** @import { Event, Reason } from '../events.d.ts' */

/**
 * @typedef {object} Write
 * @property {number} at
 * @property {number} client
 * @property {number} token
 * @property {number} read the balance that the writer had read, 0 if it was refused to read
 * @property {number} balance what it wrote; of a refused write, what it had read
 * @property {boolean} accepted
 * @property {boolean} stale it was accepted although another write was based on the same balance already
 * @property {number} over the balance before the write
 * @property {Reason | undefined} reason of a refusal
 */

/**
 * What the account has, from one write to the next.
 * @typedef {object} Balance
 * @property {number} amount
 * @property {Map<number, number>} from by client: its deposits in it
 * @property {boolean} used a write is based on it
 * @property {boolean} ahead what that write made was read before it was told
 */

/**
 * @typedef {object} Account
 * @property {boolean} used whether the lane has an account
 * @property {string} kind "unfenced", "token", "guard" or empty
 * @property {Balance} now
 * @property {Map<number, Balance>} read by client: what it has read, until it has written
 * @property {Map<number, number>} deposits by client: all that were accepted
 * @property {Write[]} writes the newest few, oldest first
 * @property {number} accepted how many writes
 * @property {number} refused how many writes
 * @property {Write | undefined} late the newest write that was refused or stale
 */

/** @typedef {{ should: number, is: number, lost: number, clients: number[] }} Loss what the account should have and has, and whose deposits are lost */

/** What every account begins with. */
const BEGINNING = 100;

/** As many writes are kept. */
const MOST = 3;

/** @param {number} amount @param {Map<number, number>} from @returns {Balance} */
const balanceOf = (amount, from) => ({ amount, from: new Map(from), used: false, ahead: false });

/** @param {string} [kind] @returns {Account} */
export const createAccount = (kind = '') => ({
  used: kind !== '', kind, now: balanceOf(BEGINNING, new Map()),
  read: new Map(), deposits: new Map(), writes: [], accepted: 0, refused: 0, late: undefined,
});

/**
 * @param {Account} account
 * @param {Event} event
 */
export function stepAccount(account, event) {
  if (!event.kind.startsWith('resource.')) return;
  account.used = true;
  if (event.kind === 'resource.read') return read(account, event);
  const write = event.kind === 'resource.accepted' ? accept(account, event) : refuse(account, event);
  account.read.delete(write.client);
  account.writes.push(write);
  if (account.writes.length > MOST) account.writes.shift();
  if (write.stale || !write.accepted) account.late = write;
}

/** @param {Account} account @returns {Loss} */
export function lossOf({ now, deposits }) {
  const missing = [...deposits].map(([client, sum]) => ({ client, sum: sum - (now.from.get(client) ?? 0) })).filter(({ sum }) => sum > 0);
  const lost = missing.reduce((all, { sum }) => all + sum, 0);
  return { should: now.amount + lost, is: now.amount, lost, clients: missing.map(({ client }) => client).sort((a, b) => a - b) };
}

/** @param {Account} account @param {Event} event */
function read(account, event) {
  const amount = event.balance ?? account.now.amount;
  if (amount !== account.now.amount) {
    account.now.ahead = true;
    account.now = balanceOf(amount, account.now.from);
  }
  account.read.set(event.client ?? 0, account.now);
}

/** @param {Account} account @param {Event} event @returns {Write} */
function accept(account, event) {
  const write = writeOf(account, event, true);
  const base = account.read.get(write.client) ?? account.now;
  const deposit = write.balance - write.read;
  account.accepted++;
  add(account.deposits, write.client, deposit);
  write.stale = base.used;
  if (base.used || !base.ahead) account.now = balanceOf(write.balance, base.from); // else others work on it already
  add(account.now.from, write.client, deposit);
  base.used = true;
  return write;
}

/** @param {Account} account @param {Event} event @returns {Write} */
function refuse(account, event) {
  account.refused++;
  return writeOf(account, event, false);
}

/** @param {Account} account @param {Event} event @param {boolean} accepted @returns {Write} */
function writeOf({ now }, event, accepted) {
  const was = event.read ?? 0;
  return {
    at: event.at, client: event.client ?? 0, token: event.token ?? 0, accepted, stale: false,
    read: was, balance: accepted ? event.balance ?? was : was, over: now.amount, reason: reasonOf(event),
  };
}

/** @param {Map<number, number>} sums @param {number} client @param {number} deposit */
const add = (sums, client, deposit) => sums.set(client, (sums.get(client) ?? 0) + deposit);
