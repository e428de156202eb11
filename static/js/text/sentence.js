// Every event as a sentence. The client is named first, as in the picture.

import { span, threadName, verdictWord } from './format.js';
import { listed, t } from './language.js';
import { by, lockName, modeWords, node } from './naming.js';
import { because, reasonWords } from './reasons.js';
import { reasonOf } from '../model/reason.js';

/** @import { Catalogue } from './catalogue.js' */
/** @import { Event, Kind } from '../events.d.ts' */

/** @type {Record<Kind, (event: Event, catalogue: Catalogue) => string>} */
const sentences = {
  'wire.sent': (e) => t`${who(e)} asks: ${request(e)}`,
  'wire.delivered': (e) => (e.dir === 'in' ? t`${who(e)}: the ${op(e)} reached the client` : t`${who(e)}: the ${op(e)} reached the server`),
  'wire.held': (e) => {
    const what = e.dir === 'in' ? t`the answer to ${op(e)}` : op(e);
    return e.due ? t`${who(e)}: ${what} is under way` : t`${who(e)}: ${what} is held in the link`;
  },
  'wire.dropped': (e) => t`${who(e)}: ${op(e)} died with the connection`,
  'wire.received': received,
  'wire.undecoded': (e) => t`${who(e)}: a frame that cannot be read${why(e)}`,
  'session.granted': (e) => t`${who(e)} has session ${e.session ?? ''}, timeout ${span((e.timeout ?? 0) * 1000)}`,
  'session.resumed': (e) => t`${who(e)} goes on with session ${e.session ?? ''} on a new connection`,
  'session.refused': (e) => t`${who(e)} is told that its session has expired`,
  'session.connected': (e) => t`${who(e)} is connected`,
  'session.suspended': (e) => (e.session ? t`${who(e)} has lost its connection, not yet its session${why(e)}` : t`${who(e)} has lost its connection${why(e)}`),
  'session.lost': (e) => t`${who(e)} takes its session for lost${why(e)}`,
  'session.closed': (e) => t`${who(e)} has closed its session`,
  'lock.enqueued': (e) => t`${who(e)} is in the queue with ${node(e.path)}${modeWords(e.mode)}`,
  'lock.waiting': (e) => t`${who(e)} waits and watches ${node(e.predecessor)}`,
  'lock.woken': (e) => (lockName(e.path) ? t`${who(e)} is woken in the queue of ${lockName(e.path)}` : t`${who(e)} is woken`),
  'lock.acquired': (e) => t`${who(e)} holds ${lock(e)}${modeWords(e.mode)}${e.token ? t`, token ${e.token}` : ''}`,
  'lock.released': (e) => t`${who(e)} releases ${lock(e)}`,
  'lock.lost': (e) => t`${who(e)} knows that it no longer holds ${lock(e)}${why(e)}`,
  'lock.asked': (e) => t`${who(e)} is asked to give up the lock`,
  'lock.gave-up': (e) => t`${who(e)} stops waiting${why(e)}`,
  'lock.local-queued': (e) => t`${who(e)} queues up in its process`,
  'lock.local-left': (e) => t`${who(e)} leaves the queue of its process`,
  'tree.created': (e) => t`${node(e.path)} was created${by(e)}`,
  'tree.deleted': (e) => t`${node(e.path)} was deleted${by(e)}`,
  'tree.changed': (e) => t`${node(e.path)} was changed${by(e)}`,
  'tree.synced': () => t`The observer has seen every change so far`,
  'tree.lost': () => t`The observer has lost its connection`,
  'fault.injected': (e, catalogue) => t`${target(e)}: fault injected: ${fault(e, catalogue)}${e.for ? t` for ${span(e.for * 1000)}` : ''}${why(e)}`,
  'fault.healed': (e, catalogue) => t`${target(e)}: fault healed: ${fault(e, catalogue)}${why(e)}`,
  'fault.armed': (e, catalogue) => t`${awaited(e)}: fault armed: ${fault(e, catalogue)} ${catalogue.moment(e.when ?? '').title}`,
  'fault.triggered': (e, catalogue) => t`${awaited(e)}: armed fault comes now: ${fault(e, catalogue)}${why(e)}`,
  'fault.disarmed': (e, catalogue) => t`${awaited(e)}: fault disarmed: ${fault(e, catalogue)}${why(e)}`,
  'resource.read': (e) => (e.balance ? t`${who(e)} reads the account: the balance is ${e.balance}` : t`${who(e)} reads the account`),
  'resource.sent': (e) => t`${who(e)} sends its write to the account, and the network holds it up${written(e)}`,
  'resource.accepted': (e) => t`The account takes a write of ${who(e)} with token ${e.token ?? 0}${written(e)}`,
  'resource.refused': (e) => t`The account refuses a write of ${who(e)} with token ${e.token ?? 0}${why(e)}`,
  'watch.set': (e) => (e.watched?.on === 'children' ? t`${who(e)} watches the children of ${node(e.path)}` : t`${who(e)} watches ${node(e.path)}`),
  'watch.fired': (e) => t`The watch of ${who(e)} on ${node(e.path)} has fired`,
  'watch.arrived': (e) => t`${who(e)} has heard of its watch on ${node(e.path)}`,
  'watch.caused': (e) => t`Watches on ${node(e.path)} that the change of event ${e.watched?.change ?? 0} has fired: ${e.watched?.fired?.length ?? 0}`,
  'watch.gone': (e) => t`The watch of ${who(e)} on ${node(e.path)} is gone, and nobody is notified`,
  'belief.false': (e) => t`${who(e)} believes that it holds, and its znode is gone`,
  'belief.ended': (e) => (e.wrong ? t`${who(e)} believes so no more, after ${span(e.wrong)}` : t`The znode of ${who(e)} is there: its belief was not false`),
  'program.at': (e) => t`${who(e)}: its program is at line ${e.line ?? 0}`,
  'program.wrote': (e) => t`${who(e)}: its program writes${why(e)}`,
  'program.tells': (e) => t`${who(e)} tells from here on what it believes`,
  'program.silent': (e) => t`${who(e)} tells no more what it believes`,
  'program.ended': (e) => t`${who(e)}: its program has ended${why(e)}`,
  'belief.conflict': ({ clients = [] }) => (clients.length ? t`Clients ${listed(clients)} exclude each other, and all believe that they hold` : t`No two clients that exclude each other believe any more that they hold`),
  'queue.changed': ({ queue = {} }) => (queue.handedOver ? t`The lock was free for ${span(queue.handedOver)}`
    : t`At most ${queue.together ?? 0} held at once so far; nobody held for ${span(queue.stoodStill ?? 0)} at most`),
  'account.changed': ({ account }) => t`The account has ${account?.amount ?? 0}, and should have ${account?.should ?? 0}`,
  'cost.changed': ({ cost = {} }) => (cost.round ? t`Round ${cost.round.change}: ${cost.round.woken ?? 0} woken, ${cost.round.acquired ?? 0} acquired, ${cost.round.wasted ?? 0} wasted`
    : t`Wake-ups so far: ${cost.wakeups ?? 0}, wasted: ${cost.wasted ?? 0}`),
  'state.whole': () => t`All that is so now, for those who come late`,
  'check.changed': (e, catalogue) => t`Check “${catalogue.check(e.check ?? '').title}”: ${verdictWord(e.verdict ?? 'undecided')}${why(e)}`,
  'check.violation': (e, catalogue) => t`Check “${catalogue.check(e.check ?? '').title}” is violated again${why(e)}`,
  'note.started': (e) => note(e, t`The run begins`),
  'note.stopping': (e) => note(e, t`The clients are told to stop`),
  'note.drained': (e) => note(e, t`Every client has stopped`),
  'note.finished': (e) => note(e, t`The run is over`),
  'note.zookeeper': (e) => note(e, t`ZooKeeper has changed its state`),
  'note.fault': (e) => note(e, t`A fault could not be injected`),
  'note.step': (e) => note(e, e.held ? t`The network is held` : t`The network flows`),
  'note.delay': (e) => (e.delay ? t`Each message takes ${span(e.delay)} each way from now on${why(e)}` : t`Messages are not delayed from now on${why(e)}`),
  'note.injection': (e, catalogue) => (e.every ? t`${fault(e, catalogue)}: in some client of each lane every ${span(e.every * 1000)} from now on${why(e)}`
    : t`${fault(e, catalogue)}: not again and again any more${why(e)}`),
  'note.stalled': (e) => t`The machine stood still for ${span((e.for ?? 0) * 1000)}`,
  'note.limited': (e) => note(e, t`The run has reached a limit`),
  'note.joined': (e) => (e.participant === 'console' ? t`${who(e)} joins: a console${why(e)}` : e.name ? t`${who(e)} joins: a guest called ${e.name}${why(e)}` : t`${who(e)} joins: a guest${why(e)}`),
  'note.left': (e) => t`${who(e)} has left${why(e)}`,
  'note.refused': (e) => t`${e.client ? who(e) : t`A guest`} is refused: ${op(e)}${e.path ? ` ${node(e.path)}` : ''} ${e.err ?? ''}${why(e)}`,
  'note.truncated': (e) => note(e, t`The log has reached its size limit`),
};

