// Every item of a sequence diagram as a sentence, and the few words that stand
// in the picture beside it.

import { holdWord, instant, sequence, span } from '../../text/format.js';
import { listed, t } from '../../text/language.js';
import { watchTarget } from '../../text/history.js';
import { modeWords } from '../../text/naming.js';
import { because, reasonWords } from '../../text/reasons.js';
import { baseName, sequenceOf } from '../../model/queue.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { FrameItem, HoldItem, Item, NoteItem, SessionItem, WaitItem, WatchItem, WriteItem, ZnodeItem } from '../../model/sequence/items.js' */
/** @import { Crowd } from './density.js' */

/**
 * One sentence, without a full stop.
 * @param {Item} item
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export function describe(item, catalogue) {
  switch (item.type) {
    case 'frame': return frameWords(item);
    case 'hold': return holdWords(item);
    case 'wait': return t`Client ${item.client} waits${lasting(item)} ${waitsFor(item)}${item.forGone ? t`: ZooKeeper had already answered that it does not exist` : ''}`;
    case 'conflict': return t`Clients ${listed(item.clients)} believe at the same time that they hold the lock${lasting(item)}`;
    case 'watch': return watchWords(item);
    case 'znode': return znodeWords(item);
    case 'fault': return t`${item.client ? t`Client ${item.client}` : item.server ? t`Server ${item.server}` : 'ZooKeeper'}: ${catalogue.fault(item.fault).title}${lasting(item)}${because(item.reason)}`;
    case 'disconnected': return t`Client ${item.client} has no connection${lasting(item)}`;
    case 'gone': return catalogue.fault(item.fault).effects?.includes('leaves-session') ? t`The process of client ${item.client} is gone: it has crashed` : t`The process of client ${item.client} is gone: it closed its session`;
    case 'woken': return item.wasted ? t`Client ${item.client} has a wasted wake-up: it goes on waiting` : t`Client ${item.client} is woken`;
    case 'session': return sessions[item.change](t`Client ${item.client}`) + (item.change === 'lost' ? because(item.reason) : '');
    case 'write': return writeWords(item);
    case 'violation': return t`Violated: ${catalogue.check(item.check).title}${because(item.reason)}`;
    case 'note': return noteWords(item);
  }
}

/** When an item begins, for a list. @param {Item} item */
export const when = (item) => instant(item.from);

/** @param {Crowd} crowd */
export const crowdWords = ({ client, count, notifications }) => {
  const among = notifications ? t`, ${notifications} notification among them|, ${notifications} notifications among them` : '';
  return t`${count} frame of client ${client}${among}, too close to be told apart: zoom in|${count} frames of client ${client}${among}, too close to be told apart: zoom in`;
};

/**
 * The words beside an item in the picture, or none.
 * @param {Item} item
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export function label(item, catalogue) {
  switch (item.type) {
    case 'frame': return item.dir === 'out' ? item.op : item.err || (item.end === 'dropped' ? item.op : '');
    case 'woken': return item.wasted ? t`wasted wake-up` : t`woken`;
    case 'hold': return item.falseFrom <= item.from ? t`believes that it holds` : holdWord(item.mode);
    case 'wait':
      if (item.forGone) return t`waits for ${znodeName(item.predecessor)}, which is gone`;
      return !item.behind ? t`waits for any change` : item.behind === item.client ? t`waits behind itself` : t`waits behind ${item.behind}`;
    case 'conflict': return t`both believe: ${listed(item.clients)}`;
    case 'fault': return catalogue.fault(item.fault).effects?.includes('ends-process') ? '' : catalogue.fault(item.fault).title;
    case 'gone': return catalogue.fault(item.fault).effects?.includes('leaves-session') ? t`crashed` : t`closed`;
    case 'disconnected': return t`no connection`;
    case 'session': return item.change === 'granted' ? (item.again ? t`new session` : '') : labels[item.change];
    case 'write': return item.accepted ? (item.stale ? t`overwrites: an update is lost` : t`writes`) : t`refused`;
    case 'violation': return t`${catalogue.check(item.check).title} violated`;
    case 'note': return noteWords(item);
    default: return '';
  }
}

/** What stands in the part of a holder's bar that is not true any more. @param {number} room in pixels */
export const falseHold = (room) => (room > 170 ? t`znode gone: holds no more` : t`holds no more`);

