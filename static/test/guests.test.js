// Guests and consoles in the view: they tell nothing of what they believe, and the queue
// says where they stand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../js/model/belief.js';
import { mayHold, simulated } from '../js/model/guests.js';
import { isDisputed, turns } from '../js/model/turns.js';
import { apply, createView } from '../js/model/view.js';
import { guestName, guestWord } from '../js/text/format.js';
import { captionWords, textOf } from '../js/text/caption-words.js';
import { Catalogue } from '../js/text/catalogue.js';
import { linkEnd } from '../js/stage/picture/crowd.js';
import { clientPoint, layout } from '../js/stage/picture/layout.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Lane } from '../js/model/view.js' */

const info = { name: 'a', recipe: 'mutex', title: 'A: one', path: '/r/a/lock', root: '/r/a', clients: 2 };

/** @param {Partial<Event>[]} events */
function viewOf(events) {
  const view = createView([info], 2);
  events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: (index + 1) * 1000, lane: 'a', ...event })));
  return { view, lane: /** @type {Lane} */ (view.lanes[0]) };
}

/** @type {Partial<Event>[]} */
const joined = [
  { kind: 'note.joined', client: 3, participant: 'console' },
  { kind: 'session.granted', client: 3, session: '0x3', timeout: 4000 },
];
const znode = (/** @type {number} */ n, /** @type {string} */ session) =>
  ({ kind: /** @type {const} */ ('tree.created'), path: `/r/a/lock/lock-000000000${n}`, session });

test('a console is a client whose belief is not told, and whose place the queue tells', () => {
  const { view, lane } = viewOf([
    ...joined, { kind: 'session.granted', client: 1, session: '0x1', timeout: 4000 }, znode(1, '0x1'), znode(2, '0x3'),
  ]);
  const client = lane.clients.get(3);
  assert.ok(client);
  assert.equal(client.participant, 'console');
  assert.equal(client.state, 'untold');
  assert.equal(guestWord(lane, client), '1 ahead');
  assert.deepEqual(simulated(lane).map(({ number }) => number), [1, 2]);
  assert.equal(rows(lane, 0).find((row) => row.client === client)?.agree, 'not told');
  const caption = view.captions.newest.find(({ kind }) => kind === 'note.joined');
  assert.ok(caption);
  assert.equal(textOf(captionWords(caption, view.lanes, new Catalogue()).head), 'A console joins as client 3.');
  apply(view, /** @type {Event} */ ({ seq: 6, at: 6000, lane: 'a', kind: 'tree.deleted', path: '/r/a/lock/lock-0000000001' }));
  assert.equal(guestWord(lane, client), 'first');
  assert.notEqual(client.state, 'holds');
});

test('that it is the turn of a guest is told once, by the order of the server alone', () => {
  const told = (/** @type {string} */ recipe, /** @type {Partial<Event>[]} */ events) => {
    const view = createView([{ ...info, recipe }], 2);
    events.forEach((event, index) => apply(view, /** @type {Event} */ ({ seq: index + 1, at: (index + 1) * 1000, lane: 'a', ...event })));
    return view.captions.newest.filter(({ kind }) => kind.startsWith('tree.')).map((caption) => textOf(captionWords(caption, view.lanes, new Catalogue()).head));
  };
  const other = { kind: /** @type {const} */ ('session.granted'), client: 1, session: '0x1', timeout: 4000 };
  const gone = (/** @type {number} */ n) => ({ kind: /** @type {const} */ ('tree.deleted'), path: `/r/a/lock/lock-000000000${n}` });
  const own = ['It is the turn of client 3: by the server’s order the lock is its own.'];
  assert.deepEqual(told('mutex', [...joined, other, znode(1, '0x1'), znode(2, '0x3')]), [], 'one is ahead');
  assert.deepEqual(told('mutex', [...joined, other, znode(1, '0x1'), znode(2, '0x3'), gone(1), znode(3, '0x1')]), own);
  assert.deepEqual(told('mutex', [...joined, znode(1, '0x3'), gone(1), znode(2, '0x3')]), [...own, ...own], 'once for each znode');
  assert.deepEqual(told('mutex', [...joined, { kind: 'tree.created', path: '/r/a/lock/noise', session: '0x3' }, znode(1, '')]), [], 'neither is a place of its own');
  assert.deepEqual(told('flag', [...joined, znode(1, '0x3')]), [], 'where no queue decides');
  const mode = (/** @type {string} */ kind, /** @type {number} */ n, /** @type {string} */ session) => ({ kind: /** @type {const} */ ('tree.created'), path: `/r/a/lock/__${kind}__000000000${n}`, session });
  assert.deepEqual(told('rw', [...joined, other, mode('READ', 1, '0x1'), mode('READ', 2, '0x3')]), ['It is the turn of client 3: by the server’s order it may read.']);
  assert.deepEqual(told('rw', [...joined, other, mode('READ', 1, '0x1'), mode('WRIT', 2, '0x3')]), []);
});

