// Recorded runs on a real ZooKeeper, with the summary that the server's own
// counters made of them. `playground run -record` writes both.
import { readFileSync } from 'node:fs';
import { apply, createView } from '../js/model/view.js';

/** @import { Event, Run } from '../js/events.d.ts' */

/** @typedef {{ run: Run, events: Event[] }} Recorded */

export const names = ['herd-vs-predecessor', 'ephemeral-crash', 'read-write'];

/** The recording itself. @param {string} name */
export const text = (name) => read(`${name}.ndjson`);

/**
 * @param {string} name
 * @returns {Recorded}
 */
export function recording(name) {
  const [header = '', ...lines] = text(name).trimEnd().split('\n');
  return { run: JSON.parse(header).run, events: lines.map((line) => JSON.parse(line)) };
}

/** @param {string} name */
export const summary = (name) => JSON.parse(read(`${name}.summary.json`));

/**
 * The view of a run up to an event, by default the last.
 * @param {Recorded} recorded
 * @param {number} [upTo]
 */
export const fold = ({ run, events }, upTo = events.length) =>
  events.slice(0, upTo).reduce(apply, createView(run.lanes, run.clients));

/** @param {string} file */
const read = (file) => readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8');
