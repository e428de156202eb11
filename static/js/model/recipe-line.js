// Where a client stands in the pseudo-code of its recipe.

/** @import { Line } from '../kinds.d.ts' */
/** @import { Client } from './client.js' */

/**
 * The lines that a client may stand at, by their indexes: those of its state, and of
 * these the ones that wait for what it waits for. More than one when the log does
 * not tell them apart; none when its program does not run.
 * @param {Line[]} code
 * @param {Client} client
 * @param {string[]} awaits the requests that are not answered, what tells most first; or notification
 * @returns {number[]}
 */
export function standsAt(code, client, awaits) {
  const state = client.state === 'suspended' ? client.belief : client.state;
  const lines = [...code.entries()].filter(([, { at }]) => at?.some((each) => each === state));
  const exact = awaits.map((op) => lines.filter(([, line]) => line.awaits?.includes(op))).find(({ length }) => length);
  return (exact ?? lines.filter(([, line]) => !line.awaits)).map(([index]) => index);
}
