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

/** @param {Partial<import('../js/events.d.ts').Write>} write @param {object} [more] of the account @returns {Partial<Event>} */
const changed = (write, more) => ({ kind: 'account.changed', account: { amount: 120, should: 120, accepted: 1, write: { client: 1, event: 1, ...write }, ...more } });

test('an account is shown only where a lane has one', () => {
  assert.equal(after('').used, false);
  assert.equal(after('token').used, true);
  assert.equal(after('', { kind: 'resource.read', client: 1, balance: 100 }).used, true);
});

test('what it has come to is said', () => {
  const said = (/** @type {object} */ more) => {
    const account = after('unfenced', changed({}, more));
    const loss = lossOf(account);
    return loss.lost ? lossSentence(loss) : soundSentence(account);
  };
  assert.deepEqual([said({ accepted: 0 }), said({}), said({ accepted: 3 }), said({ should: 150, losers: [2, 3] })],
    ['nobody has deposited yet', 'nothing is lost: the one deposit is in it', 'nothing is lost: all 3 deposits are in it', 'should be 150, is 120: 30 of clients 2 and 3 lost']);
});

test('a write over another one, and one that is refused, stay on show among the newest', () => {
  const later = [130, 140, 150].map((balance) => changed({ read: balance - 10, balance, accepted: true }));
  const over = after('unfenced', changed({ read: 100, balance: 110, over: 120, accepted: true, overClient: 2, overEvent: 7 }), ...later);
  assert.equal(lateSentence(/** @type {Write} */ (over.late)), 'client 1 wrote 110 over 120: it had read 100 before');
  assert.deepEqual(over.writes.map(({ stale, balance }) => [stale, balance]), [[false, 130], [false, 140], [false, 150]]);
  const refused = after('token', { ...changed({ token: 5, read: 100, balance: 100 }), reason: { code: 'lower-token', args: { token: 5, highest: 6 } } }, ...later);
  const late = /** @type {Write} */ (refused.late);
  assert.deepEqual([lateSentence(late), reasonWords(late.reason)], ['client 1, token 5, had read 100', 'token 5 is lower than 6, which the account has seen']);
  assert.equal(lateSentence(/** @type {Write} */ (after('token', changed({ token: 6 })).late)), 'client 1, token 6, wanted to read');
});

test('clients are named while they are few', () => {
  assert.deepEqual([[2], [2, 3], [1, 2, 5, 9], [1, 2, 3, 4, 5]].map(clientNames), ['client 2', 'clients 2 and 3', 'clients 1, 2, 5 and 9', '5 clients']);
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
