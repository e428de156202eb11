// Whom the key for faults is about.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenTarget } from '../js/faults/chosen.js';
import { apply, createView } from '../js/model/view.js';
import { clientSubject, znodeSubject } from '../js/play/subject.js';

/** @import { Event } from '../js/events.d.ts' */

const view = createView(['a', 'b'].map((name) => ({ name, title: name, recipe: 'mutex', path: `/${name}` })), 2);
/** @type {Partial<Event>[]} */ const events = [{ kind: 'session.granted', session: '0x2', timeout: 2000 }, { kind: 'session.connected' }, { kind: 'lock.acquired', path: '/b/x-0000000001' }];
events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: index, lane: 'b', client: 2, ...event })));

/** @param {import('../js/play/shown.d.ts').Subject | undefined} subject @param {number} front */
function target(subject, front) {
  Object.assign(globalThis, { document: { activeElement: null }, HTMLElement: class {} });
  return chosenTarget(/** @type {any} */ ({ standing: { subject }, view }), front);
}

test('a client that is chosen, else who holds in the lane in front, else whoever comes first', () => {
  assert.deepEqual(target(clientSubject('a', 1), 1), { lane: 'a', client: 1 });
  assert.deepEqual(target(znodeSubject('a', '/a'), 1), { lane: 'b', client: 2 });
  assert.deepEqual(target(clientSubject('a', 9), 1), { lane: 'b', client: 2 }, 'one that has left');
  assert.deepEqual(target(undefined, 0), { lane: '', client: -1 });
});
