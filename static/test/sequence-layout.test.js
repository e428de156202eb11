import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequence, extend, within } from '../js/model/sequence.js';
import { ticks } from '../js/ui/time-axis.js';
import { crowdAt, frameWay, hit, isAbout, place } from '../js/stage/sequence/layout.js';
import { barY, clientAt, linkY, rows, slotY, wordY } from '../js/stage/sequence/rows.js';
import { follow, keepInSight, pan, whole, zoom } from '../js/stage/sequence/window.js';
import { names, recording } from './recording.js';

/** @import { FrameItem } from '../js/model/sequence/items.js' */

/** The clients up to a number. @param {number} last */
const upTo = (last) => Array.from({ length: last }, (_, index) => index + 1);

const at = rows(1200, 500, upTo(3), 3);
const time = { x: (/** @type {number} */ micros) => 100 + micros / 1000, now: 10_000_000 };

/** @param {Partial<FrameItem>} own @returns {FrameItem} */
const frame = (own) => ({
  type: 'frame', client: 1, path: '', index: 0, seq: 1, endSeq: 2, from: 0, leaves: 0, to: 100_000, dir: 'out',
  role: 'request', op: 'create', frame: 1, due: 0, held: false, err: '', end: 'arrived', ...own,
});

for (const clients of [1, 3, 8, 16, 17, 50]) {
  for (const [width, height] of /** @type {[number, number][]} */ ([[1400, 500], [390, 300], [1400, 900]])) {
    test(`${clients} clients in ${width} x ${height}: every row has its place`, () => {
      const all = rows(width, height, upTo(clients), clients);
      assert.ok(slotY(all, clients - 1) + all.slot <= all.server && all.server < all.clientsTop);
      for (let client = 1; client <= clients; client++) {
        const middle = barY(all, client);
        assert.equal(clientAt(all, middle), client);
        assert.ok(linkY(all, client) > all.server && middle + all.bar / 2 < all.axis);
        assert.equal(clientAt(all, wordY(all, client) ?? middle), client);
      }
      assert.equal(clientAt(all, all.server), 0);
      assert.equal(clientAt(all, all.axis + 1), 0);
      assert.ok(all.left < all.right && all.axis < all.height);
    });
  }
}

test('a request rises from its client to ZooKeeper, a reply falls', () => {
  assert.deepEqual(frameWay(frame({}), at, time), [[100, linkY(at, 1)], [200, at.server]]);
  assert.deepEqual(frameWay(frame({ dir: 'in' }), at, time), [[100, at.server], [200, linkY(at, 1)]]);
});

test('a frame that is held waits at its beginning, up to now', () => {
  const held = frame({ leaves: Infinity, to: Infinity, end: '' });
  assert.deepEqual(frameWay(held, at, { ...time, now: 50_000 }), [[100, linkY(at, 1)], [150, linkY(at, 1)]]);
  const left = frameWay(frame({ leaves: 80_000 }), at, time);
  assert.deepEqual(left, [[100, linkY(at, 1)], [180, linkY(at, 1)], [200, at.server]]);
});

test('a frame under way is as far as it has come, a dropped one ends half way', () => {
  const middle = (linkY(at, 1) + at.server) / 2;
  const flying = frame({ to: Infinity, due: 100_000, end: '' });
  assert.deepEqual(frameWay(flying, at, { ...time, now: 50_000 })[1], [150, middle]);
  assert.deepEqual(frameWay(frame({ end: 'dropped' }), at, time)[1], [200, middle]);
});

test('frames too close to be told apart are counted, and none is lost', () => {
  const close = Array.from({ length: 40 }, (_, index) => frame({ frame: index, from: index * 100, to: index * 100 }));
  const apart = frame({ frame: 99, from: 900_000, to: 1_000_000 });
  const { crowds, placed } = place([...close, apart], at, time, false);
  assert.equal(crowds.reduce((sum, each) => sum + each.count, 0), 40);
  assert.deepEqual(placed.map(({ item }) => item), [apart]);
  const [first] = crowds;
  assert.ok(first);
  assert.equal(crowdAt({ crowds, placed }, first.x + 1, first.y + 1), first);
});

test('a notification is drawn beside the requests that follow it', () => {
  const many = rows(1200, 500, upTo(50), 50);
  const told = frame({ dir: 'in', role: 'notification', frame: 1 });
  const asks = frame({ frame: 2, from: 100_000 });
  assert.equal(place([told, asks], many, time, false).placed.length, 2);
  const more = [asks, frame({ frame: 3, from: 100_100 })];
  assert.deepEqual(place([told, ...more], many, time, false).crowds.map(({ count, notifications }) => [count, notifications]), [[3, 1]]);
});

