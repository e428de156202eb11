// The language that the page speaks. English stands in the source, where it is used, and
// is the key of a sentence in the tables of the other languages.
//
// A sentence is written t`client ${number} has left`; its key is "client {1} has left".
// What depends on a number has its forms after one another, each with the same values,
// t`${count} client|${count} clients`; its key is "{1} client|{1} clients", and the first
// number in it decides. A table has as many forms as its language. A translation may put
// the values in another order, and may replace the word before a number in a value, as its
// case asks for: with "client 2" as a value, {1:клиента}. Where an English word means two
// things, its key says which of them: t`holds#check`.

/** @typedef {{ code: string, name: string, plurals: Intl.LDMLPluralRule[], dense?: boolean, draft?: boolean }} Language plurals: in the order of the forms; dense: its words have no spaces between them; draft: no native reader has reviewed it yet */

/** @type {[Language, ...Language[]]} */
export const languages = [
  { code: 'en', name: 'English', plurals: ['one', 'other'] },
  { code: 'zh', name: '中文', plurals: ['other'], dense: true, draft: true },
  { code: 'ru', name: 'Русский', plurals: ['one', 'few', 'many'], draft: true },
];

/** @typedef {Record<string, string>} Table */

/** The language in force. */
export let language = languages[0];
/** The sentences in it. A text out of a recording, which may be "constructor", finds only those. @type {Map<string, string>} */ let table = new Map();
let plural = new Intl.PluralRules('en');
let lists = new Intl.ListFormat('en-GB');
let point = '.';

/** A piece of a form: words, or the number of a value from 0 and the word that is put before a number in it. @typedef {string | { value: number, word: string | undefined }} Piece */
/** What is known of sentences, by their templates. @type {WeakMap<TemplateStringsArray, { forms: Piece[][], from: number }>} */
let known = new WeakMap();

/** Takes up a language. What has been said already stays. @param {string} code @param {Table} sentences */
export function speak(code, sentences) {
  language = languages.find((each) => each.code === code) ?? { ...languages[0], code };
  table = new Map(Object.entries(sentences));
  plural = new Intl.PluralRules(code);
  lists = new Intl.ListFormat(code === 'en' ? 'en-GB' : code);
  point = (0.5).toLocaleString(code).charAt(1);
  known = new WeakMap();
}

/** What the storage has, which may be forbidden. */
function chosen() {
  try {
    return localStorage.getItem('language') ?? '';
  } catch {
    return '';
  }
}

/** The visitor's language: what was chosen before, else the first of the browser's that there is. @param {string} before @param {readonly string[]} wanted such as zh-CN */
export const languageFor = (before, wanted) => [before, ...wanted.map((tag) => tag.split('-')[0] ?? '')]
  .find((code) => languages.some((each) => each.code === code)) ?? languages[0].code;

/** A saved page has its sentences inside; any other asks for the table that it needs, of its own language where it has one. */
async function begin() {
  if (!globalThis.document) return;
  const inside = document.getElementById('sentences');
  if (inside) return speak(document.documentElement.lang, JSON.parse(inside.textContent || '{}'));
  const code = languageFor(document.documentElement.dataset['language'] ?? chosen(), navigator.languages);
  if (code === languages[0].code) return;
  const answer = await fetch(new URL(`languages/${code}.json`, import.meta.url)).catch(() => undefined);
  if (answer?.ok) speak(code, await answer.json()); // else in English
}
await begin();

/** The key of a sentence: the values of each form are counted from 1. @param {readonly string[]} strings of its template */
export const keyOf = (strings) => strings.join('{}').split('|').map((form) => {
  let count = 0;
  return form.replaceAll('{}', () => `{${++count}}`);
}).join('|');

