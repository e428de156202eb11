// Who only hears the page learns of every fault, every lost session, every verdict that
// turns and the end, once each, and is not flooded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOf } from '../js/text/format.js';
import { CALM, sayIn, Speaker } from '../js/text/speaker.js';
import { apply, createView } from '../js/model/view.js';
import { catalogue, names, recording } from './recording.js';
import { spokenLines } from './spoken-lines.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Mode } from '../js/play/playhead.js' */
/** @import { Recorded } from './recording.js' */

/** More lines in a minute nobody follows. */
const MOST = 20;

/** What is to be told, once in each lane, as "lane client words". @param {Recorded} recorded */
function expected({ run, events }) {
  const lanes = Object.fromEntries(run.lanes.map((lane) => [lane.name, titleOf(lane).name]));
  /** @type {Map<string, string>} */ const lost = new Map();
  /** @type {Map<string, string>} */ const verdicts = new Map();
  /** @type {string[]} */ const faults = [];
  /** @type {string[]} */ const turned = [];
  /** @type {Map<string, string>} the session of a client */ const sessions = new Map();
  for (const event of events) {
    const { kind, lane = '', client, session = '', cause, why = '', fault = '', check = '', verdict = '' } = event;
    const here = `${lanes[lane] ?? ''} ${client ?? ''}`;
    if (kind === 'session.granted') sessions.set(`${lane} ${client}`, session);
    if (kind === 'fault.injected') faults.push(`${here} ${catalogue.fault(fault).title}`);
    const over = kind === 'session.refused' || (kind === 'tree.deleted' && cause === 'expiry' && session !== '') || (kind === 'session.lost' && !why.endsWith('closed'));
    if (over) lost.set(session || sessions.get(`${lane} ${client}`) || '', here);
    if (kind === 'check.changed' && verdict === 'violated') turned.push(`${lanes[lane]} ${catalogue.check(check).violated}`);
    if (kind === 'check.changed') verdicts.set(`${lane} ${check}`, verdict);
  }
  return { lost: [...lost.values()], faults, turned };
}

/** The lanes that the end of a sentence names. @param {Recorded} recorded @param {string} [where] */
function lanesOf({ run: { lanes } }, where = '') {
  const all = lanes.map((lane) => titleOf(lane).name);
  return where.includes(' in lane ') ? all.filter((name) => where.includes(name)) : all;
}

/** What was told, in the same form. @param {Recorded} recorded @param {string} text */
function heard(recorded, text) {
  const name = `(?:${lanesOf(recorded).join('|')})`;
  const where = `( in (?:both lanes|every lane)| in lane ${name}(?: and ${name})?)?`;
  const found = (/** @type {string} */ pattern) => [...text.matchAll(new RegExp(pattern, 'g'))];
  const faults = found(`A fault is injected into (?:client (\\d+)|ZooKeeper)(?:, which (?:waits|holds [\\w -]+?))?${where}: (.+?)(?: for [\\d.]+ s)?\\.`);
  return {
    lost: found(`Client (\\d+) has lost its session${where}\\.`).flatMap(([, client, place]) => lanesOf(recorded, place).map((lane) => `${lane} ${client}`)),
    faults: faults.flatMap(([, client = '', place, title]) => (client ? lanesOf(recorded, place) : ['']).map((lane) => `${lane} ${client} ${title}`)),
    turned: ['mutual-exclusion', 'belief', 'fifo', 'orphans', 'decoded', 'progress', 'fenced-account'].map((check) => catalogue.check(check).violated)
      .flatMap((words) => found(`${words}${where}\\.`).flatMap(([, place]) => lanesOf(recorded, place).map((lane) => `${lane} ${words}`))),
  };
}

/** Says whether something was told in one sentence with the same of other clients, which names no lanes. @param {string} text */
function toldTogether(text) {
  const lost = [...text.matchAll(/Sessions of clients ([\d, ]+) are lost\./g)].map(([, clients = '']) => clients.split(', '));
  const faults = [...text.matchAll(/Fault injected into clients ([\d, ]+): ([^.]+)\./g)].map(([, clients = '', title]) => ({ clients: clients.split(', '), title }));
  return (/** @type {string} */ what, /** @type {string} */ one) => {
    const [, client = '', ...title] = one.split(' ');
    if (what === 'lost') return lost.some((clients) => clients.includes(client));
    return what === 'faults' && faults.some((each) => each.title === title.join(' ') && each.clients.includes(client));
  };
}

for (const name of names) {
  test(`${name}: what matters is said once, and the end last`, (context) => {
    const recorded = recording(name);
    const lines = spokenLines(recorded);
    for (const { at, line } of lines) context.diagnostic(`${(at / 1000).toFixed(1)} s: ${line}`);
    const told = heard(recorded, lines.map(({ line }) => line).join('\n'));
    const wanted = expected(recorded);
    const together = toldTogether(lines.map(({ line }) => line).join('\n'));
    for (const each of /** @type {const} */ (['faults', 'lost', 'turned'])) {
      assert.deepEqual(told[each].toSorted(), wanted[each].filter((one) => told[each].includes(one) || !together(each, one)).toSorted(), each);
    }
    assert.equal(lines.filter(({ line }) => line.includes('The run is over.')).length, 1);
    assert.match(lines.at(-1)?.line ?? '', /The run is over\./);
    for (const { line } of lines) assert.doesNotMatch(line, /undefined|null|NaN|  |\.\.|event \d|\/playground|: :/, line);
    for (const { at } of lines) assert.ok(lines.filter((other) => other.at >= at && other.at < at + 60_000).length <= MOST);
  });
}

