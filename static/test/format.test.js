import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from '../js/play/clock.js';
import { EventLog } from '../js/log/event-log.js';
import { apply, createView } from '../js/model/view.js';
import { clientWord, clock, countdown, inLane, instant, mean, milliseconds, sequence, span, titleOf } from '../js/text/format.js';
import { recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

for (const [got, wanted] of /** @type {[unknown, unknown][]} */ ([
  [clock(0), '0:00'], [clock(41_900_000), '0:41'], [clock(3_661_000_000), '61:01'], [clock(-5), '0:00'],
  [instant(41_250_999), '0:41.250'],
  [span(12), '12 µs'], [span(1500), '2 ms'], [span(250_000), '250 ms'], [span(5_240_000), '5.2 s'],
  [countdown(1_040_000), '1.0 s'], [countdown(90_000), '0.1 s'], [countdown(40_000), 'due'], [countdown(-1), 'due'],
  [countdown(12_300_000, true), '12s'], [countdown(9_960_000, true), '10s'], [countdown(1_040_000, true), '1.0'], [countdown(0, true), 'due'],
  [mean(14 / 3), '4.7'], [mean(NaN), '–'], [mean(0), '0.0'], [mean(113.4), '113'],
  [milliseconds('250ms'), 250], [milliseconds('1.5s'), 1500], [milliseconds('1m0s'), 60000], [milliseconds('0s'), 0], [milliseconds(''), 0],
  [sequence(7), '07'], [sequence(1234), '1234'], [sequence(Infinity), '?'],
])) {
  test(`${JSON.stringify(wanted)}`, () => assert.equal(got, wanted));
}

test('a title has two parts, the second may be missing', () => {
  assert.deepEqual(titleOf({ name: 'herd', title: 'Herd: everyone watches: all' }), { name: 'Herd', about: 'everyone watches: all' });
  assert.deepEqual(titleOf({ name: 'lock-1', title: '' }), { name: 'lock-1', about: '' });
  assert.deepEqual(titleOf({ name: 'rw', title: 'Read/write' }), { name: 'Read/write', about: '' });
});

test('what happens in one of two lanes names the lane', () => {
  const [herd, queue] = [{ info: { name: 'a', title: 'Herd: everyone' } }, { info: { name: 'b', title: 'Queue' } }];
  assert.equal(inLane({ lane: 'a' }, [herd, queue], 'It goes on'), 'Herd: It goes on');
  assert.equal(inLane({ lane: 'a' }, [herd], 'It goes on'), 'It goes on');
  assert.equal(inLane({}, [herd, queue], 'It goes on'), 'It goes on');
});

test('the clock goes on between events, never back, and stops with the run', () => {
  const run = new Clock();
  assert.equal(run.now(10), 0);
  run.observe(1_000_000, 100);
  assert.equal(run.now(150), 1_050_000);
  run.observe(1_010_000, 150);
  assert.equal(run.now(150), 1_050_000);
  run.stop(1_200_000);
  assert.equal(run.now(9999), 1_200_000);
});

test('the clock stands still while nobody knows it, and never goes back', () => {
  const run = new Clock();
  run.observe(1_000_000, 0);
  run.pause(500);
  assert.equal(run.now(9999), 1_500_000);
  run.observe(1_400_000, 2000);
  assert.equal(run.now(2000), 1_500_000);
  run.observe(4_000_000, 2000);
  assert.equal(run.now(2100), 4_100_000);
});

test('the picture runs a little behind, so that no frame starts half-way', () => {
  const run = new Clock();
  run.observe(1_000_000, 0);
  assert.ok(run.shown(0) < run.now(0));
  run.stop(1_000_000);
  assert.ok(run.shown(0) < 1_000_000);
  assert.equal(run.shown(1000), 1_000_000);
});

test('the store keeps every event and finds the newest that pass', () => {
  const store = new EventLog();
  store.append(Array.from({ length: 1000 }, (_, index) => /** @type {Event} */ ({ seq: index + 1, at: 0, kind: 'note.started', path: `/${index % 3}` })));
  assert.equal(store.length, 1000);
  assert.deepEqual(store.newest(2, (event) => event.path === '/0').map((event) => event.seq), [997, 1000]);
  assert.deepEqual(store.slice(998).map((event) => event.seq), [999, 1000]);
});

for (const [name, expected] of /** @type {[string, string[]][]} */ ([['read-write', ['reads', 'writes']], ['downgrade', ['reads', 'writes']], ['two-holders', ['holds', 'holds?']]])) {
  test(`${name}: a holder’s word says in which mode it has the lock`, () => {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    /** @type {Set<string>} */ const said = new Set();
    for (const event of events) {
      apply(view, event);
      for (const { clients } of view.lanes) for (const client of clients.values()) if (client.state === 'holds') said.add(clientWord(client));
    }
    assert.deepEqual([...said].sort(), expected);
  });
}
