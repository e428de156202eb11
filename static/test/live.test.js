import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Stream, streamAddress } from '../js/source/live.js';

/** @import { Event, Run } from '../js/events.d.ts' */

/** A socket that the test plays the server of. */
class Socket {
  /** @type {((message: { data: string }) => void) | null} */ onmessage = null;
  /** @type {((closing: { code: number }) => void) | null} */ onclose = null;
  /** @type {(() => void) | null} */ onopen = null;
  closed = false;
  readyState = 0;
  /** @type {string[]} */ sent = [];

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  close() {
    this.closed = true;
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(text);
  }

  connect() {
    this.readyState = 1;
    this.onopen?.();
  }

  /** @param {object} frame */
  say(frame) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  /** @param {number} code */
  drop(code) {
    this.onclose?.({ code });
  }
}

/** @type {Socket[]} */ let sockets;
/** @type {{ task: () => void, wait: number }[]} */ let timers;
/** @type {string[]} */ let links;
/** @type {number[]} */ let seen;
/** @type {[string, boolean][]} */ let runs;
/** @type {number[]} */ let states;
/** @type {Stream} */ let live;

const stream = () => new Stream('ws://x/stream', {
  room: () => {},
  state: ({ seq }) => { states.push(seq); },
  presented: () => {},
  judgement: () => {},
  run: (run, fresh) => {
    runs.push([run?.id ?? '', fresh]);
    if (fresh) seen = [];
  },
  events: (events) => seen.push(...events.map((event) => event.seq)),
  steps: () => {},
  zookeeper: () => {},
  link: (link) => links.push(link),
}, {
  open: (url) => {
    const socket = new Socket(url);
    sockets.push(socket);
    return /** @type {WebSocket} */ (/** @type {unknown} */ (socket));
  },
  later: (task, wait) => timers.push({ task, wait }),
});

/** @param {number} from @param {number} to */
const events = (from, to) => ({ events: Array.from({ length: to - from + 1 }, (_, index) => /** @type {Event} */ ({ seq: from + index })) });
/** @param {string} id */
const run = (id) => ({ run: /** @type {Run} */ ({ id }) });
const socket = () => /** @type {Socket} */ (sockets.at(-1));
const query = () => new URL(socket().url).searchParams;
/** Lets the wait before the next connection pass; says how long it was. */
function wait() {
  const timer = timers.shift();
  timer?.task();
  return timer?.wait;
}

beforeEach(() => {
  [sockets, timers, links, seen, runs, states] = [[], [], [], [], [], []];
  live = stream();
  live.open();
});

test('it begins at the beginning', () => {
  assert.equal(query().get('from'), '1');
  assert.equal(query().get('run'), null);
  socket().connect();
  assert.deepEqual(links, ['open']);
});

test('after a loss it goes on where it was', () => {
  socket().say(run('a'));
  socket().say(events(1, 3));
  socket().drop(1006);
  assert.deepEqual(links, ['reconnecting']);
  wait();
  assert.equal(query().get('from'), '4');
  assert.equal(query().get('run'), 'a');
  socket().say(run('a'));
  socket().say(events(4, 5));
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  assert.deepEqual(runs, [['a', true], ['a', false]]);
});

test('a playground that stops says so, and that is told until it is back', () => {
  socket().drop(1001);
  wait();
  socket().drop(1006);
  assert.deepEqual(links, ['stopped', 'stopped']);
  wait();
  socket().onopen?.();
  socket().drop(1006);
  assert.deepEqual(links, ['stopped', 'stopped', 'open', 'reconnecting']);
});

test('what comes twice is taken once', () => {
  socket().say(run('a'));
  socket().say(events(1, 3));
  socket().say(events(2, 5));
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
});

test('a gap is asked for again at once', () => {
  socket().say(run('a'));
  socket().say(events(1, 2));
  socket().say(events(4, 5));
  assert.equal(wait(), 0);
  assert.equal(query().get('from'), '3');
  assert.deepEqual(seen, [1, 2]);
});

