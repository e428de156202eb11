import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { actionWords } from '../js/text/actions.js';
import { Actions } from '../js/ui/actions.js';

const names = /** @type {(keyof typeof actionWords)[]} */ (Object.keys(actionWords));

/** A key of two of these is never in doubt: one of both is possible, or else the first of them goes first. */
const alternatives = ['pause', 'play', 'closeResult', 'leave'];

test('no key does two things', () => {
  const keys = names.filter((name) => !alternatives.includes(name)).map((name) => actionWords[name].key).filter(Boolean);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(keys.every((key) => key === key.toLowerCase()));
});

test('a key does what is possible now, and nothing where the page cannot', () => {
  const actions = new Actions();
  let paused = false;
  /** @type {string[]} */
  const done = [];
  actions.add({
    pause: { act: () => done.push('pause'), possible: () => !paused },
    play: { act: () => done.push('play'), possible: () => paused },
    live: () => done.push('live'),
  });
  assert.equal(actions.byKey('k'), 'pause');
  assert.equal(actions.byKey('K'), 'pause');
  paused = true;
  assert.equal(actions.byKey('k'), 'play');
  assert.equal(actions.byKey('s'), undefined);
  actions.do('pause');
  actions.do('start');
  actions.do('live');
  assert.deepEqual(done, ['live']);
});

test('the help lists what the page can do, in one order, and a tooltip says the same with its key', () => {
  const actions = new Actions();
  actions.add({ help: () => {}, copyLink: () => {}, eventBack: () => {} });
  assert.deepEqual(actions.names, ['eventBack', 'copyLink', 'help']);
  assert.equal(actions.tooltip('eventBack'), 'One event back (,)');
  assert.equal(actions.tooltip('copyLink'), 'Copy a link to this moment');
  assert.equal(actions.tooltip('leave'), 'Leave the presentation (Esc)');
});

test('every action is one of some page, or a link of the timeline', () => {
  const shell = new URL('../js/shell/', import.meta.url);
  const text = readdirSync(shell, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js')).map((file) => readFileSync(new URL(file, shell), 'utf8')).join('\n')
    + readFileSync(new URL('../js/timeline/timeline-view.js', import.meta.url), 'utf8');
  const panels = ['events', 'sequence', 'words', 'inspector', 'belief', 'steps', 'numbers'];
  for (const name of names) assert.ok(panels.includes(name) || new RegExp(`\\b${name}(:|,$|'\\))`, 'm').test(text), name);
});
