// The view at any instant is the fold of what had happened by then, however the
// visitor got there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { FEWEST_CHECKPOINTS, MOST_CHECKPOINTS, ViewAt } from '../js/log/view-at.js';
import { createView } from '../js/model/view.js';
import { fold, names, recording } from './recording.js';

/** Numbers from 0 to 1 that are the same in each run. @param {number} seed */
function random(seed) {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
}

/** @param {import('./recording.js').Recorded} recorded */
function viewAtOf({ run, events }) {
  const log = new EventLog();
  log.append(structuredClone(events));
  return { log, viewAt: new ViewAt(log, createView(run.lanes, run.clients)) };
}

for (const [number, name] of names.entries()) {
  test(`${name}: the view at random instants is the fold from the start`, () => {
    const recorded = recording(name);
    const { log, viewAt } = viewAtOf(recorded);
    const next = random(number + 1);
    for (let left = Math.max(6, Math.min(40, Math.round(40_000 / log.length))); left > 0; left--) {
      const at = Math.floor(next() * (log.end + 2_000_000)) - 1_000_000;
      const count = log.countAt(at);
      viewAt.moveTo(count);
      assert.equal(viewAt.count, count);
      assert.deepEqual(viewAt.view, fold(recorded, count), `at ${at}`);
    }
  });

  test(`${name}: forth in small steps and back again`, () => {
    const recorded = recording(name);
    const { log, viewAt } = viewAtOf(recorded);
    for (let count = 0; count <= log.length; count += 7) viewAt.moveTo(count);
    viewAt.moveTo(log.length);
    assert.deepEqual(viewAt.view, fold(recorded));
    for (const count of [log.length - 1, Math.floor(log.length / 2), 1, 0]) {
      viewAt.moveTo(count);
      assert.deepEqual(viewAt.view, fold(recorded, count));
    }
  });
}

for (const [clients, most] of /** @type {const} */ ([[12, MOST_CHECKPOINTS], [400, FEWEST_CHECKPOINTS]])) test(`a long log of ${clients} clients keeps at most ${most} checkpoints, and going back stays exact`, () => {
  const { run, events } = recording('herd-vs-predecessor');
  const lanes = run.lanes.map((lane) => ({ ...lane, clients }));
  const log = new EventLog();
  const { length } = events;
  const end = events.at(-1)?.at ?? 0;
  for (let round = 0; round < 25; round++) {
    log.append(events.map((event) => ({ ...event, seq: event.seq + round * length, at: event.at + round * end })));
  }
  const viewAt = new ViewAt(log, createView(lanes, clients));
  viewAt.moveTo(log.length);
  assert.ok(viewAt.checkpoints > most / 4 && viewAt.checkpoints <= most, `${viewAt.checkpoints}`);
  const count = Math.floor(log.length * 0.6);
  viewAt.moveTo(count);
  const straight = new ViewAt(log, createView(lanes, clients));
  straight.moveTo(count);
  assert.deepEqual(viewAt.view, straight.view);
});

test('a view goes no farther than the log', () => {
  const { log, viewAt } = viewAtOf(recording('read-write'));
  viewAt.moveTo(log.length + 100);
  assert.equal(viewAt.count, log.length);
});

test('events of one instant have happened together', () => {
  const log = new EventLog();
  log.append([1, 5, 5, 9].map((at, index) => ({ seq: index + 1, at, kind: 'note.step' })));
  assert.deepEqual([0, 1, 4, 5, 8, 9, 99].map((at) => log.countAt(at)), [0, 1, 1, 3, 3, 4, 4]);
});
