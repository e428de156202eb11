import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../js/model/client.js';
import { journeyOf } from '../js/model/history/frame.js';
import { concernsZnode, createZnodeHistory, stateAt, stepZnodeHistory } from '../js/model/history/znode.js';
import { standsAt } from '../js/model/recipe-line.js';
import { Catalogue } from '../js/text/catalogue.js';
import { frameFields, happeningWords, journeyState, journeySteps, watchState, watchSteps } from '../js/text/history.js';
import { statFields } from '../js/panel/inspector/stat.js';
import { keyOf, subjectOf, subjectOfItem } from '../js/play/subject.js';
import { recording } from './recording.js';
import { served } from './served.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Line } from '../js/kinds.d.ts' */
/** @import { Belief, ClientState } from '../js/model/client.js' */

const catalogue = new Catalogue(served);

/** The history of the znode that a client of a lane made first. @param {string} name @param {string} lane @param {number} client @param {number} [count] */
function firstOf(name, lane, client, count) {
  const { events } = recording(name);
  const path = events.find((event) => event.kind === 'tree.created' && event.lane === lane && event.client === client)?.path ?? '';
  return historyOf(events.slice(0, count), lane, path);
}

/** @param {Event[]} events @param {string} lane @param {string} path */
function historyOf(events, lane, path) {
  const history = createZnodeHistory(path, (seq) => events[seq - 1]);
  const concerns = concernsZnode(lane, path);
  for (const event of events) if (concerns(event)) stepZnodeHistory(history, event);
  return history;
}

/** @type {Line[]} */
const code = [
  { text: 'connect', at: ['connecting'] },
  { text: 'think', at: ['idle'] },
  { text: 'create', at: ['idle'], awaits: ['create'] },
  { text: 'repeat:' },
  { text: '  list', at: ['enqueued', 'woken'] },
  { text: '  read', at: ['enqueued', 'woken'], awaits: ['getData'] },
  { text: '  sleep', at: ['waiting'] },
  { text: '  doze', at: ['idle'], awaits: ['notification'] },
  { text: 'work', at: ['holds'] },
  { text: 'write', at: ['woken'], awaits: ['setData'] },
  { text: 'empty', at: ['woken'], awaits: ['setData'] },
];

test('a client stands at the line of its state, and of what it waits for', () => {
  /** @param {ClientState} state @param {string} awaits @param {Belief} [belief] */
  const lines = (state, awaits, belief = 'idle') => standsAt(code, { ...createClient(1), state, belief }, awaits.split(' ')).map((index) => code[index]?.text);
  assert.deepEqual(lines('idle', ''), ['think']);
  assert.deepEqual(lines('idle', 'create'), ['create']);
  assert.deepEqual(lines('idle', 'notification'), ['  doze']);
  assert.deepEqual(lines('idle', 'sync'), ['think'], 'a request that no line waits for');
  assert.deepEqual(lines('woken', ''), ['  list']);
  assert.deepEqual(lines('woken', 'getChildren'), ['  list']);
  assert.deepEqual(lines('enqueued', 'getData'), ['  read']);
  assert.deepEqual(lines('waiting', 'ping'), ['  sleep']);
  assert.deepEqual(lines('woken', 'setData'), ['write', 'empty'], 'the log does not tell them apart');
  assert.deepEqual(lines('suspended', '', 'waiting'), ['  sleep'], 'it stands where it stood');
  assert.deepEqual(lines('suspended', 'connect create', 'idle'), ['create'], 'its answer is lost');
  for (const state of /** @type {ClientState[]} */ (['absent', 'crashed', 'closed', 'expired'])) assert.deepEqual(lines(state, ''), []);
});

test('the history of a znode tells who made it, who watched it, and why it went', () => {
  const history = firstOf('ephemeral-crash', 'predecessor', 1);
  const words = history.happenings.map((happening) => happeningWords(happening, catalogue));
  assert.equal(words[0], 'created by client 1');
  assert.ok(words.some((each) => /^client \d watches it \(getData\)$/.test(each)), words.join('; '));
  assert.ok(words.some((each) => /^the watch of client \d fires: NodeDeleted$/.test(each)), words.join('; '));
  assert.ok(words.some((each) => /^deleted by/.test(each)), words.join('; '));
});

