// What a screen reader says of the recorded runs, as they go on: by itself it prints that,
// node static/test/spoken-lines.js [NAME...]
import { apply, createView } from '../js/model/view.js';
import { Speaker } from '../js/text/speaker.js';
import { clock } from '../js/text/format.js';
import { catalogue, names, recording } from './recording.js';

/** @import { Recorded } from './recording.js' */

/** A line, and when it is begun to be said, in milliseconds since the run began. @typedef {{ at: number, line: string }} Spoken */

/** How often the page looks, in milliseconds. */
const LOOK = 100;
/** The run is over long before this, and everything is said, in milliseconds. */
const LONGEST = 300_000;

/**
 * Plays a run as fast as it was, live, until everything is said.
 * @param {Recorded} recorded
 * @returns {Spoken[]}
 */
export function spokenLines({ run, events }) {
  /** @type {Spoken[]} */
  const spoken = [];
  let here = 0;
  const speaker = new Speaker((line) => spoken.push({ at: here, line }));
  const view = createView(run.lanes, run.clients);
  const end = events.at(-1)?.at ?? 0;
  let count = 0;
  for (let more = true; here < LONGEST && (more || count < events.length); here += LOOK) {
    const at = Math.min(here * 1000, end);
    for (let event = events[count]; event && event.at <= at; event = events[count]) {
      apply(view, event);
      count++;
    }
    more = speaker.look({ run, view, at, count, mode: 'live', sought: false, catalogue }, here);
  }
  return spoken;
}

if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv.slice(2);
  for (const name of wanted.length ? wanted : names) {
    const recorded = recording(name);
    console.log(`\n${name}: ${recorded.run.title}`);
    for (const { at, line } of spokenLines(recorded)) console.log(`  ${clock(at * 1000)}  ${line}`);
  }
}
