import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { LogFold } from '../js/log/log-fold.js';
import { createFrameHistory, journeyOf, stepFrameHistory } from '../js/model/history/frame.js';
import { awaited, createRequests, directionOf, isTraffic, stepRequests } from '../js/model/history/requests.js';
import { watchOf } from '../js/model/history/watches.js';
import { concernsZnode, createZnodeHistory, stepZnodeHistory } from '../js/model/history/znode.js';
import { names, peaceful, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Event[]} events @param {string} lane @param {string} path */
function znodeOf(events, lane, path) {
  const history = createZnodeHistory(path);
  for (const event of events) if (concernsZnode(event, lane, path)) stepZnodeHistory(history, event);
  return history;
}

/** @param {Event[]} events @param {string} lane @param {number} client @param {import('../js/model/history/frame.js').FrameName} name */
function frameOf(events, lane, client, name) {
  const history = createFrameHistory(name);
  for (const event of events) if (isTraffic(event, lane, client)) stepFrameHistory(history, event);
  return history;
}

/** @param {Event[]} events */
const created = (events) => events.filter(({ kind }) => kind === 'tree.created');

for (const name of names) {
  test(`${name}: a reply belongs to the request that was sent its latency before`, () => {
    const { events } = recording(name);
    /** @type {Map<string, ReturnType<typeof createRequests>>} */
    const all = new Map();
    /** @type {Map<string, Event>} */
    const requests = new Map();
    let compared = 0;
    for (const event of events) {
      const key = `${event.lane} ${event.client}`;
      if (!isTraffic(event, event.lane ?? '', event.client ?? 0)) continue;
      const own = all.get(key) ?? createRequests();
      all.set(key, own);
      const request = stepRequests(own, event);
      if (request) requests.set(`${key} ${event.frame}`, request);
      if (event.kind !== 'wire.received' || event.op === 'notification') continue;
      const asked = requests.get(`${key} ${event.frame}`);
      assert.ok(asked, `event ${event.seq} answers nothing`);
      assert.equal(asked.op, event.op);
      assert.ok(Math.abs(event.at - asked.at - (event.latency ?? 0)) < 20_000, `event ${event.seq}`);
      compared++;
    }
    assert.ok(compared > 20);
  });

  test(`${name}: every znode has a maker, a czxid, and an end; a directory is empty in the end`, () => {
    const { run, events } = recording(name);
    const some = created(events).slice(0, 12);
    assert.ok(some.length > 0);
    for (const { lane = '', path = '' } of some) {
      const { created: made, deleted, asked, entered, made: reply } = znodeOf(events, lane, path);
      assert.ok(made && deleted && asked, path);
      assert.ok(made.seq < deleted.seq && asked.at <= made.at);
      assert.equal(asked.client, made.client);
      if (entered?.token && reply?.zxid) assert.equal(reply.zxid, entered.token);
    }
    for (const lane of run.lanes) {
      const { came, went, happenings } = znodeOf(events, lane.name, lane.path);
      assert.equal(came, went);
      assert.equal(happenings.filter(({ what }) => what === 'child').length, came + went);
    }
  });

  test(`${name}: a fold is the same wherever one comes from`, () => {
    const { run, events } = recording(name);
    const log = new EventLog();
    log.append(events);
    const [lane] = run.lanes;
    assert.ok(lane);
    const concerns = (/** @type {Event} */ event) => concernsZnode(event, lane.name, lane.path);
    const fold = new LogFold(log, concerns, () => createZnodeHistory(lane.path), stepZnodeHistory);
    for (const part of [0.3, 0.9, 0.2, 0, 0.5, 1, 0.99]) {
      const count = Math.floor(events.length * part);
      assert.deepEqual(fold.at(count), znodeOf(events.slice(0, count), lane.name, lane.path));
    }
  });
}

test('a fold takes up what a growing log brings', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const lane = run.lanes[1];
  assert.ok(lane);
  const log = new EventLog();
  const fold = new LogFold(log, (event) => concernsZnode(event, lane.name, lane.path), () => createZnodeHistory(lane.path), stepZnodeHistory);
  for (let from = 0; from < events.length; from += 97) {
    log.append(events.slice(from, from + 97));
    fold.at(log.length);
  }
  assert.deepEqual(fold.at(log.length), znodeOf(events, lane.name, lane.path));
});

for (const name of peaceful) {
  test(`${name}: each notification uses up a watch, which the tree explains`, () => {
    const { events } = recording(name);
    const told = events.filter(({ kind, op }) => kind === 'wire.received' && op === 'notification');
    assert.ok(told.length > 0);
    const paths = new Map(told.map(({ lane = '', path = '' }) => [path, lane]));
    for (const [path, lane] of paths) {
      const { watches } = znodeOf(events, lane, path);
      const fired = watches.all.filter((watch) => watch.told);
      assert.equal(fired.length, told.filter((event) => event.path === path).length, path);
      for (const watch of fired) {
        assert.ok(watch.request && watch.known && watch.fired && watch.told && watch.change, `${path}, client ${watch.client}`);
        const { request, set, known, fired: by, told: at } = watch;
        assert.ok(request.at <= set.at && set.at <= known.at && set.at <= by.at && by.at <= at.at);
        assert.equal(request.watch, true);
        assert.ok(Math.abs(watch.change.at - by.at) < 200_000, 'the tree tells of it about then');
      }
    }
  });
}

