// Prints what a table of sentences lacks, as JSON to be filled in:
// node static/test/missing-keys.js zh
// With such a file, filled in, it adds that to the table, and removes what nobody asks for:
// node static/test/missing-keys.js zh FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { keys, tableOf } from './sentences.js';

const [code = '', file] = process.argv.slice(2);
const table = tableOf(code);
const all = keys();

if (file) {
  const known = Object.entries({ ...table, ...JSON.parse(readFileSync(file, 'utf8')) }).filter(([key]) => all.includes(key));
  writeFileSync(new URL(`../js/text/languages/${code}.json`, import.meta.url), `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
} else {
  console.log(JSON.stringify(Object.fromEntries(all.filter((key) => !Object.hasOwn(table, key)).map((key) => [key, ''])), null, 2));
}
