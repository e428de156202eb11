// How bars and marks look: what is believed is solid, what the server knows is
// outlined, what is wrong is hatched, crossed or hollow.

import { holdWord } from '../../text/format.js';
import { listed, t } from '../../text/language.js';
import { reasonWords } from '../../text/reasons.js';
import { cross, diamond, hatch, shape, square, strokeLine, triangle, warning } from './pens.js';
import { barY, headY, wordY } from './rows.js';
import { falseHold, label, znodeName } from './words.js';

/** @import { ConflictItem, FaultItem, HoldItem, Item, NoteItem, SessionItem, ViolationItem, WaitItem, WatchItem, WokenItem, WriteItem, ZnodeItem } from '../../model/sequence/items.js' */
/** @import { Label } from './labels.js' */
/** @import { Box, Placed } from './layout.js' */
/** @import { Scene } from './paint.js' */
/** @import { Canvas } from './pens.js' */
/** @import { Rows } from './rows.js' */

/** @param {Canvas} canvas @param {Placed} placed @param {Scene} scene @param {Label[]} labels */
export function paintItem(canvas, placed, scene, labels) {
  const { item } = placed;
  if (placed.shape === 'line') {
    if (item.type === 'violation') paintViolation(canvas, placed.points[0]?.[0] ?? 0, item, scene, labels);
    return;
  }
  if (placed.shape === 'point') {
    if (item.type === 'woken') paintWoken(canvas, placed, item, scene, labels);
    if (item.type === 'session') paintSession(canvas, placed, item, scene, labels);
    if (item.type === 'write') paintWrite(canvas, placed, item, scene, labels);
    return;
  }
  switch (item.type) {
    case 'hold': return paintHold(canvas, placed, item, scene, labels);
    case 'wait': return paintWait(canvas, placed, item, scene, labels);
    case 'watch': return paintWatch(canvas, placed, item, scene);
    case 'znode': return paintZnode(canvas, placed, item, scene, labels);
    case 'fault': return paintFault(canvas, placed, item, scene, labels);
    case 'conflict': return paintConflict(canvas, placed, item, scene, labels);
    case 'note': return paintNote(canvas, placed, item, scene, labels);
    case 'disconnected': case 'gone': return paintAway(canvas, placed, item, scene, labels);
  }
}

/** The part of a box that time has room for, where words are read. @param {Box} box @param {Rows} rows @returns {Box} */
function inSight(box, rows) {
  const x = Math.max(box.x, rows.left);
  return { ...box, x, width: Math.max(0, Math.min(box.x + box.width, rows.right) - x) };
}

/** A row this high has two lines of words. */
const ROOMY = 56;

/** A bar this low has no words in it. */
const LOW = 12;

/** Words in a client's row. @param {Scene} scene @param {Item} item @param {number} x @param {Partial<Label>} own @returns {Label[]} */
function rowLabel(scene, item, x, own) {
  const y = wordY(scene.rows, item.client);
  const text = label(item, scene.catalogue);
  const otherwise = y && scene.rows.row >= ROOMY ? y + 13 : undefined;
  return y && text ? [{ text, x, y, otherwise, colour: scene.colours['ink-soft'], weight: 1, ...own }] : [];
}

/** @param {Canvas} canvas @param {Box} whole @param {HoldItem} hold @param {Scene} scene @param {Label[]} labels */
function paintHold(canvas, whole, hold, { colours, rows, time }, labels) {
  const box = inSight(whole, rows);
  const turn = Math.max(box.x, Math.min(box.x + box.width, time.x(hold.falseFrom)));
  const width = Math.max(2, turn - box.x);
  const middle = box.y + box.height / 2 + 4;
  if (turn > box.x || box.width < 2) {
    canvas.fillStyle = colours.holds;
    canvas.fillRect(box.x, box.y, width, box.height);
    if (box.height >= LOW) labels.push({ text: holdWord(hold.mode), x: box.x + 5, y: middle, colour: colours['on-holds'], weight: 8, bold: true, room: width - 8, ground: colours.holds });
  }
  if (turn >= box.x + box.width) return;
  const wrong = { x: turn, y: box.y, width: box.x + box.width - turn, height: box.height };
  canvas.fillStyle = colours['wrong-background'];
  canvas.fillRect(wrong.x, wrong.y, wrong.width, wrong.height);
  hatch(canvas, wrong, colours.wrong, 6);
  canvas.strokeStyle = colours.wrong;
  canvas.lineWidth = 1.5;
  canvas.strokeRect(wrong.x + 0.75, wrong.y + 0.75, wrong.width - 1.5, wrong.height - 1.5);
  if (box.height >= LOW) labels.push({ text: falseHold(wrong.width), x: turn + 8, y: middle, colour: colours.wrong, weight: 9, bold: true, room: wrong.width - 12, ground: colours['wrong-background'] });
}

