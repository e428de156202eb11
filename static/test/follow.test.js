// Following a presenter: what the visitor's own hand does ends it, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Playback } from '../js/play/playback.js';

/** @import { Presented } from '../js/types.d.ts' */

const second = 1_000_000;
/** Who listens to the page: before what is pressed does what it does, and after. @type {Record<'before' | 'after', Map<string, (event: Event) => void>>} */
const listeners = { before: new Map(), after: new Map() };
Object.assign(globalThis, {
  PointerEvent: class extends Event {},
  addEventListener: (/** @type {string} */ kind, /** @type {(event: Event) => void} */ listen, /** @type {{ capture?: boolean }} */ { capture }) =>
    listeners[capture ? 'before' : 'after'].set(kind, listen),
});
const { Standing } = await import('../js/play/standing.js');
const { Follow } = await import('../js/class/follow.js');

/** A hand on the page, and what comes of it. @param {() => void} act @param {string} [kind] */
function hand(act, kind = 'click') {
  const event = new Event(kind);
  listeners.before.get(kind)?.(event);
  act();
  listeners.after.get(kind)?.(event);
}

/** A student's page at a run that has gone on for ten seconds. @param {boolean} [linked] */
function student(linked = false) {
  const playback = new Playback([], 0);
  playback.clock.observe(10 * second, performance.now());
  const app = {
    run: { id: 'r-1' }, playback, standing: new Standing(() => ({ run: /** @type {any} */ ({ id: 'r-1' }), playback }), () => {}), recordingName: '', room: { role: 'student', class: {} },
    try: (/** @type {() => Promise<unknown>} */ request) => request(),
  };
  const views = { word: 'events', restore: (/** @type {string} */ word) => { views.word = word; } };
  const lesson = { slug: 'herd-effect', here: 'herd-effect' };
  /** @type {unknown[][]} */ const turned = [];
  Object.assign(globalThis, { location: { hash: '' }, history: { replaceState() {}, pushState() {} } });
  app.standing.open = /** @type {any} */ (views);
  app.standing.ways.turn = ({ lesson: slug }) => { if (slug) lesson.slug = lesson.here = slug; };
  const sections = { inSight: true, turned, turnTo: (/** @type {unknown[]} */ ...how) => (sections.inSight || how[1] === true) && turned.push(how) > 0 };
  app.standing.linked = linked;
  // What it takes of the page is here.
  const follow = new Follow(/** @type {any} */ (app), /** @type {any} */ ({ views, change() {} }), /** @type {any} */ (lesson), /** @type {any} */ (sections));
  return { app, playback, views, lesson, sections, follow, look: () => follow.look(performance.now()) };
}

/** @param {Partial<Presented>} [changes] @returns {Presented} */
const presented = (changes) => ({ seq: 1, run: 'r-1', at: 0, mode: 'live', speed: 1, lesson: 'herd-effect', panel: 'events', subject: '', section: '', shown: 0, ...changes });

test('a hand that moves what is seen ends it, one that does not does not', () => {
  const { follow, views, playback, look } = student();
  follow.learn(presented());
  hand(() => {});
  look();
  assert.ok(follow.follows);
  hand(() => { views.word = 'belief'; });
  assert.ok(follow.wanders);
  follow.back();
  assert.deepEqual([follow.follows, views.word], [true, 'events']);
  hand(() => playback.playhead.pause(performance.now()), 'keydown');
  assert.ok(follow.wanders);
});

test('what a hand does ends it also where the presenter is in a run that never comes', () => {
  const { follow, views, look } = student();
  follow.learn(presented({ run: 'r-0', mode: 'paused', at: second }));
  look();
  assert.ok(follow.follows);
  hand(() => { views.word = 'belief'; });
  look();
  assert.ok(follow.wanders);
});

test('a recording that the visitor has opened ends it', () => {
  const { follow, app, look } = student();
  follow.learn(presented());
  Object.assign(app, { recordingName: 'herd.ndjson.zst', run: { id: 'other' } });
  look();
  assert.ok(follow.wanders);
});

