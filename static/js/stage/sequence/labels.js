// Words in the picture, none upon another: on each line those that matter most
// are placed first, and what finds no room is left out. The tooltip and the
// words below the picture have it all.

/**
 * @typedef {object} Label
 * @property {string} text
 * @property {number} x where it would begin
 * @property {number} y its base line, which is also the line it is on
 * @property {string} colour
 * @property {number} weight what matters more is placed first
 * @property {number} [room] how wide it may be; what is wider is left out
 * @property {boolean} [bold]
 * @property {number} [size]
 * @property {string} [ground] a box behind it
 * @property {boolean} [shorten] rather than leave it out
 * @property {number} [before] where it would end when there is no room after x
 * @property {number} [otherwise] the line it is on when there is none on the first
 */

const APART = 9;

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {Label[]} labels
 * @param {{ left: number, right: number, pale: number }} ends nothing stands outside; from pale on it is pale
 * @param {{ font: string, surface: string }} style
 */
export function paintLabels(canvas, labels, ends, style) {
  /** @type {Map<number, [number, number][]>} */
  const taken = new Map();
  const full = new Set();
  for (const label of [...labels].sort((a, b) => b.weight - a.weight)) {
    if (hopeless(label, full)) continue;
    canvas.font = `${label.bold ? 600 : 400} ${label.size ?? 11}px ${style.font}`;
    const lines = label.otherwise === undefined ? [label.y] : [label.y, label.otherwise];
    const tries = lines.flatMap((y) => fit(canvas, label, y, taken, ends) ?? []);
    const fitted = tries.find((each) => each.text === label.text) ?? tries[0];
    if (!fitted) continue;
    const line = taken.get(fitted.y) ?? [];
    line.push([fitted.x, fitted.x + fitted.width]);
    taken.set(fitted.y, line);
    for (let x = fitted.x; x < fitted.x + fitted.width; x += CELL) full.add(`${fitted.y} ${Math.floor(x / CELL)}`);
    const pale = label.x > ends.pale + BESIDE;
    canvas.globalAlpha = pale ? PALE : 1;
    paint(canvas, pale && label.ground ? { ...label, ground: 'transparent' } : label, fitted, style);
    canvas.globalAlpha = 1;
  }
}

/** A part of a line that is known to be taken. */
const CELL = 10;

/**
 * Says cheaply that there is no room, since a long run has thousands of words:
 * without measuring them.
 * @param {Label} label
 * @param {Set<string>} full the parts of lines that are taken
 */
function hopeless({ text, x, y, otherwise = y, room = Infinity, size = 11, shorten: shortens, before }, full) {
  if (shortens || before !== undefined) return false;
  const cell = Math.floor((x + CELL) / CELL);
  return room < text.length * size * 0.4 || (full.has(`${y} ${cell}`) && full.has(`${otherwise} ${cell}`));
}

/** Words stand at most this far after what they are about. */
const BESIDE = 8;

/** How much is left of words about what lies after the playhead. */
const PALE = 0.35;

/** @typedef {{ text: string, x: number, y: number, width: number }} Fitted */

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {Label} label
 * @param {number} y
 * @param {Map<number, [number, number][]>} taken
 * @param {{ left: number, right: number }} ends
 * @returns {Fitted | undefined}
 */
function fit(canvas, label, y, taken, ends) {
  const line = taken.get(y) ?? [];
  const full = canvas.measureText(label.text).width;
  const from = Math.max(ends.left + 3, label.x);
  const next = Math.min(ends.right, ...line.filter(([, to]) => to + APART > from).map(([start]) => start - APART));
  const room = Math.min(next - from, label.room ?? Infinity);
  const behind = label.before ?? (from === label.x && label.room === undefined ? Math.min(ends.right, label.x + 12) : -Infinity);
  const before = Math.max(ends.left + 3, ...line.filter(([start]) => start < behind).map(([, to]) => to + APART));
  if (full <= room) return { text: label.text, x: from, y, width: full };
  if (full <= behind - before) return { text: label.text, x: behind - full, y, width: full };
  if (!label.shorten || Math.max(room, behind - before) < 60) return undefined;
  const text = shorten(canvas, label.text, Math.max(room, behind - before));
  const { width } = canvas.measureText(text);
  return { text, x: room >= behind - before ? from : behind - width, y, width };
}

/** @param {CanvasRenderingContext2D} canvas @param {string} text @param {number} room */
function shorten(canvas, text, room) {
  let [fits, length] = [0, text.length];
  while (fits < length) {
    const middle = (fits + length + 1) >> 1;
    if (canvas.measureText(`${text.slice(0, middle)}…`).width <= room) fits = middle;
    else length = middle - 1;
  }
  return `${text.slice(0, fits).trimEnd()}…`;
}

/** @param {CanvasRenderingContext2D} canvas @param {Label} label @param {Fitted} fitted @param {{ surface: string }} style */
function paint(canvas, { colour, ground, size = 11 }, { text, x, y, width }, { surface }) {
  canvas.textAlign = 'left';
  canvas.textBaseline = 'alphabetic';
  if (ground) {
    canvas.fillStyle = ground;
    canvas.fillRect(x - 4, y - size - 1, width + 8, size + 5);
  } else {
    canvas.lineWidth = 3;
    canvas.lineJoin = 'round';
    canvas.strokeStyle = surface;
    canvas.strokeText(text, x, y);
  }
  canvas.fillStyle = colour;
  canvas.fillText(text, x, y);
}
