import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from '../js/model/guests.js';
import { apply, createView } from '../js/model/view.js';
import { crowdOf, linkEnd, waitsOf } from '../js/stage/picture/crowd.js';
import { layout } from '../js/stage/picture/layout.js';

/** @import { Lane } from '../js/model/view.js' */

/** A lane of many clients: the first holds, the next 39 wait, one is paused. @param {number} clients @returns {Lane} */
function laneOf(clients) {
  const view = createView([{ name: 'herd', title: 'Herd', recipe: 'herd', path: '/lock' }], clients);
  let seq = 0;
  /** @param {object} event */
  const add = (event) => apply(view, /** @type {any} */ ({ seq: ++seq, at: seq, lane: 'herd', ...event }));
  for (let client = 1; client <= 40; client++) {
    const path = `/lock/lock-${String(client).padStart(10, '0')}`;
    add({ kind: 'session.granted', client, session: `s${client}`, timeout: 6000 });
    add({ kind: 'tree.created', path, client, session: `s${client}` });
    add({ kind: 'lock.enqueued', client, path });
    add({ kind: client === 1 ? 'lock.acquired' : 'lock.waiting', client, path });
  }
  add({ kind: 'fault.injected', client: 44, fault: 'pause' });
  return /** @type {Lane} */ (view.lanes[0]);
}

/** @param {Lane} lane @param {number} chosen */
const numbers = (lane, chosen) => crowdOf(lane, 6, chosen).drawn.map((client) => client?.number);

for (const clients of [51, 200, 1000]) {
  test(`of ${clients} clients each is drawn, or counted once`, () => {
    const lane = laneOf(clients);
    for (const chosen of [0, 30, clients]) {
      const crowd = crowdOf(lane, 6, chosen);
      const all = [...crowd.places.keys(), ...crowd.groups.flatMap((group) => group.clients)].sort((a, b) => a - b);
      assert.deepEqual(all, [...lane.clients.keys()]);
      for (const { state, clients: those } of crowd.groups) for (const each of those) assert.equal(lane.clients.get(each)?.state, state);
    }
  });
}

test('the holder, the broken and the head of the queue are drawn, and last the one that was chosen', () => {
  const lane = laneOf(200);
  assert.deepEqual(numbers(lane, 0), [1, 44, 2, 3, 4, undefined]);
  assert.deepEqual(numbers(lane, 150), [1, 44, 2, 3, 4, 150]);
  assert.deepEqual(numbers(lane, 1), [44, 2, 3, 4, 5, 1]);
});

test('a guest is drawn, wherever it stands', () => {
  const lane = laneOf(200);
  join(lane, /** @type {any} */ ({ client: 201, participant: 'console' }));
  assert.deepEqual(numbers(lane, 0), [1, 201, 44, 2, 3, undefined]);
});

test('the usual states are counted even when nobody is in them, so that none moves', () => {
  const states = (/** @type {number} */ clients) => crowdOf(laneOf(clients), 6, 0).groups.map(({ state }) => state);
  assert.deepEqual(states(51).slice(0, 4), ['waiting', 'woken', 'enqueued', 'idle']);
  assert.ok(states(51).includes('absent'));
});

test('every client has an end of its link inside the picture: its place, or the crowd', () => {
  const lane = laneOf(1000);
  const at = layout(484, 16, 1000);
  const crowd = crowdOf(lane, at.columns, 700);
  for (const client of lane.clients.keys()) {
    const { x } = linkEnd(lane, at, client, crowd);
    assert.ok(crowd.places.has(client) ? x < at.crowdX : x > at.crowdX && x < at.width, `${client} at ${x}`);
  }
});

test('those that wait are counted by how long they have been in the queue; who holds is not', () => {
  const lane = laneOf(51);
  const nodes = [0, 8_000_000, 9_500_000, 9_999_999].map((createdAt, index) => ({ client: index + 1, createdAt }));
  /** @type {any} */ (lane).queue.nodes = [...nodes, { client: 0, createdAt: 0 }]; // the last is nobody's
  assert.deepEqual(waitsOf(lane, 10_000_000), [1, 1, 1, 0, 0]);
});