/** @param {Canvas} canvas @param {Box} box @param {WaitItem} wait @param {Scene} scene @param {Label[]} labels */
function paintWait(canvas, box, wait, scene, labels) {
  const { colours } = scene;
  const never = wait.forGone || wait.behind === wait.client;
  if (never) {
    canvas.fillStyle = colours.surface;
    canvas.fillRect(box.x, box.y - 1, box.width, box.height + 2);
    hatch(canvas, { ...box, y: box.y - 1, height: box.height + 2 }, colours.wrong, 6);
    canvas.strokeStyle = colours.wrong;
    canvas.lineWidth = 1.5;
    canvas.strokeRect(box.x, box.y - 1, box.width, box.height + 2);
  } else {
    canvas.fillStyle = colours['line-strong'];
    canvas.fillRect(box.x, box.y, Math.max(1, box.width), box.height);
  }
  const seen = inSight(box, scene.rows);
  const own = never ? { colour: colours.wrong, bold: true, weight: 9 } : { weight: 5, room: Math.max(seen.width, 60) };
  labels.push(...rowLabel(scene, wait, seen.x, own));
}

/** @param {Canvas} canvas @param {Box} box @param {WatchItem} watch @param {Scene} scene */
function paintWatch(canvas, box, watch, { colours }) {
  const y = box.y + box.height / 2;
  const pen = { colour: colours['ink-soft'], width: 1 };
  strokeLine(canvas, [[box.x, y - 3], [box.x, y]], pen);
  strokeLine(canvas, [[box.x, y], [box.x + box.width, y]], { ...pen, dash: [1, 3] });
  if (watch.end === 'fired' && box.width >= 6) shape(canvas, diamond(box.x + box.width, y, 3), { fill: colours.wakes });
  if (watch.end === 'gone') cross(canvas, box.x + box.width, y, 2.5, pen);
}

/** @param {Canvas} canvas @param {Box} box @param {ZnodeItem} znode @param {Scene} scene @param {Label[]} labels */
function paintZnode(canvas, box, znode, { colours, rows, time }, labels) {
  const first = Math.max(box.x, Math.min(box.x + box.width, time.x(znode.firstFrom)));
  if (box.height < 4) return paintThinZnode(canvas, box, first, colours);
  canvas.fillStyle = colours.surface;
  canvas.fillRect(box.x, box.y, box.width, box.height);
  canvas.fillStyle = colours['holds-background'];
  canvas.fillRect(first, box.y, box.x + box.width - first, box.height);
  canvas.lineWidth = 1;
  canvas.strokeStyle = colours['line-strong'];
  canvas.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(0, box.width - 1), box.height - 1);
  if (first < box.x + box.width) {
    canvas.lineWidth = 1.5;
    canvas.strokeStyle = colours.holds;
    canvas.strokeRect(first + 0.75, box.y + 0.75, box.x + box.width - first - 1.5, box.height - 1.5);
  }
  const end = time.x(znode.to);
  const taken = znode.cause === 'expiry' || znode.cause === 'outsider' || znode.cause === 'playground';
  if (taken && end <= rows.right) cross(canvas, end, box.y + box.height / 2, Math.min(4, box.height / 2), { colour: colours.wrong, width: 2 });
  if (rows.slot < 12) return;
  const y = box.y + box.height / 2 + 3.5;
  const seen = inSight(box, rows);
  const number = znodeName(znode.path).replace(/^\D+(?=\d+$)/, '');
  const name = znode.client ? t`${number} · client ${znode.client}` : number;
  labels.push({ text: name, x: seen.x + 4, y, colour: colours.ink, weight: 3, size: 10, room: seen.width - 6, ground: 'transparent' });
  if (taken) labels.push({ text: znode.cause === 'expiry' ? t`session expired` : t`deleted by somebody else`, x: end + 7, y, colour: colours.wrong, weight: 7, size: 10, bold: true });
}

