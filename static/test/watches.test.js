import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWatches, stepWatches, watchersOf } from '../js/model/watches.js';
import { apply, createView } from '../js/model/view.js';
import { recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Partial<Event>[]} events */
function after(...events) {
  const watches = createWatches();
  events.forEach((event, index) => stepWatches(watches, /** @type {Event} */ ({ seq: index, at: index, client: 1, ...event })));
  return watches;
}

/** @type {Partial<Event>} */
const child = { kind: 'wire.received', op: 'getChildren', path: '/l', watch: true };
/** @type {Partial<Event>} */
const data = { kind: 'wire.received', op: 'getData', path: '/l/a', watch: true };
/** @param {string} type @param {string} path @returns {Partial<Event>} */
const told = (type, path) => ({ kind: 'wire.received', op: 'notification', type, path });

test('a reply leaves a watch, a request alone does not', () => {
  assert.deepEqual(watchersOf(after(child), '/l'), [1]);
  assert.deepEqual(watchersOf(after({ ...child, kind: 'wire.sent' }), '/l'), []);
  assert.deepEqual(watchersOf(after({ ...child, watch: false }), '/l'), []);
});

test('the same watch twice is one', () => assert.equal(after(data, data).get(1)?.length, 1));

for (const [type, path, left] of /** @type {[string, string, string[]]} */ (/** @type {unknown} */ ([
  ['NodeChildrenChanged', '/l', ['/l/a']],
  ['NodeDeleted', '/l/a', ['/l']],
  ['NodeDataChanged', '/l/a', ['/l']],
  ['NodeDataChanged', '/l', ['/l', '/l/a']],
  ['NodeDeleted', '/l', ['/l/a']],
]))) {
  test(`${type} ${path} leaves ${left}`, () => {
    assert.deepEqual(after(child, data, told(String(type), String(path))).get(1)?.map((watch) => watch.path), left);
  });
}

test('a watch whose notification is under way has fired, and watches no more', () => {
  const watches = after(child, { ...told('NodeChildrenChanged', '/l'), kind: 'wire.held', dir: 'in' });
  assert.equal(watches.get(1)?.[0]?.fired, true);
  assert.deepEqual(watchersOf(watches, '/l'), []);
});

test('a watch that fires while the answer that tells of it is on its way has fired', () => {
  const [answer, notification] = [{ ...data, kind: /** @type {const} */ ('wire.held'), dir: /** @type {const} */ ('in') },
    { ...told('NodeDeleted', '/l/a'), kind: /** @type {const} */ ('wire.held'), dir: /** @type {const} */ ('in') }];
  const fired = (/** @type {Partial<Event>[]} */ ...events) => after(...events).get(1)?.map((watch) => watch.fired);
  assert.deepEqual(fired(answer), [false]);
  assert.deepEqual(fired(answer, notification), [true]);
  assert.deepEqual(fired(answer, notification, data), [true], 'its answer arrives');
  assert.deepEqual(fired(answer, notification, data, told('NodeDeleted', '/l/a')), []);
  assert.deepEqual(fired(answer, notification, answer, told('NodeDeleted', '/l/a'), data), [false], 'one that is set since stays');
});

for (const kind of /** @type {const} */ (['session.refused', 'session.closed', 'session.granted', 'session.resumed'])) {
  test(`${kind} ends a client's watches`, () => assert.equal(after(child, { kind }).size, 0));
}

test('a crash ends them, too, and what a client believes of its session does not', () => {
  assert.equal(after(child, { kind: 'fault.injected', fault: 'crash' }).size, 0);
  assert.equal(after(child, { kind: 'session.lost' }).size, 1);
});

test('a client that is connected again sets its watches again', () => {
  const again = after(child, data, { kind: 'session.resumed' }, { kind: 'wire.sent', op: 'setWatches', ops: [
    { op: 'getChildren', path: '/l' }, { op: 'exists', path: '/l/a' }, { op: 'addWatch', path: '/', flags: 'recursive' }] });
  assert.deepEqual(again.get(1)?.map(({ path, on, absent }) => [path, on, absent]), [['/l', 'children', false], ['/l/a', 'data', true], ['/', 'recursive', false]]);
});

test('a watch that is not of one time only stays when it fires, until it is removed', () => {
  /** @type {Partial<Event>} */ const stays = { kind: 'wire.received', op: 'addWatch', mode: 'persistent', path: '/l', watch: true };
  /** @type {Partial<Event>} */ const removal = { kind: 'wire.received', op: 'removeWatches', path: '/l' };
  const parts = (/** @type {Partial<Event>[]} */ ...events) => after(...events).get(1)?.map(({ on }) => on);
  assert.deepEqual(parts(stays, child, told('NodeDeleted', '/l')), ['persistent']);
  assert.deepEqual(parts(stays, child, { ...removal, mode: 'children' }), ['persistent']);
  assert.deepEqual(parts(stays, child, { ...removal, mode: 'any' }), []);
  assert.deepEqual(parts(stays, { ...removal, mode: 'any', err: 'NoWatcher' }), ['persistent']);
});

test('in a recorded chain, each waiter watches the znode just ahead of it', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const view = createView(run.lanes, run.clients);
  let waits = 0;
  for (const event of events) {
    apply(view, event);
    if (event.kind !== 'lock.waiting' || event.lane !== 'predecessor') continue;
    const own = view.lanes[1]?.watches.get(event.client ?? 0) ?? [];
    assert.ok(own.some((watch) => watch.path.endsWith(event.predecessor ?? '?')), `event ${event.seq}`);
    waits++;
  }
  assert.ok(waits > 3);
});
