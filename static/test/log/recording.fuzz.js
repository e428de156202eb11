// Damages recordings at random, and looks whether the parser reads them or refuses
// them with a sentence, and does nothing else. By itself it goes on for a time:
//
//   node static/test/log/recording.fuzz.js 10s [seed]
import assert from 'node:assert/strict';
import { Catalogue } from '../../js/text/catalogue.js';
import { BadRecording, parseRecording } from '../../js/log/recording.js';
import { apply, createView } from '../../js/model/view.js';
import { sentence } from '../../js/text/sentence.js';
import { names, text } from '../recording.js';
import { served } from '../served.js';

const catalogue = new Catalogue(served);

/** What stands in for a value, or goes between two characters. */
const oddities = ['null', 'true', '-1', '0', '1e308', '9007199254740993', '0.5', '""', '[]', '{}', '[[[[[[[[1]]]]]]]]', '"__proto__"',
  '"constructor"', '"<img src=x onerror=alert(1)>"', `"${'x'.repeat(300)}"`, '{"__proto__":{"polluted":1}}', '\n', '\u0000', '\ud800', '"', '}', ','];
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'seq', 'at', 'kind', 'lane', 'client', 'ops', 'later'];

/**
 * Numbers from 0 to below 1 that are the same for the same seed (mulberry32).
 * @param {number} seed
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @typedef {(below: number) => number} Pick a number from 0 to below */

/** @type {((lines: string[], pick: Pick) => void)[]} each damages the lines in place */
const damages = [
  (lines, pick) => void lines.splice(pick(lines.length), 1),
  (lines, pick) => void lines.splice(pick(lines.length), 0, lines[pick(lines.length)] ?? ''),
  (lines, pick) => void (lines.length = pick(lines.length)),
  (lines, pick) => change(lines, pick, (line) => line.slice(0, pick(line.length + 1))),
  (lines, pick) => change(lines, pick, (line) => insert(line, pick(line.length + 1), String.fromCharCode(pick(0x10000)), pick(2))),
  (lines, pick) => change(lines, pick, (line) => insert(line, pick(line.length + 1), one(oddities, pick), pick(3))),
  (lines, pick) => change(lines, pick, (line) => nth(line, /"[a-z]+":/gi, pick, () => `"${one(keys, pick)}":`)),
  (lines, pick) => change(lines, pick, (line) => nth(line, /:("[^"]*"|\d+|true)/g, pick, () => `:${one(oddities, pick)}`)),
  (lines, pick) => change(lines, pick, (line) => nth(line, /\d+/g, pick, (digits) => String(Number(digits) + pick(5) - 2))),
];

/**
 * A recording's text with some damage.
 * @param {string} whole
 * @param {() => number} random
 */
export function damaged(whole, random) {
  /** @type {Pick} */
  const pick = (below) => Math.floor(random() * below);
  const lines = whole.split('\n');
  for (let times = 1 + pick(3); times > 0; times--) one(damages, pick)(lines, pick);
  return lines.join('\n');
}

/** @template T @param {T[]} choices @param {Pick} pick @returns {T} */
const one = (choices, pick) => /** @type {T} */ (choices[pick(choices.length)]);

/** @param {string[]} lines @param {Pick} pick @param {(line: string) => string} how */
function change(lines, pick, how) {
  const index = pick(2) ? pick(lines.length) : pick(Math.min(lines.length, 3)); // often the header
  lines[index] = how(lines[index] ?? '');
}

/** @param {string} line @param {number} at @param {string} what @param {number} over how much it takes the place of */
const insert = (line, at, what, over) => line.slice(0, at) + what + line.slice(at + over);

/** @param {string} line @param {RegExp} pattern @param {Pick} pick @param {(found: string) => string} how */
function nth(line, pattern, pick, how) {
  let left = pick((line.match(pattern) ?? []).length);
  return line.replace(pattern, (found) => (left-- === 0 ? how(found) : found));
}

/**
 * Reads a text, cut into two pieces. Whatever it is, it must be a recording whose
 * events can be folded and told, or be refused.
 * @param {string} whole
 * @param {number} cut
 */
export async function readOrRefused(whole, cut) {
  try {
    const { run, events } = await parseRecording([whole.slice(0, cut), whole.slice(cut)]);
    const view = createView(run.lanes, run.clients);
    for (const [index, event] of events.entries()) {
      assert.equal(event.seq, index + 1);
      assert.equal(Object.getPrototypeOf(event), Object.prototype);
      assert.equal(typeof sentence(event, catalogue), 'string');
      const before = view.at;
      assert.ok(apply(view, event).at >= before);
    }
    return true;
  } catch (error) {
    if (!(error instanceof BadRecording)) throw error;
    assert.match(error.message, /^[A-Z][^\n]+\.$/);
    return false;
  } finally {
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  }
}

/**
 * Tries one damaged recording after the other while it may go on.
 * @param {string[]} recordings
 * @param {number} seed
 * @param {(tried: number) => boolean} goOn
 */
export async function fuzz(recordings, seed, goOn) {
  const random = generator(seed);
  const counts = { read: 0, refused: 0 };
  for (let tried = 0; goOn(tried); tried++) {
    const whole = damaged(recordings[tried % recordings.length] ?? '', random);
    const cut = Math.floor(random() * whole.length);
    await readOrRefused(whole, cut).then(
      (read) => counts[read ? 'read' : 'refused']++,
      (cause) => { throw new Error(`seed ${seed}, recording ${tried}: ${cause}`, { cause }); });
  }
  return counts;
}

/** @param {string} duration as Go writes it: 10s, 5m, 1h */
function seconds(duration) {
  const [, number = '', unit = ''] = /^([0-9.]+)([smh])$/.exec(duration) ?? [];
  const length = Number(number) * ({ s: 1, m: 60, h: 3600 }[unit] ?? NaN);
  if (!(length > 0)) throw new Error(`${duration} is no length of time, as 10s is`);
  return length;
}

if (process.argv[1] === import.meta.filename) {
  const end = Date.now() + seconds(process.argv[2] ?? '10s') * 1000;
  const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32);
  const { read, refused } = await fuzz(names.map(text), seed, () => Date.now() < end);
  console.log(`seed ${seed}: of ${read + refused} damaged recordings ${read} could be read, ${refused} were refused`);
}
