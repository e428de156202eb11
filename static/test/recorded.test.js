// What a visitor can do with a recording of which only the beginning has been read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recorded } from '../js/play/recorded.js';
import { recording, text } from './recording.js';

const name = 'many-clients';
const { events } = recording(name);
const end = /** @type {number} */ (events.at(-1)?.at);

/** @param {string} whole */
async function* pieces(whole) {
  for (let start = 0; start < whole.length; start += 50_000) yield whole.slice(start, start + 50_000);
}

/** A recording whose beginning has been read. */
async function begun(whole = text(name)) {
  const recorded = await Recorded.begin(pieces(whole));
  const { playback } = recorded;
  playback.playhead.seek(0, 0);
  playback.advance(0);
  assert.ok(playback.clock.reading && playback.log.length < events.length);
  return recorded;
}

/** Where the visitor is when all is read. @param {Recorded} recorded */
async function whenRead(recorded) {
  assert.equal(await recorded.readOn(() => recorded.playback.advance(performance.now())), '');
  const { playback } = recorded;
  assert.ok(!playback.clock.reading);
  playback.advance(performance.now());
  assert.equal(playback.log.length, events.length);
  return { mode: playback.playhead.mode, ...playback.playhead.instant(performance.now()) };
}

test('who does nothing stays at the beginning while the end grows', async () => {
  const recorded = await begun();
  const before = recorded.playback.playhead.present(0);
  assert.deepEqual(await whenRead(recorded), { mode: 'paused', at: 0, count: recorded.playback.log.countAt(0) });
  assert.ok(before < end && recorded.playback.playhead.present(0) === end);
});

test('an instant that is not read yet is reached when it is', async () => {
  const at = /** @type {number} */ (events.at(-100)?.at) + 1;
  for (const count of [undefined, events.length - 300]) {
    const recorded = await begun();
    recorded.playback.playhead.seek(at, 0, count);
    const { log } = recorded.playback;
    assert.deepEqual(await whenRead(recorded), { mode: 'paused', at, count: Math.min(log.countAt(at), count ?? Infinity) });
  }
});

test('an event that is not read yet is reached when it is', async () => {
  const recorded = await begun();
  recorded.playback.playhead.seekEvent(events.length - 100);
  assert.deepEqual(await whenRead(recorded), { mode: 'paused', at: events.at(-100)?.at, count: events.length - 99 });
});

test('an instant beyond the end is the end', async () => {
  const recorded = await begun();
  recorded.playback.playhead.seek(2 * end, 0);
  assert.deepEqual(await whenRead(recorded), { mode: 'paused', at: end, count: events.length });
});

test('who goes elsewhere meanwhile stays there', async () => {
  const recorded = await begun();
  recorded.playback.playhead.seek(end, 0);
  recorded.playback.playhead.seek(5, 0);
  assert.equal((await whenRead(recorded)).at, 5);
});

test('playing waits at the end of what is read, and goes on', async () => {
  const { playback } = await begun();
  const present = playback.playhead.present(0);
  playback.playhead.play(0);
  const [late, later] = [end / 1000 + 1000, end / 1000 + 9000];
  for (const here of [late, later]) assert.equal(playback.advance(here), present);
  playback.takePart(events.slice(playback.log.length), later);
  assert.equal(playback.advance(later), present);
  assert.equal(playback.advance(later + 1), present + 1000);
  assert.equal(playback.playhead.mode, 'playing');
});

test('where it is damaged, what comes before is there, and all of it', async () => {
  const lines = text(name).split('\n');
  const recorded = await begun(lines.with(15_000, '{').join('\n'));
  assert.match(await recorded.readOn(() => {}), /damaged at event 15000 of 19760.* What comes before that is shown\.$/);
  assert.equal(recorded.playback.log.length, 14_999);
  assert.ok(recorded.playback.clock.stopped && !recorded.playback.clock.reading);
});

test('a connection that breaks is told, a mistake of the program is not hidden', async () => {
  for (const [failure, wanted] of /** @type {const} */ ([[new TypeError('network'), /^The connection broke\. What/], [new RangeError('a mistake'), undefined]])) {
    const recorded = await Recorded.begin((async function* () {
      yield text(name).slice(0, 2_000_000);
      throw failure;
    })());
    if (wanted) assert.match(await recorded.readOn(() => {}), wanted);
    else await assert.rejects(recorded.readOn(() => {}), failure);
  }
});

test('one that is closed is read no further', async () => {
  let closed = false;
  const recorded = await Recorded.begin((async function* () {
    try {
      yield* pieces(text(name));
    } finally {
      closed = true;
    }
  })());
  const before = recorded.playback.log.length;
  recorded.close();
  await recorded.readOn(() => {});
  assert.deepEqual([closed, recorded.playback.log.length], [true, before]);
});
