import assert from 'node:assert/strict';
import { test } from 'node:test';
import { believers, conflictingBelievers, rows, falseBeliefOf, falseBeliefInAll } from '../js/model/belief.js';
import { holdsUnconfirmed } from '../js/model/client.js';
import { lockOf } from '../js/model/locks.js';
import { apply, createView } from '../js/model/view.js';
import { beliefs, names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Lane } from '../js/model/view.js' */

const node1 = '/l/a-0000000001';
const node2 = '/l/a-0000000002';

/** A lane after some events; each comes at the time that it says, or 0. @param {Partial<Event>[]} events @returns {Lane} */
function after(...events) {
  const view = createView([{ name: 'l', title: 'L', recipe: 'mutex', path: '/l' }], 2);
  events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: 0, lane: 'l', ...event })));
  return /** @type {Lane} */ (view.lanes[0]);
}

/** @param {number} client @param {string} path @param {Partial<Event>} [more] @returns {Partial<Event>[]} */
const queued = (client, path, more) => [
  { kind: 'session.granted', client, session: `0x${client}`, timeout: 2000 },
  { kind: 'tree.created', path, session: `0x${client}` },
  { kind: 'lock.enqueued', client, path, ...more },
];

const one = queued(1, node1);
const two = queued(2, node2);
/** @type {Partial<Event>} */ const holds1 = { kind: 'lock.acquired', client: 1, path: node1 };
/** @type {Partial<Event>} */ const holds2 = { kind: 'lock.acquired', client: 2, path: node2 };
/** @type {Partial<Event>} */ const expired = { kind: 'tree.deleted', path: node1, cause: 'expiry', at: 1_000_000 };
/** @type {Partial<Event>} */ const wrong = { kind: 'belief.false', client: 1, path: node1, at: 1_000_000 };
/** @type {Partial<Event>[]} */ const told = [{ kind: 'lock.lost', client: 1, path: node1, at: 4_000_000 }, { kind: 'belief.ended', client: 1, path: node1, at: 4_000_000, wrong: 3_000_000 }];

test('belief and truth agree while the holder is at the head', () => {
  const lane = after(...one, ...two, holds1);
  assert.deepEqual(rows(lane, 0).map(({ holds, place, granted, agree }) => [holds, place, granted, agree]),
    [[true, 1, true, 'yes'], [false, 2, false, 'yes']]);
});

test('while a belief is under way, before the grant or after the release, no harm is done', () => {
  assert.equal(rows(after(...one), 0)[0]?.agree, 'under way');
  assert.equal(rows(after(...one, holds1, { kind: 'lock.released', client: 1, path: node1 }), 0)[0]?.agree, 'under way');
  assert.equal(falseBeliefInAll(after(...one), 9), 0);
});

test('what the log does not tell of the server yet makes nobody wrong', () => {
  const holdsSecond = after(...one, ...two, { ...holds2, at: 1000 }); // the deletion of the first znode is still to come
  assert.equal(rows(holdsSecond, 0)[1]?.agree, 'under way');
  const settled = after(...one, ...two, { ...holds2, at: 1000 }, { kind: 'tree.synced', sent: 2000 });
  assert.equal(rows(settled, 0)[1]?.agree, 'no');
});

test('two holders: both are named, and only the one without a znode is wrong', () => {
  const lane = after(...one, ...two, holds1, expired, wrong, { ...holds2, at: 1_500_000 });
  assert.deepEqual(conflictingBelievers(lane).map(({ number }) => number), [1, 2]);
  assert.deepEqual(rows(lane, 3_000_000).map(({ agree, wrong }) => [agree, wrong]), [['no', 2_000_000], ['yes', 0]]);
});

test('a holder by a znode that is gone is drawn in doubt, until it learns', () => {
  const doubted = (/** @type {Partial<Event>[]} */ ...events) => [...after(...one, ...two, holds1, ...events).clients.values()].map(holdsUnconfirmed);
  assert.deepEqual([doubted(), doubted(expired, wrong, holds2), doubted(expired, wrong, holds2, ...told)], [[false, false], [true, false], [false, false]]);
  assert.deepEqual(doubted(expired, wrong, ...told, ...queued(1, '/l/a-0000000003'), { kind: 'lock.acquired', client: 1, path: '/l/a-0000000003' }), [false, false]);
});

test('the time of disagreement ends when the client learns, and is kept', () => {
  const lane = after(...one, ...two, holds1, expired, wrong, holds2, ...told);
  assert.deepEqual(conflictingBelievers(lane), []);
  assert.equal(falseBeliefOf(lane.falseBeliefs, 1, 9_000_000), 3_000_000);
  assert.equal(falseBeliefInAll(lane, 9_000_000), 3_000_000);
});

test('a cut-off holder still believes, until its recipe says that it has ended', () => {
  for (const kind of /** @type {Event['kind'][]} */ (['session.suspended', 'session.refused', 'session.lost'])) {
    assert.deepEqual(believers(after(...one, holds1, { client: 1, kind })).map(({ number }) => number), [1], kind);
  }
});

test('a znode that stays by itself tells nothing of who holds', () => {
  const flag = '/l/flag';
  const lane = after({ kind: 'session.granted', client: 1, session: '0x1', timeout: 2000 }, { kind: 'tree.created', path: flag, client: 1 },
    { kind: 'lock.acquired', client: 1, path: flag });
  assert.deepEqual(rows(lane, 0).map(({ agree, node, place }) => [agree, node, place]), [['not known', undefined, 1], ['yes', undefined, 0]]);
});

test('readers share the lock', () => {
  const read = { mode: 'read' };
  const paths = ['/l/a__READ__0000000001', '/l/b__READ__0000000002'];
  const lane = after(...queued(1, paths[0] ?? '', read), ...queued(2, paths[1] ?? '', read),
    { ...holds1, path: paths[0], ...read }, { ...holds2, path: paths[1], ...read });
  assert.deepEqual(conflictingBelievers(lane), []);
  assert.deepEqual(rows(lane, 0).map(({ agree }) => agree), ['yes', 'yes']);
});

for (const name of names) {
  test(`${name}: who is drawn as a holder is who the checks say believes`, () => {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    const told = beliefs(name);
    for (const event of events) {
      apply(view, event);
      const lane = view.lanes.find(({ info }) => info.name === event.lane);
      if (lane && event.kind === 'belief.conflict') {
        assert.deepEqual(conflictingBelievers(lockOf(lane, event.path ?? '') ?? lane).map(({ number }) => number), event.clients ?? [], `event ${event.seq}`);
      }
      if (!event.kind.startsWith('lock.')) continue;
      assert.ok(lane);
      const drawn = believers(lane).map(({ number }) => number);
      assert.deepEqual(drawn, told[lane.info.name]?.findLast(([seq = 0]) => seq <= event.seq)?.slice(1), `event ${event.seq}`);
    }
  });
}
