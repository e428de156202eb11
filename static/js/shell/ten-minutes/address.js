// The address of the ten minutes in a room has the step at which they are.

/** @param {number} step from 0 */
export const addressOf = (step) => `#ten-minutes=${step + 1}`;

/** The step that an address asks for, from 0; -1 for none. @param {string} hash */
export const stepOf = (hash) => Math.trunc(Number(new URLSearchParams(hash.replace(/^#/, '')).get('ten-minutes')) || 0) - 1;
