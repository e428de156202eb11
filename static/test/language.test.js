// The sentences of the page in other languages: how they are put together, and that the
// tables have all of them.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { fixed, languageFor, languages, listed, listedParts, parts, speak, t, translated } from '../js/text/language.js';
import { reasonWords } from '../js/text/sentence.js';
import { keys, keysInDocument, keysInScript } from './sentences.js';

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

test('a reason of the server is matched against the sentences with values', () => {
  speak('ru', { '~{1} wrote {2}, having read {3} before {4} changed that': '{1} записал {2}, хотя {4} изменил {3}', 'client {1}': 'клиент {1}', 'Herd': 'Стадо', '~{1} acquisitions': '{1} захват|{1} захвата|{1} захватов', '~{1}, in order': '{1} по порядку' });
  assert.equal(reasonWords('client 2 wrote 110 at event 276, having read 100 before client 1 changed that at event 160'), 'клиент 2 записал 110, хотя клиент 1 изменил 100');
  assert.equal(reasonWords('orders: 2 acquisitions, in order; stock: 21 acquisitions, in order'), 'orders: 2 захвата по порядку; stock: 21 захват по порядку');
  assert.deepEqual(['Herd', 'nobody knows this', 'zklock: nobody knows this'].map((each) => reasonWords(each)), ['Стадо', 'nobody knows this', 'nobody knows this']);
  speak('en', {});
  assert.equal(reasonWords('zklock: as it was at event 3'), 'zklock: as it was at event 3');
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
  describe(name, async () => {
    /** @type {Record<string, string>} */
    const table = (await import(`../js/text/languages/${code}.js`)).default;

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
