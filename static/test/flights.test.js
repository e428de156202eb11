import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFlights, isForgotten, progress, stepFlights } from '../js/model/flights.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Partial<Event>[]} events */
function after(...events) {
  const flights = createFlights();
  for (const event of events) stepFlights(flights, /** @type {Event} */ ({ seq: 1, at: 0, client: 1, frame: 1, ...event }));
  return flights;
}

test('a delayed request flies until it is delivered', () => {
  const sent = after({ kind: 'wire.sent', op: 'create', due: 100 });
  assert.deepEqual([...sent.values()].map(({ dir, role }) => [dir, role]), [['out', 'request']]);
  assert.equal(after({ kind: 'wire.sent', due: 100 }, { kind: 'wire.delivered', dir: 'out' }).size, 0);
});

test('a frame that crosses at once does not fly', () => assert.equal(after({ kind: 'wire.sent', op: 'create' }).size, 0));

test('a notification flies in until it is received', () => {
  const held = after({ kind: 'wire.held', dir: 'in', op: 'notification', due: 100 });
  assert.equal([...held.values()][0]?.role, 'notification');
  assert.equal(after({ kind: 'wire.held', dir: 'in', due: 100 }, { kind: 'wire.received' }).size, 0);
});

test('the two directions of a link do not mix', () => {
  assert.equal(after({ kind: 'wire.sent', due: 100 }, { kind: 'wire.received' }).size, 1);
});

test('a frame that the link holds stays at its beginning', () => {
  const [flight] = after({ kind: 'wire.held', dir: 'out' }).values();
  assert.ok(flight);
  assert.equal(progress(flight, 5_000_000), 0);
});

test('progress runs from 0 to 1, and a frame that is due stays at the end until it is told to have arrived', () => {
  const [flight] = after({ kind: 'wire.sent', at: 100, due: 300 }).values();
  assert.ok(flight);
  assert.deepEqual([50, 100, 200, 300, 301].map((now) => progress(flight, now)), [0, 0, 0.5, 1, 1]);
});

test('frames die with a crash, with a dropped connection, and are swept when they are overdue', () => {
  assert.equal(after({ kind: 'wire.sent', due: 100 }, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] }).size, 0);
  assert.equal(after({ kind: 'wire.sent', due: 100 }, { kind: 'wire.dropped', dir: 'out' }).size, 0);
  const [overdue] = after({ kind: 'wire.sent', due: 100 }).values();
  assert.deepEqual([1_000_000, 3_000_000].map((now) => overdue && isForgotten(overdue, now)), [false, true]);
  assert.equal(after({ kind: 'wire.sent', due: 100 }, { kind: 'tree.synced', seq: 1000, at: 1_000_000 }).size, 1);
  assert.equal(after({ kind: 'wire.sent', due: 100 }, { kind: 'tree.synced', seq: 1000, at: 3_000_000 }).size, 0);
});