test('a watch of a console is its own, and its connection and its crash are told as of any client', () => {
  const { view, lane } = viewOf([
    ...joined, znode(1, '0x1'), { kind: 'watch.set', client: 3, path: '/r/a/lock/lock-0000000001', watched: { id: 1, on: 'data' } },
    { kind: 'session.suspended', client: 3 },
  ]);
  const client = lane.clients.get(3);
  assert.equal(lane.watches.get(3)?.length, 1);
  assert.equal(client?.state, 'suspended');
  apply(view, /** @type {Event} */ ({ seq: 6, at: 6000, lane: 'a', kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'], client: 3 }));
  assert.equal(client?.state, 'crashed');
  apply(view, /** @type {Event} */ ({ seq: 7, at: 7000, lane: 'a', kind: 'fault.injected', fault: 'start-again', effects: ['starts-process'], client: 3 }));
  apply(view, /** @type {Event} */ ({ seq: 8, at: 8000, lane: 'a', kind: 'session.granted', client: 3, session: '0x4', timeout: 4000 }));
  assert.equal(client?.state, 'untold');
});

test('the znode of a process or a session that is over is nobody’s turn, though it is first', () => {
  const crash = /** @type {const} */ ({ kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'], client: 3 });
  const again = /** @type {const} */ ({ kind: 'fault.injected', fault: 'start-again', effects: ['starts-process'], client: 3 });
  const own = (/** @type {Partial<Event>[]} */ ...after) => turns(viewOf([...joined, znode(1, '0x3'), ...after]).lane).length;
  assert.equal(own(), 1);
  assert.equal(own({ kind: 'session.suspended', client: 3 }), 1, 'the session lives on');
  for (const after of /** @type {Partial<Event>[][]} */ ([[crash], [crash, again], [crash, again, { kind: 'session.granted', client: 3, session: '0x4', timeout: 4000 }],
    [{ kind: 'session.refused', client: 3 }], [{ kind: 'session.closed', client: 3 }]])) {
    assert.equal(own(...after), 0, JSON.stringify(after));
  }
});

test('who has left is no client any more, and what is left of it is nobody’s; the next is another', () => {
  const { view, lane } = viewOf([
    ...joined, { kind: 'note.joined', client: 4, participant: 'guest' }, znode(1, '0x3'),
    { kind: 'note.left', client: 3 }, { kind: 'wire.dropped', client: 3, op: 'ping', dir: 'out', frame: 1 },
  ]);
  assert.deepEqual([...lane.clients.keys()], [1, 2, 4]);
  assert.equal(lane.queue.nodes[0]?.client, 0);
  const at = layout(600, 16, lane.clients.size);
  assert.deepEqual(linkEnd(lane, at, 4), clientPoint(at, 2));
  apply(view, /** @type {Event} */ ({ seq: 7, at: 7000, lane: 'a', kind: 'note.joined', client: 3 }));
  assert.deepEqual([...lane.clients.keys()], [1, 2, 3, 4]);
  assert.equal(lane.clients.get(3)?.participant, 'guest');
});

test('the turn of a guest is disputed while another client believes that it holds, unless both read', () => {
  const held = (/** @type {Event['mode']} */ mode) => viewOf([...joined, znode(1, '0x3'), { kind: 'lock.acquired', client: 1, mode, path: '/r/a/lock/lock-0000000000' }]).lane;
  const own = /** @type {import('../js/model/queue.js').Node} */ (viewOf([...joined, znode(1, '0x3')]).lane.queue.nodes[0]);
  assert.equal(isDisputed(viewOf([...joined, znode(1, '0x3')]).lane, own), false);
  assert.equal(isDisputed(held(undefined), own), true);
  assert.equal(isDisputed(held('read'), { ...own, mode: 'read' }), false);
  assert.equal(isDisputed(held('write'), { ...own, mode: 'read' }), true);
});

test('that nothing is judged beside a guest is not told of each check', () => {
  const check = (/** @type {string} */ code) => viewOf([...joined, { kind: 'check.changed', check: 'progress', verdict: 'holds' },
    { kind: 'check.changed', check: 'progress', verdict: 'undecided', reason: { code, args: { count: 1 } } }]).view.captions.newest.filter(({ kind }) => kind === 'check.changed');
  assert.equal(check('consoles-untold').length, 0);
  assert.equal(check('log-ends').length, 1);
});

test('a guest that says who it is goes by its name', () => {
  const { view, lane } = viewOf([{ kind: 'note.joined', client: 3, participant: 'guest', name: 'payments' }, { kind: 'note.joined', client: 4, participant: 'guest' },
    ...[3, 4].map((client) => ({ kind: /** @type {const} */ ('lock.acquired'), client, path: `/r/a/lock/lock-000000000${client}` }))]);
  assert.deepEqual([3, 4].map((number) => guestName(/** @type {import('../js/model/client.js').Client} */ (lane.clients.get(number)))), ['payments', 'guest']);
  const told = view.captions.newest.filter(({ kind }) => kind === 'lock.acquired').map((caption) => textOf(captionWords(caption, view.lanes, new Catalogue()).head));
  assert.deepEqual(told.sort(), ['Client 3 (payments) holds the lock.', 'Client 4 holds the lock.']);
});

test('znodes of guests without a number are no queue: each may hold, or none has a place', () => {
  const uuid = (/** @type {string} */ name, /** @type {string} */ session) => ({ kind: /** @type {const} */ ('tree.created'), path: `/r/a/lock/${name}`, session });
  const { lane } = viewOf([...joined, { kind: 'note.joined', client: 4, participant: 'guest' }, { kind: 'session.granted', client: 4, session: '0x4', timeout: 4000 },
    uuid('9f1c', '0x3'), uuid('0a7e', '0x4')]);
  const word = (/** @type {number} */ number) => guestWord(lane, /** @type {import('../js/model/client.js').Client} */ (lane.clients.get(number)));
  lane.info.recipe = 'semaphore';
  for (const number of [3, 4]) assert.equal(word(number), 'may hold');
  assert.ok([0, 1].every((index) => mayHold(lane, index)));
  for (const recipe of ['mutex', 'flag']) {
    lane.info.recipe = recipe;
    assert.equal(word(3), 'not queued', recipe);
    assert.ok(![0, 1].some((index) => mayHold(lane, index)));
  }
});