/** @type {Record<SessionItem['change'], (who: string) => string>} */
const sessions = {
  granted: (who) => t`${who} has a new session`,
  resumed: (who) => t`${who} goes on with its session on a new connection`,
  refused: (who) => t`${who} is told that its session has expired`,
  lost: (who) => t`${who} takes its session for lost`,
  closed: (who) => t`${who} has closed its session`,
};

/** @type {Record<SessionItem['change'], string>} */
const labels = { granted: '', resumed: t`reconnected`, refused: t`told: expired`, lost: t`session lost`, closed: t`closed` };

/** @param {FrameItem} frame */
function frameWords({ client, dir, role, op, path, from, leaves, to, held, err, end }) {
  const what = role === 'notification' ? t`a notification about ${znodeName(path)}` : `${role === 'ping' ? 'ping' : op}${path ? ` ${znodeName(path)}` : ''}`;
  const way = dir === 'out' ? t`Client ${client} asks ZooKeeper: ${what}` : role === 'notification' ? t`ZooKeeper sends client ${client} ${what}` : t`ZooKeeper answers client ${client}: ${what}`;
  const answer = err && dir === 'in' ? t`, ${err}` : '';
  const kept = held ? (leaves < to && leaves > from ? t`; the link holds it for ${span(leaves - from)}` : t`; the link holds it`) : '';
  if (end === 'arrived') return way + answer + kept + (to > from ? t`; it arrives after ${span(to - from)}` : '');
  if (end === 'dropped') return way + answer + kept + t`; it is lost with the connection`;
  return way + answer + (kept || t`; it is under way`);
}

/** @param {HoldItem} hold */
function holdWords(hold) {
  const token = hold.token ? t`, token ${hold.token}` : '';
  const wrong = Number.isFinite(hold.falseFrom) ? t`; its znode is gone since ${instant(hold.falseFrom)}: it does not hold any more` : '';
  return t`Client ${hold.client} believes that it holds the lock${modeWords(hold.mode)}${lasting(hold)}${token}${wrong}`;
}

/** @param {WaitItem} wait */
const waitsFor = ({ client, behind, predecessor }) =>
  (!behind ? t`for a change of ${znodeName(predecessor)}`
    : behind === client ? t`behind itself: for ${znodeName(predecessor)} to go` : t`behind client ${behind}: for ${znodeName(predecessor)} to go`);

/** @param {WatchItem} watch */
const watchWords = (watch) => t`Client ${watch.client} watches ${watchTarget(watch, znodeName)}${lasting(watch)}`
  + (watch.end === 'fired' ? t`; then the watch fires` : watch.end === 'gone' ? t`; then the watch is gone with its session` : '');

/** @param {ZnodeItem} znode */
function znodeWords(znode) {
  const owner = znode.client ? t` of client ${znode.client}` : '';
  const first = Number.isFinite(znode.firstFrom) ? t`; first in the queue since ${instant(znode.firstFrom)}` : '';
  return t`ZooKeeper has ${znodeName(znode.path)}${owner}${lasting(znode)}${first}${ends[znode.cause] ?? ''}`;
}

/** @type {Record<string, string>} */
const ends = {
  expiry: t`; then the session expires, and it goes`, close: t`; then the session is closed, and it goes`,
  outsider: t`; then somebody else deletes it`, playground: t`; then the playground deletes it`,
};

/** @param {WriteItem} write */
function writeWords({ client, accepted, stale, token, balance, reason }) {
  if (!accepted) return t`The account refuses a write of client ${client} with token ${token}${because(reason)}`;
  return stale ? t`Client ${client} writes ${balance} over a balance that it has not read: an update is lost` : t`Client ${client} writes ${balance}`;
}

/** @param {Item} item */
const lasting = ({ from, to }) => (to === Infinity ? t` (it goes on)` : to > from ? t` for ${span(to - from)}` : '');

/** @param {NoteItem} note */
const noteWords = ({ kind, reason }) => (kind === 'tree.lost' ? t`the server is not heard: what it has is not known`
  : kind === 'note.stalled' ? t`the machine stood still` : reasonWords(reason));

/**
 * A znode of the queue by its number, one that is asked for without it, and any
 * other by the end of its path.
 * @param {string} path
 */
export function znodeName(path) {
  const name = baseName(path);
  if (/(lock-|__)$/.test(name)) return t`a sequential znode`;
  const number = sequenceOf(name);
  return Number.isFinite(number) ? t`znode ${sequence(number)}` : `/${name}`;
}
