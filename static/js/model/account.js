// The account that a lane's lock protects: who wrote what, what was refused, and
// whose deposits are lost, as account.changed tells it.

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
 * @typedef {object} Account
 * @property {boolean} used whether the lane has an account
 * @property {string} kind "unfenced", "token", "guard" or empty
 * @property {number} amount
 * @property {number} should what would be in it if no deposit were lost
 * @property {number[]} losers the clients whose deposits are lost
 * @property {Write[]} writes the newest few, oldest first
 * @property {number} accepted how many writes
 * @property {number} refused how many writes
 * @property {Write | undefined} late the newest write that was refused or stale
 * @property {import('../events.d.ts').Write[]} underWay writes that the network holds up
 */

/** @typedef {{ should: number, is: number, lost: number, clients: number[] }} Loss what the account should have and has, and whose deposits are lost */

/** What every account begins with. */
const BEGINNING = 100;

/** As many writes are kept. */
const MOST = 3;

/** @param {string} [kind] @returns {Account} */
export const createAccount = (kind = '') =>
  ({ used: kind !== '', kind, amount: BEGINNING, should: BEGINNING, losers: [], writes: [], accepted: 0, refused: 0, late: undefined, underWay: [] });

/** @param {Account} account @param {Event} event */
export function stepAccount(account, event) {
  if (event.kind.startsWith('resource.')) account.used = true;
  if (!event.account) return;
  const { amount, should, losers = [], accepted = 0, refused = 0, underWay = [] } = event.account;
  Object.assign(account, { amount, should, losers, accepted, refused, underWay });
  const write = writeOf(event);
  if (!write) return;
  account.writes.push(write);
  if (account.writes.length > MOST) account.writes.shift();
  if (write.stale || !write.accepted) account.late = write;
}

/** @param {Account} account @returns {Loss} */
export const lossOf = ({ amount, should, losers }) => ({ should, is: amount, lost: should - amount, clients: losers });

/** The write that account.changed tells of, if it does. @param {Event} event @returns {Write | undefined} */
export function writeOf(event) {
  const write = event.account?.write;
  if (!write) return undefined;
  const { client, token = 0, read = 0, balance = 0, over = 0, accepted = false, overClient = 0 } = write;
  return { at: event.at, client, token, read, balance, over, accepted, stale: overClient > 0, reason: reasonOf(event) };
}
