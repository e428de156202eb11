import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { addMarks, neighbour } from '../js/model/marks.js';
import { Clock } from '../js/play/clock.js';
import { Playhead } from '../js/play/playhead.js';
import { TimeScale } from '../js/play/time-scale.js';
import { recording } from './recording.js';

/** @import { Mark } from '../js/model/marks.js' */

/** A run with an event each second, that has gone on for ten. The page's clock began with it. */
function tenSeconds() {
  const [clock, log] = [new Clock(), new EventLog()];
  log.append(Array.from({ length: 11 }, (_, second) => ({ seq: second + 1, at: second * 1e6, kind: 'note.step' })));
  clock.observe(10e6, 10_000);
  return { clock, log, playhead: new Playhead(clock, log) };
}

test('live is the present, a little behind what the server has said', () => {
  const { playhead } = tenSeconds();
  assert.deepEqual(playhead.instant(10_000), { at: 9_940_000, count: 10 });
  assert.deepEqual(playhead.instant(11_000), { at: 10_940_000, count: 11 });
});

test('a pause stands still while the world goes on, and live is where the world is', () => {
  const { playhead } = tenSeconds();
  playhead.pause(5000);
  assert.deepEqual(playhead.instant(60_000), { at: 4_940_000, count: 5 });
  playhead.live();
  assert.equal(playhead.instant(60_000).at, 59_940_000);
});

test('what comes late from before a pause does not move what is shown', () => {
  const { log, playhead } = tenSeconds();
  playhead.pause(10_560);
  const before = playhead.instant(10_560);
  assert.deepEqual(before, { at: 10_500_000, count: 11 });
  log.append([{ seq: 12, at: 10_400_000, kind: 'note.step' }]);
  assert.deepEqual(playhead.instant(11_000), before);
  playhead.play(11_000);
  assert.equal(playhead.instant(11_000).count, 12);
});

test('playing goes on from where it stands, as fast as is asked, and is live when it has caught up', () => {
  const { playhead } = tenSeconds();
  playhead.seek(2e6, 10_000);
  playhead.setSpeed(2, 10_000);
  playhead.play(10_000);
  assert.equal(playhead.instant(11_000).at, 4e6);
  playhead.setSpeed(0.5, 11_000);
  assert.equal(playhead.instant(13_000).at, 5e6);
  playhead.setSpeed(4, 13_000);
  assert.equal(playhead.mode, 'playing');
  playhead.instant(20_000);
  assert.equal(playhead.mode, 'live');
});

test('a run that is over ends playing, and plays from its beginning again', () => {
  const { clock, playhead } = tenSeconds();
  clock.stop(10e6);
  playhead.play(20_000);
  assert.deepEqual([playhead.mode, playhead.instant(20_000).at], ['playing', 0]);
  assert.equal(playhead.instant(40_000).at, 10e6);
  assert.equal(playhead.mode, 'paused');
});

test('nobody goes before the beginning or beyond the present', () => {
  const { playhead } = tenSeconds();
  playhead.seek(-5, 10_000);
  assert.deepEqual(playhead.instant(10_000), { at: 0, count: 1 });
  playhead.seek(99e6, 10_000);
  assert.equal(playhead.instant(10_000).at, 9_940_000);
});

test('a run of which all is here has its end as its present at once', () => {
  const [clock, log] = [new Clock(), new EventLog()];
  const playhead = new Playhead(clock, log);
  clock.end(10e6); // the run was over before the page came, and its events come after that is told
  playhead.seek(9e6, 0);
  assert.equal(playhead.instant(0).at, 9e6);
  log.append([{ seq: 1, at: 10e6, kind: 'note.finished' }]);
  clock.observe(10e6, 0);
  playhead.seek(10e6, 0);
  assert.deepEqual(playhead.instant(0), { at: 10e6, count: 1 });
  playhead.live();
  assert.equal(playhead.instant(0).at, 10e6);
});

test('an instant may be as it was shown, before all its events had come', () => {
  const { playhead } = tenSeconds();
  playhead.seek(5e6, 10_000, 4);
  assert.deepEqual(playhead.instant(10_000), { at: 5e6, count: 4 });
  playhead.seek(5e6, 10_000, 400);
  assert.deepEqual(playhead.instant(10_000), { at: 5e6, count: 6 });
  playhead.seek(5e6, 10_000);
  assert.deepEqual(playhead.instant(10_000), { at: 5e6, count: 6 });
});

test('right after an event stands between it and others of its instant', () => {
  const { log, playhead } = tenSeconds();
  log.append([{ seq: 12, at: 10e6, kind: 'note.step' }]);
  playhead.seekEvent(10);
  assert.deepEqual(playhead.instant(0), { at: 10e6, count: 11 });
  playhead.seekEvent(99);
  assert.deepEqual(playhead.instant(0), { at: 10e6, count: 11 });
});

test('the scale is even in time, and turns back', () => {
  const log = new EventLog();
  log.append(recording('herd-vs-predecessor').events);
  const scale = new TimeScale(log, log.end);
  assert.deepEqual([scale.x(0), scale.x(log.end / 2), scale.x(log.end), scale.at(1)], [0, 0.5, 1, log.end]);
  for (const at of [1e5, 1e6, 3e6]) assert.ok(Math.abs(scale.at(scale.x(at)) - at) <= 1);
});

test('a scale may end between two microseconds', () => {
  const log = new EventLog();
  assert.equal(new TimeScale(log, 7.4).at(0.5), 4);
});

test('marks are what a visitor looks for, and lead from one to the next', () => {
  const { events } = recording('ephemeral-crash');
  /** @type {Mark[]} */ const marks = [];
  addMarks(marks, events.slice(0, 100));
  addMarks(marks, events.slice(100));
  const count = (/** @type {(event: typeof events[0]) => boolean} */ passes) => events.filter(passes).length;
  const marked = (/** @type {string} */ kind) => marks.filter((mark) => mark.kind === kind).length;
  assert.equal(marked('acquired'), count(({ kind }) => kind === 'lock.acquired'));
  assert.equal(marked('released'), count(({ kind }) => kind === 'lock.released'));
  assert.ok(marked('fault') > 0 && marked('lost') > 0);
  /** @type {Mark[]} */ const inTime = [];
  const stopping = events.find(({ kind }) => kind === 'note.stopping')?.seq;
  assert.ok(stopping && events.some(({ kind, seq }) => kind === 'session.lost' && seq > stopping));
  addMarks(inTime, events, stopping);
  assert.ok(inTime.every(({ index, kind }) => kind !== 'lost' || index < stopping || events[index]?.kind !== 'session.lost'), 'who stops loses nothing');
  assert.ok(inTime.some(({ kind }) => kind === 'lost'));
  for (const mark of marks) assert.equal(events[mark.index]?.at, mark.at);
  const first = marks[0];
  assert.ok(first);
  assert.equal(neighbour(marks, first.index, -1), undefined);
  assert.equal(neighbour(marks, first.index, 1), marks[1]);
  assert.equal(neighbour(marks, events.length, -1, ['released'])?.kind, 'released');
});
