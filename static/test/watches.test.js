import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armedAt, createWatchHistory, stepWatchHistory } from '../js/model/history/watches.js';
import { createSequence, extend } from '../js/model/sequence.js';
import { apply, createView } from '../js/model/view.js';
import { createWatches, stepWatches, watchersOf } from '../js/model/watches.js';
import { names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { PastWatch } from '../js/model/history/watches.js' */

test('a watch is drawn from when it is set, as fired while its notification is under way, and no longer', () => {
  const watches = createWatches();
  const states = /** @type {const} */ (['set', 'arrived', 'fired', 'arrived']).map((what, index) => {
    stepWatches(watches, /** @type {Event} */ ({ seq: index, at: index, client: 1, kind: `watch.${what}`, path: '/l', watched: { id: 7, on: 'children' }, ...(index > 1 && { type: 'NodeChildrenChanged' }) }));
    return [watchersOf(watches, '/l'), watches.get(1)?.map(({ on, fired }) => [on, fired])];
  });
  assert.deepEqual(states, [[[1], [['children', false]]], [[1], [['children', false]]], [[], [['children', true]]], [[], undefined]]);
});

/** Checked now and then, as a look at all watches takes its time. */
const EVERY = 25;

for (const name of names) {
  test(`${name}: lane, sequence diagram and inspector have the same watches`, () => {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    const sequence = createSequence(run.lanes);
    /** @type {Map<string, PastWatch[]>} by lane */
    const inspected = new Map(run.lanes.map((lane) => {
      const paths = new Set(events.filter(({ lane: other, watched }) => other === lane.name && watched).map(({ path = '' }) => path));
      return [lane.name, [...paths].flatMap((path) => {
        const history = createWatchHistory(path, (seq) => events[seq - 1]);
        for (const event of events) if (event.lane === lane.name) stepWatchHistory(history, event, () => {});
        return history.all;
      })];
    }));
    for (const event of events) {
      apply(view, event);
      extend(sequence, [event]);
      if (event.seq % EVERY || events[event.seq]?.watched) continue;
      view.lanes.forEach((lane, index) => {
        const drawn = [...lane.watches.values()].flatMap((own) => own.filter(({ fired }) => !fired).map(({ id }) => id)).sort((a, b) => a - b);
        const all = /** @type {PastWatch[]} */ (inspected.get(lane.info.name));
        const listed = all.filter(({ set, fired, gone }) => set.seq <= event.seq && ((fired ?? gone)?.seq ?? Infinity) > event.seq).map(({ id }) => id);
        assert.deepEqual([...sequence.lanes[index]?.watches.keys() ?? []].sort((a, b) => a - b), drawn, `sequence of ${lane.info.name}, event ${event.seq}`);
        assert.deepEqual(listed.sort((a, b) => a - b), drawn, `inspector of ${lane.info.name}, event ${event.seq}`);
      });
    }
  });
}

test('the inspector knows of a watch by which request it was set, and by what it fired', () => {
  const { events } = recording('herd-vs-predecessor');
  const path = events.find(({ kind, lane }) => kind === 'watch.caused' && lane === 'predecessor')?.path ?? '';
  const history = createWatchHistory(path, (seq) => events[seq - 1]);
  for (const event of events) if (event.lane === 'predecessor') stepWatchHistory(history, event, () => {});
  const [watch] = history.all;
  assert.ok(watch);
  const { request, set, known, fired, told, change } = watch;
  assert.deepEqual([request?.kind, set.op, known?.kind, fired?.op, told?.kind, change?.path], ['wire.sent', request?.op, 'wire.received', 'notification', 'wire.received', path]);
  assert.deepEqual(armedAt(history, set.seq).map(({ id }) => id), [watch.id]);
  assert.deepEqual(armedAt(history, fired?.seq ?? 0), []);
});
