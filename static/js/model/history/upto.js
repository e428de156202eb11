// What of a history had happened by an event of the log.

/**
 * How many of the things, which are in the log's order, had happened.
 * @template T
 * @param {T[]} things
 * @param {number} seq the number of the event
 * @param {(thing: T) => number} seqOf
 */
export function countUpTo(things, seq, seqOf) {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (seqOf(/** @type {T} */ (things[middle])) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
