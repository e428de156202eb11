// Where things are in a lane's picture. All lengths are pixels; u is the size
// of the page's type, so that the picture grows with it.

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} u
 * @property {number} edge space at either side of the queue
 * @property {number} pitch from one znode to the next
 * @property {number} box a znode's width
 * @property {number} boxHeight
 * @property {number} places how many znodes fit
 * @property {number} directory height of the directory's bar
 * @property {number} boxTop
 * @property {number} serverBottom
 * @property {number} clientsTop
 * @property {boolean} roomy clients as cards with words, not as small tiles
 * @property {number} rows of clients
 * @property {number} columns of clients
 * @property {number} cell a client's width
 * @property {number} rowHeight
 */

const SMALLEST_PITCH = 1.75;
const LARGEST_PITCH = 5;
const ROOMY = { most: 16, cell: 3.1, row: 4.25 };
const COMPACT = { cell: 2.375, row: 2.5 };
const WIDEST_CELL = 7;

/**
 * @param {number} width of the picture
 * @param {number} u
 * @param {number} clients
 * @returns {Layout}
 */
export function layout(width, u, clients) {
  const edge = 0.75 * u;
  const room = Math.max(1, width - 2 * edge);
  const pitch = Math.min(LARGEST_PITCH * u, Math.max(SMALLEST_PITCH * u, room / Math.max(1, clients)));
  const boxTop = 5 * u;
  const boxHeight = 3.75 * u;
  const serverBottom = boxTop + boxHeight + 0.75 * u;
  return {
    width, u, edge, pitch, boxTop, boxHeight, serverBottom,
    box: pitch - Math.min(0.625 * u, pitch * 0.16),
    places: Math.max(3, Math.floor(room / pitch + 0.01)),
    directory: 2 * u,
    clientsTop: serverBottom + 6 * u,
    ...grid(width, u, clients),
  };
}

/**
 * The clients in rows of even length, with words if there is room.
 * @param {number} width
 * @param {number} u
 * @param {number} clients
 */
function grid(width, u, clients) {
  const rowsOf = (/** @type {number} */ cell) => Math.ceil(clients / Math.max(1, Math.floor(width / (cell * u))));
  const roomy = clients <= ROOMY.most && rowsOf(ROOMY.cell) <= 2;
  const rows = Math.max(1, rowsOf(roomy ? ROOMY.cell : COMPACT.cell));
  const columns = Math.max(1, Math.ceil(clients / rows));
  return { roomy, rows, columns, cell: Math.min(WIDEST_CELL * u, width / columns), rowHeight: (roomy ? ROOMY : COMPACT).row * u };
}

/**
 * The left edge of the znode at a place of the queue.
 * @param {Layout} at
 * @param {number} index
 */
export const nodeX = (at, index) => at.edge + index * at.pitch;

/**
 * The end of a client's link. Links of clients below one another run side by side.
 * @param {Layout} at
 * @param {number} index from 0
 */
export function clientPoint(at, index) {
  const row = Math.floor(index / at.columns);
  const apart = Math.min(1.25 * at.u, (at.cell * 0.75) / at.rows);
  const x = ((index % at.columns) + 0.5) * at.cell + (row - (at.rows - 1) / 2) * apart;
  return { x, y: at.clientsTop + row * at.rowHeight };
}
