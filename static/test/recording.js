// Recorded runs on a real ZooKeeper, with the summaries that `playground run -replay`
// makes of them. `make fixtures` records them anew.
import { existsSync, readFileSync } from 'node:fs';
import { parseRecording } from '../js/log/recording.js';
import { apply, createView } from '../js/model/view.js';
import { decompress } from '../js/source/decompress.js';
import { Catalogue } from '../js/text/catalogue.js';

/** @import { Event, Run } from '../js/events.d.ts' */

/** @typedef {{ run: Run, events: Event[] }} Recorded */

/** What is recorded: scenarios by their name, and runs in which more was done. */
export const names = [
  'herd-vs-predecessor', 'ephemeral-crash', 'read-write', 'two-holders', 'two-holders-fenced', 'lost-wakeup', 'lost-reply',
  'expired-holder', 'dying-session', 'own-node', 'flag-deadlock', 'many-clients', 'kill-leader', 'semaphore', 'timed-lock', 'downgrade', 'revocation', 'no-queue', 'reentrant', 'by-hand',
  'several-locks', 'multi-lock', 'deadlock', 'lost-place', 'late-write', 'leader-loss', 'lost-quorum', 'stores', 'writer-leaves', 'delayed-write', 'repeated-delete',
];

/** Those in which nobody believes falsely, and no message is lost. */
export const peaceful = ['herd-vs-predecessor', 'ephemeral-crash', 'read-write'];

/** @type {Map<string, { text: string, recorded: Recorded }>} */
const read = new Map();
for (const name of names) {
  const file = new URL(`fixtures/${name}.ndjson.zst`, import.meta.url);
  if (!existsSync(file)) continue;
  let text = '';
  for await (const piece of decompress(new Blob([readFileSync(file)]).stream())) text += piece;
  read.set(name, { text, recorded: await parseRecording(text) });
}

/** @param {string} name */
function known(name) {
  const found = read.get(name);
  if (!found) throw new Error(`there is no recording of ${name}: run make fixtures`);
  return found;
}

/** What a recording is made of, decompressed. @param {string} name */
export const text = (name) => known(name).text;

/**
 * A copy, to be changed at will.
 * @param {string} name
 * @returns {Recorded}
 */
export const recording = (name) => structuredClone(known(name).recorded);

/** The events that were observed, without what follows from them, as if there were no others. @param {string} name @returns {Recorded} */
export function observed(name) {
  const { run, events } = recording(name);
  return { run, events: events.filter(({ kind }) => !/^(watch|belief|queue|account|cost|state|check)\./.test(kind)).map((event, index) => ({ ...event, seq: index + 1 })) };
}

/** @param {string} name */
export const summary = (name) =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.summary.json`, import.meta.url), 'utf8'));

/** Who believed that it held, by the checks of the server: see playground/check/recorded_test.go. @param {string} name @returns {Record<string, number[][]>} */
export const beliefs = (name) => JSON.parse(readFileSync(new URL(`fixtures/${name}.beliefs.json`, import.meta.url), 'utf8'));

/** What the server says that each recording has come to at some instants: see playground/state/whole_test.go. @type {{ name: string, event: Event }[]} */
export const states = [];
let lines = '';
for await (const piece of decompress(new Blob([readFileSync(new URL('fixtures/states.json.zst', import.meta.url))]).stream())) lines += piece;
for (const line of lines.split('\n')) states.push(JSON.parse(line));

/** What the server could do that recorded them, in its words. */
export const catalogue = new Catalogue(JSON.parse(readFileSync(new URL('fixtures/catalogue.json', import.meta.url), 'utf8')));

/**
 * The view of a run up to an event, by default the last.
 * @param {Recorded} of
 * @param {number} [upTo]
 */
export const fold = ({ run, events }, upTo = events.length) =>
  events.slice(0, upTo).reduce(apply, createView(run.lanes, run.clients));
