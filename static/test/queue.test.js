import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, createView } from '../js/model/view.js';
import { createQueue, isHeard, sequenceOf, stepData, stepQueue } from '../js/model/queue.js';
import { names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

const nobody = () => 0;

/** @param {Partial<Event>[]} events */
function after(...events) {
  const queue = createQueue('/l');
  events.forEach((event, index) => stepQueue(queue, /** @type {Event} */ ({ seq: index, at: index, ...event }), nobody));
  return queue;
}

/** @param {string} path @returns {Partial<Event>} */
const created = (path) => ({ kind: 'tree.created', path });

test('znodes stand in the order of their numbers, whatever their names begin with', () => {
  const queue = after(created('/l/z-0000000003'), created('/l/a-0000000010'), created('/l/m-0000000001'));
  assert.deepEqual(queue.nodes.map((node) => node.sequence), [1, 3, 10]);
});

test('a stray without a number stands last, others are not ours', () => {
  const queue = after(created('/l/stray'), created('/l/a-0000000001'), created('/l'), created('/l/a/b-0000000002'), created('/other/c-0000000003'));
  assert.deepEqual(queue.nodes.map((node) => node.name), ['a-0000000001', 'stray']);
});

test('a deleted znode leaves, and all leave with the directory', () => {
  const one = after(created('/l/a-0000000001'), created('/l/b-0000000002'), { kind: 'tree.deleted', path: '/l/a-0000000001' });
  assert.deepEqual(one.nodes.map((node) => node.sequence), [2]);
  assert.deepEqual(after(created('/l/a-0000000001'), { kind: 'tree.deleted', path: '/l' }).nodes, []);
});

test('a znode told twice is there once', () => {
  assert.equal(after(created('/l/a-0000000001'), created('/l/a-0000000001')).nodes.length, 1);
});

test('names tell readers from writers', () => {
  const queue = after(created('/l/x-__READ__0000000001'), created('/l/x-__WRIT__0000000002'), created('/l/x-lock-0000000003'));
  assert.deepEqual(queue.nodes.map((node) => node.mode), ['read', 'write', '']);
});

test('the owner is the client that the server names, or the one that has the session', () => {
  const queue = createQueue('/l');
  const owner = (/** @type {string} */ session) => (session === '0x2' ? 5 : 0);
  stepQueue(queue, { seq: 1, at: 1, kind: 'tree.created', path: '/l/a-0000000001', client: 3 }, owner);
  stepQueue(queue, { seq: 2, at: 2, kind: 'tree.created', path: '/l/b-0000000002', session: '0x2' }, owner);
  assert.deepEqual(queue.nodes.map((node) => node.client), [3, 5]);
});

test('a flag is whose text is in it, until it is empty', () => {
  const queue = after(created('/l/flag'));
  const written = (/** @type {Partial<Event>} */ event) => {
    stepData(queue, /** @type {Event} */ ({ seq: 1, at: 1, kind: 'wire.received', op: 'setData', path: '/l/flag', stat: { dataLength: 26 }, ...event }));
    return queue.nodes[0]?.writer;
  };
  assert.equal(written({ client: 3, zxid: 5 }), 3);
  assert.equal(written({ client: 2, zxid: 6, err: 'BadVersion', stat: undefined }), 3);
  assert.equal(written({ client: 1, zxid: 4 }), 3, 'an answer that comes late is of an older text');
  assert.equal(written({ client: 3, zxid: 7, stat: {} }), 0);
  assert.equal(written({ client: 1, zxid: 8 }), 1);
});

test('the queue is stale while the observer is away', () => {
  assert.equal(after({ kind: 'tree.lost' }).stale, true);
  assert.equal(after({ kind: 'tree.lost' }, { kind: 'tree.synced' }).stale, false);
});

test('a server that is killed is not heard until it is back; what is done to clients is not said of the server', () => {
  const killed = ['leader-loss', 'lost-quorum', 'kill-leader'];
  for (const name of names) {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    /** @type {string[]} */ const turns = [];
    for (const event of events) {
      const heard = view.lanes.every(isHeard);
      apply(view, event);
      if (view.lanes.every(isHeard) !== heard) turns.push(event.kind);
    }
    assert.deepEqual([name, ...turns], killed.includes(name) ? [name, 'tree.lost', 'tree.synced'] : [name]);
  }
});

for (const [name, number] of /** @type {[string, number][]} */ ([
  ['_c_x-lock-0000000017', 17], ['lock-2147483647', 2147483647], ['lock', Infinity], ['lock-17', Infinity], ['', Infinity],
])) {
  test(`the number of "${name}" is ${number}`, () => assert.equal(sequenceOf(name), number));
}
