import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientPoint, layout, nodeX } from '../js/view/layout.js';

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

test('the picture grows with the type', () => {
  assert.ok(layout(700, 22, 8).boxHeight > layout(700, 16, 8).boxHeight);
});
