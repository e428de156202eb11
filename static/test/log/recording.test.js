import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BadRecording, LIMITS, parseRecording, recordingParts } from '../../js/log/recording.js';
import { MAX_SENTENCE, VERSION } from '../../js/log/recording-fields.js';
import { names, recording, text } from '../recording.js';
import { Catalogue } from '../../js/text/catalogue.js';
import { runTitle, titleOf } from '../../js/text/format.js';
import { speak } from '../../js/text/language.js';
import { nextOf } from '../../js/stage/next.js';
import { sentence } from '../../js/text/sentence.js';
import { fuzz } from './recording.fuzz.js';

/** @import { Event, Run } from '../../js/events.d.ts' */
/** @import { Limits } from '../../js/log/recording.js' */

const lane = { name: 'herd', title: 'Herd', recipe: 'herd', path: '/l', clients: 2 };
const run = { id: 'r-1', room: 'main', scenario: 'herd', title: 'Herd', state: 'finished', seed: 7, clients: 2, delay: '0s',
  session: '6s', lanes: [lane], zookeeper: { version: '3.8.0', managed: true }, events: 2, at: 20 };
const first = { seq: 1, at: 10, kind: 'note.started' };
const second = { seq: 2, at: 20, lane: 'herd', client: 1, kind: 'lock.acquired', path: '/l/a-0000000001', token: 3 };

/** @param {unknown[]} lines */
const ndjson = (...lines) => lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

/** @param {object} changes @param {unknown[]} events */
const ofRun = (changes, ...events) => ndjson({ format: 'zkplayground-run', version: VERSION, run: { ...run, events: events.length, ...changes } }, ...events);

/** @param {unknown[]} events */
const of = (...events) => ofRun({}, ...events);

for (const name of names) {
  test(`${name} is read as it is, however it is cut`, async () => {
    const whole = text(name);
    const wanted = JSON.stringify(recording(name)); // to compare objects with so many parts takes seconds
    const sizes = whole.length < 100_000 ? [1, 7, 1000] : [1000, 65_536]; // there is a pass for each piece
    assert.equal(JSON.stringify(await parseRecording(whole)), wanted);
    for (const size of sizes) assert.equal(JSON.stringify(await parseRecording(pieces(whole, size))), wanted);
    assert.equal(JSON.stringify(await parseRecording(whole.trimEnd())), wanted);
  });
}

/** @param {string} whole @param {number} size */
function* pieces(whole, size) {
  for (let start = 0; start < whole.length; start += size) yield whole.slice(start, start + size);
}

test('what stands before a damage is handed over first', async () => {
  /** @type {number[]} */
  const seqs = [];
  await assert.rejects(async () => {
    for await (const { events } of recordingParts(of(first, second, '{"seq":3,'))) seqs.push(...events.map(({ seq }) => seq));
  }, /cut off or damaged at event 3 of 3/);
  assert.deepEqual(seqs, [1, 2]);
});

test('the beginning is handed over before the rest has come', async () => {
  const whole = text('many-clients');
  let taken = 0;
  function* counted() {
    for (const piece of pieces(whole, 1000)) {
      taken += piece.length;
      yield piece;
    }
  }
  const { value } = await recordingParts(counted()).next();
  assert.ok(value && value.events.length < recording('many-clients').events.length);
  assert.ok(taken < whole.length, `${taken} of ${whole.length}`);
});

