// The sentences of the page in other languages: how they are put together, and that the
// tables have all of them.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { fixed, languageFor, languages, listed, listedParts, parts, speak, t, translated } from '../js/text/language.js';
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
        assert.ok(forms.length === plurals.length || (forms.length === 1 && !key.includes('|')), `${key}: ${forms.length} forms`);
        for (const form of forms.slice(-1)) assert.deepEqual(valuesIn(form), Array.from({ length: countIn(key) }, (_, index) => index + 1), `${key}: ${form}`);
      }
    });
  });
}