test('the stat of a znode says what is told, and what is not', () => {
  const history = stateAt(firstOf('herd-vs-predecessor', 'predecessor', 3), Infinity);
  const stat = new Map(statFields(history, false).map(({ name, value }) => [name, value]));
  assert.deepEqual([...stat.keys()], ['czxid', 'mzxid', 'pzxid', 'ctime', 'mtime', 'version', 'cversion', 'ephemeralOwner', 'dataLength', 'numChildren']);
  assert.equal(stat.get('czxid'), String(history.entered?.token));
  assert.equal(stat.get('mzxid'), stat.get('czxid'));
  assert.equal(stat.get('pzxid'), stat.get('czxid'));
  assert.equal(stat.get('ephemeralOwner'), history.created?.session);
  assert.deepEqual(['version', 'cversion', 'numChildren', 'dataLength'].map((name) => stat.get(name)), ['0', '0', '0', '']);
});

test('the stat of the lock directory follows its children', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const lane = run.lanes[0];
  assert.ok(lane);
  const half = Math.floor(events.length / 2);
  const stat = new Map(statFields(stateAt(historyOf(events.slice(0, half), lane.name, lane.path), Infinity), true).map(({ name, value }) => [name, value]));
  const of = (/** @type {string} */ kind) => events.slice(0, half).filter((event) => event.lane === lane.name && event.kind === kind).length;
  assert.equal(stat.get('numChildren'), String(of('tree.created') - of('tree.deleted')));
  assert.equal(stat.get('cversion'), String(of('tree.created') + of('tree.deleted')));
  assert.equal(stat.get('czxid'), '');
  assert.ok(Number(stat.get('pzxid')) > 0);
  assert.equal(stat.get('ephemeralOwner'), 'none');
});

test('what a client was told of the stat stands until the znode changes', () => {
  const path = '/l/flag';
  const told = { czxid: 5, mzxid: 8, pzxid: 5, ctime: 1000, mtime: 2000, version: 3, dataLength: 26 };
  const events = [
    { kind: 'wire.received', path, client: 2, op: 'getData', stat: told }, { kind: 'tree.changed', path },
    { kind: 'wire.received', path, client: 3, op: 'setData', zxid: 11, stat: { ...told, mzxid: 11, version: 4, dataLength: undefined } },
  ].map((event, index) => /** @type {Event} */ ({ seq: index + 1, at: index * 1000, lane: 'l', ...event }));
  const stat = (/** @type {number} */ count) => new Map(statFields(stateAt(historyOf(events, 'l', path), count), false).map(({ name, value, how }) => [name, [value, how]]));
  assert.deepEqual(stat(1).get('version'), ['3', 'told to client 2']);
  assert.deepEqual(stat(1).get('dataLength'), ['26', 'told to client 2']);
  assert.deepEqual(stat(1).get('ephemeralOwner'), ['none', 'it is persistent']);
  assert.equal(stat(2).get('dataLength')?.[0], '', 'its data has changed since');
  assert.deepEqual(stat(2).get('czxid'), ['5', 'told to client 2']);
  assert.deepEqual(['version', 'mzxid', 'dataLength'].map((name) => stat(3).get(name)?.[0]), ['4', '11', '0']);
});

test('what the observer may have missed is a lower bound', () => {
  const path = '/l/a-0000000001';
  const events = [
    { kind: 'tree.created', path, lane: 'l', client: 1, cause: 'client' }, { kind: 'tree.lost' }, { kind: 'tree.changed', path, lane: 'l' },
  ].map((event, index) => /** @type {Event} */ ({ seq: index + 1, at: index * 1000, ...event }));
  const stat = new Map(statFields(stateAt(historyOf(events, 'l', path), Infinity), false).map(({ name, value }) => [name, value]));
  assert.equal(stat.get('version'), 'at least 1');
  assert.equal(stat.get('mzxid'), '', 'nobody has told the transaction');
  assert.equal(stat.get('mtime'), '0:00.002');
  assert.equal(stat.get('ephemeralOwner'), '', 'nobody has told how it was made');
});

