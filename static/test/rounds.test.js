// What a release cost, as the server says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedSince, newestComplete, underWay } from '../js/model/rounds.js';
import { apply, createView } from '../js/model/view.js';

/** @import { Cost, Round as Told } from '../js/events.d.ts' */

/** The rounds of a lane that is told, event by event, what its releases have cost. @param {...Cost} costs */
function told(...costs) {
  const view = createView([{ name: 'l', title: 'L', recipe: 'herd', path: '/l', clients: 9 }], 9);
  costs.forEach((cost, index) => apply(view, { seq: index + 1, at: index, lane: 'l', kind: 'cost.changed', path: '/l', cost }));
  const [lane] = view.lanes;
  assert.ok(lane);
  return lane.rounds;
}

/** @param {number} change @param {Partial<Told>} [figures] @returns {Told} */
const round = (change, figures) => ({ change, at: change, cause: 'release', client: change, ...figures });

test('a round is what was said of it last, and the newest complete one stays while the next is under way', () => {
  const rounds = told({ round: round(1) }, { round: round(1, { woken: 2, complete: true }), wakeups: 2 }, { round: round(4, { woken: 1 }) }, { round: round(1, { woken: 3, complete: true }), wakeups: 4 });
  assert.deepEqual(rounds.list.map(({ change, woken, complete, seq }) => [change, woken, complete, seq]), [[1, 3, true, 2], [4, 1, false, 0]]);
  assert.equal(newestComplete(rounds)?.change, 1);
  assert.equal(underWay(rounds)?.change, 4);
  assert.equal(rounds.sums.wakeups, 4);
});

test('of those that joined, some woke since a round, and others before', () => {
  const rounds = told({ round: round(1, { joined: 2, complete: true }), joining: 5 }, { round: round(7, { joined: 1, complete: true }), joining: 6 });
  assert.deepEqual([joinedSince(rounds, rounds.list[0]), joinedSince(rounds, rounds.list[1]), joinedSince(rounds, undefined)], [3, 1, 6]);
});

test('the newest hundred rounds are kept', () => {
  const { list } = told(...Array.from({ length: 150 }, (_, index) => ({ round: round(index + 1) })));
  assert.deepEqual([list.length, list[0]?.change, list.at(-1)?.change], [100, 51, 150]);
});
