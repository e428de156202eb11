import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
/** @param {string} file */
const read = (file) => readFileSync(new URL(file, root), 'utf8');
const page = read('index.html');
/** @returns {string[]} */
const scripts = () => readdirSync(new URL('js/', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js')).map((file) => `js/${file}`).sort();
/** The style sheets: those of a panel or a part of the stage lie beside its scripts. */
const sheets = ['css', 'js'].flatMap((folder) => readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css')).map((file) => `${folder}/${file}`));
/** @param {RegExp} pattern @param {string} text */
const all = (pattern, text) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');

/** Every module that the page's first script leads to. @param {string} file @param {Set<string>} found */
function modules(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const target of all(/(?:from |import\()'(\.[^']+\.js)'/g, read(file).replace(/\/\*\*.*?\*\//gs, ''))) { // what comments name is for the types alone
    const next = new URL(target, new URL(file, root)).href.slice(root.href.length);
    if (next.startsWith('js/')) modules(next, found);
  }
  return found;
}

test('every module is used', () => {
  const used = [...modules('js/shell/boot.js')].sort();
  const others = ['js/shell/front/boot.js', 'js/shell/saved.js', 'js/shell/course-map.js', 'js/shell/site/course.js', 'js/shell/site/lesson.js'].flatMap((script) => [...modules(script)]);
  assert.deepEqual([...new Set([...used, ...others])].sort(), scripts());
});

/** The rooms of the page's modules: each may use those before it, and those beside it. */
const rooms = [['model'], ['text'], ['log'], ['source'], ['play'], ['ui'], ['timeline'], ['stage'], ['panel'], ['faults', 'lesson', 'class', 'shell']];

/** @param {string} file */
const roomOf = (file) => rooms.findIndex((names) => names.includes(file.split('/')[1] ?? ''));

test('imports run one way', () => {
  for (const file of scripts().filter((each) => roomOf(each) >= 0)) {
    for (const target of all(/(?:from |import\()'(\.[^']+\.js)'/g, read(file).replace(/@import .*/g, ''))) {
      const used = new URL(target, new URL(file, root)).href.slice(root.href.length);
      assert.ok(roomOf(used) <= roomOf(file), `${file} imports ${used}`);
    }
  }
});

test('every file that the pages name is there', () => {
  for (const file of all(/(?:href|src)="static\/([^"]+)"/g, page + read('front.html'))) assert.ok(existsSync(new URL(file, root)), file);
});

/** The pages, each with its first script. */
const pages = /** @type {const} */ ([['index.html', 'js/shell/boot.js'], ['front.html', 'js/shell/front/boot.js'], ['saved.html', 'js/shell/saved.js'],
  ['site/lesson.html', 'js/shell/site/lesson.js']]);

for (const [file, script] of pages) {
  test(`every element that a script of ${file} looks up by id is in it`, () => {
    const ids = new Set(all(/ id="([^"]+)"/g, read(file)));
    for (const module of modules(script)) {
      for (const id of all(/byId\('([^']+)'\)/g, read(module))) assert.ok(ids.has(id), `${module}: ${id}`);
    }
  });
}

test('nothing is inline, as the content security policy demands', () => {
  const files = ['index.html', 'front.html', 'site/lesson.html', 'site/course.html', ...scripts()];
  for (const file of files) {
    assert.doesNotMatch(read(file), /<style|<[a-z][^>]* style=|<[a-z][^>]* on[a-z]+=|<script(?![^>]* src=)/, file);
  }
});

test('every colour is written once, for both themes', () => {
  const css = read('css/theme.css');
  const colours = css.split('\n').filter((line) => /^ *--.*#[0-9a-f]{3}/.test(line));
  assert.ok(colours.length > 20);
  for (const line of colours) assert.match(line, /light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);$/);
  const text = sheets.map(read).join('');
  for (const name of all(/(--[\w-]+):/g, text)) assert.match(text, new RegExp(`var\\(${name}[,)]`), `${name} is used`);
});

test('scripts ask for colours as they are painted, not as they are written', () => {
  for (const file of scripts()) assert.doesNotMatch(read(file), /getPropertyValue\((?!['"`](?!--))/, file);
});

test('no style asks what all of the stage holds: each change of it would be looked through anew', () => {
  for (const file of sheets) {
    assert.doesNotMatch(read(file), /(?:html|body|\.stage|\.present|\.lanes?|\.panels)[^\s,{]*:has\(/, file);
  }
});

test('no width has two of the layouts', () => {
  // "width <= X" and "width > X" leave no width between them, and none to both.
  for (const file of sheets) {
    for (const condition of all(/@(?:media|container)([^{]*)/g, read(file))) assert.doesNotMatch(condition, /(?:min|max)-(?:width|height)|<(?!=)|>=/, file);
  }
});
