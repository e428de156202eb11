// The sentences of the page in other languages: how they are put together, and that the
// tables have all of them.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { fixed, languageFor, languages, listed, listedParts, parts, speak, t, translated } from '../js/text/language.js';
import { reasonParts } from '../js/text/reasons.js';
import { reasonWords } from '../js/text/reasons.js';
import { keys, keysInDocument, keysInScript, tableOf } from './sentences.js';

/** @import { Reason } from '../js/events.d.ts' */

beforeEach(() => speak('en', {}));

test('English is what stands in the source', () => {
  assert.equal(t`client ${2} has left`, 'client 2 has left');
  assert.equal(t`nothing`, 'nothing');
  assert.equal(translated('Pause'), 'Pause');
  assert.deepEqual(parts`${{ words: 'client 2' }} waits${''}`, [{ words: 'client 2' }, ' waits']);
  assert.equal(listed([2, 3, 5]), '2, 3 and 5');
  assert.equal(fixed(1.25, 1), '1.3');
});

test('the first number decides how many there are', () => {
  const words = (/** @type {unknown} */ count) => t`${'herd'}: ${count} client|${'herd'}: ${count} clients`;
  assert.deepEqual([1, 2, 0, '1', '1.0', '7.1', '–'].map(words).map((each) => each.slice(6)),
    ['1 client', '2 clients', '0 clients', '1 client', '1.0 client', '7.1 clients', '– clients']);
  speak('ru', { '{1}: {2} client|{1}: {2} clients': '{1}: {2} клиент|{1}: {2} клиента|{1}: {2} клиентов' });
  assert.deepEqual([1, 2, 5, 11, 21, 22, '7,1'].map(words).map((each) => each.slice(6)),
    ['1 клиент', '2 клиента', '5 клиентов', '11 клиентов', '21 клиент', '22 клиента', '7,1 клиента']);
  speak('zh', { '{1}: {2} client|{1}: {2} clients': '{2} 个客户端' });
  assert.equal(words(3), '3 个客户端');
  speak('ru', {});
  assert.equal(words(2), 'herd: 2 clients', 'what is not translated is in English');
});

test('a translation has its own order, and its own case of a word before a number', () => {
  speak('ru', { '{1} waits for {2}{3}': '{3}{2:узла} ждёт {1:клиент}' });
  const link = { words: 'client 2', lane: 'herd' };
  assert.deepEqual(parts`${link} waits for ${'znode 17'}${[' in ', 'a']}`, [' in ', 'a', 'узла 17', ' ждёт ', { words: 'клиент 2', lane: 'herd' }]);
  assert.equal(t`${'client 2'} waits for ${'/lock'}${''}`, '/lock ждёт клиент 2');
});

test('lists and numbers are as the language has them', () => {
  speak('ru', {});
  assert.deepEqual([listed(['a', 'b', 'c']), fixed(1.25, 1)], ['a, b и c', '1,3']);
  const [one, two] = [{ words: '1' }, { words: '2' }];
  assert.deepEqual(listedParts([one, two]), [one, ' и ', two]);
  speak('zh', {});
  assert.deepEqual([listed(['a', 'b', 'c']), fixed(1.25, 1)], ['a、b和c', '1.3']);
});

test('in Chinese a space stands beside Latin words and numbers alone', () => {
  speak('zh', { '{1} of {2}': '{2}的 {1}' });
  assert.equal(t`${'锁'} of ${'herd'}`, 'herd 的锁');
  const link = { words: '客户端 2' };
  assert.deepEqual(parts`${link} of ${link}`, [link, ' 的', link]);
  assert.deepEqual(parts`${link} of ${{ words: 'herd' }}`, [{ words: 'herd' }, ' 的', link]);
});

