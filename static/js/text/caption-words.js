// What happened, in sentences for everybody, with links to what they tell of. The first
// sentence says what, the others how and why.

import { simulated } from '../model/guests.js';
import { baseName } from '../model/queue.js';
import { hasCode } from '../model/reason.js';
import { participantWord, span, titleOf, verdictWord } from './format.js';
import { listed, listedParts, parts, t } from './language.js';
import { resultSentences } from './result.js';
import { modeWords, node } from './naming.js';
import { reasonParts, reasonWords } from './reasons.js';

/** @import { Catalogue } from './catalogue.js' */
/** @import { Caption, InLane, Some } from '../model/captions.js' */
/** @import { Kind } from '../events.d.ts' */
/** @import { Lane } from '../model/view.js' */

/** A part of a sentence that names something of the run; label is its name where its words alone are none. @typedef {{ words: string, label?: string, lane: string, client: number, path: string, frame?: number }} Link */
/** @typedef {string | Link} Part */
/** @typedef {{ head: Part[], rest: Part[] }} Told */
/** A sentence without its full stop. @typedef {Part[]} Sentence */
/** What a caption is told by. @typedef {{ caption: Caption, lanes: Lane[], catalogue: Catalogue, who: Link, where: string }} Telling */

/** @type {Partial<Record<Kind, (telling: Telling) => { head: Sentence, rest?: Sentence[] | ((place: InLane) => Sentence[]) }>>} */
const tellings = {
  'note.started': ({ caption: { reason }, lanes }) => ({ head: reason ? parts`the run begins: ${reasonWords(reason)}` : parts`the run begins`, rest: [[contenders(lanes)]] }),
  'note.joined': ({ caption: { name }, who, where }) => ({
    head: name === 'console' ? parts`a console joins as ${who}${where}` : parts`a guest joins as ${who}${where}`,
    rest: [parts`nobody can see what it believes; the queue shows where its znodes are`],
  }),
  'note.left': ({ caption: { client }, where }) => ({ head: parts`client ${client} has left${where}`, rest: whyOf }), // it is not there to be shown
  'note.refused': ({ where }) => ({ head: parts`a guest is turned away${where}`, rest: whyOf }),
  'tree.created': turn, // of a guest
  'tree.deleted': turn,
  'lock.enqueued': (telling) => queuedUp(telling),
  'lock.waiting': ({ caption: { lanes: [place] }, who, where }) => (place?.waitsFor === 'itself'
    ? { head: parts`${who} waits for ${nodeLink(place)}, which is its own${where}`, rest: [parts`nobody else will delete that`] }
    : { head: parts`${who} waits for ${nodeLink(place)}, which is gone already${where}`, rest: [parts`no notification will come`] }),
  'lock.acquired': ({ who, where, caption, lanes }) => {
    const [permitted, mode] = [permits(caption, lanes), modeWords(caption.lanes[0]?.mode)];
    return {
      head: permitted ? parts`${who} has a permit${mode}${where}` : parts`${who} holds ${lock(caption)}${mode}${where}`,
      rest: (place) => [
        clients(place, place.fellows, permitted ? [(one) => parts`${one} has one too`, (more) => parts`${more} have one too`] : [(one) => parts`${one} reads too`, (more) => parts`${more} read too`]),
        clients(place, place.rivals, [(one) => parts`${one} believes that it holds too`, (more) => parts`${more} believe that they hold too`]),
        clients(place, place.waiting, (place.locks ?? []).length > 1
          ? [(one) => parts`${one} waits, and holds none`, (more) => parts`${more} wait, and hold none`] : [(one) => parts`${one} waits`, (more) => parts`${more} wait`]),
        cost(place)],
    };
  },
  'lock.released': ({ who, where, caption, lanes }) => ({
    head: permits(caption, lanes) ? parts`${who} gives its permit back${where}` : parts`${who} releases ${lock(caption)}${where}`,
    rest: ({ lane, woken, turn }) => [woken ? parts`${woken} client is woken|${woken} clients are woken` : [],
      turn ? parts`the znode of ${clientLink(lane, turn.client)}, a ${participantWord(turn.participant)}, is first now: it may hold` : []],
  }),
  'lock.asked': ({ who, where }) => ({ head: parts`${who} is asked to give up the lock${where}`, rest: [parts`somebody has written into its znode`] }),
  'lock.gave-up': ({ who, where }) => ({ head: parts`${who} gives up${where}`, rest: whyOf }),
  'lock.lost': ({ who, where, caption }) => ({ head: parts`${who} knows that it no longer holds ${lock(caption)}${where}`, rest: whyOf }),
  'session.lost': ({ who, where }) => ({ head: parts`${who} has lost its session${where}`, rest: (place) => [lossOf(place), consequence(place, who), place.stalled ? parts`the machine had stood still for ${span(place.stalled * 1000)} just before` : []] }),
  'fault.injected': ({ caption, who, where, catalogue }) => ({
    head: parts`a fault is injected into ${caption.client ? who : 'ZooKeeper'}${role(caption)}${where}: ${catalogue.fault(caption.name).title}${lasting(caption)}`,
    rest: caption.lanes.length ? (place) => [...whyOf(place), place.unheard ? parts`${clientLink(place.lane, who.client)} does not hear of it, and waits on` : []] : [caption.reason ? [reasonWords(caption.reason)] : []],
  }),
  'fault.healed': ({ caption, who, where, catalogue }) => ({
    head: parts`the fault “${catalogue.fault(caption.name).title}” of ${caption.client ? who : 'ZooKeeper'} is over${where}`, rest: caption.lanes.length ? [] : [caption.reason ? [reasonWords(caption.reason)] : []],
  }),
  'program.ended': ({ who, where }) => ({ head: parts`the program of ${who} has ended${where}`, rest: whyOf }),
  'wire.dropped': ({ caption: { lanes: [place] }, who, where }) => ({
    head: parts`${{ words: t`the reply to a ${place?.op ?? t`request`}`, lane: place?.lane ?? '', client: who.client, path: '', frame: place?.frame ?? 0 }} of ${who} is lost${where}`,
    rest: [parts`the server has carried the request out, and the client does not know`],
  }),
  'resource.sent': ({ who, where }) => ({ head: parts`${who} sends its write, and the network holds it up${where}`, rest: [parts`it will arrive, whatever the client does by then`] }),
  'resource.refused': ({ who, where }) => ({ head: parts`a write of ${who} is refused${where}`, rest: whyOf }),
  'check.changed': (telling) => verdict(telling),
  'note.stalled': ({ caption }) => ({ head: parts`the machine stood still for ${span(caption.for * 1000)}` }),
  'note.finished': ({ caption, lanes, catalogue }) => ({ head: [ending(caption)], rest: [...ends(lanes, catalogue), ...resultSentences(lanes, caption.at).map((words) => [words])] }),
};

