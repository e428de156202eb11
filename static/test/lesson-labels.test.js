// What a lesson, or a page or plan for its teacher, calls a button, a tab or a menu is what
// that is called on the page, in each language. In English a label stands in bold, or after
// "choose" in what is told of an act; where those words are a sentence of the page, the
// translations say it as the page does.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tableOf } from './sentences.js';

const tables = { zh: tableOf('zh'), ru: tableOf('ru') };
const lessons = new URL('../../lessons/', import.meta.url);
const read = (/** @type {string} */ file) => readFileSync(new URL(file, lessons), 'utf8');
/** The fixed words of documents, from Go. @type {Map<string, { zh: string, ru: string }>} */
const words = new Map([...read('words.go').matchAll(/^\t"[\w-]+":\s+\{"([^"]*)", "([^"]*)", "([^"]*)"\}/gm)].map(([, en = '', zhs = '', rus = '']) => [en, { zh: zhs, ru: rus }]));
/** What the page calls it in a language: one word may have several labels. @param {string} label @param {'zh' | 'ru'} code */
function labelsOf(label, code) {
  return [words.get(label)?.[code], ...Object.entries(tables[code]).filter(([key]) => key.replace(/#\w+$/, '') === label).map(([, said]) => said)].filter((each) => each !== undefined);
}

/** The bold words that may be a label: those begin with a capital. @param {string} text */
const bolds = (text) => [...text.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, bold = '']) => bold);

/** What the tasks tell of their acts. @param {string} text @returns {string[]} empty where an act tells nothing */
const acts = (text) => [...text.matchAll(/^```do\n(.*?)^```/gms)].flatMap(([, fence = '']) => JSON.parse(fence).how.map((/** @type {{ says?: string }} */ { says = '' }) => says));

for (const file of ['', 'teacher/', 'plans/'].flatMap((folder) => readdirSync(new URL(`en/${folder}`, lessons)).map((name) => folder + name)).filter((name) => name.endsWith('.md'))) {
  for (const code of /** @type {const} */ (['zh', 'ru'])) {
    test(`${code}/${file} names labels as the page has them`, () => {
      const [english, translation] = [read(`en/${file}`), read(`${code}/${file}`)];
      const wrong = [];
      const theirs = bolds(translation);
      for (const label of new Set(bolds(english))) {
        const labels = /^\p{Lu}/u.test(label) ? labelsOf(label, code) : [];
        const [wanted, found] = [bolds(english).filter((each) => each === label).length, theirs.filter((each) => labels.includes(each)).length];
        if (labels.length && found < wanted) wrong.push(`“${label}” in bold: ${found} of ${wanted} are ${labels.join(' or ')}`);
      }
      const told = acts(translation);
      for (const [index, says] of acts(english).entries()) {
        for (const [, label = ''] of says.matchAll(/(?:choose|Press|press) ([A-Z][\w]*(?: server)?…?)/g)) {
          const labels = labelsOf(label, code);
          if (told[index] && labels.length && !labels.some((each) => told[index]?.includes(each))) wrong.push(`“${label}”: “${told[index]}” does not say ${labels.join(' or ')}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }
}
