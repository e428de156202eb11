// What the page does not do again for a reader who has done a part of a task.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doneBefore } from '../js/lesson/done-before.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Act } from '../js/lesson/perform-acts.js' */

const made = (/** @type {number} */ seq, /** @type {string} */ path) => /** @type {Event} */ ({ seq, kind: 'wire.received', op: 'create', path: `/r/a${path}` });
const crashed = /** @type {Event} */ ({ seq: 9, kind: 'fault.injected', fault: 'crash' });
const crash = { break: { you: true, fault: 'crash' } };
const queue = 'create -e -s /lock/lock-';
const first = '/lock/lock-0000000003';

/** @type {[string, Act[], Event[], string[], (number | undefined)[]][]} acts, what was done, which znodes stand, and what is left out */
const cases = [
  ['nothing was done', [queue, crash], [], [], [undefined, undefined]],
  ['a place in the queue', [queue, {}, crash], [made(4, first)], [first], [4, undefined, undefined]],
  ['all of it', [queue, crash], [made(4, first), crashed], [first], [4, 9]],
  ['the znode is gone: it begins anew', [queue, crash], [made(4, first), crashed], [], [undefined, undefined]],
  ['one of two places', [queue, queue], [made(4, first)], [first], [4, undefined]],
  ['another znode', [queue], [made(4, '/lock/other-0000000003')], ['/lock/other-0000000003'], [undefined]],
  ['a znode that no step tells of', ['create /queue', 'ls /queue'], [], ['/queue'], [0, undefined]],
  ['a second create, which is to be refused', ['create /a', 'create /a'], [made(4, '/a')], ['/a'], [4, undefined]],
];

for (const [what, acts, done, stand, want] of cases) {
  test(what, () => assert.deepEqual(doneBefore(acts, done, { root: '/r/a', stands: (path) => stand.includes(path.slice('/r/a'.length)) }), want));
}