describe('a reason', () => {
  /** @type {Reason} */ const wrote = { code: 'overwrote', args: { client: 2, balance: 110, event: 276, read: 100, other: 1, then: 160 } };
  /** @param {number} count @returns {Reason} */
  const ordered = (count) => ({ code: 'in-order', args: { count } });
  /** @type {Reason} */ const several = { code: 'several', args: { reasons: [
    { code: 'in-lock', args: { lock: 'orders', reason: ordered(2) } }, { code: 'in-lock', args: { lock: 'stock', reason: ordered(21) } }] } };

  test('is a sentence of its code, with the arguments in their places', () => {
    assert.equal(reasonWords(wrote), 'client 2 wrote 110, having read 100 before client 1 changed that');
    assert.equal(reasonWords(several), 'orders: 2 acquisitions in the order of their znodes; stock: 21 acquisitions in the order of their znodes');
    assert.equal(reasonWords({ code: 'takes-jitter', args: { delay: 250_000, jitter: 1_500_000 } }), 'each frame takes 250 ms each way, and up to 1.5 s more');
    assert.equal(reasonWords({ code: 'account-lacks', args: { should: 120, is: 110, lost: 10, clients: [1, 3] } }), 'the account should be 120, is 110: 10 of clients 1 and 3 lost');
    assert.equal(reasonWords({ code: 'both-believed', args: { others: [{ code: 'believes-since', args: { client: 2, event: 95 } }], client: 1, event: 228, instant: 2_576_000 } }),
      'client 2 and client 1 both believed that they held at 2.576 s');
    assert.equal(reasonWords({ code: 'was-not-mine', args: { znode: '/playground/rooms/main/x-1/plain/lock/_c_plain-1-lock-0000000003' } }), 'znode 03 was not mine any more');
    assert.equal(reasonWords(undefined), '');
  });

  test('is in the language of the page', () => {
    speak('ru', { '{1} wrote {2}, having read {3} before {4} changed that': '{1} записал {2}, хотя {4} изменил {3}', 'client {1}': 'клиент {1}', 'Herd': 'Стадо',
      '{1} acquisition in the order of their znodes|{1} acquisitions in the order of their znodes': '{1} захват по порядку|{1} захвата по порядку|{1} захватов по порядку' });
    assert.equal(reasonWords(wrote), 'клиент 2 записал 110, хотя клиент 1 изменил 100');
    assert.equal(reasonWords(several), 'orders: 2 захвата по порядку; stock: 21 захват по порядку');
    assert.equal(reasonWords({ code: 'titled', args: { title: 'Herd' } }), 'Стадо');
  });

  test('names clients and znodes as the page does', () => {
    const naming = { client: (/** @type {number} */ number) => ({ of: String(number) }), znode: (/** @type {string} */ path) => ({ of: path }) };
    assert.deepEqual(reasonParts({ code: 'ahead-still-there', args: { client: 2, znode: '/a', event: 1, proof: 2 } }, naming),
      [{ of: '2' }, ' acquired, but ', { of: '/a' }, ', ahead of it in the queue, still existed']);
  });

  test('of a recording may have anything in it', () => {
    assert.equal(reasonWords({ code: 'constructor' }), 'constructor', 'a code of a later playground');
    assert.equal(reasonWords({ code: 'both-believed', args: { others: 'nobody', client: 'x' } }), ' and client NaN both believed that they held at 0.000 s');
    assert.equal(reasonWords({ code: 'text', args: { text: 'as it was at event 3' } }), 'as it was at event 3');
  });
});

test('the language is what was chosen, or the first of the browser that there is', () => {
  assert.equal(languageFor('ru', ['zh-CN']), 'ru');
  assert.equal(languageFor('', ['fr-FR', 'zh-Hans-CN', 'ru']), 'zh');
  assert.equal(languageFor('xx', ['fr']), 'en');
  assert.equal(languageFor('', ['en-GB', 'ru']), 'en');
});

test('the keys of a script and of a document are found', () => {
  assert.deepEqual(keysInScript('const a = html`<p>${t`in ${b} of ${c`x`}`}</p>`; parts`${t`d`} e`;'), ['in {1} of {2}', '{1} e', 'd']);
  const document = '<html><head><title>A page</title></head><body><p title="Yes">One <kbd title="No">Tab</kbd>\n <a href="">two</a>.</p><input placeholder="Three"><p>5</p>{{if .B}}<p>C</p>{{end}}</body></html>';
  assert.deepEqual(keysInDocument(document), ['A page', 'Yes', 'No', 'two', 'One {1} {2}.', 'Three', 'C']);
});

/** The values in a form, by their numbers. @param {string} form */
const valuesIn = (form) => [...new Set([...form.matchAll(/\{(\d+)(?::[^}]*)?\}/g)].map(([, number]) => Number(number)))].sort();

/** How many values a key has in its last form, which has all. @param {string} key */
const countIn = (key) => valuesIn(key.split('|').at(-1) ?? '').length;

for (const { code, name, plurals } of languages.slice(1)) {
  describe(name, () => {
    const table = tableOf(code);

    test('has every sentence, and no other', () => {
      const all = keys();
      assert.deepEqual(all.filter((key) => !Object.hasOwn(table, key)), [], `node static/test/missing-keys.js ${code} prints them to be filled in`);
      assert.deepEqual(Object.keys(table).filter((key) => !all.includes(key)), [], 'nobody asks for these');
    });

    test('has the values of each sentence, and all forms of those that depend on a number', () => {
      for (const [key, translation] of Object.entries(table)) {
        const forms = translation.split('|');
        const fractions = plurals.includes('other') ? 0 : 1;
        assert.ok([plurals.length, plurals.length + fractions].includes(forms.length) || (forms.length === 1 && !key.includes('|')), `${key}: ${forms.length} forms`);
        for (const form of forms.slice(-1)) assert.deepEqual(valuesIn(form), Array.from({ length: countIn(key) }, (_, index) => index + 1), `${key}: ${form}`);
      }
    });
  });
}
