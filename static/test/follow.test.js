// Following a presenter: what the visitor's own hand does ends it, and nothing else.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Playback } from '../js/play/playback.js';

/** @import { Presented } from '../js/types.d.ts' */

const second = 1_000_000;
/** Who listens to the page: before what is pressed does what it does, and after. @type {Record<'before' | 'after', Map<string, (event: Event) => void>>} */
const listeners = { before: new Map(), after: new Map() };
const location = { hash: '' };
Object.assign(globalThis, {
  location, history: { replaceState() {}, pushState() {} }, PointerEvent: class extends Event {},
  addEventListener: (/** @type {string} */ kind, /** @type {(event: Event) => void} */ listen, /** @type {{ capture?: boolean }} */ { capture }) =>
    listeners[capture ? 'before' : 'after'].set(kind, listen),
});
const { Follow } = await import('../js/shell/class/follow.js');

/** A hand on the page, and what comes of it. @param {() => void} act @param {string} [kind] */
function hand(act, kind = 'click') {
  const event = new Event(kind);
  listeners.before.get(kind)?.(event);
  act();
  listeners.after.get(kind)?.(event);
}

/** A student's page at a run that has gone on for ten seconds. */
function student() {
  const playback = new Playback([], 0);
  playback.clock.observe(10 * second, performance.now());
  const app = {
    run: { id: 'r-1' }, playback, subject: undefined, recorded: '', room: { role: 'student', class: {} },
    try: (/** @type {() => Promise<unknown>} */ request) => request(),
  };
  const panels = { open: 'events', show: (/** @type {string} */ name) => { panels.open = name; } };
  const lesson = { slug: 'herd-effect', here: 'herd-effect', show: async (/** @type {string} */ slug) => { lesson.slug = lesson.here = slug; } };
  // What it takes of the page is here.
  const follow = new Follow(/** @type {any} */ (app), /** @type {any} */ ({ panels, change() {} }), /** @type {any} */ (lesson));
  return { app, playback, panels, lesson, follow, look: () => follow.look(performance.now()) };
}

/** @param {Partial<Presented>} [changes] @returns {Presented} */
const presented = (changes) => ({ seq: 1, run: 'r-1', at: 0, mode: 'live', speed: 1, lesson: 'herd-effect', panel: 'events', subject: '', ...changes });

beforeEach(() => { location.hash = ''; });

test('a hand that moves what is seen ends it, one that does not does not', () => {
  const { follow, panels, playback, look } = student();
  follow.learn(presented());
  hand(() => {});
  look();
  assert.ok(follow.follows);
  hand(() => { panels.open = 'belief'; });
  assert.ok(follow.wanders);
  follow.back();
  assert.deepEqual([follow.follows, panels.open], [true, 'events']);
  hand(() => playback.playhead.pause(performance.now()), 'keydown');
  assert.ok(follow.wanders);
});

test('what a hand does ends it also where the presenter is in a run that never comes', () => {
  const { follow, panels, look } = student();
  follow.learn(presented({ run: 'r-0', mode: 'paused', at: second }));
  look();
  assert.ok(follow.follows);
  hand(() => { panels.open = 'belief'; });
  look();
  assert.ok(follow.wanders);
});

test('a recording that the visitor has opened ends it', () => {
  const { follow, app, look } = student();
  follow.learn(presented());
  Object.assign(app, { recorded: 'herd.ndjson.zst', run: { id: 'other' } });
  look();
  assert.ok(follow.wanders);
});

test('who has come by a link to a moment sees that, until it wants to follow', () => {
  location.hash = '#lesson=herd-effect&run=r-1&at=5';
  const { follow } = student();
  follow.learn(presented());
  assert.deepEqual([follow.follows, follow.wanders], [false, true]);
});

test('a page that comes to the end of a run before the presenter does goes on following', () => {
  const { follow, playback, look } = student();
  playback.finish(10 * second);
  follow.learn(presented({ mode: 'playing', at: 9 * second, speed: 4 }));
  assert.equal(playback.playhead.mode, 'playing');
  playback.playhead.instant(performance.now() + 1000);
  assert.equal(playback.playhead.mode, 'paused', 'the run is over');
  look();
  assert.ok(follow.follows);
  follow.learn(presented({ mode: 'playing', at: 9.7 * second, speed: 4 }));
  assert.equal(playback.playhead.mode, 'paused', 'and is not played again');
  follow.learn(presented({ mode: 'paused', at: 3 * second }));
  look();
  assert.deepEqual([follow.follows, Math.round(playback.playhead.instant(performance.now()).at)], [true, 3 * second]);
});

test('a page that comes to the present before the presenter does goes on following', () => {
  const { follow, playback, look } = student();
  follow.learn(presented({ mode: 'playing', at: 9 * second, speed: 4 }));
  assert.equal(playback.playhead.mode, 'playing');
  playback.playhead.instant(performance.now() + 1000);
  assert.equal(playback.playhead.mode, 'live');
  look();
  assert.ok(follow.follows);
});

test('a page that has paused by itself before there was somebody to follow does not go on by itself', () => {
  const { follow, playback, look } = student();
  playback.playhead.seek(4 * second, performance.now());
  playback.pausedAt = { name: 'first-release', seq: 1, lane: '', at: 4 * second, until: performance.now() };
  follow.learn(presented({ mode: 'paused', at: 3 * second }));
  playback.advance(performance.now() + 1);
  look();
  assert.deepEqual([follow.follows, playback.playhead.mode, playback.pausedAt], [true, 'paused', undefined]);
});

test('a page that turns to another lesson, panel or instant by itself turns back', () => {
  const { follow, lesson, panels, playback, look } = student();
  follow.learn(presented({ mode: 'paused', at: 3 * second }));
  lesson.slug = 'museum';
  panels.open = 'steps';
  playback.playhead.live();
  look();
  assert.deepEqual([follow.follows, lesson.slug, panels.open, playback.playhead.mode], [true, 'herd-effect', 'events', 'paused']);
});
