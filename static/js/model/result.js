// Where a run that is over is worth another look.

/** @import { Event } from '../events.d.ts' */
/** @import { View } from './view.js' */

/** @typedef {{ oldest: (most: number, passes: (event: Event) => boolean, from: number, to: number) => Event[] }} Log */

/**
 * The event after which it is best seen what the run shows: the first of its decisive
 * instants, where its scenario names some; else the first violated check; else the first
 * release, of those that are known, in each lane in which one has woken others. Its index,
 * from 0; undefined when nothing of that happened.
 * @param {View} view the run
 * @param {Log} log
 */
export function decisiveEvent({ instants, lanes, seq }, log) {
  const [violated] = log.oldest(1, ({ kind, verdict }) => kind === 'check.changed' && verdict === 'violated', 0, seq);
  const [first = violated] = instants;
  if (first) return first.seq - 1;
  const releases = lanes.flatMap(({ rounds: { list } }) => list.find(({ complete, woken }) => complete && woken > 0)?.seq ?? []);
  return releases.length ? Math.max(...releases) - 1 : undefined;
}
