// Who comes late to a long run goes on from what another page has made of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSnapshot, writeSnapshot } from '../js/log/snapshot.js';
import { apply, createView } from '../js/model/view.js';
import { Playback } from '../js/play/playback.js';
import { TimeScale } from '../js/play/time-scale.js';
import { names, recording } from './recording.js';

/** @param {string} name */
const recordedWith = (name) => {
  const { run, events } = recording(name);
  return { run, events: structuredClone(events) };
};

/** The view of a run's first events. @param {string} name @param {number} [count] */
function folded(name, count) {
  const { run, events } = recording(name);
  return events.slice(0, count).reduce(apply, createView(run.lanes, run.clients, run.decisive));
}

/** A page that came after so many events, and has got those that followed. @param {string} name @param {number} count */
function lateTo(name, count) {
  const recorded = recordedWith(name);
  const { run, events } = recorded;
  const here = (events.at(-1)?.at ?? 0) / 1000;
  const playback = new Playback(run.lanes, run.clients, run.decisive);
  playback.goOnFrom(readSnapshot(writeSnapshot(folded(name, count))), here);
  playback.take(events.slice(count), here);
  return { recorded, playback, later: here + 1000 };
}

for (const name of names) {
  test(`${name}: a view that was text comes to the same`, () => {
    const recorded = recordedWith(name);
    for (let part = 1; part <= 9; part++) {
      const count = Math.floor(recorded.events.length * part / 10);
      const view = readSnapshot(writeSnapshot(folded(name, count)));
      for (const event of recorded.events.slice(count)) apply(view, event);
      assert.deepEqual(view, folded(name), `from event ${count} on`);
    }
  });

  test(`${name}: a late page shows the present, and later all that was before`, () => {
    const { recorded: { run, events }, playback, later } = lateTo(name, Math.floor(recordedWith(name).events.length / 2));
    playback.advance(later);
    assert.equal(playback.count, events.length);
    assert.deepEqual(playback.view, folded(name));

    const whole = new Playback(run.lanes, run.clients, run.decisive);
    whole.take(structuredClone(events), later);
    playback.complete(structuredClone(events.slice(0, playback.log.start)), later);
    for (const at of [0.7, 0.2, 0.9, 0.4].map((part) => part * playback.log.end)) {
      for (const each of [playback, whole]) {
        each.playhead.seek(at, later);
        each.advance(later);
      }
      assert.equal(playback.count, whole.count);
      assert.deepEqual(playback.view, whole.view, `at ${at}`);
    }
    const marksOf = (/** @type {Playback} */ each) => each.marks.filter(({ kind }) => kind !== 'decisive');
    assert.deepEqual(marksOf(playback), marksOf(whole));
  });
}

/** Ways to before the log begins, and how many events have happened there. @type {[string, (playback: Playback, here: number) => void, number][]} */
const ways = [
  ['an instant', ({ playhead, log }, here) => playhead.seek(log.begin - 1, here), 599],
  ['an event', ({ playhead }) => playhead.seekEvent(9), 10],
  ['the beginning', ({ playhead }, here) => playhead.seek(0, here), 0],
];
for (const [what, go, wanted] of ways) test(`${what} from before the log begins is gone to once it is here`, () => {
  const { recorded: { events }, playback, later } = lateTo('herd-vs-predecessor', 600);
  go(playback, later);
  assert.ok(playback.playhead.early, 'that is kept');
  assert.equal(playback.advance(later), playback.log.begin);
  playback.complete(events.slice(0, 600), later);
  assert.equal(playback.playhead.early, undefined);
  const at = playback.advance(later);
  assert.equal(playback.count, playback.log.countAt(at) && wanted, `at ${at}`);
});

test('a mark from before the log begins, too', () => {
  const { recorded: { events }, playback, later } = lateTo('herd-vs-predecessor', 600);
  const first = playback.marks[0];
  assert.ok(first);
  playback.playhead.seekEvent(first.index);
  playback.stepMark(-1, later);
  playback.complete(events.slice(0, 600), later);
  playback.advance(later);
  assert.ok(playback.count <= 600 && playback.marks.some(({ index }) => index + 1 === playback.count));
});

test('who goes elsewhere meanwhile stays there', () => {
  const { recorded: { events }, playback, later } = lateTo('herd-vs-predecessor', 600);
  playback.playhead.seek(0, later);
  playback.playhead.live();
  playback.complete(events.slice(0, 600), later);
  assert.equal(playback.playhead.mode, 'live');
});

test('a run that is over plays from its beginning once that is here', () => {
  const { recorded: { events }, playback, later } = lateTo('herd-vs-predecessor', 600);
  playback.finish();
  playback.playhead.play(later);
  playback.complete(events.slice(0, 600), later);
  assert.equal(playback.playhead.instant(later).at, 0);
  assert.equal(playback.playhead.mode, 'playing');
});

test('the line of time says what part is not loaded', () => {
  const { recorded: { events }, playback } = lateTo('herd-vs-predecessor', 600);
  const partly = new TimeScale(playback.log, playback.log.end);
  assert.ok(partly.begin > 0 && partly.begin < 1);
  assert.equal(partly.x(0), 0);
  for (let at = 0, before = -1; at <= playback.log.end; at += 10_000) {
    assert.ok(partly.x(at) >= before, `at ${at}`);
    before = partly.x(at);
  }
  playback.complete(events.slice(0, 600), 0);
  assert.equal(new TimeScale(playback.log, playback.log.end).begin, 0);
});

test('an empty view comes to itself', () => {
  const view = createView([], 0);
  assert.deepEqual(readSnapshot(writeSnapshot(view)), view);
});
