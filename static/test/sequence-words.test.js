import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalogue } from '../js/text/catalogue.js';
import { createSequence, extend } from '../js/model/sequence.js';
import { describe, label, znodeName } from '../js/stage/sequence/words.js';
import { names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

const catalogue = new Catalogue({
  faults: [{ name: 'pause', title: 'Pause', sentence: '', target: 'client', lasts: true }],
  checks: [{ name: 'belief', title: 'Belief', sentence: '', violated: '' }],
});
const lane = { name: 'l', title: 'L', recipe: 'mutex', path: '/l', clients: 2 };
const first = '/l/_c_a-lock-0000000007';

/** The sentence and the words in the picture of what the last event began or was part of. @param {Partial<Event>[]} events */
function told(...events) {
  const all = events.map((event, index) => /** @type {Event} */ ({ seq: index + 1, at: index * 1000, lane: 'l', client: 1, ...event }));
  const item = extend(createSequence([lane]), all).lanes[0]?.items.all.at(-1) ?? assert.fail();
  return [describe(item, catalogue), label(item, catalogue)];
}

for (const name of names) {
  test(`${name}: everything has a sentence`, () => {
    const { run, events } = recording(name);
    for (const { items } of extend(createSequence(run.lanes), events).lanes) {
      for (const item of items.all) {
        const text = describe(item, catalogue);
        assert.match(text, /^[A-Z(]|^the /, text);
        assert.doesNotMatch(text, /undefined|NaN|Infinity|\.$|\/playground/, text);
      }
    }
  });
}

test('what is wrong is said', () => {
  assert.deepEqual(told({ kind: 'wire.received', op: 'exists', path: first, err: 'NoNode' }, { kind: 'lock.waiting', predecessor: first }),
    ['Client 1 waits (it goes on) for a change of znode 07: ZooKeeper had already answered that it does not exist', 'waits for znode 07, which is gone']);
  assert.deepEqual(told({ kind: 'lock.enqueued', path: first }, { kind: 'lock.waiting', predecessor: first }),
    ['Client 1 waits (it goes on) behind itself: for znode 07 to go', 'waits behind itself']);
  assert.deepEqual(told({ kind: 'tree.created', path: first }, { kind: 'lock.acquired', path: first, token: 5 }, { kind: 'belief.false', path: first }),
    ['Client 1 believes that it holds the lock (it goes on), token 5; its znode is gone since 0:00.002: it does not hold any more', 'holds']);
  assert.deepEqual(told({ kind: 'belief.conflict', path: '/l', clients: [1, 2] }),
    ['Clients 1 and 2 believe at the same time that they hold the lock (it goes on)', 'both believe: 1 and 2']);
});

test('a violation and a fault have the titles of the catalogue, a reason the numbers of znodes', () => {
  assert.deepEqual(told({ kind: 'check.changed', check: 'belief', verdict: 'violated', reason: { code: 'was-not-mine', args: { znode: first } } }),
    ['Violated: Belief: znode 07 was not mine any more', 'Belief violated']);
  assert.deepEqual(told({ kind: 'fault.injected', fault: 'pause', for: 500 }), ['Client 1: Pause (it goes on)', 'Pause']);
});

test('a frame says what it asks, whether it arrives, and what was answered', () => {
  /** @type {Partial<Event>} */
  const ask = { kind: 'wire.sent', op: 'create', path: '/l/_c_a-lock-', frame: 1, due: 9000 };
  assert.deepEqual(told(ask), ['Client 1 asks ZooKeeper: create a sequential znode; it is under way', 'create']);
  assert.deepEqual(told(ask, { kind: 'wire.dropped', dir: 'out', frame: 1 })[0], 'Client 1 asks ZooKeeper: create a sequential znode; it is lost with the connection');
  assert.deepEqual(told({ ...ask, due: 0 }, { kind: 'wire.held', dir: 'out', frame: 1 })[0], 'Client 1 asks ZooKeeper: create a sequential znode; the link holds it');
  assert.deepEqual(told({ kind: 'wire.received', op: 'exists', path: first, frame: 1, err: 'NoNode' }), ['ZooKeeper answers client 1: exists znode 07, NoNode', 'NoNode']);
});

test('znodes have their number, others the end of their path', () => {
  assert.deepEqual([first, '/l', '/l/_c_a-lock-', '/l/_c_a-__READ__'].map(znodeName), ['znode 07', '/l', 'a sequential znode', 'a sequential znode']);
});
