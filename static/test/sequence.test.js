import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequence, extend, laneNamed, within } from '../js/model/sequence.js';
import { fold, peaceful, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Item } from '../js/model/sequence/items.js' */

const info = { name: 'l', title: 'L', recipe: 'mutex', path: '/l', clients: 2 };
const first = '/l/_c_a-lock-0000000000';
const second = '/l/_c_b-lock-0000000001';

/** The items of one lane after some events, a millisecond apart. @param {Partial<Event>[]} events */
function after(...events) {
  const all = events.map((event, index) => /** @type {Event} */ ({ seq: index + 1, at: index * 1000, lane: 'l', client: 1, ...event }));
  const lane = laneNamed(extend(createSequence([info], (fault) => fault === 'partition'), all), 'l');
  assert.ok(lane);
  return lane.items.all;
}

/**
 * @template {Item['type']} Type
 * @param {Item[]} items
 * @param {Type} type
 */
const of = (items, type) => /** @type {Extract<Item, { type: Type }>[]} */ (items.filter((item) => item.type === type));

for (const name of peaceful) {
  const recorded = recording(name);
  const sequence = extend(createSequence(recorded.run.lanes), recorded.events);

  test(`${name}: every frame that was sent is one arrow, and so is every one that was received`, () => {
    for (const lane of sequence.lanes) {
      const frames = of(lane.items.all, 'frame');
      const keys = (/** @type {Event['kind']} */ kind) => recorded.events
        .filter((event) => event.lane === lane.info.name && event.kind === kind && event.frame)
        .map((event) => `${event.client} ${event.frame}`).sort();
      const arrows = (/** @type {string} */ dir) => frames.filter((frame) => frame.dir === dir).map((frame) => `${frame.client} ${frame.frame}`).sort();
      assert.deepEqual(arrows('out'), keys('wire.sent'));
      assert.deepEqual(arrows('in'), keys('wire.received'));
      assert.ok(frames.every((frame) => frame.to >= frame.leaves && frame.leaves >= frame.from && frame.to < Infinity));
    }
  });

  test(`${name}: every acquisition is one bar, ended by its release`, () => {
    const events = new Map(recorded.events.map((event) => [event.seq, event]));
    for (const lane of sequence.lanes) {
      const holds = of(lane.items.all, 'hold');
      const acquired = recorded.events.filter((event) => event.lane === lane.info.name && event.kind === 'lock.acquired');
      assert.deepEqual(holds.map((hold) => hold.seq), acquired.map((event) => event.seq));
      for (const hold of holds.filter((each) => each.end === 'released')) {
        const release = events.get(hold.endSeq);
        assert.deepEqual([release?.kind, release?.client, release?.path, release?.at], ['lock.released', hold.client, hold.path, hold.to]);
      }
    }
  });

  test(`${name}: the sums are the counters' sums`, () => {
    const view = fold(recorded);
    const stopping = recorded.events.find((event) => event.kind === 'note.stopping')?.seq ?? Infinity;
    for (const [index, lane] of sequence.lanes.entries()) {
      const counted = lane.items.all.filter((item) => item.seq < stopping);
      const woken = of(counted, 'woken');
      const sessionOps = ['ping', 'connect', 'closeSession', 'setWatches', 'auth'];
      const frames = of(counted, 'frame');
      const { counters, rounds } = view.lanes[index] ?? assert.fail();
      const { acquisitions, releases, requests, notifications } = counters;
      const { wakeups, wasted } = rounds.sums;
      assert.deepEqual({
        acquisitions: of(counted, 'hold').length,
        releases: of(counted, 'hold').filter((hold) => hold.end === 'released' && hold.endSeq < stopping).length,
        wakeups: woken.length,
        wasted: woken.filter((each) => each.wasted).length,
        requests: frames.filter((frame) => frame.dir === 'out' && !sessionOps.includes(frame.op)).length,
        notifications: of(lane.items.all, 'frame').filter((frame) => frame.role === 'notification' && frame.endSeq < stopping).length,
      }, { acquisitions, releases, wakeups, wasted, requests, notifications });
    }
  });

  test(`${name}: taken up piece by piece it is the same`, () => {
    const { events, run } = recorded;
    const pieces = createSequence(run.lanes, sequence.lasts);
    for (let from = 0, step = 1; from < events.length; from += step, step = (step * 7) % 23 || 1) extend(pieces, events.slice(from, from + step));
    assert.deepEqual(pieces, sequence);
  });

  test(`${name}: a window finds what a search of everything finds`, () => {
    for (const lane of sequence.lanes) {
      for (let from = -1e6; from < sequence.at + 1e6; from += 170_001) {
        for (const span of [0, 1000, 400_000, 5_000_000]) {
          const expected = lane.items.all.filter((item) => item.from <= from + span && item.to >= from);
          assert.deepEqual(within(lane, from, from + span).map((item) => item.index), expected.map((item) => item.index));
        }
      }
    }
  });

  test(`${name}: nobody believes falsely, and znodes and holds agree`, () => {
    for (const lane of sequence.lanes) {
      for (const hold of of(lane.items.all, 'hold').filter((each) => each.end === 'released')) {
        assert.equal(hold.falseFrom, Infinity);
        const znode = of(lane.items.all, 'znode').find((each) => each.path === hold.path);
        assert.ok(znode && znode.client === hold.client && znode.firstFrom <= hold.from && znode.to >= hold.to, `event ${hold.seq}`);
      }
      assert.equal(of(lane.items.all, 'conflict').length, 0);
    }
  });
}