test('a watch whose notification sets off before the answer arrives is set once', () => {
  const path = '/l/a-0000000001';
  /** @type {Partial<Event>[]} */
  const events = [
    { kind: 'wire.sent', op: 'getData', path, watch: true, xid: 5, frame: 2, due: 9 },
    { kind: 'wire.held', op: 'getData', path, watch: true, xid: 5, dir: 'in', frame: 3, due: 9 },
    { kind: 'tree.deleted', path, cause: 'client' },
    { kind: 'wire.held', op: 'notification', type: 'NodeDeleted', path, dir: 'in', frame: 4, due: 9 },
    { kind: 'wire.received', op: 'getData', path, watch: true, xid: 5, frame: 3 },
    { kind: 'wire.received', op: 'notification', type: 'NodeDeleted', path, frame: 4 },
  ];
  const { watches } = znodeOf(events.map((event, index) => /** @type {Event} */ ({ seq: index + 1, at: index, lane: 'l', client: 1, ...event })), 'l', path);
  assert.equal(watches.all.length, 1);
  assert.equal(watches.armed.size, 0);
  const [watch] = watches.all;
  assert.deepEqual([watch?.request?.seq, watch?.set.seq, watch?.known?.seq, watch?.change?.seq, watch?.fired?.seq, watch?.told?.seq], [1, 2, 5, 3, 4, 6]);
  assert.equal(watchOf(watches, 1, 'data', 2), watch);
  assert.equal(watchOf(watches, 1, 'data', 1), undefined);
  assert.equal(watchOf(watches, 2, 'data'), undefined);
});

test('a frame knows its request or its answer, and its way', () => {
  const { events } = recording('herd-vs-predecessor');
  const reply = events.find(({ kind, op, client, lane }) => kind === 'wire.received' && op === 'create' && client === 3 && lane === 'herd');
  assert.ok(reply);
  const answer = frameOf(events, 'herd', 3, { dir: 'in', frame: reply.frame ?? 0 });
  const [asked] = answer.request;
  assert.ok(asked);
  assert.equal(asked.op, 'create');
  const request = frameOf(events, 'herd', 3, { dir: 'out', frame: asked.frame ?? 0 });
  assert.deepEqual(request.answer, answer.events);
  assert.deepEqual(request.events.map(({ kind }) => kind), ['wire.sent', 'wire.delivered']);
  const way = journeyOf(request.events);
  assert.ok(way?.arrived !== undefined && way.arrived - way.left >= 45_000 && !way.dropped);
  assert.equal(journeyOf(request.events.slice(0, 1))?.arrived, undefined, 'it is under way');
  assert.equal(directionOf(reply), 'in');
});

test('a frame that is lost with its connection has no answer', () => {
  const { events } = recording('lost-reply');
  const lost = events.find(({ kind, dir }) => kind === 'wire.dropped' && dir === 'in');
  assert.ok(lost?.lane && lost.client && lost.frame);
  const history = frameOf(events, lost.lane, lost.client, { dir: 'in', frame: lost.frame });
  assert.equal(journeyOf(history.events)?.dropped, true);
  assert.ok(history.request[0]);
  assert.equal(history.request[0].op, lost.op);
});

test('what a client waits for is the newest request without an answer, whatever its pings do', () => {
  const requests = createRequests();
  /** @param {Partial<Event>} event */
  const step = (event) => stepRequests(requests, /** @type {Event} */ ({ seq: 1, at: 0, lane: 'l', client: 1, ...event }));
  step({ kind: 'wire.sent', op: 'getChildren', xid: 1, frame: 1, seq: 1 });
  step({ kind: 'wire.sent', op: 'ping', xid: -2, frame: 2, seq: 2 });
  assert.deepEqual(awaited(requests), ['getChildren']);
  step({ kind: 'wire.received', op: 'notification', xid: -1, frame: 1 });
  step({ kind: 'wire.held', op: 'getChildren', xid: 1, dir: 'in', frame: 2 });
  assert.deepEqual(awaited(requests), ['getChildren'], 'its answer is under way');
  step({ kind: 'wire.received', op: 'getChildren', xid: 1, frame: 2 });
  assert.deepEqual(awaited(requests), []);
  step({ kind: 'wire.sent', op: 'create', xid: 2, frame: 3, seq: 5 });
  step({ kind: 'wire.dropped', op: 'create', xid: 2, dir: 'in', frame: 3 });
  step({ kind: 'wire.sent', op: 'connect', frame: 4, seq: 6 });
  assert.deepEqual(awaited(requests), ['connect', 'create'], 'the answer is lost with the connection');
  step({ kind: 'wire.received', op: 'connect', frame: 4, seq: 7 });
  assert.deepEqual(awaited(requests), []);
});