test('a watch is told from its request to its end', () => {
  const { events } = recording('herd-vs-predecessor');
  const told = events.find(({ kind, op, lane }) => kind === 'wire.received' && op === 'notification' && lane === 'predecessor');
  assert.ok(told?.path);
  const [watch] = historyOf(events, 'predecessor', told.path).watches.all;
  assert.ok(watch);
  const words = watchSteps(watch).map((step) => step.words);
  assert.equal(words.length, 6, words.join('; '));
  assert.match(words[0] ?? '', /^client \d asks for it, by getData$/);
  assert.ok(words.some((each) => /^the tree changes: znode \d+ was deleted by client \d$/.test(each)), words.join('; '));
  assert.equal(words.at(-1), 'the client is notified');
  assert.equal(watchState(watch), 'fired, and is used up');
  const before = historyOf(events.filter(({ seq }) => seq < (watch.fired?.seq ?? 0)), 'predecessor', told.path).watches.all[0];
  assert.ok(before);
  assert.equal(watchState(before), 'armed');
});

test('a frame tells its fields and its way', () => {
  const request = /** @type {Event} */ ({ seq: 1, at: 1000, kind: 'wire.sent', lane: 'l', client: 2, op: 'create', path: '/l/a-', flags: 'ephemeral+sequential', xid: 4, frame: 3, due: 51_000 });
  assert.deepEqual(frameFields(request, (path) => path.slice(3)), [
    ['Operation', 'create'], ['Path', 'a-'], ['Flags', 'ephemeral, sequential'], ['xid', '4']]);
  const reply = /** @type {Event} */ ({ ...request, kind: 'wire.received', err: 'NoNode', op: 'getChildren', flags: undefined });
  assert.deepEqual(frameFields(reply, () => 'a')[1], ['Result', 'NoNode']);
  const held = /** @type {Event} */ ({ ...request, seq: 2, at: 1001, kind: 'wire.held', dir: 'out', due: undefined });
  const freed = /** @type {Event} */ ({ ...held, seq: 3, at: 9000, due: 9500 });
  const arrived = /** @type {Event} */ ({ ...held, seq: 4, at: 9500, kind: 'wire.delivered' });
  const way = (/** @type {Event[]} */ ...events) => /** @type {import('../js/model/history/frame.js').Journey} */ (journeyOf(events));
  assert.equal(journeyState(way(request, held)), 'held in the link');
  assert.equal(journeyState(way(request, held, freed)), 'under way');
  assert.deepEqual(journeySteps(way(request, held, freed, arrived), 'out'), [
    { at: 1000, words: 'the client sends it' }, { at: 1001, words: 'the link holds it' },
    { at: 9000, words: 'the link lets it go' }, { at: 9500, words: 'it reaches ZooKeeper' }]);
  assert.equal(journeyState(way(request, { ...arrived, kind: 'wire.dropped' })), 'lost with its connection');
  assert.equal(journeyState(way({ ...request, due: undefined })), 'arrived');
});

test('events and items of the diagram name the same subject', () => {
  const event = /** @type {Event} */ ({ seq: 9, at: 0, kind: 'wire.received', lane: 'l', client: 2, op: 'getData', path: '/l/a', frame: 7 });
  assert.deepEqual(subjectOf(event), { lane: 'l', client: 2, path: '', frame: 7, dir: 'in' });
  const item = /** @type {import('../js/model/sequence/items.js').Item} */ (/** @type {unknown} */ ({ type: 'frame', client: 2, frame: 7, dir: 'in', path: '/l/a' }));
  assert.equal(keyOf(subjectOfItem('l', item)), keyOf(subjectOf(event)));
  assert.deepEqual(subjectOf({ ...event, kind: 'tree.deleted' }), { lane: 'l', client: 0, path: '/l/a' });
  assert.deepEqual(subjectOf({ ...event, kind: 'lock.acquired' }), { lane: 'l', client: 2, path: '' });
  assert.equal(subjectOf({ seq: 1, at: 0, kind: 'note.started' }), undefined);
  assert.equal(keyOf(undefined), '');
});
