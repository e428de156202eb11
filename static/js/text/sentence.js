// Every event as a sentence. The client is named first, as in the picture.

import { sequence, span, threadName } from './format.js';
import { baseName, sequenceOf } from '../model/queue.js';

/** @import { Catalogue } from './catalogue.js' */
/** @import { Event, Kind } from '../events.d.ts' */

/** @type {Record<Kind, (event: Event, catalogue: Catalogue) => string>} */
const sentences = {
  'wire.sent': (e) => `${who(e)} asks: ${request(e)}`,
  'wire.delivered': (e) => `${who(e)}: the ${op(e)} reached the ${e.dir === 'in' ? 'client' : 'server'}`,
  'wire.held': (e) => `${who(e)}: ${e.dir === 'in' ? 'the answer to ' : ''}${op(e)} ${e.due ? 'is under way' : 'is held in the link'}`,
  'wire.dropped': (e) => `${who(e)}: ${op(e)} died with the connection`,
  'wire.received': received,
  'wire.undecoded': (e) => `${who(e)}: a frame that cannot be read${why(e)}`,
  'session.granted': (e) => `${who(e)} has session ${e.session ?? ''}, timeout ${span((e.timeout ?? 0) * 1000)}`,
  'session.resumed': (e) => `${who(e)} goes on with session ${e.session ?? ''} on a new connection`,
  'session.refused': (e) => `${who(e)} is told that its session has expired`,
  'session.connected': (e) => `${who(e)} is connected`,
  'session.suspended': (e) => `${who(e)} has lost its connection${e.session ? ', not yet its session' : ''}${why(e)}`,
  'session.lost': (e) => `${who(e)} takes its session for lost${why(e)}`,
  'session.closed': (e) => `${who(e)} has closed its session`,
  'lock.enqueued': (e) => `${who(e)} is in the queue with ${node(e.path)}${mode(e)}`,
  'lock.waiting': (e) => `${who(e)} waits and watches ${node(e.predecessor)}`,
  'lock.woken': (e) => `${who(e)} is woken${lockName(e.path) && ` in the queue of ${lockName(e.path)}`}`,
  'lock.acquired': (e) => `${who(e)} holds ${lock(e)}${mode(e)}${e.token ? `, token ${e.token}` : ''}`,
  'lock.released': (e) => `${who(e)} releases ${lock(e)}`,
  'lock.lost': (e) => `${who(e)} knows that it no longer holds ${lock(e)}${why(e)}`,
  'lock.asked': (e) => `${who(e)} is asked to give up the lock`,
  'lock.gave-up': (e) => `${who(e)} stops waiting${why(e)}`,
  'lock.local-queued': (e) => `${who(e)} queues up in its process`,
  'lock.local-left': (e) => `${who(e)} leaves the queue of its process`,
  'tree.created': (e) => `${node(e.path)} was created${by(e)}`,
  'tree.deleted': (e) => `${node(e.path)} was deleted${by(e)}`,
  'tree.changed': (e) => `${node(e.path)} was changed${by(e)}`,
  'tree.synced': () => 'The observer has seen every change so far',
  'tree.lost': () => 'The observer has lost its connection',
  'fault.injected': (e, catalogue) => `${target(e)}: fault injected: ${fault(e, catalogue)}${e.for ? ` for ${span(e.for * 1000)}` : ''}${why(e)}`,
  'fault.healed': (e, catalogue) => `${target(e)}: fault healed: ${fault(e, catalogue)}${why(e)}`,
  'fault.armed': (e, catalogue) => `${awaited(e)}: fault armed: ${fault(e, catalogue)} ${catalogue.moment(e.when ?? '').title}`,
  'fault.triggered': (e, catalogue) => `${awaited(e)}: armed fault comes now: ${fault(e, catalogue)}${why(e)}`,
  'fault.disarmed': (e, catalogue) => `${awaited(e)}: fault disarmed: ${fault(e, catalogue)}${why(e)}`,
  'resource.read': (e) => `${who(e)} reads the account${e.balance ? `: the balance is ${e.balance}` : ''}`,
  'resource.accepted': (e) => `The account takes a write of ${who(e)} with token ${e.token ?? 0}${written(e)}`,
  'resource.refused': (e) => `The account refuses a write of ${who(e)} with token ${e.token ?? 0}${why(e)}`,
  'check.changed': (e, catalogue) => `Check “${catalogue.check(e.check ?? '').title}”: ${e.verdict ?? 'undecided'}${why(e)}`,
  'note.started': (e) => note(e, 'The run begins'),
  'note.stopping': (e) => note(e, 'The clients are told to stop'),
  'note.drained': (e) => note(e, 'Every client has stopped'),
  'note.finished': (e) => note(e, 'The run is over'),
  'note.zookeeper': (e) => note(e, 'ZooKeeper has changed its state'),
  'note.fault': (e) => note(e, 'A fault could not be injected'),
  'note.step': (e) => note(e, e.held ? 'The network is held' : 'The network flows'),
  'note.delay': (e) => `${e.delay ? `Each message takes ${span(e.delay)} each way from now on` : 'Messages are not delayed from now on'}${why(e)}`,
  'note.injection': (e, catalogue) => `${fault(e, catalogue)}: ${e.every ? `in some client of each lane every ${span(e.every * 1000)} from now on` : 'not again and again any more'}${why(e)}`,
  'note.limited': (e) => note(e, 'The run has reached a limit'),
  'note.joined': (e) => `${who(e)} joins: ${e.participant === 'console' ? 'a console' : 'a guest'}${why(e)}`,
  'note.left': (e) => `${who(e)} has left${why(e)}`,
  'note.refused': (e) => `${e.client ? who(e) : 'A guest'} is refused: ${op(e)}${e.path ? ` ${node(e.path)}` : ''} ${e.err ?? ''}${why(e)}`,
  'note.truncated': (e) => note(e, 'The log has reached its size limit'),
};

