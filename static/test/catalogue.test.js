import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsOf, Catalogue, choicesOf } from '../js/text/catalogue.js';
import { groupsOf } from '../js/faults/groups.js';
import { served } from './served.js';

const catalogue = new Catalogue(served);

test('what is not served is told by its name', () => {
  for (const kind of [catalogue.fault('flood'), catalogue.recipe('flood'), catalogue.check('flood'), new Catalogue().fault('flood')]) {
    assert.deepEqual([kind.name, kind.title, kind.sentence], ['flood', 'flood', '']);
  }
});

/** @type {[string, number, Record<string, string>, string[]][]} */
const asked = [
  ['pause', 5, { for: '5s' }, []],
  ['pause', 0, {}, []],
  ['crash', 5, {}, []],
  ['slow', 5, { delay: '200ms', jitter: '400ms', for: '5s' }, ['delay', 'jitter']],
  ['lose-reply', 0, {}, ['op']],
];
for (const [name, seconds, want, choices] of asked) {
  test(`${name} for ${seconds} s asks for ${JSON.stringify(want)}`, () => {
    assert.deepEqual(argumentsOf(catalogue.fault(name), seconds), want);
    assert.deepEqual(choicesOf(catalogue.fault(name)).map((each) => each.name), choices);
  });
}

test('a fault is asked for as a visitor has chosen', () => {
  const chosen = (/** @type {string} */ name) => ({ delay: '700', jitter: '0' })[name];
  assert.deepEqual(argumentsOf(catalogue.fault('slow'), 10, chosen), { delay: '700ms', jitter: '0ms', for: '10s' });
  const numbered = { ...catalogue.fault('crash'), parameters: [{ name: 'every', title: 'One in', choices: ['2', '5'], default: '5', required: true }] };
  assert.deepEqual(argumentsOf(numbered, 0), { every: 5 });
});

test('a menu has groups: what lasts, what is done once, what undoes', () => {
  const names = (/** @type {'client' | 'server'} */ target) => groupsOf(catalogue.faultsOf(target)).map(({ faults }) => faults.map(({ name }) => name));
  assert.deepEqual(names('client'), [['pause', 'partition', 'slow', 'lose-reply'], ['crash', 'expire'], ['heal']]);
  assert.deepEqual(names('server'), [['kill-leader', 'lose-quorum'], ['restart'], ['heal-servers']]);
});

test('no group is empty', () => assert.deepEqual(groupsOf([]), []));

test('what the checks have found is in the order of the server', () => {
  const two = new Catalogue({ checks: [{ name: 'a', title: 'A', sentence: '', violated: '' }, { name: 'b', title: 'B', sentence: '', violated: '' }] });
  const found = new Map([['new', 3], ['b', 2], ['a', 1]].map(([name, at]) => [String(name), { at }]));
  assert.deepEqual(two.ordered(found).map(({ title, at }) => [title, at]), [['A', 1], ['B', 2], ['new', 3]]);
});
