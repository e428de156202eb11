// Paints a diagram: the ground with its rows and time axis, then everything that
// is laid out, then what lies after the playhead paled, and the playhead.

import { outlineOf } from '../../ui/shapes.js';
import { isAbout } from './layout.js';
import { paintLabels } from './labels.js';
import { paintCrowd, paintFrame } from './paint-frames.js';
import { paintItem } from './paint-items.js';
import { shape, strokeLine, triangle } from './pens.js';
import { AXIS, barY, topOf } from './rows.js';
import { seconds } from '../../ui/time-axis.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Item } from '../../model/sequence/items.js' */
/** @import { Tick } from '../../ui/time-axis.js' */
/** @import { Colours } from '../../ui/colours.js' */
/** @import { Label } from './labels.js' */
/** @import { Layout, Placed, Selection, Time } from './layout.js' */
/** @import { Canvas } from './pens.js' */
/** @import { Rows } from './rows.js' */

/**
 * @typedef {object} Scene
 * @property {Rows} rows
 * @property {Map<number, string>} guests what those are that are no simulated clients
 * @property {Layout} layout
 * @property {Time} time
 * @property {Tick[]} ticks
 * @property {number} at the playhead
 * @property {number} axis where the time axis is seen: above its place while the rows scroll
 * @property {Colours} colours
 * @property {Catalogue} catalogue
 * @property {Selection | undefined} selection
 * @property {Item | undefined} pointed under the pointer, or reached by the keyboard
 */

/** @param {Canvas} canvas @param {Scene} scene */
export function paint(canvas, scene) {
  const { rows, layout, selection, pointed, colours } = scene;
  canvas.fillStyle = colours.surface;
  canvas.fillRect(0, 0, rows.width, rows.height);
  paintRows(canvas, scene);
  canvas.save();
  canvas.beginPath();
  canvas.rect(rows.left - 1, 0, rows.right - rows.left + 8, rows.axis);
  canvas.clip();
  /** @type {Label[]} */
  const labels = [];
  for (const placed of layout.placed) {
    const { item } = placed;
    const other = selection !== undefined && item.type === 'frame' && !isAbout(item, selection) && item !== pointed;
    canvas.globalAlpha = other ? 0.3 : 1;
    if (item.type === 'frame' && placed.shape === 'line') paintFrame(canvas, placed, item, scene, labels);
    else paintItem(canvas, placed, scene, labels);
    canvas.globalAlpha = 1;
  }
  for (const crowd of layout.crowds) paintCrowd(canvas, crowd, scene, labels);
  for (const placed of layout.placed) if (placed.item === pointed || (selection?.frame || selection?.path) && isAbout(placed.item, selection)) outline(canvas, placed, colours);
  paintAfter(canvas, scene);
  paintLabels(canvas, labels, { left: rows.left, right: rows.right, pale: scene.time.x(scene.at) }, colours);
  canvas.restore();
  paintAxis(canvas, scene);
  paintPlayhead(canvas, scene);
}

/** @param {Canvas} canvas @param {Scene} scene */
function paintRows(canvas, { rows, guests, colours, selection }) {
  canvas.fillStyle = colours.server;
  canvas.fillRect(rows.left, rows.serverTop - 2, rows.right - rows.left, rows.server - rows.serverTop + 2);
  strokeLine(canvas, [[rows.left, rows.server], [rows.right, rows.server]], { colour: colours['ink-soft'], width: 2 });
  for (const client of rows.order) {
    const [top, y] = [topOf(rows, client), barY(rows, client)];
    if (selection?.client === client && !selection.frame && !selection.path) {
      canvas.fillStyle = colours.raised;
      canvas.fillRect(0, top, rows.right, rows.row);
    }
    strokeLine(canvas, [[rows.left, y], [rows.right, y]], { colour: colours.line, width: 1 });
    paintClient(canvas, client, guests.get(client) ?? 'client', y, rows, colours);
  }
  paintServerName(canvas, rows, colours);
}

/** @param {Canvas} canvas @param {number} client @param {string} what it is @param {number} y @param {Rows} rows @param {Colours} colours */
function paintClient(canvas, client, what, y, rows, colours) {
  const { path, shift } = outlineOf(client);
  const size = Math.min(1, (rows.row - 1) / 23);
  const own = `colour-${ownColour(client)}`;
  canvas.save();
  canvas.translate(17, y);
  canvas.scale(size, size);
  canvas.fillStyle = colours[/** @type {keyof Colours} */ (own)];
  canvas.fill(new Path2D(path));
  canvas.fillStyle = colours['on-colour'];
  canvas.font = `700 ${client > 9 ? 10 : 12}px ${colours.font}`;
  canvas.textAlign = 'center';
  canvas.fillText(String(client), 0, shift + 4);
  canvas.restore();
  if (rows.left < 80) return;
  canvas.textAlign = 'left';
  canvas.fillStyle = colours.ink;
  canvas.font = `12px ${colours.font}`;
  canvas.fillText(`${what} ${client}`, 34, y + 4);
}

