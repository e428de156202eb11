import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { LogFold } from '../js/log/log-fold.js';
import { createFrameHistory, frameUpTo, journeyOf, stepFrameHistory } from '../js/model/history/frame.js';
import { awaited, createRequests, directionOf, isTraffic, stepRequests } from '../js/model/history/requests.js';
import { armedAt, setBy, watchUpTo } from '../js/model/history/watches.js';
import { concernsZnode, createZnodeHistory, happenedBy, stateAt, stepZnodeHistory } from '../js/model/history/znode.js';
import { names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Event[]} events @param {string} lane @param {string} path */
function znodeOf(events, lane, path) {
  const history = createZnodeHistory(path, (seq) => events[seq - 1]);
  const concerns = concernsZnode(lane, path);
  for (const event of events) if (concerns(event)) stepZnodeHistory(history, event);
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
    const some = created(events).filter(({ session }) => session).slice(0, 12);
    assert.ok(some.length > 0);
    for (const { lane = '', path = '' } of some) {
      const { created: made, deleted, asked, entered, made: reply } = stateAt(znodeOf(events, lane, path), Infinity);
      assert.ok(made && deleted && asked, path);
      assert.ok(made.seq < deleted.seq && asked.at <= made.at);
      assert.equal(asked.client, made.client);
      if (entered?.token && reply?.zxid) assert.equal(reply.zxid, entered.token);
    }
    for (const lane of run.lanes.filter(({ store }) => !store)) {
      const history = znodeOf(events, lane.name, lane.path);
      const { came, went } = stateAt(history, Infinity);
      const { happenings } = history;
      const stay = created(events).filter((event) => event.lane === lane.name && !event.session).length;
      assert.equal(came, went + stay);
      assert.equal(happenings.filter(({ what }) => what === 'child').length, came + went);
    }
  });

  test(`${name}: what had happened by an instant is what the events up to it tell`, () => {
    const { run, events } = recording(name);
    const [lane] = run.lanes;
    assert.ok(lane);
    const paths = [lane.path, created(events)[1]?.path ?? ''];
    for (const path of paths) {
      const whole = znodeOf(events, lane.name, path);
      for (const part of [0, 0.21, 0.5, 0.77, 1]) {
        let count = Math.floor(events.length * part);
        while (events[count]?.watched) count++; // with all that follows from the last
        const seq = events[count - 1]?.seq ?? 0;
        const then = znodeOf(events.slice(0, count), lane.name, path);
        assert.deepEqual(stateAt(whole, seq), stateAt(then, Infinity));
        assert.equal(happenedBy(whole, seq), then.happenings.length);
        assert.deepEqual(whole.watches.all.slice(0, setBy(whole.watches, seq)).map((watch) => watchUpTo(watch, seq)), then.watches.all);
        assert.deepEqual(armedAt(whole.watches, seq).map(({ id }) => id), then.watches.all.filter(({ fired, gone }) => !fired && !gone).map(({ id }) => id));
      }
    }
  });
}

test('a fold takes up what a growing log brings', () => {
  const { run, events } = recording('herd-vs-predecessor');
  const lane = run.lanes[1];
  assert.ok(lane);
  const log = new EventLog();
  const fold = new LogFold(log, concernsZnode(lane.name, lane.path), createZnodeHistory(lane.path, (seq) => log.event(seq - 1)), stepZnodeHistory);
  for (let from = 0; from < events.length; from += 97) {
    log.append(events.slice(from, from + 97));
    assert.ok(fold.state.happenings.length <= from + 97);
  }
  const whole = znodeOf(events, lane.name, lane.path);
  assert.deepEqual([fold.state.happenings, fold.state.states], [whole.happenings, whole.states]);
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
  assert.equal(journeyOf(frameUpTo(request, request.events[0]?.seq ?? 0).events)?.arrived, undefined, 'it is under way');
  assert.deepEqual(frameUpTo(request, request.events[0]?.seq ?? 0).answer, []);
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
  /** @type {Event[]} */
  const events = [];
  /** @param {Partial<Event>} event */
  const then = (event) => {
    events.push(/** @type {Event} */ ({ seq: events.length + 1, at: 0, lane: 'l', client: 1, ...event }));
    return awaited((index) => events[index], events.length, 'l', 1);
  };
  assert.deepEqual(then({ kind: 'wire.sent', op: 'getChildren', xid: 1, frame: 1 }), ['getChildren']);
  assert.deepEqual(then({ kind: 'wire.sent', op: 'ping', xid: -2, frame: 2 }), ['getChildren']);
  assert.deepEqual(then({ kind: 'wire.received', op: 'notification', xid: -1, frame: 1 }), ['getChildren']);
  assert.deepEqual(then({ kind: 'wire.held', op: 'getChildren', xid: 1, dir: 'in', frame: 2 }), ['getChildren'], 'its answer is under way');
  assert.deepEqual(then({ kind: 'wire.received', op: 'getChildren', xid: 1, frame: 2 }), []);
  assert.deepEqual(then({ kind: 'wire.sent', op: 'create', xid: 2, frame: 3, client: 2 }), [], 'another one asks');
  then({ kind: 'wire.sent', op: 'create', xid: 2, frame: 3 });
  assert.deepEqual(then({ kind: 'wire.dropped', op: 'create', xid: 2, dir: 'in', frame: 3 }), ['create']);
  assert.deepEqual(then({ kind: 'wire.sent', op: 'connect', frame: 4 }), ['connect', 'create'], 'the answer is lost with the connection');
  assert.deepEqual(then({ kind: 'wire.received', op: 'connect', frame: 4 }), []);
});