/** @type {[string, string, RegExp][]} */
const refused = [
  ['nothing', '', /empty/],
  ['empty lines', '\n\n  \n', /empty/],
  ['something else', 'GIF89a', /does not begin with a line of JSON/],
  ['a number', '7\n', /does not say/],
  ['null', 'null\n', /does not say/],
  ['a list', '[]\n', /does not say/],
  ['a log without its header', ndjson(first, second), /does not say/],
  ['another format', ndjson({ format: 'har', version: VERSION, run }), /does not say/],
  ['no version', ndjson({ format: 'zkplayground-run', run }), /does not say/],
  ['a later version', ndjson({ format: 'zkplayground-run', version: VERSION + 1, run: {} }), /made by a later playground/],
  ['an older version', ndjson({ format: 'zkplayground-run', version: VERSION - 1, run: {} }), /older playground\. Open it in the page/],
  ['no run', ndjson({ format: 'zkplayground-run', version: VERSION }), /run is damaged: it is no object/],
  ['an event too few', of(first, second).slice(0, -JSON.stringify(second).length - 1), /ends after event 1 of 2/],
  ['half an event', of(first, second).slice(0, -10), /cut off or damaged at event 2 of 2/],
  ['no event', ofRun({ events: 2 }), /ends after event 0 of 2/],
  ['a gap', of(first, { ...second, seq: 3 }), /event 2: it has the number 3/],
  ['a repetition', of(first, first), /event 2: it has the number 1/],
  ['another beginning', of({ ...first, seq: 2 }), /event 1: it has the number 2/],
  ['time running back', of(first, { ...second, at: 9 }), /event 2: time runs back/],
  ['a list as an event', of(first, []), /event 2: it is no object/],
  ['a lane that is not there', of(first, { ...second, lane: 'mutex' }), /lane that the run does not have/],
  ['a client above the last and all guests', of(first, { ...second, client: 1003 }), /client that the run does not have/],
  ['a client above them, of no lane', of({ ...first, client: 1003 }), /client that the run does not have/],
  ['a polluting key', of(first, '{"seq":2,"at":20,"kind":"note.step","__proto__":{"polluted":1}}'), /“__proto__”/],
  ['a polluting key, escaped', of(first, '{"seq":2,"at":20,"kind":"note.step","\\u005f_proto__":1}'), /“__proto__”/],
  ['a constructor', of(first, { ...second, constructor: { prototype: {} } }), /“constructor”/],
  ['a polluting key in a part', of(first, '{"seq":2,"at":20,"kind":"wire.sent","ops":[{"op":"create","__proto__":1}]}'), /“ops”/],
  ['a polluting key in what is not known', of(first, '{"seq":2,"at":20,"kind":"note.step","later":[{"a":{"__proto__":1}}]}'), /“later”/],
  ['what is not known, nested deeply', of(first, `{"seq":2,"at":20,"kind":"note.step","later":${'['.repeat(9)}${']'.repeat(9)}}`), /“later”/],
  ['what no parser bears', of(first, '['.repeat(1e6)), /cannot be read/],
  ['a name that objects answer to', of(first, { ...second, type: '__proto__' }), /“type”/],
  ['another one', of(first, { ...second, op: 'toString' }), /“op”/],
];
for (const [what, whole, sentence] of refused) {
  test(`${what} is refused`, () => mustRefuse(whole, sentence));
}

/** @param {string | Iterable<string>} whole @param {RegExp} sentence @param {Limits} [limits] */
async function mustRefuse(whole, sentence, limits) {
  await assert.rejects(parseRecording(whole, limits), (error) => {
    assert.ok(error instanceof BadRecording, String(error));
    assert.match(error.message, sentence);
    assert.match(error.message, /^[A-Z][^\n]{10,200}\.$/);
    return true;
  });
  assert.equal(Reflect.get({}, 'polluted'), undefined);
}

const long = 'x'.repeat(MAX_SENTENCE + 1);

