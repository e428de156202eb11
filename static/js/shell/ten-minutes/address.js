// The address of the ten minutes in a room, with the step at which they are.

/** The address where they begin. */
export const TEN_MINUTES = '#ten-minutes=1';

/** The step that an address asks for, from 1; 0 for none. @param {string} hash */
export const stepOf = (hash) => Math.trunc(Number(new URLSearchParams(hash.replace(/^#/, '')).get('ten-minutes')) || 0);
