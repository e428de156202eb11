// The strokes and shapes that everything in the diagram is painted with.

/** @typedef {CanvasRenderingContext2D} Canvas */

/**
 * @param {Canvas} canvas
 * @param {[number, number][]} points
 * @param {{ colour: string, width: number, dash?: number[] }} pen
 */
export function strokeLine(canvas, points, { colour, width, dash = [] }) {
  canvas.strokeStyle = colour;
  canvas.lineWidth = width;
  canvas.setLineDash(dash);
  canvas.beginPath();
  for (const [x, y] of crisp(points, width)) canvas.lineTo(x, y);
  canvas.stroke();
  canvas.setLineDash([]);
}

/** A thin upright or level line lies on whole pixels. @param {[number, number][]} points @param {number} width @returns {[number, number][]} */
function crisp(points, width) {
  const [first] = points;
  if (!first || width > 1.5) return points;
  if (points.every(([x]) => x === first[0])) return points.map(([x, y]) => [Math.floor(x) + 0.5, y]);
  return points.every(([, y]) => y === first[1]) ? points.map(([x, y]) => [x, Math.floor(y) + 0.5]) : points;
}

/** @param {Canvas} canvas @param {[number, number][]} points @param {{ fill?: string, stroke?: string, width?: number }} pen */
export function shape(canvas, points, { fill, stroke, width = 1.5 }) {
  canvas.beginPath();
  for (const [x, y] of points) canvas.lineTo(x, y);
  canvas.closePath();
  if (fill) {
    canvas.fillStyle = fill;
    canvas.fill();
  }
  if (stroke) {
    canvas.strokeStyle = stroke;
    canvas.lineWidth = width;
    canvas.stroke();
  }
}

/** A filled head at the end of a line, or an open one. @param {Canvas} canvas @param {[number, number]} from @param {[number, number]} to @param {{ colour: string, open: boolean, size: number }} pen */
export function head(canvas, [x1, y1], [x2, y2], { colour, open, size }) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  /** @param {number} turn @returns {[number, number]} */
  const corner = (turn) => [x2 - size * Math.cos(angle + turn), y2 - size * Math.sin(angle + turn)];
  if (open) strokeLine(canvas, [corner(0.45), [x2, y2], corner(-0.45)], { colour, width: 1.4 });
  else shape(canvas, [corner(0.4), [x2, y2], corner(-0.4)], { fill: colour });
}

/** @param {Canvas} canvas @param {number} x @param {number} y @param {number} size @param {{ colour: string, width: number }} pen */
export function cross(canvas, x, y, size, pen) {
  strokeLine(canvas, [[x - size, y - size], [x + size, y + size]], pen);
  strokeLine(canvas, [[x - size, y + size], [x + size, y - size]], pen);
}

/** @param {number} x @param {number} y @param {number} size @returns {[number, number][]} */
export const diamond = (x, y, size) => [[x, y - size], [x + size, y], [x, y + size], [x - size, y]];

/** A triangle that points down. @param {number} x @param {number} y @param {number} size @returns {[number, number][]} */
export const triangle = (x, y, size) => [[x - size, y - size], [x + size, y - size], [x, y + size]];

/** A triangle that stands on its side, for warning. @param {number} x @param {number} y @param {number} size @returns {[number, number][]} */
export const warning = (x, y, size) => [[x, y - size], [x + size, y + size * 0.8], [x - size, y + size * 0.8]];

/** @param {number} x @param {number} y @param {number} size @returns {[number, number][]} */
export const square = (x, y, size) => [[x - size, y - size], [x + size, y - size], [x + size, y + size], [x - size, y + size]];

/**
 * Slanted lines over a box, so that what is wrong is told without its colour.
 * @param {Canvas} canvas
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {string} colour
 * @param {number} [apart]
 */
export function hatch(canvas, { x, y, width, height }, colour, apart = 7) {
  canvas.save();
  canvas.beginPath();
  canvas.rect(x, y, width, height);
  canvas.clip();
  canvas.strokeStyle = colour;
  canvas.lineWidth = 1;
  canvas.beginPath();
  const first = Math.floor((x - height) / apart) * apart;
  for (let at = first; at < x + width; at += apart) {
    canvas.moveTo(at, y + height);
    canvas.lineTo(at + height, y);
  }
  canvas.stroke();
  canvas.restore();
}
