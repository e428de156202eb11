// Where things are in a lane's picture. All lengths are pixels; u is the size
// of the page's type, so that the picture grows with it.

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} u
 * @property {number} least the height without which the picture sticks out
 * @property {number} edge space at either side of the directory
 * @property {number} queueX where the queue begins: one that is short is in the middle
 * @property {number} pitch from one znode to the next
 * @property {number} box a znode's width
 * @property {number} boxHeight
 * @property {number} places how many znodes fit
 * @property {number} directory height of the directory's bar
 * @property {number} boxTop
 * @property {number} serverBottom
 * @property {number} clientsTop
 * @property {boolean} roomy clients as cards with words, not as small tiles
 * @property {boolean} small these words are small
 * @property {number} rows of clients
 * @property {number} columns of clients
 * @property {number} cell a client's width
 * @property {number} clientsX where the rows of clients begin
 * @property {number} rowHeight
 * @property {number} shape a client's width as it is drawn
 * @property {number} crowdX where the clients begin that are only counted
 */

/** The most clients of a lane that are drawn each by itself. */
export const MOST_DRAWN = 50;

const SMALLEST_PITCH = 1.75;
const LARGEST_PITCH = 5;
const WIDEST_CELL = 7;

/** In units of the type's size. The largest that fit are taken. */
const CARD = { cell: 3.1, row: 4.25, shape: 2, link: 2.25 };
const CARDS = [CARD, { ...CARD, row: 3.625, shape: 1.5 }, { cell: 2.6, row: 3.375, shape: 1.375, link: 2 }];
const MOST_CARDS = 16;
/** With a second line of words a card is higher by that, and the server's part has a foot of at least this. */
const LINE = 1.125;
const FOOT = 1.125;
const TILES = [{ cell: 2.375, row: 2.5, shape: 1.5, link: 1.75 }, { cell: 2, row: 2.125, shape: 1.3, link: 1.75 }];

/** The few clients that are drawn of too many: one row, in this part of the width; beside it the others are counted, in columns if there is room. */
const CROWD = { part: 0.55, cell: 3.5, fewest: 3, most: 9, wide: 26, row: 6.25, narrowRow: 9 };

/** The server's part: as it should be, and where there is little room. */
const EASY = { boxTop: 5, boxHeight: 3.75, foot: 0.75, link: 6 };
const TIGHT = { boxTop: 4.5, boxHeight: 3.5, foot: 0.5 };
const LONGEST_LINK = 12;

/**
 * @param {number} width of the picture
 * @param {number} unit the size of the page's type
 * @param {number} clients
 * @param {number} [height] of the picture with its clients; without it, as high as it should be
 * @param {boolean} [second] a client may have a second line of words
 * @returns {Layout}
 */
export function layout(width, unit, clients, height = 0, second = false) {
  const u = unit * growth(width, unit, clients, height, second);
  const edge = 0.75 * u;
  const room = Math.max(1, width - 2 * edge);
  const pitch = Math.min(LARGEST_PITCH * u, Math.max(SMALLEST_PITCH * u, room / Math.max(1, clients)));
  const { grid, least } = gridFor(width, u, clients, height, second);
  const server = divide(height ? height / u - grid.rows * grid.row : Infinity, grid.link);
  const crowded = clients > MOST_DRAWN;
  const cell = Math.min(WIDEST_CELL * u, (crowded ? CROWD.part * width : width) / grid.columns);
  const gap = Math.min(0.625 * u, pitch * 0.16);
  const queueX = Math.max(edge, (width + gap - clients * pitch) / 2);
  const foot = second ? Math.max(server.foot, FOOT) : server.foot;
  const serverBottom = (server.boxTop + server.boxHeight + foot) * u;
  return {
    width, u, edge, queueX, pitch, serverBottom,
    least: least * unit,
    boxTop: server.boxTop * u,
    boxHeight: server.boxHeight * u,
    box: pitch - gap,
    places: Math.max(3, Math.floor((width - edge - queueX + gap) / pitch + 0.01)),
    directory: 2 * u,
    clientsTop: serverBottom + (server.link + server.foot - foot) * u,
    roomy: grid.roomy,
    small: cell < CARD.cell * u - 0.01,
    rows: grid.rows,
    columns: grid.columns,
    cell,
    clientsX: crowded ? 0 : Math.max(0, (width - grid.columns * cell) / 2),
    crowdX: crowded ? grid.columns * cell : width,
    rowHeight: grid.row * u,
    shape: grid.shape * u,
  };
}

