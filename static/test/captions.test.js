import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DECISIVE } from '../js/model/caption-facts.js';
import { captionAt } from '../js/model/captions.js';
import { apply, createView } from '../js/model/view.js';
import { captionWords, textOf } from '../js/text/caption-words.js';
import { catalogue, fold, names, recording } from './recording.js';

/** @import { Caption } from '../js/model/captions.js' */
/** @import { Event } from '../js/events.d.ts' */
/** @import { View } from '../js/model/view.js' */

/** @param {Caption} caption @param {View} view */
function words(caption, view) {
  const { head, rest } = captionWords(caption, view.lanes, catalogue);
  return textOf(rest.length ? [...head, ' ', ...rest] : head);
}

/** The sentence of an instant. @param {View} view @param {number} at */
function shownAt(view, at) {
  const shown = captionAt(view.captions, { at, still: false });
  return shown ? words(shown, view) : '';
}

/** The view right after an event, and its instant. @param {string} name @param {(event: Event) => boolean} which */
function after(name, which) {
  const recorded = recording(name);
  const index = recorded.events.findIndex(which);
  return { view: fold(recorded, index + 1), at: recorded.events[index]?.at ?? 0 };
}

for (const name of names) {
  test(`${name}: every caption reads well, and its links lead to what there is`, () => {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    const paths = new Set(events.map(({ path }) => path));
    /** @type {Set<number>} */ const told = new Set();
    for (const event of events) {
      apply(view, event);
      const caption = view.captions.newest.at(-1);
      assert.ok(view.captions.newest.length <= 50);
      if (!caption) continue;
      told.add(caption.seq);
      const text = words(caption, view);
      assert.match(text, /^[A-Z].*\.$/, text);
      assert.doesNotMatch(text, /undefined|null|NaN|  |\.\.|event \d|\/playground/, text);
      const { head, rest } = captionWords(caption, view.lanes, catalogue);
      for (const part of [...head, ...rest]) {
        if (typeof part === 'string') continue;
        const lane = view.lanes.find(({ info }) => info.name === part.lane);
        assert.ok(lane, `${text}: the lane of ${part.words}`);
        if (part.frame) assert.ok(events.some((each) => each.frame === part.frame && each.client === part.client && each.dir === 'in'), text);
        else assert.ok(part.client ? lane.clients.has(part.client) : paths.has(part.path), `${text}: ${part.words}`);
      }
    }
    assert.ok(told.size > 2);
  });
}

for (const name of names) {
  test(`${name}: where the view stands still, nobody is said to hold who does not`, () => {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    for (const event of events.slice(0, events.findIndex(({ kind }) => kind === 'note.stopping'))) {
      apply(view, event);
      const caption = captionAt(view.captions, { at: event.at, still: true });
      if (caption?.kind !== 'lock.acquired' || caption.importance === DECISIVE) continue; // what decides is said of its instant
      const lanes = view.lanes.filter(({ info }) => caption.lanes.some(({ lane }) => lane === info.name));
      assert.ok(lanes.some(({ clients, locks }) => [clients, ...locks.map((lock) => lock.clients)].some((each) => each.get(caption.client)?.belief === 'holds')), `event ${event.seq}: ${words(caption, view)}`);
    }
  });
}

test('the crash is told with who it was, and stays before what matters less', () => {
  const { view, at } = after('ephemeral-crash', ({ kind }) => kind === 'fault.injected');
  assert.equal(shownAt(view, at), 'A fault is injected into client 5, which holds the lock: Crash. '
    + 'The process is gone; its session lives on until the server times it out.');
});

test('what matters less than the last is shown when that has had its time', () => {
  const violated = after('two-holders', ({ kind, verdict }) => kind === 'check.changed' && verdict === 'violated');
  assert.equal(violated.view.captions.shown?.importance, DECISIVE);
  const later = after('two-holders', ({ kind, client }) => kind === 'lock.released' && client === 1);
  assert.equal(captionAt(later.view.captions, { at: later.at, still: false })?.kind, 'check.changed', `released after ${later.at - violated.at} µs`);
  assert.equal(captionAt(later.view.captions, { at: violated.at + 3_000_000, still: false })?.kind, 'lock.released');
});

test('who goes to an instant sees what happened last there, whatever came before', () => {
  const { view, at } = after('two-holders', ({ kind, client }) => kind === 'lock.released' && client === 1);
  assert.equal(captionAt(view.captions, { at, still: true })?.kind, 'lock.released');
});

test('two believers are named, with how long each has believed', () => {
  const { view, at } = after('two-holders', ({ check, verdict }) => check === 'belief' && verdict === 'violated');
  assert.equal(shownAt(view, at), 'Two clients believe that they hold the lock. Client 2 has believed it for 2.7 s, client 1 since just now.');
});

