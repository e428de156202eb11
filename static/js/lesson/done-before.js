// What of a task its reader has done already: znodes that were made and stand, and faults
// that were injected, as the steps of its goal tell it.

import { sequenceDigits } from '../model/queue.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Act } from './perform-acts.js' */

/**
 * For each act that was done the number of the event, or 0 where a znode stands that no step
 * tells of. What was done after something that is to be done again is to be done again, too.
 * @param {Act[]} acts @param {Event[]} done by which steps of the goal were done
 * @param {{ root: string, stands: (path: string) => boolean }} lane
 * @returns {(number | undefined)[]}
 */
export function doneBefore(acts, done, { root, stands }) {
  const left = new Set(done);
  /** @type {Set<string>} */ const found = new Set();
  let anew = false;
  return acts.map((act) => {
    const made = typeof act === 'string' ? madeBy(act, root) : undefined;
    const fits = (/** @type {Event} */ { kind, op, err, fault, path = '' }) => (made
      ? kind === 'wire.received' && op === 'create' && !err && stands(path) && made.path === (made.numbered ? path.slice(0, -sequenceDigits) : path)
      : kind === 'fault.injected' && typeof act !== 'string' && fault === act.break?.fault);
    const event = anew ? undefined : [...left].find(fits);
    if (event) left.delete(event);
    else if (made && !made.numbered && stands(made.path) && !found.has(made.path)) return found.add(made.path) && 0;
    else anew ||= Boolean(made) || (typeof act !== 'string' && Boolean(act.break));
    if (made && event) found.add(made.path);
    return event?.seq;
  });
}

/** What a line makes: a znode at a path, or at that and a number. @param {string} line @param {string} root */
function madeBy(line, root) {
  const [name, ...words] = line.split(' ');
  const path = words.find((each) => each.startsWith('/'));
  return name === 'create' && path ? { path: root + path, numbered: words.includes('-s') } : undefined;
}