test('a run in which nothing breaks goes on for a minute: a line now and then', () => {
  const { run, events } = recording('many-clients');
  const middle = events.filter(({ at, kind }) => at > 1_000_000 && at < 8_000_000 && kind !== 'check.changed');
  const length = 7_000_000;
  const long = Array.from({ length: 9 }, (_, round) => middle.map((event, index) => ({ ...event, seq: round * middle.length + index + 1, at: event.at + round * length }))).flat();
  const lines = spokenLines({ run, events: long });
  assert.ok(lines.length > 5 && lines.length <= 60_000 / CALM + 4, `${lines.length} lines`);
});

test('where a fault follows the other, what is said keeps up', () => {
  const { run } = recording('ephemeral-crash');
  const [lane] = run.lanes;
  const every = 500_000;
  /** @type {Event[]} */
  const events = Array.from({ length: 400 }, (_, index) => ({
    seq: index + 1, at: 1_000_000 + Math.floor(index / 2) * every, lane: lane?.name ?? '', client: 1 + Math.floor(index / 2) % 5,
    ...(index % 2 ? { kind: 'session.refused', session: `0x${index}` } : { kind: 'fault.injected', fault: 'expire', why: 'the server is told to end the session' }),
  }));
  const lines = spokenLines({ run, events });
  const end = (events.at(-1)?.at ?? 0) / 1000;
  assert.ok((lines.at(-1)?.at ?? 0) < end + 15_000, `the last line at ${lines.at(-1)?.at}, the last fault at ${end}`);
  for (const { at } of lines) assert.ok(lines.filter((other) => other.at >= at && other.at < at + 60_000).length <= MOST);
  assert.ok(lines.some(({ line }) => line === 'Fault injected into clients 1, 2, 3, 4, 5: Expire. Sessions of clients 1, 2, 3, 4, 5 are lost.'), lines.map(({ line }) => line).join('\n'));
});

/** A listener to a run. @param {string} name */
function listen(name) {
  const { run, events } = recording(name);
  /** @type {string[]} */ const said = [];
  const speaker = new Speaker((line) => said.push(line));
  let here = 0;
  return {
    said,
    /** Looks at an instant once, and then for some time. @param {number} count of events @param {Mode} mode @param {number} [long] in milliseconds */
    look(count, mode, long = 0) {
      const view = events.slice(0, count).reduce(apply, createView(run.lanes, run.clients));
      for (const end = here + long; here <= end; here += 100) speaker.look({ run, view, at: events[count - 1]?.at ?? 0, count, mode, sought: mode === 'paused', catalogue }, here);
    },
    /** How many events had happened right after one. @param {(event: Event) => boolean} which */
    after: (which) => events.findIndex(which) + 1,
    length: events.length,
  };
}

test('who drags through a run hears nothing of it until there is a rest, and then what is shown there, once', () => {
  const { said, look, after, length } = listen('ephemeral-crash');
  look(length, 'paused');
  for (let count = length; count > 40; count -= 5) look(count, 'paused');
  assert.deepEqual(said, []);
  look(after(({ kind }) => kind === 'fault.injected'), 'paused', 5000);
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^A fault is injected into client 5, which holds the lock: Crash\./);
});

test('who comes to a run late hears how it stands, and what was missed in a pause but not twice', () => {
  const { said, look, after, length } = listen('ephemeral-crash');
  look(116, 'live', 5000);
  assert.deepEqual(said.length, 1);
  look(20, 'paused', 5000);
  assert.match(said[1] ?? '', /^The run begins/);
  look(after(({ kind }) => kind === 'fault.injected') + 20, 'live', 15_000);
  assert.equal(said.filter((line) => line.includes('Crash')).length, 1);
  assert.equal(said.filter((line) => line.includes('The run begins')).length, 1);
  assert.equal(said.filter((line) => line.startsWith('Client 4 holds the lock')).length, 1);
  look(length, 'live', 20_000);
  assert.match(said.at(-1) ?? '', /The run is over/);
});

test('who plays a moment again hears it again', () => {
  const { said, look, after, length } = listen('ephemeral-crash');
  const crash = after(({ kind }) => kind === 'fault.injected');
  look(length, 'live', 20_000);
  look(crash - 10, 'paused', 2000);
  const before = said.length;
  look(crash + 20, 'playing', 10_000);
  assert.ok(said.slice(before).some((line) => line.includes('Crash')));
});

test('what waits and need not be said is dropped for what must be', () => {
  const lines = spokenLines(recording('two-holders')).map(({ line }) => line).join(' ');
  assert.doesNotMatch(lines, /Client 3 holds/);
});

test('the same line twice is said twice: each is an element, and only the newest are kept', () => {
  /** @type {string[]} */ const lines = [];
  const region = {
    ownerDocument: { createElement: () => ({ textContent: '' }) },
    /** @param {{ textContent: string }} line */
    append: (line) => lines.push(line.textContent),
    get childElementCount() { return lines.length; },
    firstElementChild: { remove: () => lines.shift() },
  };
  const say = sayIn(/** @type {Element} */ (/** @type {unknown} */ (region)));
  for (const line of ['a', 'a', 'b', 'c', 'd', 'e']) say(line);
  assert.deepEqual(lines, ['a', 'b', 'c', 'd', 'e']);
});