/**
 * @param {Caption} caption
 * @param {Lane[]} lanes of the run as it is now
 * @param {Catalogue} catalogue
 * @returns {Told}
 */
export function captionWords(caption, lanes, catalogue) {
  const [place] = caption.lanes;
  const name = lanes.find(({ info }) => info.name === place?.lane)?.clients.get(caption.client)?.name;
  const who = clientLink(place?.lane ?? '', caption.client, name);
  const telling = tellings[caption.kind]?.({ caption, lanes, catalogue, who, where: where(caption, lanes) })
    ?? { head: [reasonWords(caption.reason) || caption.kind] };
  const { rest = [] } = telling;
  const others = typeof rest === 'function' ? inEach(caption.lanes, lanes, rest) : rest;
  return { head: closed(telling.head), rest: joined(others) };
}

/** Many of one kind, in a sentence. @type {Partial<Record<Kind, (clients: string, what: string) => string>>} */
const sums = {
  'fault.injected': (clients, what) => t`Fault injected into ${clients}: ${what}.`,
  'session.lost': (clients) => t`Sessions of ${clients} are lost.`,
  'lock.lost': (clients) => t`Lock lost by ${clients}.`,
};

/**
 * More captions than there is time for: what is alike is told together, and of those who
 * held, the last.
 * @param {Caption[]} captions
 * @param {Lane[]} lanes
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export function summed(captions, lanes, catalogue) {
  /** @type {Map<string, Caption[]>} */ const groups = new Map();
  for (const caption of captions) {
    const key = `${caption.kind} ${caption.name}`;
    groups.set(key, [...groups.get(key) ?? [], caption]);
  }
  return [...groups.values()].map((group) => {
    const [{ kind, name }, ...others] = /** @type {[Caption, ...Caption[]]} */ (group);
    const clients = [...new Set(group.map(({ client }) => client))].sort((a, b) => a - b);
    const sum = others.length && clients[0] ? sums[kind] : undefined;
    if (sum) return sum(clients.length === 1 ? t`client ${clients.join('')}` : t`clients ${clients.join(t`, `)}`, catalogue.fault(name).title);
    return (kind === 'lock.acquired' ? group.slice(-1) : group).map((caption) => textOf(captionWords(caption, lanes, catalogue).head)).join(t` `);
  }).join(t` `);
}

