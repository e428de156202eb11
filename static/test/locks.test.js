// A lane of several locks: each by itself, and all of them summed up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { believers, conflictingBelievers, rows } from '../js/model/belief.js';
import { lockOf, locksOf } from '../js/model/locks.js';
import { apply, createView } from '../js/model/view.js';
import { recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

const info = { name: 'l', recipe: 'mutex', title: 'L', path: '/l/a', locks: ['/l/a', '/l/b'] };

/** @param {Partial<Event>[]} events */
function laneAfter(...events) {
  const view = createView([info], 3);
  events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: index * 10, lane: 'l', ...event })));
  return /** @type {import('../js/model/view.js').Lane} */ (view.lanes[0]);
}

/** @param {Event['kind']} kind @param {number} client @param {string} lock @param {number} number @returns {Partial<Event>} */
const of = (kind, client, lock, number) => ({ kind, client, path: `/l/${lock}/lock-000000000${number}` });

test('an event is about the lock whose directory it names, and else about all', () => {
  const lane = laneAfter();
  assert.equal(lockOf(lane, '/l/a')?.queue.directory, '/l/a');
  assert.equal(lockOf(lane, '/l/b/lock-0000000001')?.queue.directory, '/l/b');
  assert.equal(lockOf(lane, '/l/bc/lock-0000000001'), undefined);
  assert.equal(lockOf(lane, ''), undefined);
});

test('one that holds in each lock is no conflict, two in one are', () => {
  const peaceful = laneAfter(of('lock.acquired', 1, 'a', 0), of('lock.acquired', 2, 'b', 0));
  assert.deepEqual(believers(peaceful).map(({ number }) => number), [1, 2]);
  assert.deepEqual(conflictingBelievers(peaceful), []);
  const wrong = laneAfter(of('lock.acquired', 1, 'a', 0), of('lock.acquired', 2, 'a', 1));
  assert.deepEqual(conflictingBelievers(wrong).map(({ number }) => number), [1, 2]);
});

test('a client may hold in one lock and wait in another: its belief has a row for each', () => {
  const lane = laneAfter(of('tree.created', 1, 'a', 0), of('lock.acquired', 1, 'a', 0), of('tree.created', 1, 'b', 1), of('lock.enqueued', 1, 'b', 1),
    { ...of('lock.waiting', 1, 'b', 1), predecessor: '/l/b/lock-0000000000' });
  assert.equal(lane.clients.get(1)?.belief, 'waiting');
  assert.deepEqual(rows(lane, 100).filter(({ client }) => client.number === 1).map(({ holds }) => holds), [true, false]);
  assert.deepEqual(locksOf(lane).map(({ queue }) => queue.nodes.length), [1, 1]);
  assert.equal(lane.queue.nodes.length, 2);
});

test('in the deadlock each holds what the other waits for', () => {
  const { run, events } = recording('deadlock');
  const view = createView(run.lanes, run.clients);
  for (const event of events) {
    apply(view, event);
    if (event.kind === 'check.changed' && event.check === 'progress' && event.verdict === 'violated') break;
  }
  const [orders, stock] = view.lanes[0]?.locks ?? [];
  assert.deepEqual([orders?.clients.get(1)?.belief, stock?.clients.get(1)?.belief], ['holds', 'waiting']);
  assert.deepEqual([orders?.clients.get(2)?.belief, stock?.clients.get(2)?.belief], ['waiting', 'holds']);
});

test('the threads of a process stand in the order in which they came, until they leave', () => {
  const client = (/** @type {Partial<Event>[]} */ ...events) => laneAfter(...events).clients.get(1);
  const queued = (/** @type {number} */ thread) => /** @type {Partial<Event>} */ ({ kind: 'lock.local-queued', client: 1, thread });
  assert.deepEqual(client(queued(2), queued(1), queued(3))?.threads, [2, 1, 3]);
  assert.deepEqual(client(queued(2), queued(1), { kind: 'lock.local-left', client: 1, thread: 2 })?.threads, [1]);
  assert.deepEqual(client(queued(2), { kind: 'fault.injected', fault: 'close', effects: ['ends-process'], client: 1 })?.threads, []);
});
