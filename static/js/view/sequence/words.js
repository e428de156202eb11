// Every item of a sequence diagram as a sentence, and the few words that stand
// in the picture beside it.

import { instant, plural, sequence, span } from '../../text/format.js';
import { baseName, sequenceOf } from '../../model/queue.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Frame, Hold, Item, Session, Wait, Watch, Write, Znode } from '../../model/sequence/items.js' */
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
    case 'wait': return `Client ${item.client} waits${lasting(item)} ${waitsFor(item)}${item.vain ? ': ZooKeeper had already answered that it does not exist' : ''}`;
    case 'conflict': return `Clients ${item.clients.join(' and ')} believe at the same time that they hold the lock${lasting(item)}`;
    case 'watch': return watchWords(item);
    case 'znode': return znodeWords(item);
    case 'fault': return `${item.client ? `Client ${item.client}` : item.server ? `Server ${item.server}` : 'ZooKeeper'}: ${catalogue.fault(item.fault).title}${lasting(item)}${because(item.why)}`;
    case 'disconnected': return `Client ${item.client} has no connection${lasting(item)}`;
    case 'gone': return `The process of client ${item.client} is gone${item.fault === 'close' ? ': it closed its session' : ': it has crashed'}`;
    case 'woken': return `Client ${item.client} is woken${item.wasted ? ' in vain: it goes on waiting' : ''}`;
    case 'session': return `Client ${item.client} ${sessions[item.change]}${item.change === 'lost' ? because(item.why) : ''}`;
    case 'write': return writeWords(item);
    case 'violation': return `Violated: ${catalogue.check(item.check).title}${because(withNumbers(item.why))}`;
    case 'note': return item.why;
  }
}

/** When an item begins, for a list. @param {Item} item */
export const when = (item) => instant(item.from);

/** @param {Crowd} crowd */
export const crowdWords = ({ client, count, notifications }) =>
  `${plural(count, 'frame')} of client ${client}${notifications ? `, ${plural(notifications, 'notification')} among them` : ''}, too close to be told apart: zoom in`;

/**
 * The words beside an item in the picture, or none.
 * @param {Item} item
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export function label(item, catalogue) {
  switch (item.type) {
    case 'frame': return item.dir === 'out' ? item.op : item.err || (item.end === 'dropped' ? item.op : '');
    case 'woken': return item.wasted ? 'woken in vain' : 'woken';
    case 'hold': return item.falseFrom <= item.from ? 'believes that it holds' : 'holds';
    case 'wait':
      if (item.vain) return `waits for ${znodeName(item.predecessor)}, which is gone`;
      return item.behind ? `waits behind ${item.behind === item.client ? 'itself' : item.behind}` : 'waits for any change';
    case 'conflict': return `both believe: ${item.clients.join(' and ')}`;
    case 'fault': return endsProcess.has(item.fault) ? '' : catalogue.fault(item.fault).title;
    case 'gone': return item.fault === 'close' ? 'closed' : 'crashed';
    case 'disconnected': return 'no connection';
    case 'session': return item.change === 'granted' ? (item.again ? 'new session' : '') : labels[item.change];
    case 'write': return item.accepted ? (item.stale ? 'overwrites: an update is lost' : 'writes') : 'refused';
    case 'violation': return `${catalogue.check(item.check).title} violated`;
    case 'note': return item.why;
    default: return '';
  }
}

/** The row says of these that the process is gone. */
const endsProcess = new Set(['crash', 'close']);

/** What stands in the part of a holder's bar that is not true any more. @param {number} room in pixels */
export const falseHold = (room) => (room > 170 ? 'znode gone: holds no more' : 'holds no more');

/** @type {Record<Session['change'], string>} */
const sessions = {
  granted: 'has a new session', resumed: 'goes on with its session on a new connection', refused: 'is told that its session has expired',
  lost: 'takes its session for lost', closed: 'has closed its session',
};

/** @type {Record<Session['change'], string>} */
const labels = { granted: '', resumed: 'reconnected', refused: 'told: expired', lost: 'session lost', closed: 'closed' };

