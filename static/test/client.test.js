import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, expiryDue, holdsUnconfirmed, stepClient } from '../js/model/client.js';
import { apply, createView } from '../js/model/view.js';
import { fold, names, recording } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Partial<Event>[]} events */
function after(...events) {
  const client = createClient(1);
  events.forEach((event, index) => stepClient(client, /** @type {Event} */ ({ seq: index + 1, at: index + 1, client: 1, ...event })));
  return client;
}

/** @type {Partial<Event>[]} */
const begun = [{ kind: 'wire.sent', op: 'connect' }, { kind: 'session.granted', session: '0x1', timeout: 4000 }];
/** @type {Partial<Event>[]} */
const queued = [...begun, { kind: 'lock.enqueued', path: '/l/a-0000000002' }];
/** @type {Partial<Event>[]} */
const holding = [...queued, { kind: 'lock.acquired', path: '/l/a-0000000002', token: 7 }];

/** @type {[string, Partial<Event>[], string][]} */
const cases = [
  ['nothing yet', [], 'absent'],
  ['on its way', begun.slice(0, 1), 'connecting'],
  ['has a session', begun, 'idle'],
  ['is in the queue', queued, 'enqueued'],
  ['waits', [...queued, { kind: 'lock.waiting' }], 'waiting'],
  ['was woken', [...queued, { kind: 'lock.waiting' }, { kind: 'lock.woken' }], 'woken'],
  ['holds', holding, 'holds'],
  ['has let go', [...holding, { kind: 'lock.released' }], 'idle'],
  ['is cut off', [...queued, { kind: 'session.suspended' }], 'suspended'],
  ['is cut off while it holds', [...holding, { kind: 'session.suspended' }], 'holds'],
  ['is back', [...holding, { kind: 'session.suspended' }, { kind: 'session.resumed' }], 'holds'],
  ['is woken while cut off', [...queued, { kind: 'lock.waiting' }, { kind: 'session.suspended' }, { kind: 'lock.woken' }], 'suspended'],
  ['is started again after a crash', [...holding, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] }, { kind: 'session.granted', session: '0x2' }], 'idle'],
  ['is back, woken', [...queued, { kind: 'lock.waiting' }, { kind: 'session.suspended' }, { kind: 'lock.woken' }, { kind: 'session.connected' }], 'woken'],
  ['expires while cut off', [...queued, { kind: 'session.suspended' }, { kind: 'session.refused' }], 'expired'],
  ['is told of its expiry', [...holding, { kind: 'session.refused' }, { kind: 'lock.lost' }, { kind: 'session.lost' }], 'expired'],
  ['gives itself up', [...queued, { kind: 'session.lost' }], 'lost'],
  ['is taken back in the session that it gave up', [...queued, { kind: 'session.lost' }, { kind: 'lock.gave-up' }, { kind: 'session.resumed', session: '0x1' }], 'idle'],
  ['is taken back after it lost the lock', [...holding, { kind: 'lock.lost' }, { kind: 'session.lost' }, { kind: 'session.resumed', session: '0x1' }], 'idle'],
  ['hears late of a connection that it has lost', [...queued, { kind: 'session.lost' }, { kind: 'session.connected' }], 'lost'],
  ['does not listen for the loss of its session', [...holding, { kind: 'session.suspended' }, { kind: 'session.lost' }], 'holds'],
  ['does not listen when the server refuses it', [...holding, { kind: 'session.refused' }], 'holds'],
  ['holds on in another session', [...holding, { kind: 'session.lost' }, { kind: 'session.granted', session: '0x2' }], 'holds'],
  ['has lost the lock alone', [...holding, { kind: 'lock.lost', path: '/l/a-0000000002' }], 'lost'],
  ['hears late of a former znode', [...holding, { kind: 'lock.lost', path: '/l/a-0000000001' }], 'holds'],
  ['starts over', [...holding, { kind: 'session.refused' }, { kind: 'lock.lost' }, { kind: 'session.granted', session: '0x2' }], 'idle'],
  ['crashes', [...holding, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] }], 'crashed'],
  ['stays crashed', [...holding, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] }, { kind: 'lock.released' }], 'crashed'],
  ['is closed', [...holding, { kind: 'fault.injected', fault: 'close', effects: ['ends-process'] }], 'closed'],
  ['stays closed', [...holding, { kind: 'fault.injected', fault: 'close', effects: ['ends-process'] }, { kind: 'lock.released' }, { kind: 'session.closed' }], 'closed'],
  ['is started again', [...holding, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] }, { kind: 'fault.injected', fault: 'start-again', effects: ['starts-process'] }], 'connecting'],
  ['was started again', [...holding, { kind: 'fault.injected', fault: 'close', effects: ['ends-process'] }, { kind: 'fault.injected', fault: 'start-again', effects: ['starts-process'] }, ...begun], 'idle'],
  ['is paused', [...holding, { kind: 'fault.injected', fault: 'pause' }], 'holds'],
  ['leaves', [...begun, { kind: 'wire.sent', op: 'closeSession' }, { kind: 'session.lost' }], 'absent'],
];

