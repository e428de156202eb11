// Prints what a table of sentences lacks, as JSON to be filled in, and what it has in
// vain: node static/test/missing-keys.js zh
import { keys } from './sentences.js';

const code = process.argv[2] ?? '';
/** @type {Record<string, string>} */
const table = (await import(`../js/text/languages/${code}.js`)).default;
const all = keys();
console.log(JSON.stringify(Object.fromEntries(all.filter((key) => !Object.hasOwn(table, key)).map((key) => [key, ''])), null, 2));
const vain = Object.keys(table).filter((key) => !all.includes(key));
if (vain.length) console.error(`not asked for any more:\n${vain.join('\n')}`);
