// The marks on the line of time: a row for each lane with its acquisitions and
// releases, and over all rows what went wrong. The shapes differ, not only the colours.

import { ticks } from '../ui/time-axis.js';

/** @import { Mark } from '../model/marks.js' */
/** @import { Colours } from '../ui/colours.js' */
/** @import { TimelineFrame } from './timeline-view.js' */

/** Heights, where the page's type has its usual size of 16 pixels. */
const TOP = 12;
const ROW = 7;
const AXIS = 13;

/** The least distance of two times on the axis. */
const LABELS_APART = 56;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {TimelineFrame} frame
 * @param {Colours} colours
 */
export function drawTrack(canvas, frame, colours) {
  const size = parseFloat(getComputedStyle(canvas).fontSize) / 16;
  const width = (canvas.parentElement?.clientWidth ?? 0) / size;
  const height = TOP + Math.max(1, frame.lanes.length) * ROW + AXIS;
  const context = canvas.getContext('2d');
  if (!context || !width) return;
  const ratio = devicePixelRatio * size;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height * size}px`;
  context.scale(ratio, ratio);
  frame.lanes.forEach((_, row) => {
    context.fillStyle = colours.line;
    context.fillRect(0, TOP + row * ROW + ROW - 1, width, 1);
  });
  if (frame.scale.begin) hatch(context, frame.scale.begin * width, height - AXIS, colours);
  drawAxis(context, frame, width, height, colours);
  for (const mark of frame.marks) drawMark(context, mark, Math.round(frame.scale.x(mark.at) * (width - 1)), frame, height, colours);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} x
 * @param {TimelineFrame} frame
 * @param {number} height
 * @param {Colours} colours
 */
function drawMark(context, mark, x, frame, height, colours) {
  const row = Math.max(0, frame.lanes.indexOf(mark.lane));
  const base = TOP + row * ROW + ROW - 1;
  switch (mark.kind) {
    case 'acquired':
      context.fillStyle = colours.holds;
      context.fillRect(x - 1, base - 6, 2, 6);
      break;
    case 'released':
      context.fillStyle = colours['ink-soft'];
      context.fillRect(x - 0.5, base - 3, 1, 3);
      break;
    case 'fault':
      context.fillStyle = colours.wakes;
      triangle(context, x);
      break;
    case 'lost':
      context.strokeStyle = colours.wrong;
      cross(context, x);
      break;
    case 'violated':
      context.fillStyle = colours.wrong;
      context.fillRect(x - 1, 0, 2, height - AXIS);
      break;
    case 'decisive':
      context.clearRect(x - 7, 0, 14, TOP);
      context.fillStyle = colours.ink;
      star(context, x);
  }
}

/** The part of the run whose events are not loaded. @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Colours} colours */
function hatch(context, width, height, colours) {
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  context.beginPath();
  for (let x = -height; x < width; x += 8) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.strokeStyle = colours.line;
  context.stroke();
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {number} x */
function triangle(context, x) {
  context.beginPath();
  context.moveTo(x - 4, 1);
  context.lineTo(x + 4, 1);
  context.lineTo(x, 9);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {number} x */
function star(context, x) {
  context.beginPath();
  for (let corner = 0; corner < 10; corner++) {
    const angle = (corner / 5 - 0.5) * Math.PI;
    const radius = corner % 2 ? 2.5 : 6;
    context.lineTo(x + radius * Math.cos(angle), 6 + radius * Math.sin(angle));
  }
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {number} x */
function cross(context, x) {
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x - 3, 2);
  context.lineTo(x + 3, 8);
  context.moveTo(x + 3, 2);
  context.lineTo(x - 3, 8);
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {TimelineFrame} frame @param {number} width @param {number} height @param {Colours} colours */
function drawAxis(context, { scale }, width, height, colours) {
  context.font = `10px ${colours.font}`;
  context.textBaseline = 'bottom';
  for (const { x, text } of ticks(0, scale.end, (at) => scale.x(at) * (width - 1), LABELS_APART)) {
    context.fillStyle = colours.line;
    context.fillRect(x, height - AXIS, 1, 3);
    const half = context.measureText(text).width / 2;
    context.textAlign = x < half ? 'left' : x > width - half ? 'right' : 'center';
    context.fillStyle = colours['ink-soft'];
    context.fillText(text, x, height + 1);
  }
}
