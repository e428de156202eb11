import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount, lossOf, stepAccount } from '../js/model/account.js';
import { lateSentence, lossSentence, soundSentence } from '../js/text/account.js';
import { clientNames } from '../js/text/format.js';
import { reasonWords } from '../js/text/reasons.js';
import { fold, recording, summary } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Write } from '../js/model/account.js' */

/** @param {string} kind @param {Partial<Event>[]} events */
function after(kind, ...events) {
  const account = createAccount(kind);
  events.forEach((event, index) => stepAccount(account, /** @type {Event} */ ({ seq: index + 1, at: index, ...event })));
  return account;
}

/** @param {number} balance @param {number[]} clients @returns {Partial<Event>[]} */
const read = (balance, ...clients) => clients.map((client) => ({ kind: 'resource.read', client, balance }));
/** @param {number} client @param {number} was @returns {Partial<Event>} */
const wrote = (client, was) => ({ kind: 'resource.accepted', client, token: 5 + client, read: was, balance: was + 10 });
/** @param {number} client @param {number} was */
const deposited = (client, was) => [...read(was, client), wrote(client, was)];
/** @param {number} client @param {number} was @returns {Partial<Event>} */
const refused = (client, was) => ({ kind: 'resource.refused', client, token: 5, read: was, reason: { code: 'lower-token', args: { token: 5, highest: 6 } } });

test('an account is shown only where a lane has one', () => {
  assert.equal(after('').used, false);
  assert.equal(after('token').used, true);
  assert.equal(after('', ...read(100, 1)).used, true);
});

/** The stories of playground/check/account_test.go. @type {[string, Partial<Event>[], string][]} */
const stories = [
  ['no write', read(100, 1), 'nobody has deposited yet'],
  ['one write', deposited(1, 100), 'nothing is lost: the one deposit is in it'],
  ['one after the other', [...deposited(1, 100), ...deposited(2, 110), ...deposited(1, 120)], 'nothing is lost: all 3 deposits are in it'],
  ['a stale write refused', [...read(100, 1), ...deposited(2, 100), refused(1, 100), ...deposited(2, 110)], 'nothing is lost: all 2 deposits are in it'],
  ['one lost', [...read(100, 1, 2), wrote(2, 100), wrote(1, 100)], 'should be 120, is 110: 10 of client 2 lost'],
  ['those of others lost, for good', [...read(100, 1), ...deposited(2, 100), ...deposited(3, 110), ...deposited(2, 120), wrote(1, 100), ...deposited(1, 110)],
    'should be 150, is 120: 30 of clients 2 and 3 lost'],
  ['that of the late writer lost, under a write that was under way', [...read(100, 1), ...deposited(2, 100), ...read(110, 3), wrote(1, 100), wrote(3, 110)],
    'should be 130, is 120: 10 of client 1 lost'],
  ['those of many lost', [...read(100, 9), ...[1, 2, 3, 4, 5].flatMap((client, index) => deposited(client, 100 + 10 * index)), wrote(9, 100)],
    'should be 160, is 110: 50 of 5 clients lost'],
  ['told in another order', [...read(100, 1), ...read(110, 2), wrote(2, 110), wrote(1, 100), ...deposited(3, 120)], 'nothing is lost: all 3 deposits are in it'],
  ['told late, before another writes', [...read(100, 1), ...read(110, 2), wrote(1, 100), wrote(2, 110), ...read(120, 3)], 'nothing is lost: all 2 deposits are in it'],
];
for (const [name, events, sentence] of stories) {
  test(`${name}: ${sentence}`, () => {
    const account = after('unfenced', ...events);
    const loss = lossOf(account);
    assert.equal(loss.lost ? lossSentence(loss) : soundSentence(account), sentence);
  });
}

test('a write over another one stays on show', () => {
  const account = after('unfenced', ...read(100, 1), ...deposited(2, 100), ...deposited(3, 110), wrote(1, 100), ...deposited(1, 110), ...deposited(2, 120), ...deposited(3, 130));
  assert.equal(lateSentence(/** @type {Write} */ (account.late)), 'client 1 wrote 110 over 120: it had read 100 before');
  assert.deepEqual(account.writes.map(({ stale, balance }) => [stale, balance]), [[false, 120], [false, 130], [false, 140]]);
});

test('a refused write changes nothing, and stays on show', () => {
  const account = after('token', ...read(100, 1), ...deposited(2, 100), refused(1, 100), ...[110, 120, 130].flatMap((was) => deposited(3, was)));
  assert.deepEqual([account.now.amount, account.refused, lossOf(account).lost], [140, 1, 0]);
  const late = /** @type {Write} */ (account.late);
  assert.deepEqual([lateSentence(late), reasonWords(late.reason)], ['client 1, token 5, had read 100', 'token 5 is lower than 6, which the account has seen']);
});

test('who is refused to read has no balance of its own', () => {
  const account = after('token', ...deposited(1, 100), ...read(110, 2), { kind: 'resource.refused', client: 1, token: 6, balance: 110 });
  assert.equal(lateSentence(/** @type {Write} */ (account.late)), 'client 1, token 6, wanted to read');
});

test('clients are named while they are few', () => {
  assert.deepEqual([[2], [2, 3], [1, 2, 5, 9], [1, 2, 3, 4, 5]].map(clientNames), ['client 2', 'clients 2 and 3', 'clients 1, 2, 5 and 9', '5 clients']);
});

test('what is kept does not grow with the run', () => {
  const account = after('unfenced', ...Array.from({ length: 150 }, (_, turn) => deposited(turn % 3, 100 + 10 * turn)).flat());
  assert.deepEqual([account.writes.length, account.read.size, account.accepted, account.now.amount], [3, 0, 150, 1600]);
});

for (const name of ['two-holders', 'two-holders-fenced']) {
  test(`${name}: the page says of the account what the server sums up`, () => {
    for (const [index, { account }] of fold(recording(name)).lanes.entries()) {
      const loss = lossOf(account);
      const { why } = summary(name).lanes[index].verdicts.find((/** @type {{ check: string }} */ { check }) => check === 'fenced-account');
      if (loss.lost) assert.ok(why.endsWith(`; the account ${lossSentence(loss)}`), why);
      else assert.match(why, new RegExp(`^${account.accepted} writes, .* and ${account.refused} refused, the last that of client ${account.late?.client} .*: stale: ${reasonWords(account.late?.reason)}$`));
    }
  });
}
