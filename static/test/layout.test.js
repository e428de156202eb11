import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from '../js/stage/picture/queue-places.js';
import { clientPoint, layout, nodeX } from '../js/stage/picture/layout.js';

const widths = [300, 340, 484, 760, 1300];
const numbers = [1, 2, 5, 8, 16, 17, 30, 50];

for (const width of widths) {
  for (const number of numbers) {
    test(`${number} clients in ${width} px: everything is inside and apart`, () => {
      const at = layout(width, 16, number);
      const last = Math.min(number, at.places) - 1;
      assert.ok(nodeX(at, last) + at.box <= width, 'the queue');
      assert.ok(at.box < at.pitch, 'znodes are apart');
      assert.ok(at.columns * at.rows >= number, 'every client has a place');
      assert.ok(at.columns * at.cell <= width + 0.01, 'the clients');
      const ends = Array.from({ length: number }, (_, index) => Math.round(clientPoint(at, index).x));
      assert.equal(new Set(ends).size, number, 'links are apart');
      assert.ok(ends.every((x) => x > 0 && x < width), 'links');
    });
  }
}

test('few clients have words, many are tiles', () => {
  assert.equal(layout(484, 16, 8).roomy, true);
  assert.equal(layout(484, 16, 16).roomy, true);
  assert.equal(layout(484, 16, 17).roomy, false);
});

test('rows are of even length', () => assert.equal(layout(484, 16, 16).columns, 8));

/** The height of all that is drawn. @param {import('../js/stage/picture/layout.js').Layout} at */
const drawn = (at) => at.clientsTop + at.rows * at.rowHeight;

for (const height of [120, 230, 300, 420, 900]) {
  for (const number of [...numbers, 51, 1000]) {
    test(`${number} clients in ${height} px of height: the picture fits, or is as low as it can be`, () => {
      const at = layout(484, 16, number, height);
      assert.ok(drawn(at) <= Math.max(height, at.least) + 0.01, `${drawn(at)} of ${height}, least ${at.least}`);
      assert.equal(at.least, layout(484, 16, number, 10_000).least, 'the least does not depend on what there is');
      assert.ok(at.clientsTop - at.serverBottom >= 1.75 * 16, 'links can be seen');
      assert.ok(at.boxTop > 2.625 * 16 + 1.5 * 16, 'so can the arrows');
    });
  }
}

test('a short queue and few clients are in the middle', () => {
  for (const [width, number] of /** @type {const} */ ([[488, 3], [740, 8], [1300, 5]])) {
    const at = layout(width, 16, number);
    const end = nodeX(at, number - 1) + at.box;
    assert.ok(Math.abs(nodeX(at, 0) - (width - end)) < 0.01, `${nodeX(at, 0)} before the queue, ${width - end} behind it`);
    assert.ok(Math.abs(clientPoint(at, 0).x + clientPoint(at, at.columns - 1).x - width) < 0.01, 'the clients');
    assert.ok(at.places >= number);
  }
});

test('where cards would stick out, they are smaller and have words still', () => {
  const low = layout(488, 16, 16, 280);
  assert.ok(low.roomy && low.shape < layout(488, 16, 16, 500).shape);
});

test('a second line of words makes the cards higher, and nothing sticks out', () => {
  for (const height of [280, 300, 420]) {
    const [one, two] = [layout(488, 16, 4, height), layout(488, 16, 4, height, true)];
    assert.ok(two.shape < one.shape || two.rowHeight > one.rowHeight);
    assert.ok(drawn(two) <= Math.max(height, two.least) + 0.01);
  }
});

test('what is left of the height makes the links longer, up to a limit', () => {
  const link = (/** @type {number} */ height) => layout(484, 16, 8, height).clientsTop - layout(484, 16, 8, height).serverBottom;
  assert.ok(link(300) < link(340) && link(340) < link(400));
  assert.equal(link(2000), link(4000));
});

test('where tiles would stick out, they are smaller', () => {
  assert.ok(layout(484, 16, 50, 290).shape < layout(484, 16, 50, 500).shape);
});

test('of more than 50 clients a few are drawn, beside the others', () => {
  for (const width of widths) {
    const at = layout(width, 16, 51);
    assert.ok(at.roomy && at.rows === 1 && at.columns >= 3);
    assert.ok(at.columns * at.cell <= at.crowdX + 0.01 && at.crowdX < width - 100);
  }
  assert.equal(layout(484, 16, 50).crowdX, 484);
});

test('the picture grows with the type', () => {
  assert.ok(layout(700, 22, 8).boxHeight > layout(700, 16, 8).boxHeight);
});

test('a znode keeps its elements while it is drawn; after a jump they are used for others', () => {
  const keys = (/** @type {Map<string, number> | undefined} */ before, /** @type {string[]} */ ...paths) => keysOf(paths, before);
  const first = keys(undefined, 'a', 'b', 'c');
  const next = keys(first, 'b', 'c', 'd', 'e');
  assert.deepEqual([...next], [['b', first.get('b')], ['c', first.get('c')], ['d', 3], ['e', 4]]);
  assert.deepEqual([...keys(next, 'x', 'y')], [['x', 0], ['y', 1]]);
  assert.equal(keys(next).size, 0);
});
