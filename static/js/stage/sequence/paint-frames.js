// How frames look: a request is a solid line with a filled head, a reply dashed
// with an open one, a notification thick with a diamond where it set off, a ping
// dotted and without a head. One that is lost ends in a cross.

import { grouped, t } from '../../text/language.js';
import { cross, diamond, head, shape, strokeLine } from './pens.js';
import { linkY, wordY } from './rows.js';
import { label } from './words.js';

/** @import { FrameItem } from '../../model/sequence/items.js' */
/** @import { Crowd } from './density.js' */
/** @import { Label } from './labels.js' */
/** @import { Line } from './layout.js' */
/** @import { Scene } from './paint.js' */
/** @import { Canvas } from './pens.js' */

/** @param {Canvas} canvas @param {Line} line @param {FrameItem} frame @param {Scene} scene @param {Label[]} labels */
export function paintFrame(canvas, { points }, frame, scene, labels) {
  const { colours } = scene;
  const colour = colourOf(frame, scene);
  const way = points.slice(-2);
  const [from, to] = [way[0], way.at(-1)];
  if (!from || !to) return;
  if (points.length > 2 || frame.leaves > scene.time.now) strokeLine(canvas, points.slice(0, 2), { colour: colours.wrong, width: 1.5, dash: [2, 2] });
  const flies = frame.leaves <= scene.time.now;
  if (flies) {
    strokeLine(canvas, way, { colour, ...pens[frame.role] });
    if (frame.role === 'notification') shape(canvas, diamond(from[0], from[1], 4), { fill: colour });
  }
  if (frame.end === 'dropped') cross(canvas, to[0], to[1], 4, { colour: colours.wrong, width: 2 });
  else if (frame.end === 'arrived' && frame.role !== 'ping') {
    head(canvas, from, to, { colour, open: frame.role === 'reply', size: frame.role === 'notification' ? 9 : 7 });
  } else if (!frame.end) shape(canvas, diamond(to[0], to[1], 4), { fill: flies ? colour : colours.wrong });
  if (frame.role !== 'ping') labels.push(...words(frame, colour, scene));
}

/**
 * A request is named where it begins; an error stands where it arrives.
 * @param {FrameItem} frame
 * @param {string} colour
 * @param {Scene} scene
 * @returns {Label[]}
 */
function words(frame, colour, { time, rows, colours, catalogue }) {
  const y = wordY(rows, frame.client);
  const text = label(frame, catalogue);
  if (!y || !text) return [];
  const [begins, ends] = [time.x(frame.from), time.x(Math.min(frame.to, time.now))];
  const bad = { colour: colours.wrong, weight: 9, size: 10, bold: true };
  if (frame.end === 'dropped') return [{ text: t`${frame.op} lost`, x: ends + 8, y: (linkY(rows, frame.client) + rows.server) / 2 + 4, ...bad }];
  if (frame.err && frame.dir === 'in') return [{ text, x: ends + 6, y: linkY(rows, frame.client) - 4, ...bad }];
  const held = frame.held && time.x(Math.min(frame.leaves, time.now)) - begins > 40;
  return [{ text: held ? t`${text}, held in the link` : text, x: begins - 2, y, colour, weight: held ? 3 : 0, size: 10 }];
}

/** @type {Record<FrameItem['role'], { width: number, dash?: number[] }>} */
const pens = {
  request: { width: 1.25 },
  reply: { width: 1.25, dash: [5, 3] },
  notification: { width: 2 },
  ping: { width: 1, dash: [1, 3] },
};

/** @param {FrameItem} frame @param {Scene} scene */
function colourOf(frame, { colours }) {
  if (frame.end === 'dropped' || (frame.err && frame.dir === 'in')) return colours.wrong;
  if (frame.role === 'notification') return colours.wakes;
  return frame.role === 'ping' ? colours['line-strong'] : colours.accent;
}

/** So many frames that none can be drawn: a bar for how many, and their number where there is room. @param {Canvas} canvas @param {Crowd} crowd @param {Scene} scene @param {Label[]} labels */
export function paintCrowd(canvas, crowd, { colours }, labels) {
  canvas.fillStyle = colours.accent;
  canvas.globalAlpha = 0.3;
  canvas.fillRect(crowd.x, crowd.y, crowd.width, crowd.height);
  canvas.globalAlpha = 0.9;
  for (let x = crowd.x + 1; x < crowd.x + crowd.width; x += 4) canvas.fillRect(x, crowd.y, 1, crowd.height);
  canvas.globalAlpha = 1;
  labels.push({
    text: t`${grouped(crowd.count)} frames`, x: crowd.x + 2, y: crowd.y + crowd.height - 1,
    colour: colours.ink, weight: 2, size: 10, room: crowd.width - 4, ground: colours.surface,
  });
}