test('another run starts over', () => {
  socket().say(run('a'));
  socket().say(events(1, 3));
  socket().say(run('b'));
  socket().say(events(1, 1));
  assert.deepEqual(seen, [1]);
  socket().say({ run: null });
  assert.deepEqual(runs, [['a', true], ['b', true], ['', true]]);
});

test('a lost connection is made again, ever later until something is heard', () => {
  const waits = [];
  for (let i = 0; i < 6; i++) {
    socket().drop(1006);
    waits.push(wait());
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000]);
  socket().say({ run: null });
  socket().drop(1006);
  assert.equal(wait(), 250);
});

test('who looks at the page again is connected at once', () => {
  for (let i = 0; i < 5; i++) {
    socket().drop(1006);
    if (i < 4) wait();
  }
  const before = sockets.length;
  live.wake();
  assert.equal(sockets.length, before + 1);
  wait(); // the one that was due anyway
  assert.equal(sockets.length, before + 1);
  socket().drop(1006);
  assert.equal(wait(), 250);
});

test('a connection that answers a probe goes on', () => {
  const own = socket();
  own.connect();
  live.wake();
  assert.deepEqual(own.sent, ['{"probe":true}']);
  own.say({ probe: true });
  assert.equal(wait(), 2000);
  assert.equal(own.closed, false);
  assert.deepEqual(links, ['open']);
});

test('a connection that is open but dead is made again', () => {
  const own = socket();
  own.connect();
  own.say(run('a'));
  own.say(events(1, 3));
  live.wake();
  own.say(events(4, 4)); // it had come before
  wait(); // for an answer
  assert.equal(own.closed, false);
  wait();
  assert.equal(own.closed, true);
  assert.equal(wait(), 0);
  assert.equal(query().get('from'), '5');
  assert.equal(query().get('run'), 'a');
});

test('a connection that is being made may take as long', () => {
  live.wake();
  assert.deepEqual(socket().sent, []);
  socket().connect();
  wait();
  assert.equal(sockets.length, 1);
});

test('a stream that was closed does not wake', () => {
  live.close();
  live.wake();
  assert.equal(sockets.length, 1);
  assert.equal(timers.length, 0);
});

test('an old socket is not heard any more', () => {
  const old = socket();
  old.say(run('a'));
  old.drop(1006);
  wait();
  old.say(events(1, 1));
  old.drop(1006);
  assert.deepEqual(seen, []);
  assert.equal(timers.length, 0);
});

test('a closed stream stays closed', () => {
  const closing = stream();
  closing.open();
  const own = socket();
  closing.close();
  own.drop(1000);
  assert.equal(own.closed, true);
  assert.equal(timers.length, 0);
});

test('the address stands beside the page', () => {
  assert.equal(streamAddress('main', 'http://h:1/#lesson=x'), 'ws://h:1/api/rooms/main/stream');
  assert.equal(streamAddress('a b', 'https://h/below/'), 'wss://h/below/api/rooms/a%20b/stream');
});

/** What all events up to this one come to. @param {number} seq */
const state = (seq) => ({ ...events(seq, seq).events[0], kind: 'state.whole', state: {} });

test('who has seen nothing of a run goes on from a state of it', () => {
  assert.equal(query().get('state'), 'yes');
  socket().say(run('a'));
  socket().say({ events: [state(40), ...events(41, 42).events] });
  assert.deepEqual([states, seen], [[40], [41, 42]]);
  socket().say({ events: [state(43), ...events(44, 44).events] });
  assert.deepEqual([states, seen], [[40], [41, 42, 43, 44]], 'who goes on already needs none');
  socket().drop(1006);
  wait();
  assert.deepEqual([query().get('from'), query().get('state')], ['45', null]);
});

test('a state that cannot be read is not asked for again', () => {
  socket().say(run('a'));
  socket().say({ events: [state(40)] });
  const first = socket();
  live.withoutState();
  assert.ok(first.closed);
  assert.deepEqual([query().get('from'), query().get('run'), query().get('state')], ['1', null, null]);
  socket().say({ ...run('a'), ...events(1, 3) });
  assert.deepEqual([runs.at(-1), seen], [['a', true], [1, 2, 3]]);
});
