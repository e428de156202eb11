import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount, newest, stepAccount } from '../js/model/account.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {string} kind @param {Partial<Event>[]} events */
function after(kind, ...events) {
  const account = createAccount(kind);
  events.forEach((event, index) => stepAccount(account, /** @type {Event} */ ({ seq: index + 1, at: index, ...event })));
  return account;
}

/** @param {number} client @param {number} balance @returns {Partial<Event>} */
const read = (client, balance) => ({ kind: 'resource.read', client, balance });
/** @param {number} client @param {number} token @param {number} was @param {number} balance @returns {Partial<Event>} */
const wrote = (client, token, was, balance) => ({ kind: 'resource.accepted', client, token, read: was, balance });

test('an account is shown only where a lane has one', () => {
  assert.equal(after('').used, false);
  assert.equal(after('token').used, true);
  assert.equal(after('', read(1, 100)).used, true);
});

test('writes in turn are sound', () => {
  const account = after('unfenced', read(1, 100), wrote(1, 5, 100, 110), read(2, 110), wrote(2, 6, 110, 120));
  assert.deepEqual([account.balance, account.lost, account.corrupted], [120, 0, undefined]);
  assert.deepEqual(account.writes.map(({ stale }) => stale), [false, false]);
});

test('a write of what was read before another one wrote buries that write', () => {
  const account = after('unfenced', read(1, 100), read(2, 100), wrote(2, 6, 100, 110), wrote(1, 5, 100, 110), read(2, 110), wrote(2, 7, 110, 120));
  assert.equal(account.lost, 1);
  const { client, read: was, over, balance } = account.corrupted ?? {};
  assert.deepEqual([client, was, over, balance], [1, 100, 110, 110]);
});

test('a refused write changes nothing and is kept', () => {
  const account = after('token', read(1, 100), read(2, 100), wrote(2, 6, 100, 110),
    { kind: 'resource.refused', client: 1, token: 5, why: 'token 6 has been seen' });
  assert.deepEqual([account.balance, account.refused, account.corrupted], [110, 1, undefined]);
  const last = account.writes.at(-1);
  assert.deepEqual([last?.accepted, last?.read, last?.why], [false, 100, 'token 6 has been seen']);
});

test('only the newest writes are kept, every lost one is counted', () => {
  const account = after('unfenced', ...Array.from({ length: 150 }, () => wrote(1, 1, 100, 110)));
  assert.equal(account.writes.length, 100);
  assert.equal(account.lost, 149);
});

test('the newest writes come first, and a refused one is not forgotten', () => {
  const account = after('token', wrote(1, 1, 100, 110), { kind: 'resource.refused', client: 2, read: 100, token: 0 },
    wrote(1, 2, 110, 120), wrote(1, 3, 120, 130), wrote(1, 4, 130, 140));
  assert.deepEqual(newest(account, 3).map(({ accepted, balance }) => (accepted ? balance : 'refused')), [140, 130, 'refused']);
  assert.deepEqual(newest(account, 4).map(({ accepted, balance }) => (accepted ? balance : 'refused')), [140, 130, 120, 'refused']);
});