/** Of many znodes each is a line. @param {Canvas} canvas @param {Box} box @param {number} first @param {Scene['colours']} colours */
function paintThinZnode(canvas, box, first, colours) {
  canvas.fillStyle = colours['line-strong'];
  canvas.fillRect(box.x, box.y, Math.max(1, first - box.x), 1);
  canvas.fillStyle = colours.holds;
  canvas.fillRect(first, box.y - 1, box.x + box.width - first, 3);
}

/** @param {Canvas} canvas @param {Box} box @param {FaultItem} fault @param {Scene} scene @param {Label[]} labels */
function paintFault(canvas, box, fault, scene, labels) {
  const { colours, rows, time } = scene;
  canvas.globalAlpha = 0.35;
  hatch(canvas, box, colours.wrong, 9);
  canvas.globalAlpha = 1;
  const x = time.x(fault.from);
  const y = fault.client ? barY(rows, fault.client) : box.y + 8;
  const text = label(fault, scene.catalogue);
  if (x >= rows.left - 1) {
    strokeLine(canvas, [[x, box.y], [x, box.y + box.height]], { colour: colours.wrong, width: 1.5 });
    shape(canvas, warning(x, y, 6), { fill: colours.wrong, stroke: colours.surface, width: 1 });
  }
  const line = fault.client ? wordY(rows, fault.client) : box.y + box.height - 6;
  const otherwise = fault.client && rows.row >= ROOMY && line ? line + 13 : undefined;
  if (line && text) labels.push({ text, x: Math.max(rows.left, x + 4), y: line, otherwise, colour: colours.wrong, weight: 10, bold: true });
}

/** @param {Canvas} canvas @param {Box} box @param {ConflictItem} conflict @param {Scene} scene @param {Label[]} labels */
function paintConflict(canvas, box, conflict, scene, labels) {
  const { colours, rows } = scene;
  canvas.globalAlpha = 0.6;
  canvas.fillStyle = colours['wrong-background'];
  canvas.fillRect(box.x, box.y, box.width, box.height);
  canvas.globalAlpha = 1;
  const line = headY(rows, 'conflict');
  canvas.fillStyle = colours.wrong;
  canvas.fillRect(box.x, line - 13, Math.max(2, box.width), 16);
  const text = box.width > 225 ? t`${listed(conflict.clients)} both believe that they hold` : label(conflict, scene.catalogue);
  labels.push({ text, x: box.x + 5, y: line, colour: colours.surface, ground: colours.wrong, weight: 8, bold: true, shorten: true, room: Math.max(160, box.width - 8) });
}

/** The check on one line, and what it has found below; in a low picture both on one. @param {Canvas} canvas @param {number} x @param {ViolationItem} item @param {Scene} scene @param {Label[]} labels */
function paintViolation(canvas, x, item, scene, labels) {
  const { colours, rows } = scene;
  const [y, below] = [headY(rows, 'violation'), headY(rows, 'violation, why')];
  strokeLine(canvas, [[x, 2], [x, rows.axis]], { colour: colours.wrong, width: 2 });
  const beside = { x: x + 5, before: x - 5, colour: colours.wrong, shorten: true };
  const [title, why] = [label(item, scene.catalogue), reasonWords(item.reason)];
  const apart = below !== headY(rows, 'conflict');
  labels.push({ ...beside, text: why && !apart ? `${title}: ${why}` : title, y, weight: 9, bold: true });
  if (why && apart) labels.push({ ...beside, text: why, y: below, weight: 9 });
}