/** The forms of a sentence, and where the values of the last one, which has all, begin. @param {TemplateStringsArray} strings */
function sentenceOf(strings) {
  let sentence = known.get(strings);
  if (!sentence) {
    const key = keyOf(strings);
    const forms = (table.get(key) ?? key.replace(/#\w+$/, '')).split('|').map(piecesOf);
    sentence = { forms, from: Math.max(0, strings.findLastIndex((each) => each.includes('|'))) };
    known.set(strings, sentence);
  }
  return sentence;
}

/** @param {string} form of a sentence @returns {Piece[]} */
export const piecesOf = (form) => form.split(/(\{\d+(?::[^}]*)?\})/).filter(Boolean).map((piece) => {
  const [, number, word] = /^\{(\d+)(?::(.*))?\}$/.exec(piece) ?? [];
  return number ? { value: Number(number) - 1, word } : piece;
});

/** @param {unknown} value */
const numberIn = (value) => (typeof value === 'number' ? value : typeof value === 'string' && /^\d/.test(value) ? Number(value.replace(point, '.')) : NaN);

/** The form that the first number among the values asks for. @param {Piece[][]} forms @param {unknown[]} values @returns {Piece[]} */
function formFor(forms, values) {
  if (forms.length < 2) return forms[0] ?? [];
  const number = values.map(numberIn).find((each) => !Number.isNaN(each)) ?? 0;
  const own = [0, language.plurals.includes('other') ? 0 : 1].includes(forms.length - language.plurals.length);
  const { plurals } = own ? language : languages[0]; // a sentence may not be translated yet
  const index = plurals.indexOf(plural.select(number));
  return forms[index] ?? forms[plurals.length] ?? forms[1] ?? []; // a fraction has its own form, or else that of few
}

/**
 * The pieces of a sentence, with its values in their places.
 * @template Value
 * @param {TemplateStringsArray} strings
 * @param {Value[]} values
 * @returns {(Value | string)[]}
 */
function pieces(strings, values) {
  const { forms, from } = sentenceOf(strings);
  return inPlace(formFor(forms, values.slice(from)), values.slice(from));
}

/** @template Value @param {Piece[]} form @param {Value[]} values @returns {(Value | string)[]} */
const inPlace = (form, values) => form.map((piece) => (typeof piece === 'string' ? piece : worded(/** @type {Value} */ (values[piece.value]), piece.word)));

/** The sentence of a key with its values. @template Value @param {string} key @param {Value[]} values */
export const filled = (key, values) => inPlace(formFor(translated(key).split('|').map(piecesOf), values), values);

/** A sentence, or a part of one. @param {TemplateStringsArray} strings @param {unknown[]} values */
export const t = (strings, ...values) => spaced(pieces(strings, values).join(''));

/** What a value becomes in a list of parts. @template Value @typedef {Value extends readonly (infer Each)[] ? Each : Value extends number ? string : Value} Spread */

/**
 * The same of values that are more than words: links, or parts of the page.
 * @template {unknown[]} Values
 * @param {TemplateStringsArray} strings
 * @param {Values} values those that are lists are spread, those that are empty left out, numbers told
 */
export const parts = (strings, ...values) => spacedParts(
  /** @type {(string | Spread<Values[number]>)[]} */ (pieces(strings, values).flat().map((piece) => (typeof piece === 'number' ? String(piece) : piece)).filter((piece) => piece !== '')));

/** In a dense language a space stands beside Latin words and numbers alone. @param {string} text */
const spaced = (text) => (language.dense ? text.replace(/(?<=\p{sc=Han}) (?=\p{sc=Han})/gu, '').replace(/(?<=\p{sc=Han})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=\p{sc=Han})/gu, ' ') : text);

/** The same of parts. @template Value @param {(Value | string)[]} parts @returns {(Value | string)[]} */
export function spacedParts(parts) {
  if (!language.dense) return parts;
  /** @type {(Value | string)[]} */ const merged = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged.splice(-1, 1, last + part);
    else merged.push(part);
  }
  return merged.map((part, index) => {
    if (typeof part !== 'string') return part;
    const [before, after] = [wordsOf(merged[index - 1]).slice(-1), wordsOf(merged[index + 1]).slice(0, 1)];
    const text = spaced(before + part + after);
    return text.slice(before.length, text.length - after.length);
  });
}

/** @param {unknown} part */
const wordsOf = (part) => (typeof part === 'string' ? part : /** @type {{ words?: string } | undefined} */ (part)?.words ?? '');

/** A value whose word before a number is replaced, if its sentence asks for that. @template Value @param {Value} value @param {string | undefined} word @returns {Value} */
function worded(value, word) {
  if (word === undefined) return value;
  const replace = (/** @type {string} */ words) => words.replace(/^[^\d]+(?=\d)/, `${word} `);
  if (typeof value === 'string') return /** @type {Value} */ (replace(value));
  const { words } = /** @type {{ words?: string }} */ (value ?? {});
  return words === undefined ? value : { ...value, words: replace(words) };
}

/** A sentence that the server serves or that stands in the document. @param {string} english */
export const translated = (english) => table.get(english) ?? english;

/**
 * Of what there may be in several languages, each in the language in force, or else in English.
 * @template {{ locale: string }} Entry
 * @param {Entry[]} entries @param {(entry: Entry) => string} nameOf the same for what is the same in other languages
 */
export function inLanguage(entries, nameOf) {
  const own = new Set(entries.filter(({ locale }) => locale === language.code).map(nameOf));
  return entries.filter((entry) => entry.locale === (own.has(nameOf(entry)) ? language.code : languages[0].code));
}

/** Names one after the other: 2, 3 and 5. @param {(string | number)[]} names */
export const listed = (names) => lists.format(names.map(String));

/** The same of what is more than words. @template Value @param {Value[]} values @returns {(Value | string)[]} */
export const listedParts = (values) => lists.formatToParts(values.map((_, index) => String(index)))
  .map(({ type, value }) => (type === 'element' ? /** @type {Value} */ (values[Number(value)]) : value));

/** A number with so many digits after the point, or the comma. @param {number} value @param {number} digits */
export const fixed = (value, digits) => value.toFixed(digits).replace('.', point);

/** A number as it is written, with the point or comma of the language. @param {number} value */
export const decimal = (value) => String(value).replace('.', point);

/** A whole number, its digits in groups. @param {number} value */
export const grouped = (value) => value.toLocaleString(language.code);
