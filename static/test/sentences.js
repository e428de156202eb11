// Every sentence that the page says in the visitor's language: the keys of the tables.
import { parse } from 'acorn';
import { readdirSync, readFileSync } from 'node:fs';
import { keyOf } from '../js/text/language.js';
import { english } from '../js/text/reasons-en.js';

/** @import { Node } from 'acorn' */

const root = new URL('../', import.meta.url);
/** @param {string} file */
const read = (file) => readFileSync(new URL(file, root), 'utf8');

/** The modules of the page. @returns {string[]} */
export const modules = () => readdirSync(new URL('js/', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js')).map((file) => `js/${file}`).sort();

/** The tags of templates whose sentences are translated. */
const TAGS = ['t', 'parts'];

/** The keys in a script. @param {string} source @returns {string[]} */
export function keysInScript(source) {
  /** @type {string[]} */
  const keys = [];
  walk(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (node.type !== 'TaggedTemplateExpression') return;
    const { tag, quasi } = /** @type {import('acorn').TaggedTemplateExpression} */ (node);
    if (tag.type === 'Identifier' && TAGS.includes(tag.name)) keys.push(keyOf(quasi.quasis.map(({ value }) => value.cooked ?? '')));
  });
  return keys;
}

/** What is read or heard of an element. */
const READ = /\s(?:alt|title|placeholder|label|aria-(?:label|description|valuetext|roledescription))="?([^"\0]*)/g;
/** What is the same in every language. */
const NAMES = /^(?:ZooKeeper|lock)$/;

/** The words that stand in templates of the page itself, by module. @returns {[string, string[]][]} */
export const wordsInScript = () => modules().map((file) => {
  /** @type {string[]} */
  const words = [];
  walk(parse(read(file), { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (node.type !== 'TaggedTemplateExpression') return;
    const { tag, quasi } = /** @type {import('acorn').TaggedTemplateExpression} */ (node);
    if (tag.type !== 'Identifier' || !['html', 'svg'].includes(tag.name)) return;
    const markup = quasi.quasis.map(({ value }) => value.cooked ?? '').join('\0');
    const text = markup.replace(/<(code|kbd)>.*?<\/\1>|<[^>]*>|&\w+;/gs, ' ');
    words.push(...[text, ...[...markup.matchAll(READ)].map(([, value = '']) => value)].flatMap((each) => each.match(/\p{L}{2,}/gu) ?? []).filter((word) => !NAMES.test(word)));
  });
  return [file, words];
});

/** What templates print of which nothing may be left but `false`, by module: `a && b` in the place of words. @returns {[string, string[]][]} */
export const printedFalse = () => modules().map((file) => {
  /** @type {string[]} */
  const found = [];
  const source = read(file);
  walk(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (node.type !== 'TemplateLiteral') return;
    const { quasis, expressions } = /** @type {import('acorn').TemplateLiteral} */ (node);
    for (const [index, each] of expressions.entries()) {
      if (mayBeFalse(each) && !/[?@.][\w-]+="?$/.test(quasis[index]?.value.cooked ?? '')) found.push(source.slice(each.start, each.end));
    }
  });
  return [file, found];
});

/** @param {import('acorn').Expression} node @returns {boolean} */
const mayBeFalse = (node) => (node.type === 'ConditionalExpression' ? mayBeFalse(node.consequent) || mayBeFalse(node.alternate)
  : node.type === 'LogicalExpression' && (node.operator === '&&' || mayBeFalse(node.right)));

/** @param {unknown} node @param {(node: Node) => void} visit */
function walk(node, visit) {
  if (Array.isArray(node)) node.forEach((each) => walk(each, visit));
  else if (node && typeof node === 'object') {
    if ('type' in node) visit(/** @type {Node} */ (node));
    Object.values(node).forEach((each) => walk(each, visit));
  }
}

/** What is the same in every language, and elements that have no end: see js/shell/language.js. */
const FIXED = ['code', 'head', 'kbd', 'noscript', 'pre', 'script', 'style'];
const VOID = ['input', 'link', 'meta'];

/** The keys in a document: the sentence of each element, with its children as values, and the attributes that people read. @param {string} source @returns {string[]} */
export function keysInDocument(source) {
  const [, title = ''] = /<title>([^{<]+)<\/title>/.exec(source) ?? [];
  const keys = title ? [title] : [];
  /** @type {{ name: string, words: string, values: number, told: boolean }[]} */
  const open = [{ name: '', words: '', values: 0, told: false }];
  const text = source.replace(/\{\{[^}]*\}\}|<!doctype[^>]*>|<!--.*?-->/gs, '');
  for (const [, end, name = '', attributes = '', words = ''] of text.matchAll(/<(\/?)([a-z]\w*)((?:\s[^>]*)?)>|([^<]+)/g)) {
    const now = /** @type {typeof open[number]} */ (open.at(-1));
    if (words) {
      now.words += words;
      now.told ||= /\p{L}/u.test(words);
    } else if (!end) {
      now.words += `{${++now.values}}`;
      const fixed = open.some((each) => FIXED.includes(each.name));
      if (!fixed) for (const [, value = ''] of attributes.matchAll(/\s(?:aria-label|title|placeholder)="([^"]+)"/g)) keys.push(value);
      if (!VOID.includes(name)) open.push({ name, words: '', values: 0, told: false });
    } else {
      const fixed = open.some((each) => FIXED.includes(each.name));
      const closed = open.pop();
      if (closed?.name !== name) throw new Error(`</${name}> ends <${closed?.name}>`);
      if (closed.told && !fixed) keys.push(closed.words.replace(/\s+/g, ' ').trim());
    }
  }
  return keys;
}

/** The keys in the pages of the static course, which playground/site writes. @returns {string[]} */
function keysOfSite() {
  const go = new URL('../playground/site/', root);
  const sources = [
    ...readdirSync(new URL('site/', root)).map((file) => read(`site/${file}`)),
    ...readdirSync(go).filter((file) => file.endsWith('.go')).map((file) => readFileSync(new URL(file, go), 'utf8')),
  ];
  return sources.flatMap((source) => [...source.matchAll(/\.T[ (]"([^"]+)"/g)].map(([, key]) => key ?? ''));
}

/** The sentences in a language. @param {string} code @returns {Record<string, string>} */
export const tableOf = (code) => JSON.parse(read(`js/text/languages/${code}.json`));

/** What the server says of itself: see cmd/playground/sentences_test.go. @type {string[]} */
export const served = JSON.parse(read('test/fixtures/served-sentences.json'));

/** The reasons that have words of their own. */
const reasonKeys = Object.values(english).map((sentence) => keyOf(sentence.split(/\{.*?\}/))).filter((key) => /\p{L}/u.test(key));

/** All keys, each once, in the order in which they are found. */
export const keys = () => [...new Set([
  ...modules().flatMap((file) => keysInScript(read(file))), ...['index.html', 'front.html', 'saved.html'].flatMap((file) => keysInDocument(read(file))),
  ...keysOfSite(), ...served, ...reasonKeys,
])];