test('every field of an event is checked', async () => {
  const values = /** @type {Record<string, unknown[]>} */ ({
    seq: ['2', 2.5, null], at: ['20', -1, 1e300, 20.5, true], kind: [7, 'wire', 'Wire.sent', 'wire.<b>', `wire.${'x'.repeat(300)}`],
    lane: [1, long, null], client: ['1', -1, 0.5, 1e9], op: [1, long], path: [{}, long], flags: [[]], watch: [1, 'true'], type: [{}],
    xid: ['1', 0.5], zxid: ['0x1', 1e300], err: [1, long], latency: [{}], children: [-1], ops: [{}, [1], [{}], [{ op: 1 }], [{ op: 'create', err: {} }]],
    dir: ['up', 1], frame: [-1], due: [1e300], bytes: [-1, '9'], stat: [7, [], { version: 'x' }, { ephemeralOwner: '__proto__' }], session: [1, long], timeout: [null], token: ['7'], mode: [1], predecessor: [7, long],
    read: [[]], balance: [{}], cause: [false], fault: [1], server: [1, long], for: [-1], check: [1], verdict: ['perhaps'], sent: ['1'],
    delay: ['250ms', -1], held: [1, 'yes'], cost: [1, { wakeups: -1 }, { round: {} }, { round: { change: 1, at: 1, cause: 'x' } }], why: [{}, long],
  });
  for (const [key, wrong] of Object.entries(values)) {
    for (const value of wrong) await mustRefuse(of(first, { ...second, [key]: value }), new RegExp(`event 2: its field “${key}”`));
  }
  for (const key of ['seq', 'at', 'kind']) await mustRefuse(of(first, { ...second, [key]: undefined }), new RegExp(`“${key}” is missing`));
});

test('every field of the run is checked', async () => {
  const values = /** @type {Record<string, unknown[]>} */ ({
    id: [1, undefined], room: [{}, long], scenario: [null, '__proto__'], title: [1, long], state: ['over'], seed: ['7', 0.5], clients: [-1, 1001, '2', undefined],
    delay: [250, long], session: [6000], step: ['on'], steps: [-1], zookeeper: ['3.8.0', {}, { version: 3, managed: true }], expect: [['holds'], { fifo: 'perhaps' }],
    events: [-1, '2', 1e300], at: ['0', -1],
    lanes: ['herd', [], Array(6).fill(lane), [{ ...lane, name: 1 }], [{ ...lane, clients: -1 }], [{ ...lane, clients: 1e9 }], [{ ...lane, title: undefined }],
      [{ ...lane, path: long }], [{ ...lane, name: 'x'.repeat(300) }], [{ ...lane, account: 7 }]],
  });
  for (const [key, wrong] of Object.entries(values)) {
    for (const value of wrong) await mustRefuse(ofRun({ [key]: value }, first), new RegExp(`run is damaged: its field “${key}”`));
  }
  await mustRefuse(ofRun({ lanes: [lane, lane] }, first), /two of its lanes have the same name/);
});

/** What Go writes into a recording, by its own description. */
const written = readFileSync(new URL('../../js/events.d.ts', import.meta.url), 'utf8');
/** A recording in which one field has a value, by what the field is of. @type {Record<string, (field: object) => string>} */
const having = {
  Run: (field) => ofRun(field, first),
  Lane: (field) => ofRun({ lanes: [{ ...lane, ...field }] }, first),
  Server: (field) => ofRun({ zookeeper: { ...run.zookeeper, ...field } }, first),
  Event: (field) => of(first, { ...second, ...field }),
  SubOp: (field) => of(first, { ...second, ops: [{ op: 'create', ...field }] }),
  Stat: (field) => of(first, { ...second, stat: field }),
  Reason: (field) => of(first, { ...second, reason: { code: 'text', ...field } }),
  Watched: (field) => of(first, { ...second, watched: field }),
  Account: (field) => of(first, { ...second, account: { amount: 1, should: 1, ...field } }),
  Write: (field) => of(first, { ...second, account: { amount: 1, should: 1, write: { client: 1, event: 1, ...field } } }),
  Queue: (field) => of(first, { ...second, queue: field }),
  Cost: (field) => of(first, { ...second, cost: field }),
  Round: (field) => of(first, { ...second, cost: { round: { change: 1, at: 1, cause: 'release', ...field } } }),
};
for (const [, type = '', fields = ''] of written.matchAll(/interface (\w+) \{([^}]*)\}/g)) {
  test(`no field of ${type} is let pass unchecked`, async () => {
    for (const [, name = ''] of fields.matchAll(/^ {2}(\w+)\??:/gm)) await mustRefuse(having[type]?.({ [name]: [0] }) ?? type, /damaged/);
  });
}

