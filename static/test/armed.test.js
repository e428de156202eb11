import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armedFor } from '../js/model/armed.js';
import { apply, createView } from '../js/model/view.js';

/** @import { Event } from '../js/events.d.ts' */

/** The run after some events. @param {Partial<Event>[]} events */
function after(...events) {
  const view = createView([{ name: 'herd', recipe: 'herd', title: 'Herd' }, { name: 'mutex', recipe: 'mutex', title: 'Mutex' }], 3);
  events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: index, ...event })));
  return view;
}

/** @param {Event['kind']} kind @param {number} [client] @param {Partial<Event>} [more] @returns {Partial<Event>} */
const told = (kind, client, more) => ({ kind, lane: 'herd', fault: 'pause', when: 'hold', ...(client && { client }), ...more });

/** The faults armed in a lane, for a client or whoever comes first. @param {ReturnType<typeof after>} view @param {number} client */
const armed = (view, client, lane = 0) => armedFor(view.lanes[lane]?.armed ?? new Map(), client).map(({ fault, when }) => `${fault} ${when}`);

test('a fault is armed in its lane, for its client or for whoever comes first', () => {
  const view = after(told('fault.armed'), told('fault.armed', 2), told('fault.armed', 2, { fault: 'crash', when: 'create' }));
  assert.deepEqual(armed(view, 0), ['pause hold']);
  assert.deepEqual(armed(view, 2), ['pause hold', 'crash create']);
  assert.deepEqual(armed(view, 1), []);
  assert.deepEqual(armed(view, 0, 1), []);
});

test('it is armed no more when it comes, or is disarmed; the same for others is', () => {
  const both = [told('fault.armed'), told('fault.armed', 2)];
  assert.deepEqual(armed(after(...both, told('fault.triggered')), 2), ['pause hold']);
  assert.deepEqual(armed(after(...both, told('fault.triggered')), 0), []);
  assert.deepEqual(armed(after(...both, told('fault.disarmed', 2)), 2), []);
  assert.deepEqual(armed(after(...both, told('fault.disarmed', 2)), 0), ['pause hold']);
});

test('armed anew it waits for the other moment', () => {
  assert.deepEqual(armed(after(told('fault.armed'), told('fault.armed', 0, { when: 'wait' })), 0), ['pause wait']);
});

test('an armed crash crashes nobody, whatever reads of it', () => {
  const view = after(told('fault.armed', 2, { fault: 'crash' }), told('fault.triggered', 2, { fault: 'crash' }));
  assert.equal(view.lanes[0]?.clients.get(2)?.state, 'absent');
});

test('what comes again and again is on from its note to the next', () => {
  /** @type {Partial<Event>[]} */
  const notes = [{ kind: 'note.injection', fault: 'crash', every: 8000 }, { kind: 'note.injection', fault: 'expire', every: 5000 }];
  assert.deepEqual(Object.fromEntries(after(...notes).injection), { crash: 8000, expire: 5000 });
  assert.deepEqual(Object.fromEntries(after(...notes, { kind: 'note.injection', fault: 'crash' }).injection), { expire: 5000 });
});