for (const [name, events, state] of cases) {
  test(`a client that ${name}: ${state}`, () => assert.equal(after(...events).state, state));
}

test('a crashed client keeps its znode, its token and its session until the server takes them', () => {
  const client = after(...holding, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] });
  assert.equal(client.path, '/l/a-0000000002');
  assert.equal(client.session, '0x1');
});

test('a client that is started again has nothing of the process before it, whose session runs out', () => {
  const client = after(...holding, { kind: 'fault.injected', fault: 'pause' }, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] },
    { kind: 'fault.injected', fault: 'start-again', effects: ['starts-process'] });
  assert.deepEqual([client.path, client.session, client.token, client.faults.size], ['', '', 0, 1]);
  assert.deepEqual(client.left, { session: '0x1', until: 2 + 4_000_000 });
  const closed = after(...holding, { kind: 'fault.injected', fault: 'close', effects: ['ends-process'] }, { kind: 'fault.injected', fault: 'start-again', effects: ['starts-process'] });
  assert.equal(closed.left.session, '', 'a session that was closed runs out no more');
});

test('a session that a client leaves for another one runs out', () => {
  const next = /** @type {Partial<Event>} */ ({ kind: 'session.granted', session: '0x2', timeout: 4000 });
  assert.deepEqual(after(...begun, next).left, { session: '0x1', until: 2 + 4_000_000 });
  assert.equal(after(...begun, { kind: 'session.refused' }, next).left.session, '', 'it has expired');
  assert.equal(after(...begun, { kind: 'session.closed' }, next).left.session, '');
});

test('a wasted wake-up is remembered', () => {
  assert.equal(after(...queued, { kind: 'lock.waiting' }).wokenInVainAt, -1);
  assert.equal(after(...queued, { kind: 'lock.waiting' }, { kind: 'lock.woken' }, { kind: 'lock.waiting', at: 99 }).wokenInVainAt, 99);
});

test('a wake-up is forgotten with its session', () => {
  const client = after(...queued, { kind: 'lock.waiting' }, { kind: 'lock.woken' }, { kind: 'lock.waiting' }, { kind: 'session.refused' });
  assert.deepEqual([client.wokenAt, client.wokenInVainAt], [-1, -1]);
});

test('a holder that is cut off holds as far as it knows, until its recipe says that it does not', () => {
  const cut = /** @type {Partial<Event>[]} */ ([...holding, { kind: 'session.suspended' }]);
  assert.equal(holdsUnconfirmed(after(...holding)), false);
  assert.equal(holdsUnconfirmed(after(...queued, { kind: 'session.suspended' })), false);
  assert.equal(holdsUnconfirmed(after(...cut)), true);
  assert.equal(holdsUnconfirmed(after(...cut, { kind: 'lock.released' })), false);
  assert.equal(holdsUnconfirmed(after(...cut, { kind: 'session.refused' })), true);
  assert.equal(holdsUnconfirmed(after(...cut, { kind: 'session.refused' }, { kind: 'lock.lost' })), false);
  assert.equal(holdsUnconfirmed(after(...cut, { kind: 'fault.injected', fault: 'crash', effects: ['ends-process', 'leaves-session'] })), false);
});