/** How much larger than the page's type a picture may be drawn. */
const GROWN = [1.5, 1.4, 1.3, 1.2, 1.1];
/** The least width of a client then, so that its words stay as they are. */
const GROWN_CELL = 3.75;
/** The least width of a picture then: words stand in it. */
const GROWN_WIDTH = 20;

/**
 * Where there is more room than the picture needs, all of it grows, as long as its clients
 * stay in as many rows of the same kind.
 * @param {number} width @param {number} unit @param {number} clients @param {number} height @param {boolean} second
 */
function growth(width, unit, clients, height, second) {
  if (!height || clients > MOST_DRAWN) return 1;
  const { grid } = gridFor(width, unit, clients, height, second);
  return GROWN.find((factor) => {
    const u = unit * factor;
    const grown = gridFor(width, u, clients, height, second).grid;
    const high = (sum(EASY) + grown.rows * grown.row) * u <= height;
    const wide = width / grown.columns >= GROWN_CELL * u && width >= GROWN_WIDTH * u;
    return high && wide && grown.rows === grid.rows && grown.row === grid.row && grown.roomy === grid.roomy;
  }) ?? 1;
}

/** @typedef {{ roomy: boolean, rows: number, columns: number, row: number, shape: number, link: number }} Grid lengths in units of the type's size */

/**
 * The clients in rows of even length: with words if there are few, and else as tiles.
 * @param {number} width
 * @param {number} u
 * @param {number} clients
 * @param {number} height 0 for no limit
 * @param {boolean} second
 */
function gridFor(width, u, clients, height, second) {
  if (clients > MOST_DRAWN) return crowdGrid(width, u);
  const cards = CARDS.map((card) => ({ ...gridOf(second ? { ...card, row: card.row + LINE } : card, width, u, clients), roomy: true }));
  const choices = clients <= MOST_CARDS && cards.every(({ rows }) => rows <= 2) ? cards
    : TILES.map((tile) => ({ ...gridOf(tile, width, u, clients), roomy: false }));
  const last = /** @type {Grid} */ (choices.at(-1));
  const grid = choices.find((each) => !height || leastOf(each) * u <= height) ?? last;
  return { grid, least: leastOf(last) };
}

/** @param {number} width @param {number} u */
function crowdGrid(width, u) {
  const columns = Math.min(CROWD.most, Math.max(CROWD.fewest, Math.floor((CROWD.part * width) / (CROWD.cell * u))));
  const grid = { ...CARD, roomy: true, rows: 1, columns, row: width < CROWD.wide * u ? CROWD.narrowRow : CROWD.row };
  return { grid, least: leastOf(grid) };
}

/** @param {Grid} grid */
const leastOf = (grid) => sum(TIGHT) + grid.link + grid.rows * grid.row;

/** @param {{ cell: number, row: number, shape: number, link: number }} size @param {number} width @param {number} u @param {number} clients */
function gridOf({ cell, row, shape, link }, width, u, clients) {
  const rows = Math.max(1, Math.ceil(clients / Math.max(1, Math.floor(width / (cell * u)))));
  return { rows, columns: Math.max(1, Math.ceil(clients / rows)), row, shape, link };
}

/**
 * Divides a height between the server and the links: the server becomes as high as it
 * should be while the links grow to their usual length; what is left makes them longer.
 * @param {number} height in units of the type's size
 * @param {number} shortest link
 */
function divide(height, shortest) {
  const tight = { ...TIGHT, link: shortest };
  const part = Math.min(1, Math.max(0, (height - sum(tight)) / (sum(EASY) - sum(tight))));
  const of = (/** @type {keyof typeof EASY} */ name) => tight[name] + (EASY[name] - tight[name]) * part;
  const rest = Number.isFinite(height) ? Math.max(0, height - sum(EASY)) : 0;
  return { boxTop: of('boxTop'), boxHeight: of('boxHeight'), foot: of('foot'), link: Math.min(LONGEST_LINK, of('link') + rest) };
}

/** @param {Record<string, number>} lengths */
const sum = (lengths) => Object.values(lengths).reduce((a, b) => a + b);

/**
 * The left edge of the znode at a place of the queue.
 * @param {Layout} at
 * @param {number} index
 */
export const nodeX = (at, index) => at.queueX + index * at.pitch;

/**
 * The end of a client's link. Links of clients below one another run side by side.
 * @param {Layout} at
 * @param {number} index from 0
 */
export function clientPoint(at, index) {
  const row = Math.floor(index / at.columns);
  const apart = Math.min(1.25 * at.u, (at.cell * 0.75) / at.rows);
  const x = at.clientsX + ((index % at.columns) + 0.5) * at.cell + (row - (at.rows - 1) / 2) * apart;
  return { x, y: at.clientsTop + row * at.rowHeight };
}