for (const word of Object.getOwnPropertyNames(Object.prototype)) {
  test(`${word} is said as it stands, wherever words may`, async () => {
    const why = { ...first, kind: 'note.fault', why: word };
    const read = await parseRecording(ofRun({ title: word, lanes: [{ ...lane, name: word, title: word, missing: word }] }, why, { ...second, lane: word, err: word, data: word, path: word }));
    for (const code of ['en', 'ru']) {
      speak(code, {});
      assert.deepEqual([titleOf(/** @type {Run['lanes'][number]} */ (read.run.lanes[0])).name, runTitle(read.run), sentence(/** @type {Event} */ (read.events[0]), new Catalogue())], [word, word, word]);
      assert.equal(nextOf({ ...read.run, scenario: word }), undefined);
    }
    speak('en', {});
  });
}

test('markup in names stays text', async () => {
  const markup = '<img src=x onerror=alert(1)></script>';
  const read = await parseRecording(ofRun({ lanes: [{ ...lane, name: markup, title: markup }] }, { ...first, why: markup }, { ...second, lane: markup }));
  assert.equal(read.run.lanes[0]?.title, markup);
  assert.equal(read.events[0]?.why, markup);
  assert.equal(read.events[1]?.lane, markup);
});

test('what a later playground adds is passed over', async () => {
  const later = { seq: 2, at: 20, kind: 'note.weather', cloud: { height: [1, 2] } };
  const { events } = await parseRecording(ofRun({ mood: 'good' }, first, later));
  assert.equal(events[1]?.kind, 'note.weather');
});

test('a recording that grew while it was written has more events than its header says', async () => {
  assert.equal((await parseRecording(ofRun({ events: 1 }, first, second))).events.length, 2);
});

test('a large text is refused while it comes', async () => {
  let taken = 0;
  function* gigabyte() {
    yield of(first);
    const piece = `${' '.repeat(2 ** 20 - 1)}\n`;
    for (; taken < 1024; taken++) yield piece;
  }
  await mustRefuse(gigabyte(), /too large: the page reads up to 512 MB/);
  assert.equal(taken, LIMITS.text / 2 ** 20 - 1);
});

test('a line without an end is refused while it comes', async () => {
  let taken = 0;
  function* endless() {
    for (;; taken++) yield 'x'.repeat(2 ** 16);
  }
  await mustRefuse(endless(), /a line that is too long/);
  assert.equal(taken, LIMITS.line / 2 ** 16);
  await mustRefuse(`${' '.repeat(LIMITS.line + 1)}\n`, /a line that is too long/);
});

test('more events than the page can keep are refused while they come', async () => {
  function* endless() {
    yield of(first);
    for (let seq = 2; ; seq++) yield `{"seq":${seq},"at":10,"kind":"a.b"}\n`;
  }
  await mustRefuse(endless(), /the page reads up to 2,000 events/, { ...LIMITS, events: 2000 });
  assert.equal(LIMITS.events, 2_000_000);
});

test('damaged recordings are read or refused', async () => {
  const short = names.map((name) => cut(recording(name), 60));
  const counts = await fuzz(short, 1, (tried) => tried < 600);
  assert.ok(counts.read > 20 && counts.refused > 300, JSON.stringify(counts));
});

/** @param {{ run: Run, events: Event[] }} recorded @param {number} length */
const cut = (recorded, length) => ndjson({ format: 'zkplayground-run', version: VERSION, run: { ...recorded.run, events: length } }, ...recorded.events.slice(0, length));
