// What stands in the console, without a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../js/panel/console/examples.js';
import { consoleAddress, ConsoleLink } from '../js/panel/console/link.js';
import { add, completed, createTranscript, enter, join, leave, next, recall, spoken, take } from '../js/panel/console/transcript.js';

/** @import { Lane } from '../js/model/view.js' */

/** One that has joined. */
function transcript() {
  const t = createTranscript();
  join(t, 'a');
  take(t, { joined: { lane: 'a', client: 3 } });
  take(t, { prompt: '[0] ' });
  return t;
}

const texts = (/** @type {ReturnType<typeof transcript>} */ t) => t.entries.map(({ kind, prompt, text }) => `${kind}:${prompt}${text}`);

test('one line is done after the other, and who types ahead waits', () => {
  const t = transcript();
  assert.equal(enter(t, 'ls /'), 'ls /');
  assert.equal(enter(t, 'ls /lock'), undefined);
  take(t, { output: { stream: 'out', text: '[lock]\n' } });
  take(t, { prompt: '[0] ' }); // drawn again, not done
  assert.equal(next(t), undefined);
  take(t, { prompt: '[1] ', done: true });
  assert.equal(next(t), 'ls /lock');
  assert.deepEqual(texts(t), ['line:[0] ls /', 'out:[lock]', 'line:[1] ls /lock']);
});

test('an empty line is no command', () => {
  const t = transcript();
  assert.equal(enter(t, ''), undefined);
  assert.equal(enter(t, 'ls /'), 'ls /');
  assert.deepEqual(t.history, ['ls /']);
});

test('a watch stands apart without its frame of empty lines', () => {
  const t = transcript();
  take(t, { output: { stream: 'watch', text: '\nWATCHER::\n\nWatchedEvent state:SyncConnected type:NodeDeleted path:/lock/a\n' } });
  assert.deepEqual(texts(t), ['watch:WatchedEvent state:SyncConnected type:NodeDeleted path:/lock/a']);
});

test('a process that is gone can be started again, a console that has ended is away', () => {
  const t = transcript();
  enter(t, 'ls /');
  enter(t, 'typed ahead');
  take(t, { gone: 'It has crashed.' });
  assert.equal(t.state, 'gone');
  assert.equal(t.client, 3);
  assert.equal(next(t), undefined);
  take(t, { prompt: '[0] ' });
  assert.equal(t.state, 'joined');
  assert.equal(t.busy, false);
  take(t, { ended: 'The run is over.' });
  assert.equal(t.state, 'away');
  leave(t, 'away', '');
  assert.equal(texts(t).at(-1), 'note:The run is over.');
});

test('the arrow keys go through what was typed, and back to what is being typed', () => {
  const t = transcript();
  for (const line of ['ls /', 'ls /lock', 'ls /lock']) {
    enter(t, line);
    take(t, { prompt: '> ', done: true });
    next(t);
  }
  assert.equal(recall(t, -1, 'get'), 'ls /lock');
  assert.equal(recall(t, -1, ''), 'ls /');
  assert.equal(recall(t, -1, ''), 'ls /');
  assert.equal(recall(t, 1, ''), 'ls /lock');
  assert.equal(recall(t, 1, ''), 'get');
  assert.equal(recall(t, 1, 'get'), 'get');
});

test('a word is completed as far as there is one way only', () => {
  assert.deepEqual(completed({ of: 'cre', start: 0, words: ['create'] }), { line: 'create ', choices: [] });
  assert.deepEqual(completed({ of: 'stat -w /lock/l', start: 14, words: ['lock-1', 'lock-2'] }), { line: 'stat -w /lock/lock-', choices: [] });
  assert.deepEqual(completed({ of: 'ls /lock/lock-', start: 9, words: ['lock-1', 'lock-2'] }), { line: 'ls /lock/lock-', choices: ['lock-1', 'lock-2'] });
  assert.deepEqual(completed({ of: 'ls /l', start: 4, words: ['lock'] }), { line: 'ls /lock', choices: [] });
  assert.deepEqual(completed({ of: 'nope', start: 0, words: [] }), { line: 'nope', choices: [] });
});

test('only the newest lines are kept, and what is long is said in short', () => {
  const t = transcript();
  for (let i = 0; i < 3000; i++) add(t, 'out', `line ${i}`);
  assert.equal(t.entries.length, 1000);
  assert.equal(t.entries.at(-1)?.text, 'line 2999');
  const long = Array.from({ length: 10 }, (_, i) => `/a${i}`).join('\n');
  assert.equal(spoken({ key: 0, kind: 'err', prompt: '', text: long }), 'Error: /a0. /a1. /a2. /a3, and 6 more lines');
});

test('the lines to begin with are those that fit where the client stands', () => {
  const lane = (/** @type {{ path: string, client: number, session: string }[]} */ ...nodes) =>
    /** @type {Lane} */ (/** @type {unknown} */ ({ info: { recipe: 'mutex' }, queue: { directory: '/base/rooms/r/1/a/lock', nodes } }));
  const lines = (/** @type {Lane} */ of) => examples(of, 3).map(({ line }) => line);
  const other = { path: '/base/rooms/r/1/a/lock/_c_x-lock-0000000001', client: 1, session: '0x1' };
  const own = { path: '/base/rooms/r/1/a/lock/lock-0000000002', client: 3, session: '0x3' };
  assert.deepEqual(lines(lane(other)), ['create -e -s /lock/lock-', 'ls /lock']);
  assert.deepEqual(lines(lane(other, own)), ['ls /lock', 'stat -w /lock/_c_x-lock-0000000001', 'delete /lock/lock-0000000002']);
  assert.deepEqual(lines(lane(own)), ['ls /lock', 'delete /lock/lock-0000000002']);
  assert.deepEqual(lines({ ...lane(other, own), info: { ...lane().info, recipe: 'herd' } }), ['ls /lock', 'ls -w /lock', 'delete /lock/lock-0000000002']);
  assert.deepEqual(examples(lane(other), 3, true).map(({ line }) => line), ['ls /lock'], 'where there is no queue to join');
  assert.deepEqual(examples(undefined, 3), []);
});

test('the link forgets a socket that it has left', () => {
  /** @type {any[]} */ const sockets = [];
  /** @type {unknown[]} */ const heard = [];
  const link = new ConsoleLink({ said: (frame) => heard.push(frame), lost: () => heard.push('lost') }, (url) => {
    const socket = { url, sent: /** @type {string[]} */ ([]), send(/** @type {string} */ text) { this.sent.push(text); }, close() {} };
    sockets.push(socket);
    return /** @type {WebSocket} */ (/** @type {unknown} */ (socket));
  });
  link.open(consoleAddress('r', 'http://localhost:8080/zk/', 'a b'));
  assert.equal(sockets[0].url, 'ws://localhost:8080/zk/api/rooms/r/console?lane=a%20b');
  link.send({ line: 'ls /' });
  assert.deepEqual(sockets[0].sent, ['{"line":"ls /"}']);
  link.open(consoleAddress('r', 'https://a.example/', 'b'));
  sockets[0].onmessage({ data: '{"prompt":"late"}' });
  sockets[0].onclose();
  sockets[1].onmessage({ data: '{"ended":"over"}' });
  sockets[1].onclose();
  assert.deepEqual(heard, [{ ended: 'over' }]);
  link.open('ws://x');
  sockets[2].onclose();
  assert.deepEqual(heard, [{ ended: 'over' }, 'lost']);
});