/** @param {Canvas} canvas @param {Box} box @param {NoteItem} note @param {Scene} scene @param {Label[]} labels */
function paintNote(canvas, box, note, scene, labels) {
  const { colours, rows } = scene;
  if (box.width > 1) hatch(canvas, { ...box, height: rows.server - box.y }, colours['line-strong']);
  const from = box.x;
  strokeLine(canvas, [[from, box.y], [from, box.y + box.height]], { colour: colours['line-strong'], width: 1, dash: [2, 3] });
  labels.push({ text: label(note, scene.catalogue), x: from + 4, y: headY(rows, 'note'), colour: colours['ink-soft'], weight: 2, shorten: true });
}

/** @param {Canvas} canvas @param {Box} box @param {Item & { type: 'disconnected' | 'gone' }} away @param {Scene} scene @param {Label[]} labels */
function paintAway(canvas, box, away, scene, labels) {
  const { colours, rows, time } = scene;
  const y = box.y + box.height / 2;
  const gone = away.type === 'gone';
  strokeLine(canvas, [[box.x, y], [box.x + box.width, y]], { colour: colours.surface, width: 3 });
  if (!gone) strokeLine(canvas, [[box.x, y], [box.x + box.width, y]], { colour: colours.wrong, width: 1.5, dash: [5, 4] });
  const x = time.x(away.from);
  if (gone && x >= rows.left) cross(canvas, x, y, 6, { colour: colours.wrong, width: 2.5 });
  labels.push(...rowLabel(scene, away, Math.max(rows.left, x), { colour: colours.wrong, bold: gone, weight: gone ? 11 : 6, room: gone ? Infinity : box.width }));
}

/** That it was wasted is shown once the playhead has come to where that is known. @param {Canvas} canvas @param {{ x: number, y: number }} point @param {WokenItem} woken @param {Scene} scene @param {Label[]} labels */
function paintWoken(canvas, { x, y }, woken, scene, labels) {
  const { colours } = scene;
  const wasted = woken.wasted && woken.decidedAt <= scene.at;
  if (wasted) shape(canvas, triangle(x, y, 5), { fill: colours.surface, stroke: colours.wrong });
  else shape(canvas, triangle(x, y, 5.5), { fill: colours.wakes, stroke: colours.surface, width: 1 });
  labels.push(...rowLabel(scene, woken, x - 2, { ...wasted ? {} : { text: 'woken' }, colour: wasted ? colours.wrong : colours.wakes, weight: 6 }));
}

/** @param {Canvas} canvas @param {{ x: number, y: number }} point @param {SessionItem} session @param {Scene} scene @param {Label[]} labels */
function paintSession(canvas, { x, y }, session, scene, labels) {
  const { colours } = scene;
  const bad = session.change === 'lost' || session.change === 'refused';
  if (bad) cross(canvas, x, y, 4.5, { colour: colours.wrong, width: 2 });
  else if (session.change === 'closed') strokeLine(canvas, [[x, y - 5], [x, y + 5]], { colour: colours['ink-soft'], width: 2 });
  else shape(canvas, square(x, y, 2.5), { fill: colours.surface, stroke: colours['ink-soft'], width: 1.25 });
  labels.push(...rowLabel(scene, session, x, bad ? { colour: colours.wrong, weight: 9, bold: true } : { weight: 4 }));
}

/** @param {Canvas} canvas @param {{ x: number, y: number }} point @param {WriteItem} write @param {Scene} scene @param {Label[]} labels */
function paintWrite(canvas, { x, y }, write, scene, labels) {
  const { colours } = scene;
  if (!write.accepted) shape(canvas, square(x, y, 4.5), { fill: colours.surface, stroke: colours.wrong, width: 2 });
  else if (write.stale) shape(canvas, diamond(x, y, 6.5), { fill: colours.wrong, stroke: colours.surface, width: 1 });
  else shape(canvas, square(x, y, 4), { fill: colours.ink, stroke: colours.surface, width: 1 });
  labels.push(...rowLabel(scene, write, x, write.accepted && !write.stale ? { weight: 2 } : { colour: colours.wrong, weight: 10, bold: true }));
}