/** The words alone. @param {Part[]} parts */
export const textOf = (parts) => parts.map((part) => (typeof part === 'string' ? part : part.words)).join('');

/** A reason with links to the clients and znodes. @param {InLane} place @returns {Sentence[]} */
const whyOf = ({ lane, reason }) =>
  [reasonParts(reason, { client: (number) => clientLink(lane, number), znode: (path) => ({ words: node(path), lane, client: 0, path }) })];

/** @param {string} lane @param {number} client @param {string} [name] of a guest that has one @returns {Link} */
const clientLink = (lane, client, name) => ({ words: name ? t`client ${client} (${name})` : t`client ${client}`, lane, client, path: '' });

/** @param {InLane | undefined} place @returns {Link} */
const nodeLink = (place) => ({ words: node(place?.path), lane: place?.lane ?? '', client: 0, path: place?.path ?? '' });

/** In which of the lanes, when there is more than one. @param {Caption} caption @param {Lane[]} lanes */
function where({ lanes: places }, lanes) {
  if (lanes.length < 2 || !places.length) return '';
  if (places.length === lanes.length) return lanes.length === 2 ? t` in both lanes` : t` in every lane`;
  return t` in lane ${listed(places.map(({ lane }) => nameOf(lane, lanes)))}`;
}

/** @param {string} name @param {Lane[]} lanes */
const nameOf = (name, lanes) => {
  const found = lanes.find(({ info }) => info.name === name);
  return found ? titleOf(found.info).name : name;
};

/** How it was in each lane, sentence by sentence: once where it was the same. @template {{ lane: string }} At @param {At[]} places @param {Lane[]} lanes @param {(place: At) => Sentence[]} tell as many in each lane @returns {Sentence[]} */
function inEach(places, lanes, tell) {
  const told = lanes.flatMap(({ info }) => places.filter(({ lane }) => lane === info.name)).map((place) => ({ name: nameOf(place.lane, lanes), sentences: tell(place) }));
  return (told[0]?.sentences ?? []).flatMap((first, index) => {
    const same = told.every(({ sentences }) => textOf(sentences[index] ?? []) === textOf(first));
    return same ? [first] : told.flatMap(({ name, sentences }) => (sentences[index]?.length ? [parts`${name}: ${sentences[index]}`] : []));
  });
}

/** @param {Sentence} parts @returns {Part[]} */
function closed(parts) {
  const [first = '', ...others] = parts.filter((part) => part !== '');
  const upper = (/** @type {string} */ words) => words.charAt(0).toUpperCase() + words.slice(1);
  return [typeof first === 'string' ? upper(first) : { ...first, words: upper(first.words) }, ...others, t`.`];
}

