import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOf } from '../js/log/whole.js';
import { createCaptions } from '../js/model/captions.js';
import { apply, createView } from '../js/model/view.js';
import { names, recording, states } from './recording.js';

for (const name of names) {
  test(`${name}: what the server says of an instant is what all events come to`, () => {
    const { run, events } = recording(name);
    const own = states.filter((state) => state.name === name);
    assert.ok(own.length > 4);
    const view = createView(run.lanes, run.clients);
    for (const event of events) {
      apply(view, event);
      const state = own.find((each) => each.event.seq === event.seq);
      if (state) assert.deepEqual({ ...viewOf(state.event, run.lanes, run.clients), captions: createCaptions() }, { ...view, captions: createCaptions() }, `event ${event.seq}`);
    }
  });
}