test('what happens in both lanes is one caption', () => {
  const { view, at } = after('two-holders-fenced', ({ kind, lane }) => kind === 'fault.injected' && lane === 'token');
  const both = after('two-holders-fenced', ({ kind, lane }) => kind === 'fault.injected' && lane === 'guard');
  const later = at > both.at ? { view, at } : both;
  assert.match(shownAt(later.view, later.at), /^A fault is injected into client 2, which holds the lock in both lanes: Pause for 6\.5 s\. /);
  assert.equal(later.view.captions.newest.filter(({ kind }) => kind === 'fault.injected').length, 1);
});

/** What has been told of a run up to its end, by kind. @param {string} name @param {string} kind */
function told(name, kind) {
  const view = fold(recording(name));
  return view.captions.newest.filter((each) => each.kind === kind).map((each) => words(each, view));
}

test('what one transaction does in two locks is one caption, and the first decides', () => {
  const { view } = after('multi-lock', ({ kind, client }) => kind === 'lock.waiting' && client === 2);
  const joint = view.captions.newest.find(({ kind }) => kind === 'lock.enqueued');
  assert.equal(joint?.importance, DECISIVE);
  assert.equal(joint && words(joint, view), 'Client 2 queues up for orders and stock in one transaction: both or none. '
    + 'A client that is ahead in one queue is ahead in the other, so no clients wait in a circle.');
  assert.deepEqual(told('multi-lock', 'lock.acquired').slice(0, 2), ['Client 4 holds stock. Clients 1 and 2 wait.', 'Client 2 holds orders and stock. Clients 1 and 3 wait, and hold none.']);
  assert.deepEqual(told('multi-lock', 'lock.released').slice(0, 2), ['Client 4 releases stock.', 'Client 2 releases orders and stock.']);
  assert.equal(told('multi-lock', 'lock.enqueued').length, 1);
  assert.equal(told('deadlock', 'lock.enqueued').length, 0);
});

test('a client whose znode was deleted while it waited does not hear of it, and queues up again once it has found out', () => {
  assert.match(told('lost-place', 'fault.injected')[0] ?? '', / Client 2 does not hear of it, and waits on\.$/);
  assert.deepEqual(told('lost-place', 'lock.enqueued'), ['Client 2 finds that its znode is gone, and queues up again. Its new znode 03 is at the end of the queue.']);
  assert.doesNotMatch(told('ephemeral-crash', 'fault.injected').join(' '), /hear of it/);
});

test('clients that wait for each other are a deadlock', () => {
  assert.match(told('deadlock', 'check.changed')[0] ?? '', /^The lock stands still in lane Nested\. A deadlock: client 1 waits for client 2 in stock, /);
  assert.doesNotMatch(told('lost-wakeup', 'check.changed').join(' '), /deadlock/);
});

test('a fault names the lock that its client holds of several', () => {
  assert.match(told('several-locks', 'fault.injected')[0] ?? '', /^A fault is injected into client 1, which holds orders: Crash\./);
});

test('what is lost goes on changing, and the caption of the lost write leaves it to the account', () => {
  assert.equal(told('stores', 'check.changed').find((each) => each.startsWith('A write')), 'A write to the account is lost in lane Cache. Client 1 wrote 110, having read 100 before client 3 changed that.');
});

test('the first herd is decisive, and counted to its end', () => {
  const { view } = after('herd-vs-predecessor', ({ kind, at }) => kind === 'lock.waiting' && at === 1_617_636);
  const herd = view.captions.newest.find(({ importance, kind }) => kind === 'lock.acquired' && importance === DECISIVE);
  assert.match(herd ? words(herd, view) : '', /Herd: the release of client 6 woke \d+ clients, \d+ of them for nothing\. Predecessor: the release of client 6 woke 1 client\./);
});

test('a lock that somebody else has freed is told with no release', () => {
  const { run, events } = recording('flag-deadlock');
  const view = createView(run.lanes, run.clients);
  const held = events.filter(({ kind, lane }) => kind === 'lock.acquired' && lane === 'flag');
  const until = events.findIndex(({ check, verdict }) => check === 'progress' && verdict === 'violated');
  for (const event of events.slice(0, until)) apply(view, event);
  assert.match(view.captions.newest.map((caption) => words(caption, view)).join(' '), /the release of client \d woke/);
  const { at = 0, seq = 0 } = events[until] ?? {};
  const next = [1, 2, 3].find((client) => client !== held.at(-1)?.client) ?? 0;
  apply(view, /** @type {Event} */ ({ ...held[0], seq, at: at + 5_000_000, client: next }));
  const caption = view.captions.newest.at(-1);
  assert.equal(caption?.client, next);
  assert.doesNotMatch(words(caption, view), /release/);
});

