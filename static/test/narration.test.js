import assert from 'node:assert/strict';
import { test } from 'node:test';
import { narrate, Narrator, PAUSE } from '../js/text/narration.js';
import { fold, recording } from './recording.js';

test('it tells who holds, how many wait and what the last release cost', () => {
  const recorded = recording('herd-vs-predecessor');
  const released = recorded.events.findIndex((event) => event.kind === 'lock.released' && event.lane === 'herd');
  const acquired = recorded.events.findIndex((event, index) => index > released && event.kind === 'lock.acquired' && event.lane === 'herd');
  const settled = recorded.events.findIndex((event, index) => index > acquired && event.kind === 'tree.synced');
  const text = narrate(fold(recorded, settled));
  assert.match(text, new RegExp(`Herd: client ${recorded.events[acquired]?.client} holds, \\d clients? waits?, the last release: 7 woken, 6 in vain\\.`));
  assert.match(text, /Predecessor: /);
});

test('it says nothing of a release before the first', () => {
  const recorded = recording('herd-vs-predecessor');
  const acquired = recorded.events.findIndex((event) => event.kind === 'lock.acquired');
  assert.doesNotMatch(narrate(fold(recorded, acquired + 1)), /release|in vain/);
});

test('it tells of a crash and of the end', () => {
  const recorded = recording('ephemeral-crash');
  const crash = recorded.events.findIndex((event) => event.kind === 'fault.injected');
  assert.match(narrate(fold(recorded, crash + 1)), /client \d has crashed/);
  assert.equal(narrate(fold(recorded)), 'The run is over.');
});

test('it never speaks faster than its pause, nor twice the same', () => {
  /** @type {(string | null)[]} */
  const said = [];
  const region = /** @type {Element} */ (/** @type {unknown} */ ({
    /** @param {string} text */
    set textContent(text) {
      said.push(text);
    },
  }));
  const narrator = new Narrator(region);
  narrator.offer(() => 'one', 0);
  narrator.offer(() => 'two', PAUSE - 1);
  narrator.offer(() => 'one', PAUSE);
  narrator.offer(() => 'three', PAUSE * 2);
  narrator.offer(() => 'the end', PAUSE * 2 + 1, true);
  narrator.offer(() => 'the end', PAUSE * 2 + 2, true);
  assert.deepEqual(said, ['one', 'three', 'the end']);
});
