// What is kept of a reader's progress, without a page.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { Consoles } from '../js/lesson/consoles.js';
import { clean, exported, imported, solve, solvedAt, solvedGoals } from '../js/lesson/progress.js';

/** @import { Event } from '../js/events.d.ts' */

/** A browser's storage: what it keeps are its properties, as in a browser. */
class Storage {
  /** @param {string} name @returns {string | null} */
  getItem(name) { return Object.hasOwn(this, name) ? /** @type {any} */ (this)[name] : null; }
  /** @param {string} name @param {string} value */
  setItem(name, value) { /** @type {any} */ (this)[name] = value; }
  /** @param {string} name */
  removeItem(name) { delete (/** @type {any} */ (this)[name]); }
}

/** @param {unknown} storage */
const browse = (storage) => Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });

beforeEach(() => browse(new Storage()));

test('a goal that has moved into another lesson stays met', () => {
  localStorage.setItem('solved znodes/by-version', '1970-01-01T00:00:00.000Z');
  assert.equal(solvedAt('client-api/by-version'), '1970-01-01T00:00:00.000Z');
  assert.ok(solvedGoals().includes('client-api/by-version'));
  assert.equal(solve('client-api/by-version', new Date(1e9)), false, 'no news');
  clean();
  assert.equal(solvedAt('client-api/by-version'), null);
});

test('a goal is met once, and progress goes to another browser, beside what that keeps', () => {
  solve('a/b', new Date(0));
  solve('a/b', new Date(1e9));
  localStorage.setItem('predicted q-1', 'All');
  localStorage.setItem('theme', 'dark');
  const text = exported();
  assert.equal(solvedAt('a/b'), '1970-01-01T00:00:00.000Z');
  browse(new Storage());
  solve('c/d', new Date(0));
  assert.equal(imported(text), 2);
  assert.deepEqual([solvedAt('a/b'), solvedAt('c/d'), localStorage.getItem('predicted q-1'), localStorage.getItem('theme')],
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', 'All', null]);
  clean();
  assert.deepEqual([solvedAt('a/b'), solvedAt('c/d'), localStorage.getItem('predicted q-1')], [null, null, null]);
});

for (const [name, text] of Object.entries({
  'no JSON': 'solved', 'a list': '[]', 'null': 'null', 'another format': '{"format":"x","version":1,"kept":{}}', 'another version': '{"format":"zkplayground-progress","version":2,"kept":{}}',
  'nothing kept': '{"format":"zkplayground-progress","version":1}',
  'a setting': '{"format":"zkplayground-progress","version":1,"kept":{"theme":"dark","solved a/b":"x"}}',
  'no text': '{"format":"zkplayground-progress","version":1,"kept":{"solved a/b":1}}',
  'too long a text': JSON.stringify({ format: 'zkplayground-progress', version: 1, kept: { 'solved a/b': 'x'.repeat(600) } }),
  'too much': JSON.stringify({ format: 'zkplayground-progress', version: 1, kept: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`solved a/${index}`, 'x'])) }),
})) {
  test(`nothing is taken of a file with ${name}`, () => {
    assert.equal(imported(text), undefined);
    assert.equal(Object.keys(localStorage).length, 0);
  });
}

test('a browser that keeps nothing has no progress, and no errors', () => {
  Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('forbidden'); }, configurable: true });
  solve('a/b', new Date(0));
  clean();
  assert.equal(JSON.parse(exported()).kept['solved a/b'], undefined);
});

test('a console is the reader’s that the page has joined with, also after it was loaded anew', () => {
  const log = new EventLog();
  const joined = /** @type {Event[]} */ ([
    { seq: 1, at: 1, kind: 'note.joined', lane: 'a', client: 3, participant: 'console' }, { seq: 2, at: 2, kind: 'note.left', lane: 'a', client: 3 },
    { seq: 3, at: 3, kind: 'note.joined', lane: 'a', client: 4, participant: 'guest' }, { seq: 4, at: 4, kind: 'note.joined', lane: 'a', client: 3, participant: 'console' }]);
  const mine = (/** @type {Consoles} */ consoles) => joined.filter(({ kind }) => kind === 'note.joined').filter(consoles.isMine).map(({ seq }) => seq);
  const consoles = new Consoles();
  assert.equal(consoles.look('r-1', log, undefined), true);
  log.append(joined.slice(0, 3));
  assert.equal(consoles.look('r-1', log, { lane: 'a', client: 3 }), false, 'its own is on its way: that was another');
  log.append(joined.slice(3));
  assert.equal(consoles.look('r-1', log, { lane: 'a', client: 3 }), true);
  assert.equal(consoles.look('r-1', log, { lane: 'a', client: 3 }), false);
  assert.deepEqual(mine(consoles), [3, 4]);
  const anew = new Consoles();
  anew.look('r-1', log, undefined);
  assert.deepEqual(mine(anew), [3, 4]);
  anew.look('r-2', log, undefined);
  assert.deepEqual(mine(anew), [3]);
});