/** @param {Sentence[]} sentences */
const joined = (sentences) => sentences.filter(({ length }) => length).flatMap((each, index) => [...(index ? [t` `] : []), ...closed(each)]);

/** Why a run is over, if nobody asked for that. @param {Caption} caption */
const ending = ({ reason }) => (reason && reason.code !== 'finished' ? reasonWords(reason) : t`the run is over`);

/** @param {Lane[]} lanes */
function contenders(lanes) {
  const most = Math.max(0, ...lanes.map((lane) => simulated(lane).length));
  const [{ info: { locks = [] } } = { info: {} }] = lanes;
  if (lanes.length > 1) return t`${most} clients contend in each of ${lanes.length} lanes: ${listed(lanes.map(({ info }) => titleOf(info).name))}`;
  return locks.length ? t`${most} clients contend for the locks ${listed(locks.map(baseName))}` : t`${most} clients contend for one lock`;
}

/** How many permits the lane has in which it happened, if it has any. @param {Caption} caption @param {Lane[]} lanes */
const permits = (caption, lanes) => laneOf(caption, lanes)?.info.permits;

/** @param {Caption} caption @param {Lane[]} lanes */
const laneOf = (caption, lanes) => lanes.find(({ info }) => info.name === caption.lanes[0]?.lane);

/** What the lock is called, or the locks, where there are several. @param {Caption} caption */
const lock = ({ lanes: [place] }) => listed(place?.locks ?? []) || t`the lock`;

/** @param {Telling} telling @returns {{ head: Sentence, rest?: Sentence[] | ((place: InLane) => Sentence[]) }} */
function queuedUp({ caption, who, where }) {
  const [place] = caption.lanes;
  if (place?.again) return { head: parts`${who} finds that its znode is gone, and queues up again${where}`, rest: [parts`its new ${nodeLink(place)} is at the end of the queue`] };
  if (!place?.locks) return { head: parts`${who} is in the queue${where}`, rest: whyOf };
  return {
    head: place.locks.length > 2 ? parts`${who} queues up for ${lock(caption)} in one transaction: all or none${where}` : parts`${who} queues up for ${lock(caption)} in one transaction: both or none${where}`,
    rest: [parts`a client that is ahead in one queue is ahead in the other, so no clients wait in a circle`],
  };
}

/** A guest whose znode has come to where a holder's is. @param {Telling} telling @returns {{ head: Sentence, rest: Sentence[] }} */
function turn({ caption: { lanes: [place] }, who, where }) {
  return {
    head: place?.mode === 'read' ? parts`it is the turn of ${who}: by the server’s order it may read${where}` : parts`it is the turn of ${who}: by the server’s order the lock is its own${where}`,
    rest: [parts`what it believes, nobody can see`],
  };
}

/** @param {InLane} place @param {Some | undefined} some @param {[(one: Part[]) => Sentence, (more: Part[]) => Sentence]} does of one, and of more @returns {Sentence} */
function clients({ lane }, some, [one, more]) {
  if (!some?.count) return [];
  const links = some.first.map((client) => clientLink(lane, client));
  if (some.count > links.length) return more(parts`${some.count} client|${some.count} clients`);
  if (links.length === 1) return one(links);
  return more(parts`clients ${listedParts(links.map((link) => ({ ...link, words: String(link.client), label: link.words })))}`);
}

/** Whom it woke that freed the lock. @param {InLane} place @returns {Sentence} */
function cost({ lane, cause, freedBy = 0, woken = 0, wasted = 0 }) {
  if (!cause || !freedBy || !woken) return [];
  const who = clientLink(lane, freedBy);
  const freed = { release: parts`the release of ${who}`, end: parts`the end of the session of ${who}`, removed: parts`the deletion of the znode of ${who}` }[cause];
  const vain = wasted ? t`, ${wasted} of them for nothing` : '';
  return parts`${freed} woke ${woken} client${vain}|${freed} woke ${woken} clients${vain}`;
}