/**
 * @param {Event} event
 * @param {Catalogue} catalogue
 * @returns {string} one line, without a full stop
 */
export const sentence = (event, catalogue) => sentences[event.kind]?.(event, catalogue) ?? event.kind;

/** @param {Event} e */
const who = (e) => {
  if (!e.client) return t`Somebody`;
  return e.thread ? t`Client ${e.client}, thread ${threadName(e.thread)}` : t`Client ${e.client}`;
};

/** @param {Event} e */
const target = (e) => (e.client ? who(e) : e.server ? t`Server ${e.server}` : 'ZooKeeper');

/** Whom an armed fault is for. @param {Event} e */
const awaited = (e) => (e.client ? who(e) : t`Whoever comes first`);

/** @param {Event} e @param {Catalogue} catalogue */
const fault = (e, catalogue) => catalogue.fault(e.fault ?? '').title;

/** @param {Event} e */
const written = (e) => (e.read && e.balance ? t`: read ${e.read}, wrote ${e.balance}` : '');

/** @param {Event} e */
const op = (e) => e.op ?? t`a frame`;

/** @param {Event} e */
const why = (e) => because(reasonOf(e));

/** @param {Event} e @param {string} text */
const note = (e, text) => reasonWords(reasonOf(e)) || text;

/** @param {Event} e */
const lock = ({ path }) => lockName(path) || t`the lock`;

/** @param {Event} e */
function request(e) {
  if (e.op === 'multi') return t`multi of ${(e.ops ?? []).map((each) => each.op).join(', ')}`;
  const watch = e.watch ? t` and set a watch` : '';
  const flags = e.flags ? ` (${e.flags.replaceAll('+', ', ')})` : '';
  return `${op(e)}${e.path ? ` ${node(e.path)}` : ''}${flags}${watch}`;
}

/** @param {Event} e */
function received(e) {
  if (e.op === 'notification') return t`${who(e)} is notified: ${e.type ?? t`a change of`} ${node(e.path)}`;
  const children = e.children ? t`, ${e.children} children` : '';
  const watch = e.watch ? t`, watch set` : '';
  const took = e.latency ? t` after ${span(e.latency)}` : '';
  return t`${who(e)} is answered: ${op(e)} ${e.err || 'ok'}${children}${watch}${took}`;
}
