// The page's judge of goals finds what that of the tests on a real server does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createJudging, judge, verdictOf } from '../js/model/goal.js';
import { observed } from './recording.js';

/** @import { Event, Lane } from '../js/events.d.ts' */
/** @import { Goal } from '../js/model/goal.js' */

/** @typedef {{ name: string, goal: Goal, recording?: string, lanes: Lane[], events: Event[], want: string[] }} Case see playground/goal/judge_test.go */

/** @type {Case[]} */
const cases = JSON.parse(readFileSync(new URL('../../playground/goal/testdata/cases.json', import.meta.url), 'utf8'));

/** The verdict after each event with which it changes. @param {Goal} goal @param {Lane[]} lanes @param {Event[]} events */
function verdicts(goal, lanes, events) {
  const judging = createJudging(goal, lanes);
  const changes = [];
  let last = '';
  for (const event of events) {
    judge(judging, event);
    const { state, reason = '', step, mistake, at, done } = verdictOf(judging);
    const told = `${state} ${reason}, step ${step}, mistake ${mistake}, at ${at}, done [${done.join(' ')}]`;
    if (told !== last) changes.push(`${event.seq}: ${told}`);
    last = told;
  }
  return changes;
}

for (const { name, goal, recording: recorded, lanes, events, want } of cases) {
  test(name, () => {
    const { run, events: those } = recorded ? observed(recorded) : { run: { lanes }, events };
    assert.deepEqual(verdicts(goal, run.lanes, those), want);
  });
}

test('who makes very many znodes is not held up by them', () => {
  /** @type {Goal} */
  const goal = { steps: [
    { is: '', missing: '', where: { kind: 'wire.received', ops: ['create'], znode: 'mine' } },
    { is: '', missing: '', where: { kind: 'tree.deleted', znode: 'mine' } }] };
  for (const [znode, state] of /** @type {const} */ ([[0, 'not-yet'], [999, 'met']])) {
    const judging = createJudging(goal, []);
    for (let i = 0; i < 1000; i++) judge(judging, { seq: i + 1, at: i, kind: 'wire.received', op: 'create', path: String(i) });
    judge(judging, { seq: 1001, at: 1001, kind: 'tree.deleted', path: String(znode) });
    assert.equal(verdictOf(judging).state, state);
  }
});
