import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentile } from '../js/model/handovers.js';
import { falseBeliefInAll } from '../js/model/belief.js';
import { apply, createView } from '../js/model/view.js';
import { fold, names, recording, summary } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

for (const name of names) {
  test(`${name}: counts what the server counted`, () => {
    const view = fold(recording(name));
    for (const expected of summary(name).lanes) {
      const lane = view.lanes.find((each) => each.info.name === expected.name);
      assert.ok(lane);
      const { acquisitions, releases, requests, notifications } = lane.counters;
      const handover = (/** @type {number} */ percent) => percentile(lane.handovers.all, percent) || 0;
      assert.deepEqual(
        { acquisitions, releases, requests, notifications, handoffMicros: { p50: handover(50), p99: handover(99) } },
        { acquisitions: expected.acquisitions, releases: expected.releases, requests: expected.requests,
          notifications: expected.notifications, handoffMicros: expected.handoffMicros });
      assert.equal(falseBeliefInAll(lane, view.at), expected.falseBeliefMicros);
    }
  });

  test(`${name}: ends with nothing under way and nobody in the queue`, () => {
    const view = fold(recording(name));
    assert.equal(view.finished, true);
    for (const lane of view.lanes) {
      assert.equal(lane.flights.size, 0);
      assert.deepEqual(lane.queue.nodes.filter(({ session }) => session), []);
    }
  });
}

test('a loss that is told late, of a former znode, neither ends the newer attempt nor wastes its wake-up', () => {
  const view = createView([{ name: 'l', title: 'L', recipe: 'mutex', path: '/l' }], 1);
  const events = /** @type {Partial<Event>[]} */ ([
    { kind: 'session.granted', session: '1', timeout: 4000 },
    { kind: 'lock.enqueued', path: '/l/a' }, { kind: 'lock.acquired', path: '/l/a' },
    { kind: 'lock.enqueued', path: '/l/b' }, { kind: 'lock.waiting', predecessor: '/l/x' }, { kind: 'lock.woken' },
    { kind: 'lock.lost', path: '/l/a' },
  ]);
  events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: index, lane: 'l', client: 1, ...event })));
  const lane = view.lanes[0];
  assert.deepEqual([lane?.clients.get(1)?.state, lane?.clients.get(1)?.path, lane?.rounds.sums.wasted], ['woken', '/l/b', 0]);
});

test('the delay and whether the network is held are as told last', () => {
  const view = createView([], 1);
  assert.deepEqual([view.delay, view.held, view.stepNote], [undefined, false, undefined]);
  const told = /** @type {[Partial<Event>, number, boolean][]} */ ([
    [{ kind: 'note.delay', delay: 250_000 }, 250_000, false],
    [{ kind: 'note.step', held: true, reason: { code: 'held-by-hand' } }, 250_000, true],
    [{ kind: 'note.step', held: true, reason: { code: 'replayed', args: { steps: 3 } } }, 250_000, true],
    [{ kind: 'note.delay' }, 0, true],
    [{ kind: 'note.step', reason: { code: 'flows-again' } }, 0, false],
  ]);
  for (const [index, [event, delay, isHeld]] of told.entries()) {
    apply(view, /** @type {Event} */ ({ seq: index + 1, at: index, ...event }));
    assert.deepEqual([view.delay, view.held], [delay, isHeld]);
  }
  assert.equal(view.stepNote?.code, 'flows-again');
});

test('counting stops when the clients are told to stop', () => {
  const lane = { name: 'herd', title: 'Herd', recipe: 'herd', path: '/l', clients: 1 };
  const view = createView([lane], 1);
  apply(view, { seq: 1, at: 1, kind: 'note.stopping' });
  apply(view, { seq: 2, at: 2, lane: 'herd', client: 1, kind: 'wire.sent', op: 'create' });
  assert.equal(view.lanes[0]?.counters.requests, 0);
});
