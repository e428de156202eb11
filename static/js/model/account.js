// The account that a lane's lock protects: who read it, who wrote what, and
// which writes were lost under another one.

/** @import { Event } from '../events.d.ts' */

/**
 * @typedef {object} Write
 * @property {number} at
 * @property {number} client
 * @property {number} token
 * @property {number} read the balance that the writer had read
 * @property {number} balance what it wrote, or would have written
 * @property {boolean} accepted
 * @property {boolean} stale it was accepted although the balance had changed since it was read
 * @property {number} over the balance before the write
 * @property {string} why a refusal's reason
 */

/**
 * @typedef {object} Account
 * @property {boolean} used whether the lane has an account
 * @property {string} kind "unfenced", "token", "guard" or empty
 * @property {number} balance
 * @property {Map<number, number>} reads by client: the balance that it read last
 * @property {Write[]} writes oldest first
 * @property {number} refused how many writes
 * @property {number} lost how many writes were made over a balance that the writer had not read
 * @property {Write | undefined} corrupted the first of those
 */

/** What every account begins with. */
const BEGINNING = 100;

/** @param {string} [kind] @returns {Account} */
export const createAccount = (kind = '') =>
  ({ used: kind !== '', kind, balance: BEGINNING, reads: new Map(), writes: [], refused: 0, lost: 0, corrupted: undefined });

/** Only the newest writes are kept. */
const MOST = 100;

/**
 * @param {Account} account
 * @param {Event} event
 */
export function stepAccount(account, event) {
  if (!event.kind.startsWith('resource.')) return;
  account.used = true;
  if (event.kind === 'resource.read') account.reads.set(event.client ?? 0, event.balance ?? account.balance);
  else note(account, writeOf(account, event));
}

/**
 * The newest writes, newest first, and always the newest that was refused or
 * overwrote another one.
 * @param {Account} account
 * @param {number} most
 * @returns {Write[]}
 */
export function newest({ writes }, most) {
  const shown = writes.slice(-most).reverse();
  const telling = writes.findLast((write) => !write.accepted || write.stale);
  return telling && !shown.includes(telling) ? [...shown.slice(0, most - 1), telling] : shown;
}

/** @param {Account} account @param {Event} event @returns {Write} */
function writeOf(account, event) {
  const client = event.client ?? 0;
  const accepted = event.kind === 'resource.accepted';
  const read = event.read ?? account.reads.get(client) ?? account.balance;
  return {
    client, accepted, read, at: event.at, token: event.token ?? 0, over: account.balance, why: event.why ?? '',
    balance: accepted ? event.balance ?? account.balance : read,
    stale: accepted && read !== account.balance,
  };
}

/** @param {Account} account @param {Write} write */
function note(account, write) {
  account.writes.push(write);
  if (account.writes.length > MOST) account.writes.shift();
  if (!write.accepted) account.refused++;
  else account.balance = write.balance;
  if (!write.stale) return;
  account.lost++;
  account.corrupted ??= write;
}
