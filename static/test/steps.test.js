import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalogue } from '../js/text/catalogue.js';
import { boxes, ranks } from '../js/model/steps.js';
import { stepWords } from '../js/panel/steps/words.js';
import { apply, createView } from '../js/model/view.js';
import { served } from './served.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Lane } from '../js/model/view.js' */

/** @param {Partial<Event>[]} events @returns {Lane} */
function after(...events) {
  const view = createView([{ name: 'l', title: 'L', recipe: 'mutex', path: '/l' }], 2);
  events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: index, lane: 'l', client: 1, ...event })));
  return /** @type {Lane} */ (view.lanes[0]);
}

/** A request that the link holds: it is sent, and does not leave. @param {number} frame @param {string} op @returns {Partial<Event>[]} */
const held = (frame, op) => [{ kind: 'wire.sent', frame, op }, { kind: 'wire.held', dir: 'out', frame, op }];
/** @type {Partial<Event>} */
const reply = { kind: 'wire.held', dir: 'in', frame: 7, op: 'create', path: '/l/a-0000000003' };

/** @param {Lane} lane */
const contents = (lane) => boxes(lane).map((each) => [each.out.map(({ op }) => op), each.in.map(({ op }) => op)]);

test('what waits is in the outbox or the inbox of its client, oldest first', () => {
  const lane = after(...held(1, 'create'), ...held(2, 'getChildren'), reply, { ...reply, client: 2, op: 'notification' });
  assert.deepEqual(contents(lane), [[['create', 'getChildren'], ['create']], [[], ['notification']]]);
  assert.equal(boxes(lane).flatMap((each) => [...each.out, ...each.in]).length, 4);
});

test('a frame with a due time is under way and waits for nobody', () => {
  assert.deepEqual(contents(after({ kind: 'wire.sent', frame: 1, op: 'create', due: 99 }))[0], [[], []]);
  assert.deepEqual(contents(after(...held(1, 'create'), { kind: 'wire.held', dir: 'out', frame: 1, op: 'create', due: 99 }))[0], [[], []]);
});

/** @type {[string, Partial<Event>][]} */
const ends = [
  ['delivered', { kind: 'wire.delivered', dir: 'out', frame: 1, op: 'create' }],
  ['dropped', { kind: 'wire.dropped', dir: 'out', frame: 1, op: 'create' }],
];
for (const [name, event] of ends) {
  test(`a frame that is ${name} waits no more`, () => assert.deepEqual(contents(after(...held(1, 'create'), event))[0], [[], []]));
}

test('a reply that is received waits no more', () => {
  assert.deepEqual(contents(after(reply, { kind: 'wire.received', frame: 7, op: 'create' }))[0], [[], []]);
});

test('pings and connects pass by themselves and are not listed', () => {
  assert.deepEqual(contents(after(...held(1, 'ping'), ...held(2, 'connect')))[0], [[], []]);
});

test('in the picture each lies behind those before it', () => {
  const lane = after(...held(1, 'create'), ...held(2, 'getChildren'), reply);
  assert.deepEqual([...ranks(lane).values()].sort(), [0, 0, 1]);
});

test('steps in words', () => {
  const catalogue = new Catalogue(served);
  assert.equal(stepWords({ client: 2, lane: 'mutex', dir: 'out', deliver: 'create' }, catalogue), 'deliver create from client 2 in mutex');
  assert.equal(stepWords({ client: 1, dir: 'in', deliver: '*' }, catalogue), 'deliver whatever waits to client 1');
  assert.equal(stepWords({ client: 1, dir: 'in', drop: 'create' }, catalogue), 'drop create to client 1');
  assert.equal(stepWords({ client: 1, until: 'lock.acquired' }, catalogue), 'deliver until client 1: lock.acquired');
  assert.equal(stepWords({ client: 1, await: 'lock.released' }, catalogue), 'wait for client 1: lock.released');
  assert.equal(stepWords({ client: 2, fault: 'pause' }, catalogue), 'Pause: client 2');
});