test('a session ends its timeout after the server last heard of the client', () => {
  const client = after(...begun, { kind: 'wire.sent', op: 'ping', due: 900, at: 500 }, { kind: 'wire.delivered', dir: 'out', at: 900 },
    { kind: 'wire.sent', op: 'ping', due: 1900, at: 1500 });
  assert.equal(expiryDue(client), 900 + 4_000_000);
});

test('a frame that the link holds is no contact', () => {
  /** @type {Partial<Event>[]} */
  const held = [{ kind: 'wire.sent', op: 'ping', frame: 5, at: 500 }, { kind: 'wire.held', dir: 'out', op: 'ping', frame: 5, at: 500 }];
  assert.equal(after(...begun, ...held).contact, 2);
  assert.equal(after(...begun, ...held, { kind: 'wire.delivered', dir: 'out', frame: 5, at: 900 }).contact, 900);
  assert.equal(after(...begun, { kind: 'wire.sent', op: 'ping', frame: 4, at: 400 }, ...held).contact, 400);
});

test('an answer that is held, or an older frame, takes no contact back', () => {
  /** @type {Partial<Event>} */
  const sent = { kind: 'wire.sent', op: 'ping', frame: 5, at: 500 };
  assert.equal(after(...begun, sent, { kind: 'wire.held', dir: 'in', frame: 5, at: 600 }).contact, 500);
  assert.equal(after(...begun, sent, { kind: 'wire.held', dir: 'out', frame: 4, at: 600 }).contact, 500);
});

/** How long after the end of the countdown the server removed a znode. @param {string} name @param {(client: import('../js/model/client.js').Client) => number} end */
function lateness(name, end) {
  const recorded = recording(name);
  const removed = recorded.events.findIndex((event) => event.kind === 'tree.deleted' && event.cause === 'expiry');
  const event = recorded.events[removed];
  const lane = fold(recorded, removed).lanes.find(({ info }) => info.name === event?.lane);
  const client = lane?.clients.get(event?.client ?? 0);
  assert.ok(event && client);
  return { client, session: event.session, late: event.at - end(client) };
}

test('the countdown of a recorded crash ends when the server removed the znode', () => {
  const { client, late } = lateness('ephemeral-crash', expiryDue);
  assert.equal(client.state, 'crashed');
  assert.ok(late > -100_000 && late < 400_000, `${late} µs after the countdown's end`);
});

test('so does the countdown of a session that a recorded client has left', () => {
  const { client, session, late } = lateness('dying-session', ({ left }) => left.until);
  assert.equal(client.left.session, session);
  assert.ok(late > -100_000 && late < 400_000, `${late} µs after the countdown's end`);
});

test('whom the server answers is not drawn as one that has no session, in any recorded run', () => {
  for (const name of names) {
    const { run, events } = recording(name);
    const view = createView(run.lanes, run.clients);
    const wrong = events.flatMap((event) => {
      apply(view, event);
      if (event.kind !== 'wire.received' || (event.xid ?? 0) <= 0 || !event.zxid || event.op === 'closeSession') return [];
      const client = view.lanes.find(({ info }) => info.name === event.lane)?.clients.get(event.client ?? 0);
      return client && !client.ended && client.connection !== 'connected' ? [`${event.seq}: client ${client.number} is ${client.connection}`] : [];
    });
    assert.deepEqual(wrong, [], name);
  }
});

test('a client that is taken back in its session after a lost quorum holds again for sure', () => {
  const { run, events } = recording('lost-quorum');
  const holder = events.findLast(({ kind }) => kind === 'lock.acquired');
  assert.ok(holder && events.some(({ kind, client }) => kind === 'session.lost' && client === holder.client));
  const client = fold({ run, events }, holder.seq).lanes[0]?.clients.get(holder.client ?? 0);
  assert.ok(client);
  assert.deepEqual([client.state, holdsUnconfirmed(client)], ['holds', false]);
});