/** As in shapes.js: the class of a client's colour names it. @param {number} client */
const ownColour = (client) => ((client - 1 + Math.floor((client - 1) / 8)) % 8) + 1;

/** @param {Canvas} canvas @param {Rows} rows @param {Colours} colours */
function paintServerName(canvas, rows, colours) {
  const middle = (rows.serverTop + rows.server) / 2;
  canvas.save();
  canvas.fillStyle = colours.ink;
  canvas.font = `600 12px ${colours.font}`;
  if (rows.left < 80) {
    canvas.translate(20, middle);
    canvas.rotate(-Math.PI / 2);
    canvas.font = `600 11px ${colours.font}`;
    canvas.textAlign = 'center';
    canvas.fillText('ZooKeeper', 0, 0);
  } else {
    canvas.textAlign = 'left';
    canvas.fillText('ZooKeeper', 6, middle + 4);
  }
  canvas.restore();
}

/** @param {Canvas} canvas @param {Placed} placed @param {Colours} colours */
function outline(canvas, placed, colours) {
  const pen = { colour: colours.ink, width: 2 };
  if (placed.shape === 'line') strokeLine(canvas, placed.points, { ...pen, width: placed.item.type === 'violation' ? 2 : 2.5 });
  else if (placed.shape === 'point') shape(canvas, [[placed.x - 9, placed.y - 9], [placed.x + 9, placed.y - 9], [placed.x + 9, placed.y + 9], [placed.x - 9, placed.y + 9]], { stroke: pen.colour, width: 2 });
  else {
    canvas.strokeStyle = pen.colour;
    canvas.lineWidth = 2;
    canvas.strokeRect(placed.x - 1, placed.y - 1, placed.width + 2, placed.height + 2);
  }
}

/** What lies after the playhead is known, but not yet. @param {Canvas} canvas @param {Scene} scene */
function paintAfter(canvas, { rows, time, at, colours }) {
  const x = Math.max(rows.left - 1, time.x(at));
  if (x >= rows.right) return;
  canvas.globalAlpha = 0.7;
  canvas.fillStyle = colours.surface;
  canvas.fillRect(x, 0, rows.width - x, rows.axis);
  canvas.globalAlpha = 1;
}

/** @param {Canvas} canvas @param {Scene} scene */
function paintAxis(canvas, { rows, ticks, colours, time, at, axis }) {
  const y = axis + 0.5;
  canvas.fillStyle = colours.surface;
  canvas.fillRect(0, axis, rows.width, AXIS);
  strokeLine(canvas, [[rows.left, y], [rows.right, y]], { colour: colours['line-strong'], width: 1 });
  canvas.font = `11px ${colours.font}`;
  canvas.textAlign = 'center';
  canvas.fillStyle = colours['ink-soft'];
  for (const tick of ticks) {
    strokeLine(canvas, [[tick.x, y], [tick.x, y + 5]], { colour: colours['line-strong'], width: 1 });
    const width = canvas.measureText(tick.text).width / 2;
    if (Math.abs(tick.x - time.x(at)) < width + 36) continue;
    canvas.fillText(tick.text, Math.max(rows.left + width - 8, Math.min(rows.right - width, tick.x)), y + 17);
  }
}

/** @param {Canvas} canvas @param {Scene} scene */
function paintPlayhead(canvas, { rows, time, at, colours, axis }) {
  const x = time.x(at);
  if (x < rows.left - 1 || x > rows.right + 1) return;
  strokeLine(canvas, [[x, 0], [x, axis + 6]], { colour: colours.ink, width: 1.5 });
  shape(canvas, triangle(x, 4, 4), { fill: colours.ink });
  const text = seconds(Math.round(at / 1000) * 1000);
  canvas.font = `600 11px ${colours.font}`;
  const half = canvas.measureText(text).width / 2 + 5;
  const middle = Math.max(rows.left + half - 8, Math.min(rows.width - half, x));
  canvas.fillStyle = colours.ink;
  canvas.fillRect(middle - half, axis + 6, half * 2, 17);
  canvas.fillStyle = colours.surface;
  canvas.textAlign = 'center';
  canvas.fillText(text, middle, axis + 18.5);
}