test('a session that a client closes is not a lost one', () => {
  const view = fold(recording('read-write'));
  assert.deepEqual(view.captions.newest.filter(({ kind }) => kind === 'session.lost'), []);
});

test('sessions that end when the machine has stood still are told with that', () => {
  const { run, events } = recording('ephemeral-crash');
  const end = events.findIndex(({ kind, cause }) => kind === 'tree.deleted' && cause === 'expiry');
  const view = createView(run.lanes, run.clients);
  const at = events[end]?.at ?? 0;
  for (const event of [...events.slice(0, end), /** @type {Event} */ ({ seq: end + 1, at, kind: 'note.stalled', for: 2100 }), ...events.slice(end, end + 1)]) apply(view, event);
  const told = view.captions.newest.slice(-2).map((caption) => words(caption, view));
  assert.match(told[0] ?? '', /^The machine stood still for 2\.1 s\./);
  assert.match(told[1] ?? '', /^Client \d has lost its session\. .*The machine had stood still for 2\.1 s just before\.$/);
});

test('a run that ended by itself says why', () => {
  const { run, events } = recording('ephemeral-crash');
  const reason = { code: 'unwatched-minutes', args: { minutes: 2 } };
  const view = createView(run.lanes, run.clients);
  for (const event of events) apply(view, event.kind === 'note.finished' ? { ...event, reason } : event);
  const end = view.captions.newest.find(({ kind }) => kind === 'note.finished');
  assert.match(end ? words(end, view) : '', /^Nobody has watched this run for 2 minutes, so it has ended; start it again\. All 6 checks hold\. /);
});

test('that a client no longer holds is not shown any more when it holds again', () => {
  const { run, events } = recording('two-holders');
  const held = events.findIndex(({ kind }) => kind === 'lock.acquired');
  const acquired = events[held];
  assert.ok(acquired);
  const view = createView(run.lanes, run.clients);
  for (const event of events.slice(0, held + 1)) apply(view, event);
  const next = (/** @type {Event['kind']} */ kind, /** @type {number} */ after) => apply(view, { ...acquired, kind, seq: view.seq + 1, at: view.at + after, reason: undefined });
  next('lock.lost', 2_000_000);
  assert.match(shownAt(view, view.at), /^Client \d knows that it no longer holds the lock/);
  next('lock.enqueued', 100_000);
  assert.match(shownAt(view, view.at), /^Client \d knows that it no longer holds the lock/, 'as it still does not');
  next('lock.acquired', 300_000);
  assert.match(shownAt(view, view.at), /^Client \d holds the lock/);
});

test('a session that is taken back, and lost again, is told again', () => {
  const { run, events } = recording('lost-quorum');
  const lost = events.filter(({ kind }) => kind === 'session.lost').slice(0, 2);
  const resumed = events.findLastIndex(({ kind }) => kind === 'session.resumed');
  const view = createView(run.lanes, run.clients);
  for (const event of events.slice(0, resumed + 20)) apply(view, event);
  const [first] = lost;
  assert.ok(first);
  const told = view.captions.newest.filter(({ kind }) => kind === 'session.lost').length;
  apply(view, { ...first, seq: view.seq + 1, at: view.at + 1 });
  assert.equal(view.captions.newest.filter(({ kind }) => kind === 'session.lost').length, told + 1);
});

test('a release is told with whose turn it is, where that is somebody at a console', () => {
  assert.ok(told('by-hand', 'lock.released').some((each) => /^Client \d releases the lock\. .*The znode of client \d, a console, is first now: it may hold\.$/.test(each)), told('by-hand', 'lock.released').join('\n'));
  assert.doesNotMatch(told('two-holders', 'lock.released').join(' '), /is first now/);
});

test('a guest that is turned away is told, and why; a request of one that takes part is refused without', () => {
  const { run } = recording('by-hand');
  const view = createView(run.lanes, run.clients);
  const refused = /** @type {Event} */ ({ seq: 1, at: 5, lane: run.lanes[0]?.name, kind: 'note.refused', op: 'connect', reason: { code: 'text', args: { text: 'the connection from ::1: no frame' } } });
  apply(view, refused);
  apply(view, { ...refused, seq: 2, client: 3, op: 'setACL' });
  assert.deepEqual(view.captions.newest.map((each) => words(each, view)), ['A guest is turned away. The connection from ::1: no frame.']);
});
