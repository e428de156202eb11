// How much of a list in order comes before a place in it: of a history what had happened
// by an event, of a log what had been recorded by an instant.

/**
 * How many of the things have at most a value; they are in the order of theirs.
 * @template T
 * @param {T[]} things
 * @param {number} most
 * @param {(thing: T) => number} valueOf
 */
export function countUpTo(things, most, valueOf) {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueOf(/** @type {T} */ (things[middle])) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
