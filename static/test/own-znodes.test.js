import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledLine, shownLine, typedLine } from '../js/lesson/own-znodes.js';

const own = ['/lock/lock-0000000003', '/lock/__WRIT__0000000005', '/lock/__WRIT__0000000009', '/lock/__WRIT__x', '/desk/lock-0000000012'];

/** @type {[string, string | undefined][]} the same as in lessons/act_test.go */
const lines = [
  ['delete /lock/__WRIT__{last}', 'delete /lock/__WRIT__0000000009'],
  ['get -w /lock/__WRIT__{last but one}', 'get -w /lock/__WRIT__0000000005'],
  ['create -e /lock/__READ__{last}', 'create -e /lock/__READ__0000000009'],
  ['get /lock/lock-{last but one}', undefined],
  ['get /locks/lock-{last}', undefined],
  ['ls /lock', 'ls /lock'],
];
for (const [line, want] of lines) {
  test(`${line} is filled in`, () => assert.equal(filledLine(line, own), want));
}

test('a line without its number can be read, and typed as far as it is known', () => {
  assert.equal(shownLine('get -w /lock/lock-{last but one}'), 'get -w /lock/lock-…');
  assert.equal(typedLine('get -w /lock/lock-{last but one}'), 'get -w /lock/lock-');
});