/** @param {InLane} place @returns {Sentence} */
function lossOf(place) {
  if (place.by !== 'server') return place.by === 'client' ? whyOf(place)[0] ?? [] : parts`the server tells it so`;
  return parts`the server has ended it and deleted ${nodeLink(place)}`;
}

/** What a lost session means for who holds. @param {InLane} place @param {Link} who @returns {Sentence} */
function consequence({ lane, role: believes, gaveUp }, who) {
  if (gaveUp) return parts`it gives up the lock`;
  return believes === 'holds' ? parts`${clientLink(lane, who.client)} still believes that it holds the lock` : [];
}

/** What the client did, when that was the same in all lanes. @param {Caption} caption */
function role({ lanes }) {
  const [first] = lanes;
  if (!first?.role || lanes.some((place) => place.role !== first.role)) return '';
  return first.role === 'holds' ? t`, which holds ${listed(first.locks ?? []) || t`the lock`}` : t`, which waits`;
}

/** @param {Caption} caption */
const lasting = ({ for: length }) => (length ? t` for ${span(length * 1000)}` : '');

/** What a check has found; who believes is told by how long. @param {Telling} telling */
function verdict({ caption, catalogue, where: lanes }) {
  const { title, violated } = catalogue.check(caption.name);
  if (caption.verdict !== 'violated') return { head: parts`the check “${title}” is ${caption.verdict ? verdictWord(caption.verdict) : ''} from now on${lanes}`, rest: whyOf };
  return {
    head: [violated || t`the check “${title}” is violated`, lanes],
    rest: (/** @type {InLane} */ place) => (caption.name === 'belief' && place.believers?.length ? [believing(place)]
      : caption.name === 'fenced-account' ? whyOf({ ...place, reason: [place.reason?.args?.['reasons'] ?? place.reason].flat().find((each) => typeof each === 'object') }) // what is lost goes on changing
      : [isCircle(place) ? parts`a deadlock: ${whyOf(place).flat()}` : whyOf(place).flat()]),
  };
}

/** Whether clients wait for each other. @param {Pick<InLane, 'reason'>} found */
export const isCircle = ({ reason }) => hasCode(reason, 'circle');

/** @param {InLane} place @returns {Sentence} */
const believing = ({ lane, believers = [] }) => believers.flatMap(({ client, for: length }, index) =>
  [...(index ? [t`, `] : []), ...(length < 1000 ? parts`${clientLink(lane, client)} since just now` : parts`${clientLink(lane, client)} has believed it for ${span(length)}`)]);

/** What the checks have found in the end. @param {Lane[]} lanes @param {Catalogue} catalogue */
const ends = (lanes, catalogue) => inEach(lanes.map((lane) => ({ lane: lane.info.name, of: lane })), lanes, ({ of }) => {
  const found = catalogue.ordered(of.checks);
  const those = (/** @type {string} */ wanted) => found.filter(({ verdict }) => verdict === wanted);
  const [wrong, open, right] = [those('violated'), those('undecided'), those('holds')];
  const words = [
    wrong.length ? violatedWords(wrong.length, wrong.map(({ title, violated }) => lower(violated || title)).join(t`; `)) : '',
    open.length ? undecidedWords(open.length, open.map(({ title }) => title).join(t`; `)) : '',
    wrong.length || open.length ? t`${right.length} holds|${right.length} hold` : t`all ${right.length} checks hold`,
  ].filter(Boolean);
  return [[words.join(t`, `)]];
});

/** @param {number} count @param {string} which */
const violatedWords = (count, which) => t`${count} check is violated (${which})|${count} checks are violated (${which})`;

/** @param {number} count @param {string} which */
const undecidedWords = (count, which) => t`${count} check is undecided (${which})|${count} checks are undecided (${which})`;

/** @param {string} words */
const lower = (words) => words.charAt(0).toLowerCase() + words.slice(1);
