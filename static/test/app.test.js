import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from '../js/shell/app.js';
import { StreamReader } from '../js/shell/stream-reader.js';
import { recording, states } from './recording.js';

/** @import { Event, Run } from '../js/events.d.ts' */

const scenarios = ['herd', 'herd-vs-predecessor', 'read-write'].map((name) =>
  ({ name, title: name, summary: '', lanes: [], clients: 8, delay: '250ms' }));

/** An app that has been told what there is to run. @param {string} [wanted] @param {Run} [going] @param {object} [room] what it is in the room */
async function loaded(wanted = '', going, room) {
  const app = new App(() => {});
  const { fetch } = globalThis;
  globalThis.fetch = async () => Response.json({ scenarios, lessons: [], room: 'main', role: 'teacher', may: ['view', 'control'], ...room });
  const loading = app.load(wanted);
  if (going) new StreamReader(app).run(going, true);
  await loading;
  globalThis.fetch = fetch;
  return app;
}

/** @param {string} scenario @param {Partial<Run>} [changes] @returns {Run} */
const run = (scenario, changes) => ({
  id: scenario, room: 'main', scenario, state: 'running', seed: 1, clients: 5, delay: '100ms', session: '6s',
  lanes: [], zookeeper: { version: '', managed: true }, events: 0, at: 0, ...changes,
});

/** @param {() => boolean} met */
async function until(met) {
  while (!met()) await new Promise((next) => { setImmediate(next); });
}

test('with nothing chosen, what runs is taken up', async () => {
  const app = await loaded();
  assert.equal(app.choice.scenario, 'herd-vs-predecessor');
  new StreamReader(app).run(run('herd'), true);
  assert.deepEqual(app.choice, { scenario: 'herd', clients: 5, delay: 100 });
  new StreamReader(app).run(run('read-write'), true);
  assert.equal(app.choice.scenario, 'read-write');
});

test('what somebody else starts or stops where the visitor controls the run is said, and the choice is what runs', async () => {
  const app = await loaded('', run('herd'));
  const reader = new StreamReader(app);
  app.choose({ scenario: 'read-write' });
  reader.run(run('herd-vs-predecessor'), true);
  assert.deepEqual([app.news, app.choice.scenario], ['Somebody else started herd-vs-predecessor here.', 'herd-vs-predecessor']);
  reader.run(run('herd-vs-predecessor', { state: 'finished' }), false);
  assert.equal(app.news, 'Somebody else stopped the run.');
  const own = await loaded('', run('herd'), { room: 'k7', own: 'k7' });
  new StreamReader(own).run(run('read-write'), true);
  assert.equal(own.news, 'read-write was started from another page.');
});

test('what the visitor starts and stops itself is no news, and neither is a run that ends by itself', async () => {
  const app = await loaded('', run('herd'));
  const reader = new StreamReader(app);
  const { fetch } = globalThis;
  globalThis.fetch = async () => Response.json({});
  await app.start();
  reader.run(run('herd', { state: 'finished' }), false); // the one before
  reader.run(run('read-write'), true);
  await app.stop();
  reader.run(run('read-write', { state: 'finished' }), false);
  assert.equal(app.news, '');
  await app.start();
  reader.run(run('herd-vs-predecessor'), true);
  reader.events([/** @type {import('../js/events.d.ts').Event} */ ({ seq: 1, at: 1, lane: '', client: 0, kind: 'note.stopping', why: 'the run may last 10m' })]);
  reader.run(run('herd-vs-predecessor', { state: 'finished' }), false);
  assert.equal(app.news, '');
  globalThis.fetch = fetch;
});

test('who may only look is not told who starts the runs', async () => {
  const app = await loaded('', run('herd'), { may: ['view'] });
  new StreamReader(app).run(run('read-write'), true);
  assert.equal(app.news, '');
});

test('a room that is closed for good is asked no more', async () => {
  const app = await loaded('', run('herd'));
  const { fetch } = globalThis;
  globalThis.fetch = async () => Response.json({ error: { code: 'no_such_room', message: 'no such room' } }, { status: 404 });
  await new Promise((closed) => { new StreamReader(app, { close: () => closed(undefined), withoutState: () => {} }).link('reconnecting'); });
  assert.equal(app.link, 'gone');
  assert.equal(app.may('control'), false);
  globalThis.fetch = fetch;
});

test('what the address asks for is not replaced by what runs, whichever comes first', async () => {
  assert.deepEqual((await loaded('read-write', run('herd'))).choice, { scenario: 'read-write', clients: 8, delay: 250 });
  const app = await loaded('read-write');
  new StreamReader(app).run(run('herd'), true);
  assert.equal(app.choice.scenario, 'read-write');
});

test('a run of what the address asks for brings its own settings', async () => {
  assert.deepEqual((await loaded('herd', run('herd'))).choice, { scenario: 'herd', clients: 5, delay: 100 });
});

test('an address that names no scenario asks for the usual one', async () => {
  assert.equal((await loaded('nonsense')).choice.scenario, 'herd-vs-predecessor');
});

test('a changed delay of the same run is taken up, the clients stay chosen', async () => {
  const app = await loaded('', run('herd'));
  app.choose({ clients: 7 });
  new StreamReader(app).run(run('herd', { delay: '50ms' }), false);
  assert.deepEqual(app.choice, { scenario: 'herd', clients: 7, delay: 50 });
});

test('a run that is gone is said to be gone', async () => {
  const app = await loaded('', run('herd'));
  assert.equal(app.notice, '');
  new StreamReader(app).run(null, true);
  assert.match(app.news, /restarted/);
});

test('a restart keeps the seed of the run, another scenario does not', async () => {
  const app = await loaded('', run('herd', { seed: 42 }));
  /** @type {unknown[]} */
  const seeds = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (_, init) => {
    seeds.push(JSON.parse(String(init?.body)).seed);
    return Response.json({});
  };
  assert.equal(await app.start(), true);
  app.choose({ scenario: 'read-write' });
  await app.start();
  globalThis.fetch = fetch;
  assert.deepEqual(seeds, [42, undefined]);
});

/** A state of that recorded run. */
const state = () => structuredClone(/** @type {{ event: Event }} */ (states.find(({ name }) => name === 'herd-vs-predecessor')).event);

test('events wait until the state before them is read, but not those of another run', async () => {
  const { run: recorded, events } = recording('herd-vs-predecessor');
  const { seq } = state();
  const app = await loaded('', recorded);
  const reader = new StreamReader(app);
  void reader.state(state());
  reader.events(events.slice(seq, seq + 100));
  assert.equal(app.playback.log.length, 0);
  await until(() => app.playback.log.length > 0);
  assert.deepEqual([app.playback.log.start, app.playback.log.length], [seq, seq + 100]);

  reader.run(run('herd'), true);
  void reader.state(state());
  const late = app.playback;
  reader.run(recorded, true);
  reader.events(events.slice(0, 10));
  assert.equal(app.playback.log.length, 10);
  await import('../js/log/whole.js');
  assert.deepEqual([late.log.length, app.playback.log.start], [0, 0]);
});

test('a state that cannot be read is replaced by the events', async () => {
  const { run: recorded, events } = recording('herd-vs-predecessor');
  const app = await loaded('', recorded);
  const reader = new StreamReader(app, { close: () => {}, withoutState: () => {
    reader.run(recorded, true);
    reader.events(events.slice(0, 10));
  } });
  void reader.state({ ...state(), state: {} });
  reader.events(events.slice(500, 510));
  await until(() => app.playback.log.length > 0);
  assert.deepEqual([app.playback.log.start, app.playback.log.length], [0, 10]);
});
