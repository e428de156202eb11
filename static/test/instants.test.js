// The decisive instants of recorded runs, and how the view pauses there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAUSE, Playback } from '../js/play/playback.js';
import { apply, createView } from '../js/model/view.js';
import { beliefs, recording } from './recording.js';

/** @import { InstantName } from '../js/events.d.ts' */

/** @type {InstantName[]} */
const all = ['first-release', 'readers-share', 'permits-taken', 'gave-up', 'asked', 'overtaken', 'two-believe', 'lost-update', 'refused', 'expired', 'waits-for-itself', 'missed-wake-up', 'woken-for-nothing', 'stuck'];

/** What is found in a recorded run. @param {string} name */
function found(name) {
  const { run, events } = recording(name);
  const { instants } = events.reduce(apply, createView(run.lanes, run.clients, all));
  return new Map(instants.map((instant) => [instant.name, { ...instant, event: events[instant.seq - 1] }]));
}

/** @type {[string, InstantName[], InstantName[]][]} a run, what comes in it, and what does not */
const cases = [
  ['herd-vs-predecessor', ['first-release'], ['woken-for-nothing', 'two-believe', 'refused', 'expired', 'waits-for-itself', 'missed-wake-up', 'stuck', 'readers-share']],
  ['ephemeral-crash', ['expired'], ['two-believe', 'stuck', 'missed-wake-up', 'waits-for-itself']],
  ['reentrant', ['overtaken'], ['gave-up', 'two-believe', 'stuck', 'expired']],
  ['no-queue', ['overtaken'], ['gave-up', 'two-believe', 'stuck', 'expired']],
  ['revocation', ['asked'], ['gave-up', 'two-believe', 'stuck', 'expired']],
  ['downgrade', ['readers-share'], ['gave-up', 'two-believe', 'stuck', 'expired']],
  ['timed-lock', ['gave-up'], ['two-believe', 'stuck', 'expired']],
  ['semaphore', ['permits-taken', 'expired'], ['woken-for-nothing', 'gave-up', 'readers-share', 'two-believe', 'stuck']],
  ['writer-leaves', ['gave-up', 'woken-for-nothing', 'readers-share'], ['two-believe', 'stuck']],
  ['read-write', ['readers-share'], ['woken-for-nothing', 'two-believe', 'stuck', 'missed-wake-up', 'waits-for-itself']],
  ['two-holders', ['two-believe', 'lost-update', 'expired'], ['refused', 'stuck']],
  ['two-holders-fenced', ['two-believe', 'refused', 'expired'], ['lost-update', 'stuck']],
  ['lost-wakeup', ['missed-wake-up', 'stuck'], ['two-believe', 'expired', 'waits-for-itself']],
  ['lost-reply', ['waits-for-itself'], ['two-believe', 'missed-wake-up']],
  ['flag-deadlock', ['expired', 'stuck'], ['two-believe', 'waits-for-itself', 'missed-wake-up']],
  ['own-node', ['two-believe'], ['stuck', 'waits-for-itself', 'missed-wake-up']],
  ['expired-holder', ['two-believe'], ['stuck', 'waits-for-itself', 'missed-wake-up']],
];

for (const [name, come, not] of cases) {
  test(`${name}: ${come.join(', ')}`, () => {
    const instants = found(name);
    for (const each of come) assert.ok(instants.has(each), `${each} is not found`);
    for (const each of not) assert.equal(instants.get(each), undefined, each);
  });
}

test('two believe as soon as the checks say so', () => {
  for (const name of ['two-holders', 'expired-holder']) {
    const firsts = Object.values(beliefs(name)).flatMap((told) => told.find(([, ...clients]) => clients.length > 1)?.[0] ?? []);
    const first = recording(name).events[Math.min(...firsts) - 1];
    const instant = found(name).get('two-believe');
    assert.ok(first && instant && instant.at >= first.at && instant.at - first.at < 10_000, `${first?.at}, found at ${instant?.at}`);
  }
});

test('a znode of which the log does not tell yet is not gone', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const late = events.filter(({ kind, lane }) => kind !== 'tree.created' || lane !== 'predecessor');
  const { instants } = late.reduce(apply, createView(run.lanes, run.clients, ['missed-wake-up']));
  assert.deepEqual(instants, []);
});

test('who waits for itself, or for nothing, does so in the broken lane', () => {
  assert.equal(found('lost-reply').get('waits-for-itself')?.lane, 'plain');
  assert.equal(found('lost-wakeup').get('missed-wake-up')?.lane, 'writelock');
});

/** A run that is played from its beginning, and pauses where two believe. */
function played() {
  const { run, events } = recording('two-holders');
  const playback = new Playback(run.lanes, run.clients, ['two-believe']);
  playback.take(events, 0);
  playback.finish(0);
  playback.playhead.seek(0, 1e9);
  playback.pauses = true;
  playback.goOn(0);
  return playback;
}

/** Frames of the page until the view pauses, or time is over. @param {Playback} playback @param {number} from @param {number} until in milliseconds */
function frames(playback, from, until) {
  for (let here = from; here <= until; here += 100) {
    playback.advance(here);
    if (playback.pausedAt) return here;
  }
  return until;
}

test('the view pauses right after the event, and goes on after a while', () => {
  const playback = played();
  const here = frames(playback, 0, 60_000);
  assert.equal(playback.pausedAt?.name, 'two-believe');
  assert.deepEqual([playback.count, playback.playhead.mode], [playback.pausedAt?.seq, 'paused']);
  const at = playback.advance(here + PAUSE - 1);
  assert.equal(at, playback.pausedAt?.at);
  playback.advance(here + PAUSE);
  assert.deepEqual([playback.pausedAt, playback.playhead.mode], [undefined, 'playing']);
  assert.equal(frames(playback, here + PAUSE, here + PAUSE + 60_000) > here + PAUSE, true);
  assert.equal(playback.pausedAt, undefined, 'once in a run');
});

test('the visitor goes on at once, or stays', () => {
  const playback = played();
  const here = frames(playback, 0, 60_000);
  playback.stay();
  playback.advance(here + 2 * PAUSE);
  assert.equal(playback.playhead.mode, 'paused');
  playback.goOn(here + 2 * PAUSE);
  assert.equal(playback.playhead.mode, 'playing');
});

test('who wants no pause gets none, nor who comes too late', () => {
  const playback = played();
  playback.pauses = false;
  frames(playback, 0, 60_000);
  assert.equal(playback.pausedAt, undefined);
  const late = played();
  late.advance(60_000);
  assert.equal(late.pausedAt, undefined);
});

test('who was there while the page drew nothing for some seconds has not missed it', () => {
  const at = played();
  frames(at, 0, 60_000);
  const instant = at.pausedAt?.at ?? 0;
  const busy = played();
  busy.advance(instant / 1000 - 1000);
  busy.advance(instant / 1000 + 3000);
  assert.equal(busy.pausedAt?.at, instant);
});
