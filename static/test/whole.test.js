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

test('a view that goes on from a state leaves the event as it was', () => {
  const { run, events } = recording('many-clients');
  const [state] = states.filter(({ name }) => name === 'many-clients');
  assert.ok(state);
  const before = JSON.stringify(state.event);
  const rest = events.filter(({ seq }) => seq > state.event.seq);
  assert.ok(rest.length > 1000);
  const view = rest.reduce(apply, viewOf(state.event, run.lanes, run.clients));
  assert.equal(view.seq, rest.at(-1)?.seq);
  assert.equal(JSON.stringify(state.event), before);
});
