// A page that came late has the events after a state, and takes up earlier ones as they are asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOf } from '../js/log/whole.js';
import { createCaptions } from '../js/model/captions.js';
import { Playback } from '../js/play/playback.js';
import { fold, recording, states } from './recording.js';

const name = 'many-clients';
const recorded = recording(name);
const { run, events } = recorded;
const own = states.filter((each) => each.name === name).map(({ event }) => event);

/** The view before a state, without what no state has. @param {import('../js/model/view.js').View} view */
const told = (view) => ({ ...view, captions: createCaptions(), instants: [], sought: [] });

/** @param {Playback} playback @param {number} count */
function agrees(playback, count) {
  playback.playhead.seekEvent(count - 1);
  playback.advance(0);
  assert.equal(playback.count, count);
  assert.deepEqual(told(playback.view), told(fold(recorded, count)));
}

test('what was before is taken up in parts, from the newest on; each way to there is gone once its part is here', () => {
  const [before, newest] = own.slice(-3);
  assert.ok(before && newest && before.seq > 0);
  const playback = new Playback(run.lanes, run.clients, run.decisive);
  const part = (/** @type {number} */ from, to = events.length) => structuredClone(events.slice(from, to));
  playback.goOnFrom(viewOf(newest, run.lanes, run.clients), 0);
  playback.take(part(newest.seq), 0);
  playback.finish(0);
  agrees(playback, events.length);

  const at = Math.ceil((before.at + newest.at) / 2);
  playback.playhead.seek(at, 0);
  assert.equal(playback.playhead.wanted?.at, at);
  assert.equal(playback.playhead.instant(0).at, newest.at);
  playback.prepend(part(before.seq, newest.seq), 0, viewOf(before, run.lanes, run.clients));
  assert.deepEqual([playback.log.start, playback.playhead.wanted], [before.seq, undefined]);
  assert.equal(playback.playhead.instant(0).at, at);
  agrees(playback, newest.seq - 5);

  playback.stepMark(-1, 0);
  while (!playback.playhead.wanted) playback.stepMark(-1, 0);
  assert.ok(playback.playhead.wanted.at < before.at);
  playback.prepend(part(0, before.seq), 0);
  assert.deepEqual([playback.log.start, playback.playhead.wanted], [0, undefined]);
  assert.ok(playback.playhead.instant(0).at < before.at);
  for (const count of [before.seq - 1, newest.seq + 1, 10]) agrees(playback, count);
  assert.deepEqual(playback.marks.map(({ index }) => index), playback.marks.map(({ index }) => index).toSorted((a, b) => a - b));
});
