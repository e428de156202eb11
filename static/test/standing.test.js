// Where a viewer stands: the address says it, and leads back to it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { readPlace, writePlace } from '../js/play/address.js';
import { Standing } from '../js/play/standing.js';
import { clientSubject, keyOf, subjectOfKey } from '../js/play/subject.js';
import { Playback } from '../js/play/playback.js';
import { recording } from './recording.js';

/** @import { Place } from '../js/play/address.js' */

/** What the browser keeps of the way here. @type {string[]} */ let steps = [];

beforeEach(() => {
  steps = [''];
  const turn = (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ hash) => { location.hash = hash; steps[steps.length - 1] = hash; };
  Object.assign(globalThis, {
    location: { hash: '', href: 'http://playground/' },
    history: { replaceState: turn, pushState: (/** @type {unknown} */ state, /** @type {string} */ title, /** @type {string} */ hash) => { steps.push(''); turn(state, title, hash); } },
  });
});

const { run, events } = recording('ephemeral-crash');
const lane = run.lanes[0]?.name ?? '';

/** The run, played anew. */
function played() {
  const playback = new Playback(run.lanes, run.clients);
  playback.take(events, performance.now());
  playback.finish(0);
  return playback;
}

/** A viewer of the run, and the lessons that were shown. */
function viewer() {
  const shown = { run: { ...run, id: 'r-1' }, playback: played() };
  const standing = new Standing(() => shown, () => {});
  const views = { word: '', restore: (/** @type {string} */ words) => { views.word = words; }, bring: (/** @type {string} */ panel) => { views.word = panel; } };
  standing.open = views;
  /** @type {Place[]} */ const turned = [];
  standing.ways.turn = (place) => void turned.push(place);
  return { shown, standing, views, turned };
}

test('the address holds a lesson and a scenario, the step of the tour, or nothing', () => {
  const place = { lesson: 'herd-effect', scenario: 'a & b' };
  assert.deepEqual(readPlace(writePlace(place)), place);
  assert.deepEqual(readPlace(''), { lesson: '', scenario: '' });
  assert.equal(writePlace({ lesson: 'x', scenario: '' }), '#lesson=x');
  assert.equal(readPlace(writePlace({ tour: 3 })).tour, 3);
  assert.equal(readPlace('#ten-minutes=3').tour, 3, 'as older links have it');
});

test('a link leads to where its sender stood', async () => {
  const { standing, views } = viewer();
  await standing.go({ at: 1_000_000 }, 'viewer');
  standing.inspect(clientSubject(lane, 2));
  const hash = writePlace(standing.place);
  const other = viewer();
  assert.equal(await other.standing.go(readPlace(hash), 'page'), true);
  assert.deepEqual([other.standing.place.at, other.standing.place.seq, other.standing.subject, other.views.word],
    [1_000_000, standing.place.seq, clientSubject(lane, 2), views.word]);
  assert.equal(await other.standing.go(readPlace(hash.replace('r-1', 'r-2')), 'page'), false, 'another run is not here');
});

test('what a place does not say stays as it is, and what is chosen is of one run', async () => {
  const { shown, standing, views } = viewer();
  standing.inspect(clientSubject(lane, 2));
  await standing.go({ seq: 10 }, 'viewer');
  assert.deepEqual([shown.playback.playhead.instant(0).count, shown.playback.playhead.sought, standing.subject?.client, views.word], [10, true, 2, 'inspector']);
  shown.playback = played();
  assert.equal(standing.subject, undefined);
});

test('the viewer can go back from its own steps, not from those of the page', async () => {
  const { standing, turned } = viewer();
  await standing.go({ lesson: 'znodes', scenario: 'by-hand' }, 'page');
  await standing.go({ lesson: 'herd-effect' }, 'viewer');
  await standing.go({ scenario: 'herd' }, 'page');
  await standing.go({ at: 5 }, 'viewer');
  assert.deepEqual(steps, ['#lesson=znodes&scenario=by-hand', '#lesson=herd-effect&scenario=herd']);
  assert.deepEqual(turned.map(({ lesson }) => lesson), ['znodes', 'herd-effect', undefined]);
});

test('a link names what was chosen, and what it names is that or nothing', () => {
  /** @type {import('../js/play/shown.d.ts').Subject[]} */
  const subjects = [{ lane: 'herd', client: 3, path: '' }, { lane: 'herd', client: 0, path: '/l/a-0000000001' },
    { lane: 'herd', client: 2, path: '/l', watch: 'children', seq: 17 }, { lane: 'herd', client: 1, path: '', frame: 4, dir: 'in' }];
  for (const subject of subjects) assert.deepEqual(subjectOfKey(readPlace(writePlace({ run: 'a', subject: keyOf(subject) })).subject ?? ''), subject);
  for (const key of ['', 'herd', 'herd x     ', 'herd 1  up   ', 'herd 1      more', '__proto__ 1  in 1 2 3 4']) assert.equal(subjectOfKey(key), undefined, key);
});

test('an older link leads to what its panel is called now', () => {
  assert.deepEqual(readPlace('#run=a&at=5&panel=charts'), { lesson: '', scenario: '', run: 'a', at: 5, seq: 0, panel: 'numbers', subject: '', clients: 0, delay: 0, seed: 0 });
  assert.equal(readPlace('#run=a&panel=toString').panel, 'toString');
});
