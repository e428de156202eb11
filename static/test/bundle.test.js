// The page as it is served: bundled, and small enough for a slow network.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const page = new URL('../lib/page/', import.meta.url);
/** @param {string} file */
const read = (file) => readFileSync(new URL(file, page), 'utf8');

/** The most that a first visit loads, in bytes as gzip sends them. */
const MOST = 65_000;

/** A module and those that it cannot do without. @param {string} file @returns {string[]} */
const withImports = (file) => [file, ...[...read(file).matchAll(/(?:from|import)"\.\/([^"]+)"/g)].flatMap(([, next]) => withImports(next ?? ''))];

for (const [document, sheet, script] of /** @type {const} */ ([['index.html', 'page.css', 'main.js'], ['front.html', 'front.css', 'front.js']])) test(`a first visit of ${document} loads at most 65 KB`, (context) => {
  const files = [...new Set([document, sheet, ...withImports(script)])];
  const sizes = files.map((file) => gzipSync(read(file)).length);
  const sum = sizes.reduce((a, b) => a + b);
  context.diagnostic(`${files.map((file, index) => `${file} ${sizes[index]}`).join(', ')}: ${sum} bytes`);
  assert.ok(sum <= MOST, `${sum} bytes`);
});

test('it names nothing but what is there, and loads what draws a run, reads recordings or draws charts only when that is needed', () => {
  const named = [...read('index.html').matchAll(/(?:href|src)="static\/([^"]+)"/g)].map(([, file]) => file ?? '');
  assert.ok(named.includes('lib/page/main.js') && named.includes('lib/page/page.css'));
  for (const file of named) assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), file);
  const first = withImports('main.js');
  for (const file of first) assert.ok(named.includes(`lib/page/${file}`), `${file} is loaded ahead`);
  for (const late of ['decompress', 'fzstd', 'inspector-view', 'numbers-panel', 'recording-', 'result-view', 'run-view', 'sequence-lanes', 'uplot']) {
    assert.ok(!first.some((file) => file.includes(late)), late);
    assert.ok(readdirSync(page).some((file) => file.endsWith('.js') && read(file).includes(`import("./${late}`)), late);
  }
});