/**
 * @param {Event} event
 * @param {Catalogue} catalogue
 * @returns {string} one line, without a full stop
 */
export const sentence = (event, catalogue) => sentences[event.kind]?.(event, catalogue) ?? event.kind;

/** @param {Event} e */
const who = (e) => (e.client ? `Client ${e.client}${e.thread ? `, thread ${threadName(e.thread)}` : ''}` : 'Somebody');

/** @param {Event} e */
const target = (e) => (e.client ? who(e) : e.server ? `Server ${e.server}` : 'ZooKeeper');

/** Whom an armed fault is for. @param {Event} e */
const awaited = (e) => (e.client ? who(e) : 'Whoever comes first');

/** @param {Event} e @param {Catalogue} catalogue */
const fault = (e, catalogue) => catalogue.fault(e.fault ?? '').title;

/** @param {Event} e */
const written = (e) => (e.read && e.balance ? `: read ${e.read}, wrote ${e.balance}` : '');

/** @param {Event} e */
const op = (e) => e.op ?? 'a frame';

/** @param {Event} e */
const why = (e) => (e.why ? `: ${readable(e.why)}` : '');

/** A reason as people read it: znodes by their number, and units apart. @param {string} reason */
export const readable = (reason) => reason.replace(/(\d)s\b/g, '$1 s').replace(/(znode )?(\/playground\/[^\s,]+)/g, (_, _word, path) => node(path));

/** @param {Event} e @param {string} text */
const note = (e, text) => e.why || text;

/** @param {Event} e */
const mode = (e) => (e.mode ? ` to ${e.mode}` : '');

/** What the lock of a znode is called, where a lane has several; else empty. @param {string} [path] of the znode */
function lockName(path = '') {
  const [, name = ''] = /\/rooms(?:\/[^/]+){3}\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  return name === 'lock' ? '' : name;
}

/** @param {Event} e */
const lock = ({ path }) => lockName(path) || 'the lock';

/**
 * A znode of the queue by its number, any other by the end of its path.
 * @param {string} [path]
 */
export function node(path = '') {
  const name = baseName(path);
  const number = sequenceOf(name);
  if (!Number.isFinite(number)) return `/${name}`;
  return `znode ${sequence(number)}${lockName(path) && ` of ${lockName(path)}`}`;
}

/** Who made a change of the tree, with a space before it; empty when that is not told. @param {Event} e */
export function by(e) {
  const causes = /** @type {Record<string, string>} */ ({
    client: e.client ? ` by client ${e.client}` : ' by a client',
    close: ` because client ${e.client ?? '?'} closed its session`,
    expiry: ` by the server: ${e.client && !e.session ? 'its time was up' : 'the session had expired'}`,
    outsider: ' by somebody else',
    playground: ' by the playground',
    unseen: ' while the observer was away',
  });
  return causes[e.cause ?? ''] ?? '';
}

/** @param {Event} e */
function request(e) {
  if (e.op === 'multi') return `multi of ${(e.ops ?? []).map((each) => each.op).join(', ')}`;
  const watch = e.watch ? ' and set a watch' : '';
  const flags = e.flags ? ` (${e.flags.replaceAll('+', ', ')})` : '';
  return `${op(e)}${e.path ? ` ${node(e.path)}` : ''}${flags}${watch}`;
}

/** @param {Event} e */
function received(e) {
  if (e.op === 'notification') return `${who(e)} is notified: ${e.type ?? 'a change of'} ${node(e.path)}`;
  const children = e.children ? `, ${e.children} children` : '';
  const watch = e.watch ? ', watch set' : '';
  const took = e.latency ? ` after ${span(e.latency)}` : '';
  return `${who(e)} is answered: ${op(e)} ${e.err || 'ok'}${children}${watch}${took}`;
}