test('a wait in a chain is behind the client ahead, and in a herd behind nobody', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const [herd, chain] = extend(createSequence(run.lanes), events).lanes;
  assert.ok(herd && chain);
  assert.ok(of(herd.items.all, 'wait').every((wait) => wait.behind === 0 && wait.predecessor === herd.info.path));
  assert.ok(of(chain.items.all, 'wait').every((wait) => wait.behind > 0 && wait.behind !== wait.client && !wait.forGone));
});

test('the znode of a crashed client outlives it until its session expires', () => {
  const { run, events } = recording('ephemeral-crash');
  const [lane] = extend(createSequence(run.lanes), events).lanes;
  assert.ok(lane);
  const [gone] = of(lane.items.all, 'gone');
  const [hold] = of(lane.items.all, 'hold').filter((each) => each.end === 'ended');
  const znode = of(lane.items.all, 'znode').find((each) => each.cause === 'expiry');
  assert.ok(gone && hold && znode);
  assert.deepEqual([hold.client, hold.to, znode.client], [gone.client, gone.from, gone.client]);
  assert.ok(znode.to - gone.from > 2_000_000);
});

test('a frame that the link holds has not left until it says when it arrives', () => {
  /** @type {Partial<Event>} */
  const request = { op: 'create', frame: 1 };
  const held = [{ ...request, kind: /** @type {const} */ ('wire.sent') }, { ...request, kind: /** @type {const} */ ('wire.held'), dir: /** @type {const} */ ('out') }];
  const [waits] = of(after(...held), 'frame');
  assert.deepEqual([waits?.leaves, waits?.to, waits?.held, waits?.end], [Infinity, Infinity, true, '']);
  const [left] = of(after(...held, { ...request, kind: 'wire.held', dir: 'out', due: 9000 }), 'frame');
  assert.deepEqual([left?.leaves, left?.due, left?.to], [2000, 9000, Infinity]);
  const [at] = of(after(...held, { ...request, kind: 'wire.delivered', dir: 'out' }), 'frame');
  assert.deepEqual([at?.from, at?.leaves, at?.to, at?.end], [0, 2000, 2000, 'arrived']);
});

test('a frame is dropped on its way, just after it had left, and before it ever was seen', () => {
  const ways = [
    after({ kind: 'wire.sent', frame: 1, due: 9000 }, { kind: 'wire.dropped', frame: 1, dir: 'out' }),
    after({ kind: 'wire.sent', frame: 1 }, { kind: 'wire.dropped', frame: 1, dir: 'out' }),
    after({ kind: 'wire.dropped', frame: 1, dir: 'in' }),
  ];
  for (const items of ways) assert.deepEqual(of(items, 'frame').map((frame) => frame.end), ['dropped']);
});

test('what was under way when a process crashed has no known end', () => {
  const [frame] = of(after({ kind: 'wire.sent', frame: 1, due: 9000 }, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] }), 'frame');
  assert.deepEqual([frame?.end, frame?.to], ['unknown', 1000]);
});

test('a holder whose znode goes believes falsely from then on', () => {
  const hold = of(after(
    { kind: 'tree.created', path: first }, { kind: 'lock.acquired', path: first },
    { kind: 'belief.false', path: first }, { kind: 'lock.released', path: first },
  ), 'hold')[0];
  assert.deepEqual([hold?.from, hold?.falseFrom, hold?.to], [1000, 2000, 3000]);
  const there = of(after({ kind: 'lock.acquired', path: first }, { kind: 'belief.false', path: first }, { kind: 'belief.ended', path: first }), 'hold')[0];
  assert.equal(there?.falseFrom, Infinity, 'its znode is there');
});

