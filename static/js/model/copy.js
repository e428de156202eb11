// A copy of the view, to go on from later. What is never changed once it is made, such as
// an event, the copies have in common: there are hundreds of them in a long run.

/** @import { View } from './view.js' */

/** The fields of what is never changed, and of lists of that. */
const [SHARED, LISTS] = [new Set(['info', 'made', 'reason', 'sought', 'instants']), new Set(['list'])];

/** @param {View} view @returns {View} */
export const copyView = ({ captions, ...rest }) => ({ ...copied(rest), captions: structuredClone(captions) }); // some of them are in several places

/** @template Value @param {Value} value @returns {Value} */
function copied(value) {
  if (typeof value !== 'object' || value === null) return value;
  return /** @type {Value} */ (copyOf(value));
}

/** @param {object} value */
function copyOf(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Set) return new Set(value);
  if (value instanceof Map) {
    const map = new Map();
    for (const [key, each] of value) map.set(key, copied(each));
    return map;
  }
  const fields = /** @type {Record<string, unknown>} */ ({ ...value });
  for (const key in fields) {
    const field = fields[key];
    if (!SHARED.has(key)) fields[key] = LISTS.has(key) ? [.../** @type {unknown[]} */ (field)] : copied(field);
  }
  return fields;
}
