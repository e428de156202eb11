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
 * @property {number[]} order the clients that have a row, from top to bottom
 * @property {Map<number, number>} place which row is whose, from 0
 * @property {number} clients how many they are
 * @property {number} row the height of a client's row
 * @property {number} bar the height of the bar of a holder
 * @property {number} axis where the time axis begins
 */

const WORD_LINE = 18;
const LOW = 700;
/** The height of the time axis. */
export const AXIS = 26;
const NARROW = 600;
/** The least height of a client's row. */
const LEAST_ROW = 18;

/**
 * The rows in a space, or taller than that when they would be too low to read.
 * @param {number} width
 * @param {number} height
 * @param {number[]} order the clients that have a row
 * @param {number} slots how many znodes there are at once
 * @returns {Rows}
 */
export function rows(width, height, order, slots) {
  const many = Math.max(1, order.length);
  const words = height < LOW ? 2 : 4;
  const serverTop = 4 + words * WORD_LINE;
  const znodes = Math.max(1, slots, Math.min(many, 50));
  const slot = znodes > 24 ? 3 : znodes > 12 ? 6 : Math.max(height < LOW && znodes > 4 ? 9 : 14, Math.min(20, Math.floor(height / 6 / znodes)));
  const server = serverTop + Math.max(znodes * slot + 4, 40);
  const gap = Math.round(Math.max(26, Math.min(180, height * 0.04 + (height - server - AXIS - many * 76) * 0.5)));
  const clientsTop = server + gap;
  const row = Math.max(LEAST_ROW, Math.min(110, Math.floor((height - clientsTop - AXIS) / many)));
  const bottom = clientsTop + many * row;
  return {
    width, left: width < NARROW ? 34 : 88, right: width - 10, words,
    serverTop, slot, server, clientsTop, order, place: new Map(order.map((client, index) => [client, index])), clients: many, row, bar: Math.min(20, 2 * Math.floor(row * 0.21)),
    axis: bottom, height: bottom + AXIS,
  };
}

/** How many rows of clients there is room for. @param {number} height @param {number} clients @param {number} slots */
export function capacity(height, clients, slots) {
  const { clientsTop } = rows(1, height, Array.from({ length: clients }, (_, index) => index + 1), slots);
  return Math.max(1, Math.floor((height - clientsTop - AXIS) / LEAST_ROW));
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

/** The top of a client's row. @param {Rows} at @param {number} client from 1 */
export const topOf = (at, client) => at.clientsTop + (at.place.get(client) ?? at.clients) * at.row;

/** The middle of a client's bars. @param {Rows} at @param {number} client from 1 */
export const barY = (at, client) => topOf(at, client) + (at.row < 44 ? 4 : 10) + at.bar / 2;

/** Where a client's frames begin and end. @param {Rows} at @param {number} client */
export const linkY = (at, client) => barY(at, client) - at.bar / 2 - 1;

/** Where the words of a client's row stand, none when it is too low. @param {Rows} at @param {number} client */
export const wordY = (at, client) => (at.row < 28 ? undefined : barY(at, client) + at.bar / 2 + (at.row < 44 ? 13 : 16));

/** The top of a znode's bar. @param {Rows} at @param {number} slot */
export const slotY = (at, slot) => at.serverTop + slot * at.slot;

/** The client in whose row a height is, or 0. @param {Rows} at @param {number} y */
export function clientAt(at, y) {
  return y < at.axis ? at.order[Math.floor((y - at.clientsTop) / at.row)] ?? 0 : 0;
}