test('who has come by a link to a moment sees that, until it wants to follow', () => {
  const { follow } = student(true);
  follow.learn(presented());
  assert.deepEqual([follow.follows, follow.wanders], [false, true]);
});

test('a page that comes to the end of a run before the presenter does goes on following', () => {
  const { follow, playback, look } = student();
  playback.finish(0, 10 * second);
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
  playback.pausedAt = { name: 'first-release', seq: 1, lane: '', about: [], at: 4 * second, until: performance.now() };
  follow.learn(presented({ mode: 'paused', at: 3 * second }));
  playback.advance(performance.now() + 1);
  look();
  assert.deepEqual([follow.follows, playback.playhead.mode, playback.pausedAt], [true, 'paused', undefined]);
});

test('a page that turns to another lesson, panel or instant by itself turns back', () => {
  const { follow, lesson, views, playback, look } = student();
  follow.learn(presented({ mode: 'paused', at: 3 * second }));
  lesson.slug = 'museum';
  views.word = 'steps';
  playback.playhead.live();
  look();
  assert.deepEqual([follow.follows, lesson.slug, views.word, playback.playhead.mode], [true, 'herd-effect', 'events', 'paused']);
});

test('a part of the lesson is turned to once, and again when it is shown again', () => {
  const { follow, sections, look } = student();
  follow.learn(presented({ section: 'the-queue', shown: 3 }));
  look();
  look();
  assert.deepEqual(sections.turned, [['the-queue', false, false]], 'who comes late stands there');
  follow.learn(presented({ section: 'the-queue', shown: 4 }));
  look();
  assert.deepEqual(sections.turned.at(1), ['the-queue', true, false], 'what is shown now is brought into sight');
  follow.learn(presented({ section: 'the-queue', shown: 4, at: 1 }));
  look();
  assert.equal(sections.turned.length, 2);
});

test('a part is turned to when its lesson has come, and where that is out of sight, then', () => {
  const { follow, lesson, sections, look } = student();
  sections.inSight = false;
  lesson.here = '';
  follow.learn(presented({ section: 'the-queue', shown: 1 }));
  look();
  lesson.here = 'herd-effect';
  look();
  assert.equal(sections.turned.length, 0);
  sections.inSight = true;
  look();
  assert.equal(sections.turned.length, 1);
});

test('who looks around by itself is offered to go there, and goes on looking around', () => {
  const { follow, lesson, sections, look } = student();
  follow.learn(presented());
  follow.wander();
  follow.learn(presented({ lesson: 'museum', section: 'flag', shown: 1 }));
  look();
  assert.deepEqual([follow.offer?.section, sections.turned.length, lesson.slug], ['flag', 0, 'herd-effect']);
  follow.dismiss();
  assert.equal(follow.offer, undefined);
  follow.learn(presented({ lesson: 'museum', section: 'deaf', shown: 2 }));
  follow.accept();
  look();
  assert.deepEqual([follow.offer, sections.turned, lesson.slug, follow.wanders], [undefined, [['deaf', true, true]], 'museum', true]);
});

test('a presenter sends what it sees and shows, and not what another page of its own has shown', (context) => {
  /** @type {any[]} */ const sent = [];
  context.mock.method(globalThis, 'fetch', async (/** @type {URL} */ _, /** @type {{ body: string }} */ { body }) => {
    sent.push(JSON.parse(body));
    return { ok: true, json: async () => ({}) };
  });
  const { follow, app } = student();
  app.room = { role: 'teacher', class: {} };
  let here = performance.now();
  const look = () => follow.look(here += 1000);
  look();
  follow.show('the-queue');
  look();
  look();
  assert.deepEqual(sent.map(({ lesson, section, shown }) => [lesson, section, shown]), [['herd-effect', '', 0], ['herd-effect', 'the-queue', 1]]);
  follow.learn(presented({ lesson: 'museum', section: 'flag', shown: 2 }));
  look();
  assert.equal(sent.length, 2);
  follow.show('the-queue');
  look();
  assert.deepEqual([sent.length, sent.at(-1).shown], [3, 3]);
});