test('a loss that is told late, of a former znode, ends the hold by that and nothing else', () => {
  const items = after({ kind: 'lock.acquired', path: first }, { kind: 'lock.waiting', path: second, predecessor: first }, { kind: 'lock.lost', path: first },
    { kind: 'lock.lost', path: first }, { kind: 'lock.acquired', path: second });
  assert.deepEqual(of(items, 'hold').map(({ path, end, to }) => [path, end, to]), [[first, 'lost', 2000], [second, '', Infinity]]);
  assert.deepEqual(of(items, 'wait').map(({ to }) => to), [4000]);
});

test('clients that exclude each other are in conflict until that ends', () => {
  const conflicts = of(after({ kind: 'belief.conflict', path: '/l', clients: [1, 2] }, { kind: 'belief.conflict', path: '/l', clients: [1, 2, 3] }, { kind: 'belief.conflict', path: '/l' }), 'conflict');
  assert.deepEqual(conflicts.map(({ from, to, clients }) => [from, to, clients]), [[0, 1000, [1, 2]], [1000, 2000, [1, 2, 3]]]);
});

test('who waits for a znode that the server says is not there waits for one that is gone', () => {
  /** @type {Partial<Event>} */
  const wait = { kind: 'lock.waiting', path: second, predecessor: first };
  assert.equal(of(after({ kind: 'wire.received', op: 'getData', path: first, err: 'NoNode' }, wait), 'wait')[0]?.forGone, true);
  assert.equal(of(after({ kind: 'wire.received', op: 'exists', path: first, watch: true, err: 'NoNode' }, wait), 'wait')[0]?.forGone, true);
  assert.equal(of(after({ kind: 'wire.received', op: 'getData', path: first, watch: true }, wait), 'wait')[0]?.forGone, false);
});

test('a fault lasts by its name, by its length or because it was healed; else it is an instant', () => {
  /** @type {[Partial<Event>, Partial<Event> | undefined, number][]} */
  const cases = [
    [{ fault: 'partition' }, undefined, Infinity],
    [{ fault: 'partition' }, { fault: 'partition' }, 1000],
    [{ fault: 'pause', for: 5 }, undefined, Infinity],
    [{ fault: 'pause' }, { fault: 'pause' }, 1000],
    [{ fault: 'expire' }, undefined, 0],
  ];
  for (const [injected, healed, to] of cases) {
    const events = [/** @type {Partial<Event>} */ ({ kind: 'fault.injected', ...injected })];
    if (healed) events.push({ kind: 'fault.healed', ...healed });
    assert.deepEqual(of(after(...events), 'fault').map((fault) => fault.to), [to]);
  }
});

test('a session that was closed or refused is not told to be lost as well', () => {
  /** @param {Partial<Event>[]} events */
  const changes = (...events) => of(after(...events), 'session').map((session) => session.change);
  assert.deepEqual(changes({ kind: 'session.granted' }, { kind: 'wire.sent', op: 'closeSession' }, { kind: 'session.lost' }, { kind: 'session.closed' }), ['granted', 'closed']);
  assert.deepEqual(changes({ kind: 'session.refused' }, { kind: 'session.lost' }), ['refused']);
  assert.deepEqual(changes({ kind: 'session.lost' }), ['lost']);
});

test('a violation and a note are instants of the lane', () => {
  const items = after({ kind: 'check.changed', check: 'belief', verdict: 'holds' }, { kind: 'check.changed', check: 'belief', verdict: 'violated', reason: { code: 'nobody-acquired' } });
  assert.deepEqual(of(items, 'violation').map(({ check, reason, from }) => [check, reason?.code, from]), [['belief', 'nobody-acquired', 1000]]);
});

test('a window of a long log costs what is in it', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const length = (events.at(-1)?.at ?? 0) + 1000;
  const sequence = createSequence(run.lanes);
  for (let copy = 0; copy < 20; copy++) {
    extend(sequence, events.map((event) => ({ ...event, seq: event.seq + copy * events.length, at: event.at + copy * length })));
  }
  const lane = sequence.lanes[0] ?? assert.fail();
  assert.ok(lane.items.all.length > 6000);
  let looked = 0;
  const counting = lane.items.all.map((item) => new Proxy(item, { get: (target, key) => (looked++, Reflect.get(target, key)) }));
  const found = within({ ...lane, items: { ...lane.items, all: counting } }, length * 10, length * 10 + 500_000);
  assert.ok(found.length > 5);
  assert.ok(looked < 40 * (found.length + 40), `${looked} looks for ${found.length} items`);
});
