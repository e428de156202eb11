import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lessonOf } from '../js/shell/lesson.js';

for (const [href, slug] of /** @type {[string, string][]} */ ([
  ['../../lessons/en/ephemeral-nodes', 'ephemeral-nodes'], ['lessons/en/herd-effect', 'herd-effect'],
  ['https://example.org/lessons/en/herd-effect', ''], ['../../lessons/en/', ''], ['lessons/en/a#b', ''], ['', ''],
])) {
  test(`a link to "${href}" leads to the lesson "${slug}"`, () => assert.equal(lessonOf(href), slug));
}
