// Where a run that is over is worth another look.

/** @import { Event } from '../events.d.ts' */
/** @import { View } from './view.js' */

/** @typedef {{ oldest: (most: number, passes: (event: Event) => boolean, from: number, to: number) => Event[] }} Log */

/**
 * The event after which it is best seen what the run shows: the first of its decisive
 * instants, where its scenario names some. Else the first violated check; else the first
 * time that the end of a session, or a release, has woken others in all of the lanes in
 * which one did. Its index, from 0; undefined when nothing of that happened.
 * @param {View} view the run
 * @param {Log} log
 */
export function decisiveEvent({ instants, lanes, seq }, log) {
  const [violated] = log.oldest(1, ({ kind, verdict }) => kind === 'check.changed' && verdict === 'violated', 0, seq);
  const [first = violated] = instants;
  if (first) return first.seq - 1;
  for (const cause of /** @type {const} */ (['end', 'release'])) {
    const firsts = lanes.flatMap(({ rounds }) => rounds.firsts[cause] ?? []);
    if (firsts.length) return Math.max(...firsts) - 1;
  }
  return undefined;
}