/** @param {Frame} frame */
function frameWords({ client, dir, role, op, path, from, leaves, to, held, err, end }) {
  const what = role === 'notification' ? `a notification about ${znodeName(path)}` : `${role === 'ping' ? 'ping' : op}${path ? ` ${znodeName(path)}` : ''}`;
  const way = dir === 'out' ? `Client ${client} asks ZooKeeper: ${what}` : role === 'notification' ? `ZooKeeper sends client ${client} ${what}` : `ZooKeeper answers client ${client}: ${what}`;
  const answer = err && dir === 'in' ? `, ${err}` : '';
  const kept = held ? (leaves < to && leaves > from ? `; the link holds it for ${span(leaves - from)}` : '; the link holds it') : '';
  if (end === 'arrived') return `${way}${answer}${kept}${to > from ? `; it arrives after ${span(to - from)}` : ''}`;
  if (end === 'dropped') return `${way}${answer}${kept}; it is lost with the connection`;
  return `${way}${answer}${kept || '; it is under way'}`;
}

/** @param {Hold} hold */
function holdWords(hold) {
  const mode = hold.mode ? ` to ${hold.mode}` : '';
  const token = hold.token ? `, token ${hold.token}` : '';
  const wrong = Number.isFinite(hold.falseFrom) ? `; its znode is gone since ${instant(hold.falseFrom)}: it does not hold any more` : '';
  return `Client ${hold.client} believes that it holds the lock${mode}${lasting(hold)}${token}${wrong}`;
}

/** @param {Wait} wait */
const waitsFor = ({ client, behind, predecessor }) =>
  (behind ? `behind ${behind === client ? 'itself' : `client ${behind}`}: for ${znodeName(predecessor)} to go` : `for a change of ${znodeName(predecessor)}`);

/** @param {Watch} watch */
const watchWords = (watch) =>
  `Client ${watch.client} watches ${watch.on === 'children' ? `the children of ${znodeName(watch.path)}` : znodeName(watch.path)}${lasting(watch)}`
  + `${watch.end === 'fired' ? '; then the watch fires' : watch.end === 'gone' ? '; then the watch is gone with its session' : ''}`;

/** @param {Znode} znode */
function znodeWords(znode) {
  const owner = znode.client ? ` of client ${znode.client}` : '';
  const first = Number.isFinite(znode.firstFrom) ? `; first in the queue since ${instant(znode.firstFrom)}` : '';
  return `ZooKeeper has ${znodeName(znode.path)}${owner}${lasting(znode)}${first}${ends[znode.cause] ?? ''}`;
}

/** @type {Record<string, string>} */
const ends = {
  expiry: '; then the session expires, and it goes', close: '; then the session is closed, and it goes',
  outsider: '; then somebody else deletes it', playground: '; then the playground deletes it',
};

/** @param {Write} write */
function writeWords({ client, accepted, stale, token, balance, why }) {
  if (!accepted) return `The account refuses a write of client ${client} with token ${token}${because(why)}`;
  return `Client ${client} writes ${balance}${stale ? ' over a balance that it has not read: an update is lost' : ''}`;
}

/** @param {Item} item */
const lasting = ({ from, to }) => (to === Infinity ? ' (it goes on)' : to > from ? ` for ${span(to - from)}` : '');

/** @param {string} why */
const because = (why) => (why ? `: ${why}` : '');

/** A check's reason, with the numbers of znodes for their paths. @param {string} why */
export const withNumbers = (why) => why.replace(/(?:znode )?\/\S*\d{10}\b/g, znodeName);

/**
 * A znode of the queue by its number, one that is asked for without it, and any
 * other by the end of its path.
 * @param {string} path
 */
export function znodeName(path) {
  const name = baseName(path);
  if (/(lock-|__)$/.test(name)) return 'a sequential znode';
  const number = sequenceOf(name);
  return Number.isFinite(number) ? `znode ${sequence(number)}` : `/${name}`;
}