for (const name of names) {
  test(`${name}: whatever the window, every frame is drawn or counted`, () => {
    const { run, events } = recording(name);
    const sequence = extend(createSequence(run.lanes), events);
    for (const lane of sequence.lanes) {
      const all = rows(1000, 500, upTo(lane.clients), lane.slots);
      for (const span of [sequence.at, 500_000, 20_000]) {
        const from = sequence.at / 3;
        const x = (/** @type {number} */ micros) => all.left + ((micros - from) / span) * (all.right - all.left);
        const items = within(lane, from, from + span);
        const frames = items.filter((item) => item.type === 'frame' && item.role !== 'ping').length;
        const layout = place(items, all, { x, now: sequence.at }, false);
        const drawn = layout.placed.filter(({ item }) => item.type === 'frame').length;
        assert.equal(drawn + layout.crowds.reduce((sum, each) => sum + each.count, 0), frames);
        for (const each of layout.placed) {
          const ys = each.shape === 'line' ? each.points.map(([, y]) => y) : [each.y];
          assert.ok(ys.every((y) => y >= 0 && y <= all.axis), each.item.type);
        }
      }
    }
  });
}

test('a pointer means the nearest item, and what lies behind only where nothing else is', () => {
  const arrow = frame({});
  const fault = { ...frame({}), type: /** @type {const} */ ('fault'), fault: 'pause', server: '', reason: undefined };
  const layout = place([fault, arrow], at, time, false);
  assert.equal(hit(layout, 150, (linkY(at, 1) + at.server) / 2), arrow);
  assert.equal(hit(layout, 180, barY(at, 1)), fault);
  assert.equal(hit(layout, 900, barY(at, 1)), undefined);
});

test('pings are drawn when they are asked for', () => {
  const ping = frame({ role: 'ping' });
  assert.equal(place([ping], at, time, false).placed.length, 0);
  assert.equal(place([ping], at, time, true).placed.length, 1);
});

test('a selection is a frame, a znode, or everything of a client', () => {
  const one = frame({ path: '/l/a' });
  assert.equal(isAbout(one, { client: 1, frame: 1, dir: 'out' }), true);
  assert.equal(isAbout(one, { client: 1, frame: 1, dir: 'in' }), false);
  assert.equal(isAbout(one, { path: '/l/a' }), true);
  assert.equal(isAbout(one, { client: 2 }), false);
  assert.equal(isAbout(one, { client: 1 }), true);
  assert.equal(isAbout(one, undefined), false);
});

/** A run of ten seconds whose fifth second is stretched to half of the scale. */
const stretched = {
  x: (/** @type {number} */ micros) => (micros < 4e6 ? micros / 16e6 : micros < 5e6 ? 0.25 + (micros - 4e6) / 2e6 : 0.75 + (micros - 5e6) / 20e6),
  at: (/** @type {number} */ x) => (x < 0.25 ? x * 16e6 : x < 0.75 ? 4e6 + (x - 0.25) * 2e6 : 5e6 + (x - 0.75) * 20e6),
};

test('zooming keeps the instant under the pointer where it is', () => {
  const window = { from: 1e6, to: 9e6 };
  const zoomed = zoom(window, stretched, 0.5, 4.5e6);
  /** @param {{ from: number, to: number }} each */
  const part = ({ from, to }) => (stretched.x(4.5e6) - stretched.x(from)) / (stretched.x(to) - stretched.x(from));
  assert.ok(Math.abs(part(window) - part(zoomed)) < 1e-9);
  assert.ok(zoomed.to - zoomed.from < 8e6);
  assert.deepEqual(zoom(whole(10e6), stretched, 2, 3e6), { from: 0, to: 10e6 });
  const least = { from: 4e6, to: 4e6 + 1200 };
  assert.equal(zoom(least, stretched, 0.5, 4e6), least);
});

test('panning moves by what is in sight, and stops at the ends of the run', () => {
  const moved = pan({ from: 0, to: 4e6 }, stretched, 1);
  assert.deepEqual(moved, { from: 4e6, to: 4.5e6 });
  assert.deepEqual(pan({ from: 0, to: 4e6 }, stretched, -1), { from: 0, to: 4e6 });
  assert.deepEqual(pan({ from: 4e6, to: 10e6 }, stretched, 3), { from: 4e6, to: 10e6 });
});

test('a live run is followed, and a playhead is kept in sight', () => {
  assert.deepEqual(follow(whole(1e6), 5e6, 2e6), { from: 3e6, to: 5e6 });
  assert.deepEqual(follow(whole(1e6), 1.5e6, 2e6), { from: 0, to: 1.5e6 });
  const window = { from: 2e6, to: 4e6 };
  assert.equal(keepInSight(window, 3e6, 10e6), window);
  assert.deepEqual(keepInSight(window, 6e6, 10e6), { from: 5.5e6, to: 7.5e6 });
  assert.deepEqual(keepInSight(window, 9.9e6, 10e6), { from: 8e6, to: 10e6 });
});

test('ticks are round, even and apart', () => {
  const texts = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ width) =>
    ticks(from, to, (at) => (at - from) / (to - from) * width, 84).map(({ text }) => text);
  assert.deepEqual(texts(0, 10e6, 600), ['0 s', '2 s', '4 s', '6 s', '8 s', '10 s']);
  assert.deepEqual(texts(1.3e6, 2.9e6, 400), ['1.5 s', '2 s', '2.5 s']);
  assert.deepEqual(texts(0, 400, 400), ['0 s', '0.0001 s', '0.0002 s', '0.0003 s', '0.0004 s']);
  assert.deepEqual(texts(0, 10e6, 0), []);
});
