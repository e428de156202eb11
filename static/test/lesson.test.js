import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { lessonOf } from '../js/play/address.js';
import { isPanel } from '../js/panel/panels.js';
import { isView } from '../js/panel/views.js';
import { proposed } from '../js/lesson/course.js';
import { instants, parts, placeOfInstant } from '../js/lesson/stage-links.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Course } from '../js/lesson/course.js' */

for (const [href, slug] of /** @type {[string, string][]} */ ([
  ['../../lessons/en/ephemeral-nodes', 'ephemeral-nodes'], ['lessons/en/herd-effect', 'herd-effect'],
  ['https://example.org/lessons/en/herd-effect', ''], ['../../lessons/en/', ''], ['lessons/en/a#b', ''], ['', ''],
])) {
  test(`a link to "${href}" leads to the lesson "${slug}"`, () => assert.equal(lessonOf(href), slug));
}

test('the page knows whatever a lesson can point at, and a lesson all that the page knows', () => {
  const source = readFileSync(new URL('../../lessons/link.go', import.meta.url), 'utf8');
  const names = /stageNames = \[\]string\{(.*?)\n\}/s.exec(source)?.[1]?.match(/[a-z-]+/g) ?? [];
  const panels = names.filter((name) => isPanel(name) || isView(name));
  assert.deepEqual(names.toSorted(), [...Object.keys(parts), ...Object.keys(instants), ...panels].sort());
  assert.ok(panels.length > 3);
});

test('a lesson that an address names alone proposes its own scenario, unless something runs', () => {
  const chosen = (/** @type {string} */ lesson, /** @type {string} */ state) => /** @type {Course} */ (/** @type {unknown} */ ({
    lessons: [{ slug: 'flag-lock', scenario: 'flag-deadlock' }], scenario: { name: 'chosen', lesson }, choice: { scenario: 'chosen' }, ...(state && { run: { state } }),
  }));
  const alone = { lesson: 'flag-lock', scenario: '' };
  const own = { lesson: 'flag-lock', scenario: 'flag-deadlock' };
  assert.deepEqual(proposed(chosen('one-ahead', ''), alone), own);
  assert.deepEqual(proposed(chosen('one-ahead', 'stopped'), alone), own);
  assert.deepEqual(proposed(chosen('flag-lock', 'stopped'), alone), { ...own, scenario: 'chosen' });
  assert.deepEqual(proposed(chosen('one-ahead', 'running'), alone), {});
  assert.deepEqual(proposed(chosen('one-ahead', ''), { ...alone, scenario: 'no-queue' }), {});
});

test('an instant is that of its first event, or of the newest where a visitor may repeat it', () => {
  const log = new EventLog();
  assert.equal(placeOfInstant(log, 'at-first-hold'), undefined);
  log.append(/** @type {Event[]} */ ([
    { seq: 1, at: 1, kind: 'lock.acquired' }, { seq: 2, at: 2, kind: 'fault.injected' }, { seq: 3, at: 3, kind: 'lock.acquired' },
    { seq: 4, at: 4, kind: 'fault.injected' }, { seq: 5, at: 5, kind: 'check.changed', check: 'belief', verdict: 'holds' },
    { seq: 6, at: 6, kind: 'check.changed', check: 'belief', verdict: 'violated' }, { seq: 7, at: 7, kind: 'tree.deleted', cause: 'request' },
  ]));
  const found = ['at-first-hold', 'at-fault', 'at-two-believe', 'at-expired', 'nothing'].map((name) => placeOfInstant(log, name)?.seq);
  assert.deepEqual(found, [1, 4, 6, undefined, undefined]);
});
