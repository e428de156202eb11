import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequence, extend } from '../js/model/sequence.js';
import { createTree, stepTree } from '../js/model/tree.js';
import { apply, createView } from '../js/model/view.js';
import { names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

const info = /** @type {import('../js/types.d.ts').LaneInfo} */ ({ name: 'l', title: '', recipe: '', root: '/r', path: '/r/lock', clients: 2 });

/** The tree after some changes, a second apart. @param {Partial<Event>[]} events */
function after(...events) {
  const tree = createTree(info);
  events.forEach((event, index) => stepTree(tree, /** @type {Event} */ ({ seq: index + 1, at: index * 1_000_000, lane: 'l', ...event }), () => 0));
  return tree;
}
/** @param {string} path @param {Partial<Event>} [rest] @returns {Partial<Event>} */
const created = (path, rest) => ({ kind: 'tree.created', path, ...rest });
/** @param {string} path @param {Partial<Event>} [rest] @returns {Partial<Event>} */
const deleted = (path, rest) => ({ kind: 'tree.deleted', path, ...rest });

test('a znode has what its event says of it', () => {
  const { znodes } = after(created('/r/a', { client: 3, flags: 'ephemeral+sequential', session: '0x3', data: 'hello', bytes: 5 }), { kind: 'tree.changed', path: '/r/a', data: 'more', bytes: 4 });
  assert.deepEqual(znodes.get('/r/a'), {
    path: '/r/a', flags: ['ephemeral', 'sequential'], session: '0x3', client: 3, data: 'more', bytes: 4, createdAt: 0, changedAt: 1_000_000, gone: undefined,
  });
});

test('one that has gone is kept for a while, with why, and then forgotten', () => {
  const gone = after(created('/r/a', { client: 3, session: '0x3' }), deleted('/r/a', { client: 3, cause: 'close' }));
  assert.deepEqual(gone.znodes.get('/r/a')?.gone, { path: '/r/a', at: 1_000_000, cause: 'close', by: 3 });
  stepTree(gone, /** @type {Event} */ ({ kind: 'tree.created', path: '/r/b', at: 12_000_000 }), () => 0);
  assert.deepEqual([...gone.znodes.keys()], ['/r/b']);
  assert.equal(after(created('/r/a', { client: 3 }), deleted('/r/a', { client: 3, cause: 'client', by: 4 })).znodes.get('/r/a')?.gone?.by, 4, 'by whom');
});

test('one that has come again is there', () => {
  const tree = after(created('/r/a'), deleted('/r/a'), created('/r/a', { client: 2 }), deleted('/r/z'));
  assert.equal(tree.znodes.get('/r/a')?.gone, undefined);
  stepTree(tree, /** @type {Event} */ ({ kind: 'tree.created', path: '/r/b', at: 30_000_000 }), () => 0);
  assert.equal(tree.znodes.get('/r/a')?.client, 2, 'also when the former is forgotten');
});

test('of very many, some are kept and the others counted below the nearest one that is', () => {
  const all = Array.from({ length: 10_000 }, (_, n) => created(`/r/a/n${n}`));
  const tree = after(created('/r/a'), ...all);
  assert.ok(tree.znodes.size <= 300);
  assert.equal(tree.znodes.size + (tree.more.get('/r/a') ?? 0), 10_001);
  for (const event of all) stepTree(tree, /** @type {Event} */ ({ ...event, kind: 'tree.deleted', at: 0 }), () => 0);
  assert.equal(tree.known, 1);
  assert.deepEqual([...tree.more], []);
  assert.ok(tree.znodes.size < 30, 'of those that are gone few are kept');
});

const never = () => false;

/** The events of a recording, with znodes beside the queues that come, change and go. @param {string} name */
function withZnodes(name) {
  const { run, events } = recording(name);
  const roots = new Map(run.lanes.filter(({ store }) => !store).map(({ name: lane, root, path }) => [lane, root || path?.replace(/\/[^/]+$/, '')]));
  return events.flatMap((event) => {
    const root = roots.get(event.lane ?? '');
    if (!root || !event.client || event.seq % 7) return [event];
    const znode = { seq: event.seq - 1, at: event.at, lane: event.lane, client: event.client, path: `${root}/mine0000000001`, session: event.session };
    return [
      { ...znode, kind: 'tree.created' }, { ...znode, kind: 'tree.changed' }, { ...znode, kind: 'tree.deleted', cause: 'expiry' }, event,
    ].map((each) => /** @type {Event} */ (each));
  });
}

for (const name of names) {
  test(`${name}: what guests make beside the queues changes nothing else of the picture`, () => {
    const { run, events } = recording(name);
    const views = [events, withZnodes(name)].map((all) => {
      const view = all.reduce(apply, createView(run.lanes, run.clients, run.decisive));
      assert.equal(view.lanes.some(({ tree }) => tree.znodes.size), all !== events && run.lanes.some(({ store }) => !store));
      return { ...view, lanes: view.lanes.map(({ tree, locks, ...lane }) => ({ ...lane, locks: locks.map((lock) => ({ ...lock, tree: undefined })) })) };
    });
    assert.deepEqual(views[1], views[0]);
    const [without, with_] = [events, withZnodes(name)].map((all) => {
      const sequence = createSequence(run.lanes, never);
      extend(sequence, all);
      return sequence;
    });
    assert.deepEqual(with_, without);
  });
}
