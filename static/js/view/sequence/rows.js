// Where the rows of a sequence diagram lie: words on top, ZooKeeper with its
// znodes, one row for each client, and the time axis at the bottom.

/**
 * @typedef {object} Rows
 * @property {number} width
 * @property {number} height
 * @property {number} left where time begins
 * @property {number} right where it ends
 * @property {number} words how many lines of words stand on top
 * @property {number} serverTop
 * @property {number} slot the height of a znode's bar and the gap below it
 * @property {number} server where frames reach ZooKeeper
 * @property {number} clientsTop
 * @property {number} clients
 * @property {number} row the height of a client's row
 * @property {number} bar the height of the bar of a holder
 * @property {number} axis where the time axis begins
 */

const WORD_LINE = 18;
const LOW = 420;
/** The height of the time axis. */
export const AXIS = 26;
const NARROW = 600;

/**
 * The rows in a space, or taller than that when they would be too low to read.
 * @param {number} width
 * @param {number} height
 * @param {number} clients
 * @param {number} slots how many znodes there are at once
 * @returns {Rows}
 */
export function rows(width, height, clients, slots) {
  const many = Math.max(1, clients);
  const words = height < LOW ? 2 : 4;
  const serverTop = 4 + words * WORD_LINE;
  const znodes = Math.max(1, slots, Math.min(many, 50));
  const slot = znodes > 24 ? 4 : znodes > 12 ? 7 : Math.max(14, Math.min(20, Math.floor(height / 4 / znodes)));
  const server = serverTop + Math.max(znodes * slot + 4, 64);
  const gap = Math.round(Math.max(26, Math.min(180, height * 0.04 + (height - server - AXIS - many * 76) * 0.5)));
  const clientsTop = server + gap;
  const row = Math.max(many > 16 ? 16 : 30, Math.min(110, Math.floor((height - clientsTop - AXIS) / many)));
  const bottom = clientsTop + many * row;
  return {
    width, left: width < NARROW ? 34 : 88, right: width - 10, words,
    serverTop, slot, server, clientsTop, clients: many, row, bar: Math.min(20, 2 * Math.floor(row * 0.21)),
    axis: bottom, height: bottom + AXIS,
  };
}

/**
 * Where words on top stand: violations and what they have found, then who believes at
 * once, then what is said about the run. In a low picture they share two lines.
 * @param {Rows} at
 * @param {'violation' | 'violation, why' | 'conflict' | 'note'} what
 */
export function headY(at, what) {
  const line = ['violation', 'violation, why', 'conflict', 'note'].indexOf(what);
  return 15 + WORD_LINE * (at.words > 2 ? line : Math.min(1, line));
}

/** The middle of a client's bars. @param {Rows} at @param {number} client from 1 */
export const barY = (at, client) => at.clientsTop + (client - 1) * at.row + (at.row < 44 ? 4 : 10) + at.bar / 2;

/** Where a client's frames begin and end. @param {Rows} at @param {number} client */
export const linkY = (at, client) => barY(at, client) - at.bar / 2 - 1;

/** Where the words of a client's row stand, none when it is too low. @param {Rows} at @param {number} client */
export const wordY = (at, client) => (at.row < 28 ? undefined : barY(at, client) + at.bar / 2 + (at.row < 44 ? 13 : 16));

/** The top of a znode's bar. @param {Rows} at @param {number} slot */
export const slotY = (at, slot) => at.serverTop + slot * at.slot;

/** The client in whose row a height is, or 0. @param {Rows} at @param {number} y */
export function clientAt(at, y) {
  const client = Math.floor((y - at.clientsTop) / at.row) + 1;
  return client >= 1 && client <= at.clients && y < at.axis ? client : 0;
}
